"""Any text at all is a configuration or a ConfigError."""

from hypothesis import example, given
from hypothesis import strategies as st

from host.config import Config, ConfigError, parse
from tests.host.test_config import channel, problems

scalars = st.text(max_size=8) | st.sampled_from(
    r"""free hasbro 4 -1 0.5 1e999 08 ~ yes .nan 2026-13-01 1:2:3 !x !!binary !!int !!float !!bool !!timestamp
    !!null *a &a "\ud800" << = {} [ ' "" """.split()  # noqa: SIM905
)
words = st.sampled_from(
    """networks store local server port tls nick channels send burst seconds password_env password_file "#a"
    account mechanism user required ca_file client_cert fingerprint
    "#A" #b rules pace seats house prefix lobby_seconds <<""".split()  # noqa: SIM905
)


@st.composite
def yaml_like(draw: st.DrawFn) -> str:
    """Text near the configuration's shape: its words at random depths, and odd scalars."""
    lines = draw(st.lists(st.tuples(st.integers(0, 4), words, scalars | st.just("")), max_size=12))
    return "".join(f"{'  ' * depth}{word}: {value}\n" for depth, word, value in lines)


VALID = channel("pace: free\nhouse: {seats: 1}")


@st.composite
def spliced(draw: st.DrawFn) -> str:
    """The valid text with a piece replaced by something odd."""
    start = draw(st.integers(0, len(VALID)))
    return VALID[:start] + draw(scalars) + VALID[start + draw(st.integers(0, 12)) :]


@given(st.text() | yaml_like() | spliced())
@example("a: &a [*a]")
@example("&a {<<: *a}")
@example("a: &a {<<: [*a, *a]}\nb: {<<: *a}")
@example("{[a]: b}")
@example("? {a: b}\n: c")
@example("%YAML 1." + "9" * 5000 + "\n--- a")
@example("networks: {a: {channels: {? ~ : {}}}}")
@example('networks: {"\\ud800": {"\\ud800": "\\ud800"}}')
def test_any_text_is_a_configuration_or_a_config_error(text: str) -> None:
    try:
        config = parse(text, "c.yaml")
    except ConfigError as error:
        assert error.problems
        assert all(line.isprintable() for line in str(error).split("\n"))
        assert str(error).encode()
    else:
        assert isinstance(config, Config)


def test_aliases_of_aliases_do_not_explode() -> None:
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 20)}]" for n in range(1, 20)]
    assert len(problems("\n".join(lines) + "\nstore: *a19\nnetworks: {n: *a19}")) == 22
