"""The commands of the embedded server (RFC 2812 section 3, with the replies that clients look for)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from chat.embedded_state import CASEMAPPING, CHANNEL, NICK, Channel, Client, Network
from chat.lines import LINE_LIMIT, pack
from chat.wire import Line

SERVER_NAME: Final = "demo.yardzee"
NICKLEN: Final = 30
CHANNELLEN: Final = 50
TOPICLEN: Final = 300
MAX_CHANNELS: Final = 20
MAX_TARGETS: Final = 4
_USERLEN: Final = 9

_Handler = Callable[[Client, Line], None]


class Commands:
    """Carries out what clients ask for."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._early: dict[str, _Handler] = {
            "CAP": self._cap,
            "PASS": lambda _client, _line: None,
            "NICK": self._nick,
            "USER": self._user,
            "PING": self._ping,
            "PONG": lambda _client, _line: None,
            "QUIT": self._quit,
        }
        self._late: dict[str, _Handler] = {
            "JOIN": self._join,
            "PART": self._part,
            "NAMES": self._names,
            "WHO": self._who,
            "WHOIS": self._whois,
            "TOPIC": self._topic,
            "KICK": self._kick,
            "MODE": self._mode,
            "LIST": self._list,
            "ISON": self._ison,
            "USERHOST": self._userhost,
            "AWAY": self._away,
            "MOTD": self._motd,
            "PRIVMSG": self._message,
            "NOTICE": self._message,
        }

    def handle(self, client: Client, line: Line) -> None:
        """Carry out one line from a client."""
        if handler := self._early.get(line.command):
            handler(client, line)
        elif not client.registered:
            reply(client, "451", ":You have not registered")
        elif handler := self._late.get(line.command):
            handler(client, line)
        else:
            reply(client, "421", f"{line.command} :Unknown command")

    # Before registration

    def _cap(self, client: Client, line: Line) -> None:
        shown = client.nick or "*"
        match line.param(0).upper():
            case "LS":
                # Empty, but it must come: irssi does not go on before it has seen an answer.
                client.negotiating = not client.registered
                client.send(f":{SERVER_NAME} CAP {shown} LS :")
            case "LIST":
                client.send(f":{SERVER_NAME} CAP {shown} LIST :")
            case "REQ":
                client.negotiating = not client.registered
                client.send(f":{SERVER_NAME} CAP {shown} NAK :{line.param(1)}")
            case "END":
                client.negotiating = False
                self._welcome(client)
            case other:
                reply(client, "410", f"{other or '*'} :Invalid CAP subcommand")

    def _nick(self, client: Client, line: Line) -> None:
        nick = line.param(0)
        if not nick:
            reply(client, "431", ":No nickname given")
            return
        if not NICK.fullmatch(nick) or len(nick) > NICKLEN:
            reply(client, "432", f"{nick} :Erroneous nickname")
            return
        before = client.mask
        if nick == client.nick:
            return
        if not self._network.rename(client, nick):
            reply(client, "433", f"{nick} :Nickname is already in use")
        elif client.registered:
            for each in (client, *self._network.neighbours(client)):
                each.send(f":{before} NICK :{nick}")
        else:
            self._welcome(client)

    def _user(self, client: Client, line: Line) -> None:
        if client.registered:
            reply(client, "462", ":You may not register again")
            return
        name = "".join(c for c in line.param(0) if c.isascii() and (c.isalnum() or c in "-_."))
        if len(line.params) < 4 or not name:
            reply(client, "461", "USER :Not enough parameters")
            return
        client.user, client.realname = "~" + name[:_USERLEN], line.param(3)
        self._welcome(client)

    def _welcome(self, client: Client) -> None:
        if client.registered or client.negotiating or not client.nick or not client.user:
            return
        client.registered = True
        reply(client, "001", f":Welcome to the Yardzee demo, {client.mask}")
        reply(client, "002", f":Your host is {SERVER_NAME}")
        reply(client, "003", ":This server lives as long as the demo")
        reply(client, "004", f"{SERVER_NAME} yardzee i not")
        reply(
            client,
            "005",
            f"CASEMAPPING={CASEMAPPING} CHANTYPES=# PREFIX=(o)@ CHANMODES=,,,nt NICKLEN={NICKLEN}"
            f" CHANNELLEN={CHANNELLEN} TOPICLEN={TOPICLEN} MAXTARGETS={MAX_TARGETS} NETWORK=Yardzee"
            " :are supported by this server",
        )
        reply(client, "422", ":There is no message of the day")

    def _ping(self, client: Client, line: Line) -> None:
        if not line.params:
            reply(client, "409", ":No origin specified")
        else:
            client.send(f":{SERVER_NAME} PONG {SERVER_NAME} :{line.param(0)}")

    def _quit(self, client: Client, line: Line) -> None:
        client.close(f"Quit: {line.param(0)}" if line.param(0) else "Quit")

    # Channels

    def _join(self, client: Client, line: Line) -> None:
        if not self._enough(client, line, 1):
            return
        if line.param(0) == "0":  # RFC 2812 3.2.1: leave all
            for channel in list(client.channels):
                self._leave(client, channel, "")
            return
        for name in line.param(0).split(","):
            if self._network.channel(name) in client.channels:
                continue
            if not CHANNEL.fullmatch(name) or not 1 < len(name) <= CHANNELLEN:
                reply(client, "403", f"{name or '*'} :No such channel")
            elif len(client.channels) >= MAX_CHANNELS:
                reply(client, "405", f"{name} :You have joined too many channels")
            else:
                channel = self._network.join(client, name, int(time.time()))
                channel.send(f":{client.mask} JOIN :{channel.name}")
                if channel.topic:
                    self._tell_topic(client, channel)
                tell_names(client, channel)

    def _part(self, client: Client, line: Line) -> None:
        if not self._enough(client, line, 1):
            return
        for name in line.param(0).split(","):
            if channel := self._joined(client, name):
                self._leave(client, channel, line.param(1))

    def _leave(self, client: Client, channel: Channel, reason: str) -> None:
        channel.send(f":{client.mask} PART {channel.name}" + (f" :{reason}" if reason else ""))
        self._network.part(client, channel)

    def _kick(self, client: Client, line: Line) -> None:
        if not self._enough(client, line, 2):
            return
        channel, nick = self._joined(client, line.param(0)), line.param(1)
        if channel is None:
            return
        target = self._network.registered(nick)
        if not channel.members[client]:
            reply(client, "482", f"{channel.name} :You are not channel operator")
        elif target is None or target not in channel.members:
            reply(client, "441", f"{nick} {channel.name} :They are not on that channel")
        else:
            reason = line.param(2) or client.nick
            channel.send(f":{client.mask} KICK {channel.name} {target.nick} :{reason}")
            self._network.part(target, channel)

    def _topic(self, client: Client, line: Line) -> None:
        if not self._enough(client, line, 1):
            return
        channel = self._joined(client, line.param(0))
        if channel is None:
            return
        if len(line.params) < 2:
            self._tell_topic(client, channel)
        elif not channel.members[client]:  # the channels are +t
            reply(client, "482", f"{channel.name} :You are not channel operator")
        else:
            channel.topic, channel.topic_by = line.param(1)[:TOPICLEN], client.nick
            channel.topic_at = int(time.time())
            channel.send(f":{client.mask} TOPIC {channel.name} :{channel.topic}")

    def _tell_topic(self, client: Client, channel: Channel) -> None:
        if channel.topic:
            reply(client, "332", f"{channel.name} :{channel.topic}")
            reply(client, "333", f"{channel.name} {channel.topic_by} {channel.topic_at}")
        else:
            reply(client, "331", f"{channel.name} :No topic is set")

    def _names(self, client: Client, line: Line) -> None:
        for name in line.param(0).split(","):
            if channel := self._network.channel(name):
                tell_names(client, channel)
            else:
                reply(client, "366", f"{name or '*'} :End of NAMES list")

    def _list(self, client: Client, line: Line) -> None:
        names = line.param(0).split(",") if line.param(0) else None
        reply(client, "321", "Channel :Users  Name")
        for channel in self._network.channels:
            if names is None or any(self._network.channel(name) is channel for name in names):
                reply(client, "322", f"{channel.name} {len(channel.members)} :{channel.topic}")
        reply(client, "323", ":End of LIST")

    def _mode(self, client: Client, line: Line) -> None:
        if not self._enough(client, line, 1):
            return
        target, modes = line.param(0), line.param(1)
        channel = self._network.channel(target)
        if channel is not None:
            self._channel_mode(client, channel, modes, line.param(2))
        elif target.startswith("#"):
            reply(client, "403", f"{target} :No such channel")
        elif self._network.registered(target) is not client:
            reply(client, "502", ":That is not you")
        elif not modes:
            reply(client, "221", f"+{client.modes}")
        elif modes in {"+i", "-i"}:
            client.modes = "i" if modes == "+i" else ""
            client.send(f":{client.mask} MODE {client.nick} :{modes}")
        else:
            reply(client, "501", ":Unknown mode")

    def _channel_mode(self, client: Client, channel: Channel, modes: str, nick: str) -> None:
        if not modes:
            reply(client, "324", f"{channel.name} +nt")
            reply(client, "329", f"{channel.name} {channel.created}")
        elif modes.lstrip("+-") in {"b", "e", "I"} and not nick:
            end = {"b": "368", "e": "349", "I": "347"}[modes.lstrip("+-")]
            reply(client, end, f"{channel.name} :End of list")
        elif not channel.members.get(client):
            reply(client, "482", f"{channel.name} :You are not channel operator")
        elif modes in {"+o", "-o"}:
            target = self._network.registered(nick)
            if target is None or target not in channel.members:
                reply(client, "441", f"{nick or '*'} {channel.name} :They are not on that channel")
            else:
                channel.members[target] = modes == "+o"
                channel.send(f":{client.mask} MODE {channel.name} {modes} {target.nick}")
        else:
            reply(client, "472", f"{modes.lstrip('+-')[:1] or '*'} :is unknown mode char to me")

    # People

    def _who(self, client: Client, line: Line) -> None:
        mask = line.param(0)
        channel = self._network.channel(mask)
        found = self._network.registered(mask)
        name = channel.name if channel else "*"
        for each in channel.members if channel else [found] if found else []:
            status = ("G" if each.away else "H") + ("@" if channel and channel.members[each] else "")
            reply(
                client,
                "352",
                f"{name} {each.user} {each.host} {SERVER_NAME} {each.nick} {status} :0 {each.realname}",
            )
        reply(client, "315", f"{mask or '*'} :End of WHO list")

    def _whois(self, client: Client, line: Line) -> None:
        nick = line.param(-1)
        if not nick:
            reply(client, "431", ":No nickname given")
            return
        if found := self._network.registered(nick):
            reply(client, "311", f"{found.nick} {found.user} {found.host} * :{found.realname}")
            shown = [("@" if channel.members[found] else "") + channel.name for channel in found.channels]
            for names in pack(shown, " ", LINE_LIMIT - 120):
                reply(client, "319", f"{found.nick} :{names}")
            reply(client, "312", f"{found.nick} {SERVER_NAME} :The Yardzee demo")
            if found.away:
                reply(client, "301", f"{found.nick} :{found.away}")
        else:
            reply(client, "401", f"{nick} :No such nick")
        reply(client, "318", f"{nick} :End of WHOIS list")

    def _ison(self, client: Client, line: Line) -> None:
        nicks = " ".join(line.params).split(" ")
        found = [each.nick for nick in nicks if (each := self._network.registered(nick))]
        reply(client, "303", ":" + " ".join(found))

    def _userhost(self, client: Client, line: Line) -> None:
        found = [each for nick in line.params[:5] if (each := self._network.registered(nick))]
        shown = [f"{each.nick}={'-' if each.away else '+'}{each.user}@{each.host}" for each in found]
        reply(client, "302", ":" + " ".join(shown))

    def _away(self, client: Client, line: Line) -> None:
        client.away = line.param(0)
        if client.away:
            reply(client, "306", ":You have been marked as being away")
        else:
            reply(client, "305", ":You are no longer marked as being away")

    def _motd(self, client: Client, _line: Line) -> None:
        reply(client, "422", ":There is no message of the day")

    def _message(self, client: Client, line: Line) -> None:
        # A NOTICE never gets an automatic answer (RFC 2812 3.3.2).
        answer = reply if line.command == "PRIVMSG" else _no_reply
        targets, text = line.param(0).split(","), line.param(1)
        if not line.param(0):
            answer(client, "411", f":No recipient given ({line.command})")
        elif not text:
            answer(client, "412", ":No text to send")
        elif len(targets) > MAX_TARGETS:
            answer(client, "407", f"{line.param(0)} :Too many targets")
        else:
            for target in targets:
                self._say(client, line.command, target, text, answer)

    def _say(
        self, client: Client, command: str, target: str, text: str, answer: Callable[[Client, str, str], None]
    ) -> None:
        channel, found = self._network.channel(target), self._network.registered(target)
        if channel is not None:
            if client in channel.members:
                channel.send(f":{client.mask} {command} {channel.name} :{text}", but=client)
            else:
                answer(client, "404", f"{channel.name} :Cannot send to channel")
        elif found is not None:
            found.send(f":{client.mask} {command} {found.nick} :{text}")
            if found.away:
                answer(client, "301", f"{found.nick} :{found.away}")
        else:
            answer(client, "401", f"{target or '*'} :No such nick or channel")

    def _enough(self, client: Client, line: Line, count: int) -> bool:
        if len(line.params) >= count:
            return True
        reply(client, "461", f"{line.command} :Not enough parameters")
        return False

    def _joined(self, client: Client, name: str) -> Channel | None:
        """Return a channel that the client is in, or answer why there is none."""
        channel = self._network.channel(name)
        if channel is None:
            reply(client, "403", f"{name or '*'} :No such channel")
        elif client not in channel.members:
            reply(client, "442", f"{name} :You are not on that channel")
            return None
        return channel


def reply(client: Client, numeric: str, rest: str) -> None:
    """Send a numeric reply."""
    client.send(f":{SERVER_NAME} {numeric} {client.nick or '*'} {rest}")


def tell_names(client: Client, channel: Channel) -> None:
    """Send who is in a channel, in as many lines as it takes."""
    head = f":{SERVER_NAME} 353 {client.nick} = {channel.name} :"
    shown = [("@" if operator else "") + member.nick for member, operator in channel.members.items()]
    for names in pack(shown, " ", LINE_LIMIT - 2 - len(head)):
        client.send(head + names)
    reply(client, "366", f"{channel.name} :End of NAMES list")


def _no_reply(_client: Client, _numeric: str, _rest: str) -> None:
    pass
