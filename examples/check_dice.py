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
TOLD = re.compile(r"(?<!\S)\S+ (?:\w+(?: of a Kind| House| Straight)?) (\d{1,4})(?:\+\d+)? \(\d+\)")
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


def seats(log: str, game: str, what: str) -> dict[str, str]:
    """What was told of each seat."""
    return dict(re.findall(r"(\d{1,2})=(\S+)", " ".join(re.findall(rf"game {game} {what} (.*)", log))))


def check(log: str, game: str) -> list[str]:
    """Print every roll of a game; what does not fit. What was told too late proves nothing."""
    log = log[max(log.rfind(" opens a game of ", 0, log.index(f"game {game} ")), 0) :]
    seeds = set(re.findall(rf"game {game} seed ([0-9a-f]{{64}})", log))
    seed, wrong = bytes.fromhex(min(seeds)), []
    if len(seeds) > 1:
        return [f"game {game}: two seeds were told"]
    before = re.split(rf"The game begins: |Round \d+/13: |game {game} se(?:ats|ed) ", log, maxsplit=1)[0]
    if hashlib.sha256(seed).hexdigest() not in re.findall(rf"game {game} commit sha256:(\w+)", before):
        wrong.append(f"game {game}: no commitment was told to this seed before the game")
    sat, plays = seats(log, game, "seats"), seats(log, game, "plays")
    if plays.keys() - sat.keys():
        return [f"game {game}: who sat where was not told"]
    if sat != seats(re.split(rf"Round \d+/13: |game {game} seed ", log, maxsplit=1)[0], game, "seats"):
        print(f"NOT CHECKED: game {game}: words that were told only after dice had fallen")
    words = ",".join(seat.rpartition("/")[2] for seat in sat.values())
    told = re.split(r"Round (\d{1,2})/13: ", log)[1:]
    rounds = list(zip(told[::2], told[1::2], strict=True))
    points = {int(number): TOLD.findall(text) for number, text in reversed(rounds)}
    same = "the same dice for all)" in log.partition("\n")[0]
    for seat, played in plays.items():
        nick = sat[seat].rpartition("/")[0]
        for number, play in enumerate(played.split(","), start=1):
            held, box = play.split(":")
            label = f"{game}|{0 if same else seat}|{number}"
            dice = fall(seed, f"{label}|1", words)
            shown = [" ".join(map(str, dice))]
            for roll, kept in enumerate(held.split("/") if held else [], start=2):
                new = fall(seed, f"{label}|{roll}", words)
                dice = [dice[at] if "abcde"[at] in kept else new[at] for at in range(5)]
                shown.append(f"{kept} kept: {' '.join(map(str, dice))}")
            print(f"game {game}, round {number}, {nick}: {', '.join(shown)} for {box}")
            was = points.get(number, [])[int(seat) - 1 : int(seat)]
            if was and len(set(dice)) > 1 and int(was[0]) != pays(box, dice):
                wrong.append(f"round {number}, {nick}: {box} pays {pays(box, dice)}, told was {was[0]}")
    return wrong


def main() -> int:
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    log = sys.stdin.read()
    games = dict.fromkeys(re.findall(r"game ([a-z0-9]{6,16}) seed [0-9a-f]{64}", log))
    wrong = [what for game in games for what in check(log, game)]
    for what in wrong:
        print(f"WRONG: {what}")
    print(f"{len(games)} game(s), {len(wrong)} thing(s) that do not fit")
    return 1 if wrong or not games else 0


if __name__ == "__main__":
    sys.exit(main())
