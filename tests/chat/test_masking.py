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
    ":al!~al@host.al PRIVMSG #y :!join",
    "NOTICE &local :x",
    ":irc.test NOTICE * :*** Looking up your hostname",
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
    assert shown(line) == line


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("PRIVMSG al :Round 1/13, roll 1/3: [4 4 2 6 1]", "PRIVMSG to al (not shown)"),
        ("NOTICE al :return k7m2xq9abd brings you back", "NOTICE to al (not shown)"),
        (":al!~al@host.al PRIVMSG Hoster :return k7m2xq9abd", "PRIVMSG from al (not shown)"),
        ("@time=x :al!~al@host.al privmsg Hoster k44", "PRIVMSG from al (not shown)"),
        (":al PRIVMSG Hoster :k44", "PRIVMSG from al (not shown)"),
        ("PRIVMSG NickServ2 :x", "PRIVMSG to NickServ2 (not shown)"),
    ],
)
def test_what_is_said_between_two_is_not(line: str, seen: str) -> None:
    assert shown(line) == seen


def test_a_password_that_a_server_repeats_is_not_shown() -> None:
    assert shown(":irc.test 464 me :bad hunter2", ["hunter2"]) == ":irc.test 464 me :bad (not shown)"
