"""Who is in hundreds of channels is asked one channel at a time."""

from __future__ import annotations

from chat.casemap import fold
from chat.census import Census
from chat.events import Names, Present
from chat.isupport import ISupport
from chat.roster import Roster
from chat.wire import Line

CHANNELS = [f"#y{n}" for n in range(300)]


class Asking:
    """A census of many channels, and a server that is played by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.sent: list[str] = []
        self.told: list[Names | Present] = []
        self.inside = set(CHANNELS)
        self.census = Census(
            Roster(str.lower),
            fold=lambda name: fold(name, "ascii"),
            is_me=lambda nick: nick == "Yardzee",
            is_in=lambda channel: channel.lower() in self.inside,
            isupport=ISupport,
            transmit=self.sent.append,
            tell=self.told.append,
            clock=lambda: self.now,
        )

    def joined(self, *channels: str) -> None:
        for channel in channels:
            self.census.names(Line.parse(f":s 353 Yardzee = {channel} :Yardzee al"))
            self.census.end_of_names(Line.parse(f":s 366 Yardzee {channel} :End"))

    def answer(self) -> str:
        """Answer the last question; returns the channel."""
        channel = self.sent[-1].removeprefix("WHO ")
        self.census.who(Line.parse(f":s 352 Yardzee {channel} ~al host.al s al H :0 Al"))
        self.census.end_of_who(Line.parse(f":s 315 Yardzee {channel} :End"))
        return channel

    @property
    def present(self) -> list[str]:
        return [one.channel for one in self.told if isinstance(one, Present)]


def test_the_next_is_asked_about_when_the_answer_has_ended() -> None:
    asking = Asking()
    asking.joined(*CHANNELS)
    assert asking.sent == ["WHO #y0"]
    assert [asking.answer() for _ in CHANNELS] == CHANNELS
    assert asking.present == CHANNELS
    assert len(asking.sent) == len(CHANNELS)


def test_an_answer_that_never_ends_holds_up_the_others_for_seconds_only() -> None:
    asking = Asking()
    asking.joined("#y0", "#y1", "#y2")
    asking.now = 9.9
    asking.census.tick()
    assert asking.sent == ["WHO #y0"]
    asking.now = 10.0
    asking.census.tick()
    assert asking.sent == ["WHO #y0", "WHO #y1"]
    # What comes too late counts all the same, and is no answer to the question that is open.
    asking.census.end_of_who(Line.parse(":s 315 Yardzee #Y0 :End"))
    assert asking.present == ["#Y0"]
    assert asking.sent == ["WHO #y0", "WHO #y1"]
    asking.answer()
    assert asking.sent[-1] == "WHO #y2"


def test_a_channel_that_was_left_is_not_asked_about() -> None:
    asking = Asking()
    asking.joined("#y0", "#y1", "#y2")
    asking.inside.discard("#y1")
    asking.census.left("#Y1")
    asking.answer()
    assert asking.sent == ["WHO #y0", "WHO #y2"]


def test_leaving_the_channel_that_is_asked_about_holds_up_nothing() -> None:
    asking = Asking()
    asking.joined("#y0", "#y1")
    asking.inside.discard("#y0")
    asking.census.left("#y0")
    asking.answer()
    assert asking.present == []
    assert asking.sent == ["WHO #y0", "WHO #y1"]


def test_a_server_that_has_too_much_to_do_is_asked_again_three_times_at_most() -> None:
    asking = Asking()
    asking.joined("#y0", "#y1")
    for second in range(11, 111, 11):
        if asking.sent[-1] == "WHO #y0":
            asking.census.try_again(Line.parse(":s 263 Yardzee WHO :Please wait a while and try again."))
        else:
            asking.answer()
            continue
        asking.now = second
        asking.census.tick()
    # The answer of the others came in between.
    assert asking.sent.count("WHO #y0") == 3
    assert asking.sent.count("WHO #y1") == 1
    asking.census.try_again(Line.parse(":s 263 Yardzee LIST :no"))
