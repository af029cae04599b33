"""What a log may show."""

import pytest

from chat.masking import shown

SECRET = [
    "PASS :hunter2",
    "pass hunter2",
    "AUTHENTICATE aHVudGVyMg==hunter2",
    ":irc.test AUTHENTICATE hunter2",
    "OPER op hunter2",
    "NICKSERV IDENTIFY hunter2",
    "NS :IDENTIFY hunter2",
    "PRIVMSG NickServ :IDENTIFY Hoster hunter2",
    "privmsg  nickserv :hunter2",
    "PRIVMSG NickServ@services.test :IDENTIFY hunter2",
    "NOTICE NickServ hunter2",
    "@label=1 PRIVMSG NickServ :IDENTIFY hunter2",
    ":Yardzee!~y@h PRIVMSG NickServ :IDENTIFY hunter2",
    "@time=x :NickServ!s@s NOTICE Yardzee :hunter2 is wrong",
    ":NickServ NOTICE Yardzee :hunter2 is wrong",
]
OPEN = [
    "PRIVMSG #y :NickServ",
    "PRIVMSG NickServ2 :x",
    "NICK NickServ",
    ":irc.test 401 me NickServ :No such nick",
    "PASSWORD x",
    ":",
    "",
]


@pytest.mark.parametrize("line", SECRET)
def test_what_could_hold_a_password_is_not_shown(line: str) -> None:
    assert "hunter2" not in shown(line)
    assert shown(line).endswith("(not shown)")


@pytest.mark.parametrize("line", OPEN)
def test_everything_else_is(line: str) -> None:
    assert shown(line) == repr(line)


def test_a_password_that_a_server_repeats_is_not_shown() -> None:
    assert shown(":irc.test 464 me :bad hunter2", ["hunter2"]) == "':irc.test 464 me :bad (not shown)'"
