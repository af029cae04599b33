"""Optimal solitaire play: exact values of a rule set, the best holds, the analysis of a finished game.

The rules come from `game` alone. Nothing here reads a clock, a network or a configuration; `solver.cache`
works in the folder that it is given.
"""
