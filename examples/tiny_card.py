#!/usr/bin/env python3
"""A card in one file: it joins a channel, sits down, and plays one game of Yahtzee by itself.

    python tiny_card.py --server irc.example.org --channel '#yardzee' --nick tiny

It needs nothing but Python, and knows no more than docs/protocol.md says. Copy it and make it yours: what
decides is `Card.decide`. The game begins when somebody says !start, or when the lobby's time is up. The exit
status is 0 with a result, and else 1.
"""

import argparse
import socket
import sys
from collections import Counter

# What a box is likely to pay in the end. Scoring well above that is worth doing at once.
USUAL = {"ac": 2, "tw": 5, "th": 8, "fo": 12, "fi": 15, "si": 18}
USUAL |= {"3k": 22, "4k": 13, "fh": 20, "ss": 25, "ls": 20, "yz": 15, "ch": 22}

HOST_MASKS = ("yardzee@", "~yardzee@")  # what hosts have for a user name


class Card:
    def __init__(self, connection: socket.socket, nick: str, channel: str, host: str) -> None:
        self.connection, self.nick, self.channel, self.host = connection, nick, channel, host
        self.greeted = False  # the host has answered our hello
        self.nicks: list[str] = []  # who plays, seat by seat
        self.dice: dict[str, str] = {}  # the last dice, as fields
        self.answered = ""  # the roll that we have decided on: a second decision would be late
        self.refused = False  # the dice that come next only say that nothing has changed
        self.status: int | None = None  # the exit status, once all is over

    def run(self) -> int:
        self.send(f"NICK {self.nick}\r\nUSER card 0 * :{self.nick}")
        for raw in self.connection.makefile("rb"):
            # :nick!user@host COMMAND parameter … :last parameter
            line = raw.decode("utf-8", "replace").rstrip("\r\n")
            prefix, _, line = line[1:].partition(" ") if line.startswith(":") else ("", "", line)
            front, colon, last = line.partition(" :")
            command, *parameters = (front.split() or [""]) + ([last] if colon else [])
            self.hear(*prefix.partition("!")[::2], command.upper(), parameters)
            if self.status is not None:
                self.send("QUIT")
                return self.status
        print("The connection has ended.")
        return 1

    def hear(self, sender: str, mask: str, command: str, parameters: list[str]) -> None:
        """Take in a line of the server."""
        if command == "PING":
            self.send(f"PONG :{parameters[-1]}")
        elif command == "001":  # welcome; the first parameter is the nick that we really have
            self.nick = parameters[0]
            self.send(f"JOIN {self.channel}")
        elif command == "433":  # somebody else has that nick
            self.nick += "_"
            self.send(f"NICK {self.nick}")
        elif command == "JOIN" and (sender in (self.nick, self.host) or mask.startswith(HOST_MASKS)):
            self.tell("hello v=1 lines=only card=tiny/1", self.host or self.channel)
        elif command == "NICK":  # ours, or the host's, or neither
            self.nick = parameters[0] if sender == self.nick else self.nick
            self.host = parameters[0] if sender == self.host else self.host
        elif command in ("PRIVMSG", "NOTICE") and parameters[0].lower() == self.nick.lower():
            mark, *words = parameters[-1].split() or [""]
            if mark.lower() == "ycp" and words:
                fields = dict(word.split("=", 1) for word in words[1:] if "=" in word)
                self.told(sender, words[0].lower(), fields)

    def told(self, sender: str, kind: str, fields: dict[str, str]) -> None:
        """Take in a line for programs: the host's, of a kind that we know."""
        if kind == "hello" and "host" in fields and self.host.lower() in ("", sender.lower()):
            print(f"{sender} is the host ({fields['host']}).")
            self.host = sender
            self.tell("state" if self.greeted else f"register c={self.channel}")
            self.greeted, self.answered = True, ""  # what we said last may not have come through
        if sender != self.host:
            return
        if "wrote" in fields:
            print(f"Scored {fields['wrote']}.")
        if kind in ("seated", "began"):
            print(f"{kind.title()}: {fields['rules']} rules, {fields['pace']} pace.")
            self.nicks = fields.get("nicks", "").split(",")
        elif kind == "nicks":
            self.nicks += fields["nicks"].split(",")
        elif kind == "dice":
            self.take(fields)
        elif kind == "scored":
            self.refused = False
        elif kind == "time" and fields["clock"] == "runs" and self.dice:
            self.decide()
        elif kind == "refused":
            print(f"Refused: {fields['code']}.")
            self.status = 1 if fields.get("cmd") in ("hello", "register") else None
            # Late: the dice that follow are news. Else the same decision would be refused again.
            self.refused = fields["code"] != "late"
        elif kind == "result":
            print(f"The game is over: place {fields['place']}.")
            print(*map("  {} {}".format, self.nicks, fields["tot"].split(",")), sep="\n")
            self.status = 0
        elif kind == "gone":
            print(f"Out of the game: {fields['why']}.")
            self.status = 1

    def take(self, fields: dict[str, str]) -> None:
        """Take in dice, and decide, unless nothing has changed since the last decision was refused."""
        self.dice = fields
        print(f"Round {fields['r']}, roll {fields['k']}: {' '.join(fields['d'])}")
        if self.refused:
            self.refused, self.answered = False, ""
        elif "keep" not in fields and "box" not in fields:  # else it is noted, and others are waited for
            self.decide()

    def decide(self) -> None:
        """Score a good box at once; else keep the commonest face, and after the third roll take the best."""
        dice, faces = self.dice, self.dice["d"]
        roll = f"g={dice['g']} r={dice['r']} k={dice['k']}"
        if roll == self.answered:
            return
        self.answered = roll
        pays = {box: int(points) for box, points in (one.split(":") for one in dice["pay"].split(","))}
        best = max(pays, key=lambda box: pays[box] - USUAL.get(box, 0))
        common = max(Counter(faces).items(), key=lambda pair: (pair[1], pair[0]))[0]
        kept = "".join(place for place, face in zip("abcde", faces, strict=True) if face == common)
        if dice["k"] == "3" or len(kept) == 5 or pays[best] >= USUAL.get(best, 0) + 5:
            self.tell(f"score {roll} box={best}")
        else:
            self.tell(f"hold {roll} keep={kept}")

    def tell(self, text: str, target: str = "") -> None:
        self.send(f"PRIVMSG {target or self.host} :ycp {text}")

    def send(self, line: str) -> None:
        self.connection.sendall(f"{line}\r\n".encode())


def main() -> int:
    parser = argparse.ArgumentParser(description="Play one game of Yahtzee over IRC.")
    parser.add_argument("--server", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=6667)
    parser.add_argument("--nick", default="tiny")
    parser.add_argument("--channel", default="#yardzee")
    parser.add_argument("--host", default="", help="the host's nick; else whoever answers in the channel")
    asked = parser.parse_args()
    with socket.create_connection((asked.server, asked.port)) as connection:
        return Card(connection, asked.nick, asked.channel, asked.host).run()


if __name__ == "__main__":
    sys.exit(main())
