"""The card as a whole: a screen that shows a dialogue and passes on what the player does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, ContentSwitcher, Footer, Input, Static

from card import typed, words
from card.dialogue import Dialogue
from card.notes import Note, Tone
from card.ports import Listener, Memory, Where
from card.screen.buttons import Buttons
from card.screen.card import BoxRow, CardPanel
from card.screen.dice import DiceRow, Die
from card.screen.help import Help
from card.screen.people import Log, Players
from card.screen.themes import DARK, LIGHT
from card.view import View
from game.category import ROUNDS
from game.match import ROLLS
from protocol.card.keys import Clock
from protocol.card.stages import Stage
from protocol.commands import PRACTICE

_URGENT: Final = 15
"""Seconds left from which on the clock stands out."""

_NARROWEST: Final = 50
"""Columns below which dice and boxes have no room."""

_TOO_NARROW: Final = (
    f"The card needs {_NARROWEST} columns, and 80 show all of it. Make the window wider or the letters"
    " smaller, or start the card with --plain: it writes sentences then. Your seat and your dice wait."
)
_PACES: Final = {"free": "free pace", "lockstep": "lockstep"}

_OF_THE_TABLE: Final = frozenset({"switch", "page", "players"})
"""What keys do that count before all others, and not while the help is open."""

W = TypeVar("W", bound=Widget)


async def _idle() -> None:
    return None


async def _no_rename(nick: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Around:
    """What the app is given: a network to run and leave, a way to be called otherwise, and a memory."""

    run: Callable[[], Awaitable[None]] = _idle
    stop: Callable[[], Awaitable[None]] = _idle
    rename: Callable[[str], Awaitable[None]] = _no_rename
    remember: Callable[[Memory], None] = lambda _: None
    remember_light: Callable[[bool], None] = lambda _: None
    add_word: Callable[[str], None] = lambda _: None


class CardApp(App[None]):
    """The player's card."""

    CSS_PATH = "card.tcss"
    TITLE = "Yardzee"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_NARROWEST, "-wide")]  # noqa: RUF012 - as below
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-tall")]  # noqa: RUF012 - the library has it as an instance's
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(f"{letter},{number}", f"keep({place})", "Keep", show=False)
            for place, (letter, number) in enumerate(zip("abcde", "12345", strict=True))
        ),
        Binding("j", "register", "Register"),
        Binding("j", "seat", "Register", show=False),
        Binding("p", "practice", "Practice"),
        Binding("g", "start", "Start"),
        Binding("r", "rerolls", "Rerolls"),
        Binding("s", "score", "Score"),
        Binding("h", "hint", "Hint"),
        Binding("h", "analysis", "Analysis"),
        Binding("down,right", "step(1)", "Next box", show=False),
        Binding("up,left", "step(-1)", "Box before", show=False),
        Binding("enter", "chosen", "Box", show=False),
        # With priority, so that what is typed right behind it moves no dice.
        Binding("slash", "talk", "Talk", key_display="/", priority=True),
        Binding("tab,shift+tab", "switch", "Talk", show=False, priority=True),
        Binding("escape", "play", "Dice", show=False),
        Binding("pageup", "page(-1)", "Back", show=False, priority=True),
        Binding("pagedown", "page(1)", "On", show=False, priority=True),
        Binding("ctrl+up", "players(-3)", "Players up", show=False, priority=True),
        Binding("ctrl+down", "players(3)", "Players down", show=False, priority=True),
        Binding("f1", "help", "Help"),
        Binding("f2", "light", "Light", show=False),
        Binding("f3", "rounds", "Rounds"),
        Binding("f5", "state", "State"),
        Binding("ctrl+q", "leave", "Quit", priority=True),
    ]

    def __init__(self, dialogue: Dialogue, around: Around | None = None, *, light: bool = False) -> None:
        super().__init__()
        self.dialogue = dialogue
        self._around = around or Around()
        self._light = light
        self._table: Screen[object] | None = None
        """The screen with the dice, under the help."""

        self._stale = False
        self._keys_for: tuple[object, ...] = ()
        self._warning = ""
        self._where = dialogue.where
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self._dress()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of the dice, which only these themes have."""
        return DARK.variables

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            yield Static(markup=False, id="title")
            yield Static(markup=False, id="clock")
        with Horizontal(id="main"):
            yield Static(_TOO_NARROW, markup=False, id="narrow")
            with Vertical(id="play"):
                yield DiceRow()
                yield Static(markup=False, id="analysis")
                yield Buttons()
                yield CardPanel()
            with Vertical(id="people"):
                yield Players()
                with ContentSwitcher(initial="talk"):
                    yield Log(id="talk", empty="What is said in the channel comes here.")
                    yield Log(id="rounds", empty="How the rounds end comes here.")
                yield Input(placeholder="/ to talk", id="line", max_length=400)
        with Vertical(id="told"):
            yield Static(markup=False, id="warning")
            yield Static(markup=False, id="status")
        yield Footer()

    def on_mount(self) -> None:
        table = self._table = self.screen
        self.dialogue.listener = Listener(self._note, self._changed, self._around.remember)
        table.set_interval(0.25, self._show_clock)
        self.run_worker(self._live(), exit_on_error=True)
        self._draw()

    async def _live(self) -> None:
        await self._around.run()

    # --- what is shown ---

    def _find(self, kind: type[W], selector: str = "") -> W:
        """A widget of the table, whatever lies on top of it."""
        assert self._table is not None  # noqa: S101 - nothing is looked for before it is there
        return self._table.query_one(selector or kind.__name__, kind)

    @property
    def _up(self) -> bool:
        return self._table is not None and self._table.is_attached

    def _note(self, note: Note) -> None:
        if not self._up:
            return
        if note.tone is Tone.WARNING:
            self._warning = note.text
        self._find(Log, "#talk").add(note)
        if note.tone is Tone.ROUND:
            self._find(Log, "#rounds").add(note)

    def _changed(self) -> None:
        if self.dialogue.where is not self._where:
            self._where = self.dialogue.where
            if self._where is Where.HERE:
                self._warning = ""  # it said what was amiss
        if not self._stale:
            self._stale = True
            self.call_next(self._draw)

    def _draw(self) -> None:
        self._stale = False
        if not self._up:
            return
        dialogue, view = self.dialogue, self.dialogue.view
        self._find(DiceRow).show(view)
        self._find(CardPanel).show(view)
        self._find(Players).show(view)
        self._show_analysis(view)
        free = dialogue.where is Where.HERE and dialogue.play.pending is None
        self._find(Buttons).show(view, free=free)
        self._show_clock()
        if (view.stage, view.analysis) != self._keys_for:
            self._keys_for = view.stage, view.analysis
            self.refresh_bindings()
        pace = PRACTICE if view.practice else _PACES.get(view.pace, view.pace)
        game = f" · {view.rules.title} · {pace}" if view.game else ""
        self._put("#title", f" Yardzee  {dialogue.channel}{game}")
        self._put("#status", dialogue.status)
        self._put("#warning", f"! {self._warning}")
        self._find(Static, "#warning").display = bool(self._warning)

    def _show_analysis(self, view: View) -> None:
        """What became of a game, in the place of its dice."""
        said = words.analysis(view, view.analysis) if view.analysis and view.stage is Stage.OVER else []
        self._put("#analysis", "\n".join(said))
        self._find(Static, "#analysis").display = bool(said)
        self._find(DiceRow).display = not said

    def _put(self, selector: str, text: str) -> None:
        """Show a text where another one stands; to lay the screen out anew takes a while."""
        widget = self._find(Static, selector)
        if widget.content != text:
            widget.update(text)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key has anything to do: at this stage of a game, and under the help."""
        if action in _OF_THE_TABLE and self.screen is not self._table:
            return False
        view = self.dialogue.view
        idle = view.stage in (Stage.OUT, Stage.OVER)
        fits = {
            "talk": self.screen is self._table and self.focused is None,
            "register": idle,
            "seat": view.playing and view.practice,
            "practice": idle,
            "start": view.stage is Stage.LOBBY,
            "rerolls": view.playing,
            "score": view.playing,
            "hint": view.playing,
            "analysis": view.stage is Stage.OVER and view.analysis is None,
        }
        return fits.get(action, True)

    def _show_clock(self) -> None:
        if not self._up:
            return
        view, left = self.dialogue.view, self.dialogue.left
        clock = self._find(Static, "#clock")
        parts = []
        if view.playing and view.round:
            parts.append(f"Round {view.round}/{ROUNDS}")
        if view.deciding and view.hand:
            parts.append(f"Roll {view.hand.roll}/{ROLLS}")
        if view.at_table:  # practice has a day for each round
            stopped = "" if view.clock is Clock.RUNS else "stopped "
            parts.append(f"{stopped}{left // 60}:{left % 60:02}")
        self._put("#clock", f"{' · '.join(parts)} ")
        clock.set_class(view.deciding and left <= _URGENT and view.clock is Clock.RUNS, "urgent")

    def _dress(self) -> None:
        self.theme = (LIGHT if self._light else DARK).name

    # --- what the player does ---

    def _act(self, act: Callable[[], None]) -> None:
        self._warning = ""
        act()
        self._changed()

    def on_die_clicked(self, message: Die.Clicked) -> None:
        self._act(lambda: self.dialogue.play.toggle(message.place))

    def on_box_row_clicked(self, message: BoxRow.Clicked) -> None:
        self._act(lambda: self.dialogue.play.mark(message.category))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        getattr(self, f"action_{event.button.id}")()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line, event.input.value = event.value, ""
        doors = typed.Doors(self.action_help, self.action_leave, self._rename, self._around.add_word)
        self._act(lambda: typed.enter(line, self.dialogue, doors))

    def _rename(self, nick: str) -> None:
        async def rename() -> None:
            try:
                await self._around.rename(nick)
            except ValueError as error:
                self.dialogue.tell(Tone.WARNING, f"Nobody can be called so: {error}")

        self.run_worker(rename())

    def action_keep(self, place: int) -> None:
        self._act(lambda: self.dialogue.play.toggle(place))

    def action_step(self, by: int) -> None:
        self._act(lambda: self.dialogue.play.step(by))

    def action_chosen(self) -> None:
        """Choose a box where none is chosen; the status says what it would bring."""
        if self.dialogue.view.marked is None:
            self.action_step(1)

    def action_register(self) -> None:
        self._act(self.dialogue.play.register)

    def action_seat(self) -> None:
        """Take a seat at the table, and let practice wait; at 80 columns the key has no place below."""
        self.action_register()

    def action_practice(self) -> None:
        self._act(self.dialogue.play.practise)

    def action_start(self) -> None:
        self._act(self.dialogue.start)

    def action_rerolls(self) -> None:
        self._act(self.dialogue.play.send_rerolls)

    def action_score(self) -> None:
        self._act(self.dialogue.play.send_score)

    def action_hint(self) -> None:
        self._act(self.dialogue.play.hint)

    def action_analysis(self) -> None:
        self._act(self.dialogue.ask_analysis)

    def action_state(self) -> None:
        self._act(self.dialogue.ask_state)

    def action_talk(self) -> None:
        self.set_focus(self._find(Input, "#line"))

    def action_play(self) -> None:
        self.set_focus(None)

    def action_switch(self) -> None:
        self.action_play() if self.focused else self.action_talk()

    def action_page(self, way: int) -> None:
        log = self._find(Log, f"#{self._find(ContentSwitcher).current}")
        log.scroll_page_up() if way < 0 else log.scroll_page_down()

    def action_players(self, by: int) -> None:
        self._find(Players).scroll_relative(y=by, animate=False)

    def action_rounds(self) -> None:
        switcher = self._find(ContentSwitcher)
        switcher.current = "rounds" if switcher.current == "talk" else "talk"

    def action_light(self) -> None:
        self._light = not self._light
        self._dress()
        self._around.remember_light(self._light)

    def action_help(self) -> None:
        self.push_screen(Help(self.dialogue.view.rules))

    async def _go(self) -> None:
        await self._around.stop()
        self.exit()

    def action_leave(self) -> None:
        """Leave the network, and then the program."""
        self.run_worker(self._go())
