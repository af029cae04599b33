"""The command line: `yardzee-host`."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

from chat.logger import logger
from game.rules import RULE_SETS
from host import advisor, demo, logs, options, proofs, service
from host.archive import Wanted
from host.backup import back_up
from host.chronicle import NoRecord
from host.config import ConfigError, load
from host.errors import NotTakenIn, StoreError
from host.export import FORMS, Export
from host.journal import SCHEMA_VERSION, Journal, Seen, shown_store
from host.store import PATIENCE, Store
from host.store_file import make_new
from host.take_in import take_in
from protocol.record import written
from protocol.shape import BadRecord
from protocol.typed import visible
from protocol.verdict import Right

log = logger(__name__)

_EXAMPLES: Final = """\
examples:
  yardzee-host demo                      try it: a server, the host and two house players in one process
  yardzee-host check --config my.yaml    what is wrong with a configuration, and where
  yardzee-host run --config my.yaml      host games until Ctrl-C or SIGTERM
  yardzee-host backup copy.sqlite        copy the store while the host goes on
  yardzee-host export -o games.jsonl     games that have ended, whole; --format csv for a spreadsheet
  yardzee-host import games.jsonl        take such games into the store of a host that does not run
  yardzee-host solve hasbro              what perfect play is worth
  yardzee-host record k3v9x1ab >game     all that was rolled and scored in a game that is over
  yardzee-host verify game               work it out once more; the log of a channel does as well
  echo '{"rules": "hasbro", "dice": [3,3,3,4,4], "card": {}}' | yardzee-host options
"""
_MOST_BYTES: Final = 64 * 2**20
"""That are verified at once."""

_LEVELS: Final = ("debug", "info", "warning", "error")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0 when it went well, 1 when not, and 2 for a wrong command line."""
    arguments = _parser().parse_args(argv)
    try:
        command: Callable[[argparse.Namespace], int] = arguments.command
        return command(arguments)
    except BrokenPipeError:
        # The reader of our output has had enough. Python would complain once more while it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="yardzee-host",
        description="Hosts games of Yahtzee over IRC.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"yardzee-host {version('yardzee')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    run = _command(commands, "run", _run, "host games until Ctrl-C, SIGTERM or shutdown")
    _add_config(run)
    run.add_argument("--log-level", choices=_LEVELS, default="info", help="how much to log (default: info)")
    run.add_argument(
        "--log-format", choices=tuple(logs.Form), default=logs.Form.TEXT, help="how (default: text)"
    )

    check = _command(commands, "check", _check, "say what is wrong with a configuration or its store")
    _add_config(check)

    back = _command(commands, "backup", _backup, "copy the store, which a host may use meanwhile")
    _add_config(back)
    back.add_argument("file", type=Path, metavar="FILE", help="a new file; it becomes an SQLite store")

    out = _command(commands, "export", _export, "write games that have ended, as JSON lines or as a table")
    _add_config(out)
    out.add_argument(
        "--format",
        choices=tuple(FORMS),
        default="jsonl",
        help="jsonl: all that is known of a game, for import; csv: a row for each seat (default: jsonl)",
    )
    which = out.add_mutually_exclusive_group()
    which.add_argument("--games", nargs="+", default=(), metavar="ID", help="these alone (default: all)")
    which.add_argument(
        "--since", type=_date, metavar="DATE", help="those that ended then or later; UTC, as 2026-11-30"
    )
    out.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a new file (default: standard output)"
    )

    taken = _command(commands, "import", _import, "take exported games into a store that no host uses")
    _add_config(taken)
    taken.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="JSON lines that export has written"
    )

    play = _command(commands, "demo", _demo, "a server, the host and two house players in one process")
    play.add_argument(
        "--port", type=_port, default=None, help="port on 127.0.0.1 (default: 6667, or a free one)"
    )

    _command(commands, "options", _options, "answer JSON lines: what a roll may be scored as")

    solve = _command(commands, "solve", _solve, "work out what perfect play is worth, and keep the table")
    solve.add_argument("rules", nargs="*", type=_rules, metavar="RULES", help="rule sets (default: all)")
    solve.add_argument(
        "--folder", type=Path, metavar="FOLDER", help="where to keep it (default: the user's cache)"
    )

    record = _command(commands, "record", _record, "print the record of a game that is over, as JSON")
    _add_config(record)
    record.add_argument("game", metavar="GAME", help="its name, as the channel was told with the dice")

    verify = _command(commands, "verify", _verify, "work the dice and totals of a game out once more")
    verify.add_argument(
        "file", metavar="FILE", help="a record, or a log of the channel; - for standard input"
    )
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    command: Callable[[argparse.Namespace], int],
    description: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name, help=description, description=f"{description[0].upper()}{description[1:]}."
    )
    parser.set_defaults(command=command)
    return parser


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", type=Path, default=Path("config.yaml"), metavar="FILE", help="default: config.yaml"
    )


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; possible are 1 to 65535")
    return int(text)


def _date(text: str) -> datetime:
    try:
        date = datetime.fromisoformat(text)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is no date; write it as 2026-11-30") from None


def _rules(text: str) -> str:
    if text not in RULE_SETS:
        raise argparse.ArgumentTypeError(f"{text!r} is no rule set; possible are {', '.join(RULE_SETS)}")
    return text


def _run(arguments: argparse.Namespace) -> int:
    logs.configure(arguments.log_level, logs.Form(arguments.log_format), environ=os.environ)

    async def host() -> None:
        stop = asyncio.Event()
        service.stop_on_signals(stop)
        await service.run(config, os.environ, stop, reread=lambda: load(arguments.config))

    try:
        config = load(arguments.config)
        asyncio.run(host())
    except (ConfigError, StoreError) as error:
        for problem in str(error).splitlines():
            log.error("the host cannot run", problem=problem)
        return 1
    except Exception:
        log.exception("the host has failed")
        return 1
    return 0


def _check(arguments: argparse.Namespace) -> int:
    try:
        config = load(arguments.config)
        config.check(os.environ)
        channels = sum(len(network.channels) for network in config.networks)
        print(f"{arguments.config}: valid, {len(config.networks)} network(s), {channels} channel(s)")
        print(_about(shown_store(config.store), Journal.look(config.store)))
    except (ConfigError, StoreError) as error:
        print(error)
        return 1
    return 0


def _about(name: str, store: Seen | None) -> str:
    if store is None:
        return f"store: {name} is not there yet; it will be made"
    if store.games is None:
        return f"store: {name}, schema version {store.version}; the next start brings it to {SCHEMA_VERSION}"
    return f"store: {name}, schema version {store.version}, {store.games} game(s) on"


def _backup(arguments: argparse.Namespace) -> int:
    began = time.perf_counter()
    try:
        with Store.reading(load(arguments.config).store) as store:
            copied = back_up(store, arguments.file)
    except (ConfigError, StoreError, OSError) as error:
        return _failed(error)
    seconds = time.perf_counter() - began
    print(f"{arguments.file}: {copied.games} game(s), {copied.on} of them on, copied in {seconds:.1f} s")
    return 0


def _export(arguments: argparse.Namespace) -> int:
    wanted = Wanted(tuple(arguments.games), arguments.since)
    try:
        with Store.reading(load(arguments.config).store) as store:
            done = Export(store, wanted, FORMS[arguments.format])
            with closing(done.texts()) as texts:
                if arguments.output:
                    make_new(arguments.output, lambda new: _write(texts, new))
                else:
                    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
                    sys.stdout.writelines(texts)
                    sys.stdout.flush()
    except BrokenPipeError:
        raise
    except (ConfigError, StoreError, OSError) as error:
        return _failed(error)
    print(f"{done.games} game(s) exported; left out, since they are on: {done.on}", file=sys.stderr)
    return 0


def _write(texts: Iterable[str], new: Path) -> None:
    with new.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(texts)


def _import(arguments: argparse.Namespace) -> int:
    path = None
    try:
        config = load(arguments.config)
        with ExitStack() as stack:
            files = [(path, stack.enter_context(path.open("rb"))) for path in arguments.files]
            store = stack.enter_context(closing(Store.open(config.store, PATIENCE)))
            for path, file in files:
                taken = take_in(store, file, datetime.now(UTC))
                print(f"{path}: {taken.new} game(s) taken in, {taken.known} there already")
    except NotTakenIn as error:
        for problem in error.problems:
            print(f"{path}: {problem}", file=sys.stderr)
        return 1
    except (ConfigError, StoreError, OSError) as error:
        return _failed(error)
    return 0


def _failed(error: Exception) -> int:
    """Say why, on standard error: standard output may be a file of games."""
    where = getattr(error, "filename", None) or "the output"
    said = f"{where}: {error.strerror}" if isinstance(error, OSError) else error
    print(said, file=sys.stderr)
    return 1


def _demo(arguments: argparse.Namespace) -> int:
    logs.configure("warning", environ=os.environ)
    return asyncio.run(demo.run(arguments.port))


def _options(arguments: argparse.Namespace) -> int:
    sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    for line in options.answers(sys.stdin):
        print(line, flush=True)
    return 0


def _solve(arguments: argparse.Namespace) -> int:
    # The bar takes a while to import, and no other command needs it.
    from host import solve  # noqa: PLC0415

    folder = arguments.folder or advisor.folder(os.environ)
    try:
        for line in solve.solved(arguments.rules or RULE_SETS, folder):
            print(line, flush=True)
    except OSError as error:
        print(f"the table cannot be kept in {folder}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


def _record(arguments: argparse.Namespace) -> int:
    try:
        record = proofs.recorded(load(arguments.config).store, arguments.game)
    except (ConfigError, StoreError, NoRecord) as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    print(written(record), end="")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    name = arguments.file
    try:
        verdicts = proofs.judged(_whole(name))
    except OSError as error:
        print(f"{name} cannot be read: {error.strerror}", file=sys.stderr)
        return 1
    except BadRecord as error:
        print(f"{name}: {visible(str(error))}", file=sys.stderr)
        return 1
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    for line in proofs.told(verdicts):
        print(line)
    return 0 if all(isinstance(verdict, Right) for _, verdict in verdicts) else 1


def _whole(name: str) -> bytes:
    """All that is in a file, or comes on standard input. Raises OSError, or BadRecord when it is too much."""
    with sys.stdin.buffer if name == "-" else Path(name).open("rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise BadRecord("", f"it has more than {_MOST_BYTES // 2**20} MB; give it the lines of fewer games")
    return data
