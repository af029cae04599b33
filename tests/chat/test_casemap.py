import pytest

from chat.casemap import fold

CASES = [
    ("ascii", "Foo[1]~", "foo[1]~"),
    ("rfc1459", "Foo[1]\\~", "foo{1}|^"),
    ("strict-rfc1459", "Foo[1]\\~", "foo{1}|~"),
    ("rfc1459-strict", "Foo[1]\\~", "foo{1}|~"),
    ("strict_rfc1459", "A~", "a~"),
    ("RFC1459", "A~", "a^"),
    ("rfc7613", "A~", "a^"),  # not known: as rfc1459
    ("", "A~", "a^"),
]


@pytest.mark.parametrize(("mapping", "name", "folded"), CASES)
def test_fold(mapping: str, name: str, folded: str) -> None:
    assert fold(name, mapping) == folded


def test_default_is_rfc1459() -> None:
    assert fold("[X]^") == fold("{x}~")


@pytest.mark.parametrize("mapping", ["ascii", "rfc1459", "strict-rfc1459"])
@pytest.mark.parametrize("name", ["\u212a", "É", "İ", "ẞ", "\uff21"])
def test_only_ascii_letters_fold(mapping: str, name: str) -> None:
    assert fold(name, mapping) == name
