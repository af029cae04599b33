"""The rules of Yahtzee: dice, boxes, rule sets, scorecards and the match.

Pure: no I/O, no clock and no randomness. Dice come in as values.
"""
