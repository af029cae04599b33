#!/usr/bin/env python3
"""Checks the dice of the games in a log of a channel: prints every roll, and says what does not fit.

    python check_dice.py < channel.log

It needs nothing but Python, and knows no more than docs/fairness.md says. The exit status is 0 when all fits.
Give it the host's own lines alone where others may have written such lines as well.
"""

import hashlib
import hmac
import re
import sys
from collections import Counter

BOXES = ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"]
TOLD = re.compile(r"(?<!\S)\S+ (?:\w+(?: of a Kind| House| Straight)?) (\d+)(?:\+\d+)? \(\d+\)")
FIXED = {"fh": 25, "ss": 30, "ls": 40, "yz": 50}


def fall(seed: bytes, label: str, words: str) -> list[int]:
    """Five faces: of HMAC-SHA256 blocks each byte below 252 is one, byte mod 6 + 1."""
    faces: list[int] = []
    block = 0
    while len(faces) < 5:
        stream = hmac.digest(seed, f"{label}|{words}|{block}".encode(), "sha256")
        faces += [byte % 6 + 1 for byte in stream if byte < 252]
        block += 1
    return faces[:5]


def pays(box: str, dice: list[int]) -> int:
    """What dice pay that are not all equal; of equal ones the rule sets differ."""
    counts = sorted(Counter(dice).values())
    run = max(map(len, "".join(str(face) if face in dice else " " for face in range(1, 7)).split()))
    made = {"3k": counts[-1] >= 3, "4k": counts[-1] >= 4, "fh": counts == [2, 3], "yz": False, "ch": True}
    made |= {"ss": run >= 4, "ls": run >= 5}
    if box not in made:
        return (BOXES.index(box) + 1) * dice.count(BOXES.index(box) + 1)
    return FIXED.get(box, sum(dice)) if made[box] else 0


def check(log: str, game: str, told: dict[int, list[str]], *, same: bool) -> list[str]:
    """Print every roll of a game; what does not fit. `told` are the points of each round, seat by seat."""
    told_seeds = set(re.findall(rf"game {game} seed ([0-9a-f]{{64}})", log))
    seed, wrong = bytes.fromhex(min(told_seeds)), []
    if len(told_seeds) > 1:
        return [f"game {game}: two seeds were told"]
    if hashlib.sha256(seed).hexdigest() not in re.findall(rf"game {game} commit sha256:(\w+)", log):
        wrong.append(f"game {game}: no commitment was told to this seed")
    seats = dict(re.findall(r"(\d+)=(\S+)", " ".join(re.findall(rf"game {game} seats (.*)", log))))
    plays = dict(re.findall(r"(\d+)=(\S+)", " ".join(re.findall(rf"game {game} plays (.*)", log))))
    if plays.keys() - seats.keys():
        return [f"game {game}: who sat where was not told"]
    words = ",".join(seat.rpartition("/")[2] for seat in seats.values())
    for seat, rounds in plays.items():
        nick = seats[seat].rpartition("/")[0]
        for round_, play in enumerate(rounds.split(","), start=1):
            held, box = play.split(":")
            label = f"{game}|{0 if same else seat}|{round_}"
            dice = fall(seed, f"{label}|1", words)
            shown = [" ".join(map(str, dice))]
            for roll, kept in enumerate(held.split("/") if held else [], start=2):
                new = fall(seed, f"{label}|{roll}", words)
                dice = [dice[at] if "abcde"[at] in kept else new[at] for at in range(5)]
                shown.append(f"{kept} kept: {' '.join(map(str, dice))}")
            print(f"game {game}, round {round_}, {nick}: {', '.join(shown)} for {box}")
            points = told.get(round_, [])[int(seat) - 1 : int(seat)]
            if points and len(set(dice)) > 1 and int(points[0]) != pays(box, dice):
                wrong.append(f"round {round_}, {nick}: {box} pays {pays(box, dice)}, told was {points[0]}")
    return wrong


def main() -> int:
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    log, current, opened, number = "", "", False, 0
    rounds: dict[str, dict[int, list[str]]] = {}
    same: dict[str, bool] = {}
    for line in sys.stdin:
        log += line
        opened = "the same dice for all)" in line if " opens a game of " in line else opened
        if found := re.search(r"game ([a-z0-9]{6,16}) commit ", line):
            current = found[1]
            same.setdefault(current, opened)
        if found := re.search(r"Round (\d+)/13: ", line):
            number = int(found[1])
        if "Round " in line or " | " in line:
            rounds.setdefault(current, {}).setdefault(number, []).extend(TOLD.findall(line))
    games = dict.fromkeys(re.findall(r"game ([a-z0-9]{6,16}) seed [0-9a-f]{64}", log))
    checked = (check(log, game, rounds.get(game, {}), same=same.get(game, False)) for game in games)
    wrong = [what for one in checked for what in one]
    for what in wrong:
        print(f"WRONG: {what}")
    print(f"{len(games)} game(s), {len(wrong)} thing(s) that do not fit")
    return 1 if wrong or not games else 0


if __name__ == "__main__":
    sys.exit(main())
