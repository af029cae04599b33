"""The page of help."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from game.rules import RuleSet

_HELP: Final = """\
A game has 13 rounds. In each you get five dice, may roll twice more, and fill one box.

 J            Register: take a seat at the table
 P            Practice: a game alone, with a word on every decision
 G            Start: begin the game (whoever opened the table)
 A to E       keep a die, or let it go; 1 to 5 and a click do the same
 R            Send Rerolls: keep what says KEEP, roll the others
 arrows       choose a box; a click does the same
 S            Send Score: write the dice into the box with the ▶
 H            Hint: * is best for these dice, and H again marks it;
              after a game: what luck and decisions made of it
 / or Tab     write in the channel; Esc comes back to the dice
 PgUp PgDn    read what was said before
 Ctrl-arrows  scroll the players
 F2           light or dark
 F3           the talk, or the rounds alone
 F5           ask the host how things stand
 Ctrl-Q       quit; your seat waits for you

+12 is what a box would pay now, 12 what it holds; the rules forbid a box with "no" for these dice. \
J marks a joker: a further Yahtzee that pays more than its dice. Dots mark who is still thinking.

In the line at the bottom:
 /host keep 4 4    tells the host something in private, as in any other client
 /me waves         does something
 /leave            gives your seat up, or ends the practice game
 /seed WORD        adds a word of yours to the dice of the next game
 /nick NEW         comes back under another nick
 /register, /practice, /start, /state, /help, /quit

Nothing is sent twice. What comes too late costs nothing, and the card says so."""


class Help(ModalScreen[None]):
    """Keys and commands; any of a few keys closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("escape,f1,q,enter", "dismiss", "Close"),
        ("up,k", "scroll('up')", "Up"),
        ("down,j", "scroll('down')", "Down"),
    ]

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self._rules = rules

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="help") as page:
            page.border_title = "Help"
            page.border_subtitle = "Esc closes"
            yield Static(f"{_HELP}\n\n{self._rules.title}: {self._rules.further_yahtzee}", markup=False)

    def on_mount(self) -> None:
        self.query_one("#help").focus()

    def action_scroll(self, way: str) -> None:
        """Scroll by a line."""
        page = self.query_one("#help", VerticalScroll)
        page.scroll_up() if way == "up" else page.scroll_down()

    def on_click(self) -> None:
        self.dismiss()
