import pytest

from chat.isupport import ISupport


def test_defaults_before_any_005() -> None:
    known = ISupport()
    assert known.casemapping == "rfc1459"
    assert known.chantypes == "#&"
    assert known.prefix == "@+"
    assert known.statusmsg == ""
    assert known.nicklen is None
    assert known.channellen is None
    assert known.network == ""
    assert known.bot == ""


def test_ngircd() -> None:
    # As ngircd 26.1 says it.
    first = [
        "RFC2812",
        "IRCD=ngIRCd",
        "CHARSET=UTF-8",
        "CASEMAPPING=ascii",
        "PREFIX=(qaohv)~&@%+",
        "CHANTYPES=#&+",
    ]
    second = ["CHANNELLEN=50", "NICKLEN=30", "TOPICLEN=490", "AWAYLEN=127", "PENALTY", "FNC"]
    known = ISupport().fed([*first, "are supported on this server"]).fed(second)
    assert known.casemapping == "ascii"
    assert known.prefix == "~&@%+"
    assert known.chantypes == "#&+"
    assert (known.nicklen, known.channellen) == (30, 50)
    assert known.tokens["PENALTY"] == ""
    assert "are supported on this server" not in known.tokens


def test_values_are_decoded_and_kept() -> None:
    known = ISupport().fed([r"NETWORK=The\x20Net\x3D", "BOT=B", "STATUSMSG=@+", "X=a=b", "nicklen=9"])
    assert known.network == "The Net="
    assert known.bot == "B"
    assert known.statusmsg == "@+"
    assert known.tokens["X"] == "a=b"
    assert known.nicklen == 9


def test_a_minus_takes_away() -> None:
    known = ISupport().fed(["NICKLEN=9", "CASEMAPPING=ascii"])
    gone = known.fed(["-NICKLEN", "-CASEMAPPING", "-NEVER"])
    assert gone.nicklen is None
    assert gone.casemapping == "rfc1459"
    assert known.nicklen == 9


@pytest.mark.parametrize("value", ["", "x", "-1", "0", "²", "٢"])
def test_a_length_that_is_none(value: str) -> None:
    assert ISupport().fed([f"NICKLEN={value}"]).nicklen is None


@pytest.mark.parametrize("token", ["TARGMAX=PRIVMSG", "PREFIX=", "PREFIX=x", "=", "", "-", r"X=\x", "é=1"])
def test_odd_tokens_do_no_harm(token: str) -> None:
    known = ISupport().fed([token, "NICKLEN=9"])
    assert known.nicklen == 9
    assert isinstance(known.prefix, str)


def test_channels() -> None:
    known = ISupport()
    assert known.is_channel("#y")
    assert not known.is_channel("al")
    assert not known.is_channel("")
    assert not known.is_channel("@#y")
    assert not known.fed(["CHANTYPES="]).is_channel("#y")
