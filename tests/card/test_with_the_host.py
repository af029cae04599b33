"""Cards and the real host, on a wire in memory: whole games, a restart, and a seat that is taken up again."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

import pytest

from card.boxes import differs
from card.dialogue import Dialogue
from card.notes import Note, Tone
from card.ports import Listener, Memory, Where
from chat.casemap import fold
from chat.events import Connected, Disconnected, Joined, LinkEvent, Message, Names, Present, Quit, User
from game.category import Category
from host.advice import Turns, no_turns
from protocol.card.stages import Stage
from tests.support import perfect_play
from tests.support.bench import CHANNEL, HOST, Bench, config

HOST_USER = User(HOST, "~yardzee", "host.example.net")


class Player:
    """A card whose wire ends at a bench."""

    def __init__(self, street: Street, nick: str, memory: Memory | None = None) -> None:
        self.street, self.nick = street, nick
        self.notes: list[Note] = []
        self.memory = memory or Memory()
        self.dialogue = Dialogue(self, CHANNEL, street.clock, memory)
        self.dialogue.listener = Listener(self.notes.append, remember=self._remember)

    def _remember(self, memory: Memory) -> None:
        self.memory = memory

    def fold(self, name: str) -> str:
        return fold(name, "ascii")

    def is_me(self, nick: str) -> bool:
        return nick == self.nick

    def send(self, target: str, text: str) -> None:
        self.street.said.append((self.nick, target, text))

    def warnings(self) -> list[str]:
        return [note.text for note in self.notes if note.tone is Tone.WARNING]


class Street:
    """A bench, and the cards that are connected to it."""

    def __init__(self, settings: str, turns: Turns = no_turns) -> None:
        self.config = config(f'{{"{CHANNEL}": {settings}}}')
        self.bench = Bench(self.config, turns=turns)
        self.players: list[Player] = []
        self.said: deque[tuple[str, str, str]] = deque()
        self._heard = 0
        self._ahead = 0.0
        self.bench.connect()

    def clock(self) -> float:
        return self._ahead + self.bench.clock.now()

    def come(self, nick: str, memory: Memory | None = None) -> Player:
        """A card comes into the channel."""
        player = Player(self, nick, memory)
        self.players.append(player)
        self.bench.join(nick)
        self.tell(player, Connected(nick), Names(CHANNEL, (nick, HOST)), Present(CHANNEL, (HOST_USER,)))
        return player

    def go(self, player: Player) -> None:
        """A card's connection is lost."""
        self.players.remove(player)
        self.bench.quit(player.nick)
        player.dialogue.hear(Disconnected("reset"))

    def tell(self, player: Player, *events: LinkEvent) -> None:
        for event in events:
            player.dialogue.hear(event)
        self.run()

    def run(self) -> None:
        """Carry lines both ways until nobody says anything."""
        while self.said or self._heard < len(self.bench.wire.sent):
            while self.said:
                nick, target, text = self.said.popleft()
                (self.bench.tell if target == HOST else self.bench.say)(nick, text)
            sent = self.bench.wire.sent[self._heard :]
            self._heard += len(sent)
            for target, text, _ in sent:
                for player in self.players:
                    if target in (player.nick, CHANNEL):
                        message = Message(HOST_USER, target, text, private=target != CHANNEL)
                        player.dialogue.hear(message)

    def pass_(self, seconds: float) -> None:
        """Let time go by for all."""
        self.bench.pass_(seconds)
        for player in self.players:
            player.dialogue.tick()
        self.run()

    def restart(self) -> None:
        """The host ends, and another one starts with the same journal."""
        for player in self.players:
            player.dialogue.hear(Quit(HOST_USER, "restart"))
        self._ahead += 1000.0 + self.bench.clock.now()
        self.bench.desk.close()
        self.bench = Bench(self.config, self.bench.journal, seed=bytes(32))
        self._heard = 0
        self.bench.connect(*(player.nick for player in self.players))
        for player in self.players:
            player.dialogue.hear(Joined(HOST_USER, CHANNEL))
        self.run()


def play(street: Street, player: Player, chance: random.Random) -> None:
    """One decision, as a person makes it who looks at the card."""
    game = player.dialogue.play
    hand = game.view.hand
    if hand is None or not game.view.deciding or game.view.noted_box is not None:
        return
    if game.view.can_roll and chance.random() < 0.5:
        game.keep(frozenset(place for place in range(5) if chance.random() < 0.4))
        game.send_rerolls()
    else:
        box = chance.choice(list(hand.pays))
        if game.view.marked is not box:
            game.mark(box)
        asked = len(player.warnings())
        game.send_score()
        if len(player.warnings()) > asked:  # for nothing, it is said twice
            street.pass_(1)
            game.send_score()
    street.run()


def true_to(street: Street, player: Player, seat: int) -> None:
    """The card shows what the host has."""
    match = street.bench.keeper().table.match
    view = player.dialogue.view
    assert match is not None
    assert view.card == match.cards[seat]
    assert view.sound
    assert not differs(view)
    if view.deciding and view.hand:
        assert (view.hand.round, view.hand.dice) == (match.round, match.turns[seat].dice)


@pytest.mark.parametrize("rules", ["hasbro", "yardzee", "houston"])
@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_whole_games(pace: str, rules: str) -> None:
    street = Street(f"{{rules: {rules}, pace: {pace}, repeat_seconds: 0}}")
    players = [street.come(nick) for nick in ("alice", "bob")]
    for player in players:
        assert player.dialogue.where is Where.HERE
        street.pass_(5)
        player.dialogue.play.register()
        street.run()
    street.pass_(5)
    assert players[0].dialogue.view.nicks == ("alice", "bob")
    players[0].dialogue.start()
    street.run()
    chance = random.Random(f"{pace}{rules}")
    for _ in range(400):
        for seat, player in enumerate(players):
            street.pass_(1)
            play(street, player, chance)
            true_to(street, player, seat)
        if all(player.dialogue.view.stage is Stage.OVER for player in players):
            break
    table = street.bench.keeper().table
    assert table.match
    totals = tuple(card.total for card in table.match.cards)
    for player in players:
        assert player.dialogue.view.totals == totals
        assert player.memory.token == ""
        assert not [line for line in player.warnings() if "would pay 0" not in line]


def began(settings: str = "{}", turns: Turns = no_turns) -> tuple[Street, Player]:
    """A game of one, with its first dice."""
    street = Street(settings, turns)
    alice = street.come("alice")
    street.pass_(5)
    for wish in (alice.dialogue.play.register, alice.dialogue.start):
        wish()
        street.run()
        street.pass_(5)
    assert alice.dialogue.view.deciding
    return street, alice


def again(street: Street, player: Player, wish: Callable[[], None]) -> None:
    street.pass_(5)
    wish()
    street.run()


def test_the_hosts_restart_costs_nothing() -> None:
    street, alice = began()
    alice.dialogue.play.keep(frozenset({0, 2}))
    again(street, alice, alice.dialogue.play.send_rerolls)
    before = alice.dialogue.view
    street.restart()
    assert alice.dialogue.where is Where.HERE
    street.pass_(5)
    after = alice.dialogue.view
    assert (after.hand, after.kept, after.game) == (before.hand, before.kept, before.game)
    again(street, alice, alice.dialogue.play.send_rerolls)
    assert alice.dialogue.view.hand
    assert alice.dialogue.view.hand.roll == 3


def test_a_lost_connection_and_another_nick_bring_the_player_back_to_the_seat() -> None:
    street, alice = began()
    hand = alice.dialogue.view.hand
    street.go(alice)
    other = street.come("zoe", alice.memory)
    street.pass_(5)
    assert other.dialogue.view.hand == hand
    assert other.dialogue.view.nicks == ("zoe",)
    assert other.memory.token == alice.memory.token, "it proves the seat the next time as well"


def test_who_does_not_decide_sees_what_the_host_scored() -> None:
    street, alice = began()
    street.pass_(200)
    view = alice.dialogue.view
    assert view.last
    assert "The host scored for you" in alice.dialogue.status or view.round == 2
    assert view.card.total == view.last.total


def test_a_pause_and_a_leave() -> None:
    street, alice = began()
    again(street, alice, lambda: alice.dialogue.to_host("pause"))
    assert "paused" in alice.dialogue.status
    again(street, alice, alice.dialogue.play.send_rerolls)
    assert "clock stands" in alice.warnings()[-1]
    again(street, alice, lambda: alice.dialogue.to_host("resume"))
    again(street, alice, alice.dialogue.leave)
    street.pass_(5)
    assert alice.dialogue.view.stage is Stage.OUT
    assert alice.dialogue.status.startswith("You have left the game.")


@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_who_takes_every_hint_decides_perfectly(pace: str) -> None:
    street, alice = began(f"{{pace: {pace}}}", perfect_play.turns("hasbro"))
    play = alice.dialogue.play
    while play.view.playing:
        street.pass_(1)
        play.hint()
        street.run()
        hint, hand = play.view.hint, play.view.hand
        assert hint
        play.hint()
        send = play.send_score if isinstance(hint.best, Category) else play.send_rerolls
        again(street, alice, send)
        if play.view.hand == hand:  # for nothing, it is said twice
            again(street, alice, send)
    found = play.view.analysis
    assert found
    assert found.lost == 0
    assert found.costly == ()
    assert found.start
    assert found.start + found.luck == play.view.total
    final = [text for target, text, _ in street.bench.wire.sent if target == CHANNEL and "Final" in text]
    assert "With hints: alice" in final[0]


def test_a_table_without_hints_says_so() -> None:
    street, alice = began("{hints: off}", perfect_play.turns("hasbro"))
    again(street, alice, alice.dialogue.play.hint)
    assert alice.warnings() == ["This table plays without hints."]
    assert alice.dialogue.play.pending is None
