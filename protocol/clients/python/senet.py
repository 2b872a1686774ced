"""senet.v1 for Python 3.11 and later: this file and the standard library (protocol/README.md is the text it follows).

    Conversation   the client's half without I/O: authentication, ids, what is sent again, resume, patches, hashes
    Client         a Conversation over a WebSocket, blocking: `for event in client.events()`
    WebSocket      as much of RFC 6455 as that takes

A client is in at most one room at a time. It knows no rules: whoever must move is sent the legal moves.
"""

import base64
import functools
import hashlib
import json
import os
import random
import secrets
import socket
import ssl
import struct
import time
import urllib.parse
from dataclasses import dataclass, field

PROTOCOL = "senet.v1"
UNACKNOWLEDGED_MAX = 64
FRAME_BYTES_MAX = 4 * 1024 * 1024
FRAME_DEPTH_MAX = 64
DELAY_FIRST_S, DELAY_MAX_S = 0.5, 30.0
RETRY_FIRST_MS = 500
RETRIES_MAX = 30
HEARTBEAT_S = 15.0  # until the server says its own
PLAYER_HEARTBEAT_S = 3.0  # the same of who plays
CONNECT_S = 10.0
REPLACED, ROOM_GONE, BAD_TOKEN, RATE_LIMITED, OVERLOADED = 4009, 4004, 4001, 4008, 1013
FINAL = (BAD_TOKEN, ROOM_GONE, REPLACED)  # a client does not come back by itself
LOST = 1006


class ProtocolError(Exception):
    """The server said something that is not the protocol, or cannot let us resume now: hang up, and come back later."""


@dataclass
class Event:
    """What the owner is told. `kind`: welcome, acknowledged, refused, state, answer, other, over (no coming back)."""

    kind: str
    frame: dict = field(default_factory=dict)
    id: str | None = None  # of the command it is about
    code: str | None = None  # of a refusal, or the close code of `over`


@dataclass
class _Command:
    frame: dict
    sent: bool = False
    retries: int = 0
    due: float = 0.0  # refused for now: not before then


# --- the state --------------------------------------------------------------------------------------------------


def apply_patch(target, patch):
    """RFC 7396. Returns the patched value; `target` is left as it was."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = apply_patch(result.get(name), value)
    return result


def canonical_text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


@functools.lru_cache(maxsize=8192)
def _fnv1a(line):
    value = 0x811C9DC5
    for byte in line.encode("utf-8", "surrogatepass"):
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value


def hash_state(state):
    """Eight hexadecimal digits: the sum modulo 2^32 of the FNV-1a of one line per part of the state."""
    total = 0
    for member, value in state.items():
        if member in ("cells", "seats"):
            total += sum(_fnv1a(f"{member}.{name}={canonical_text(part)}") for name, part in value.items())
        else:
            total += _fnv1a(f"{member}={canonical_text(value)}")
    return f"{total & 0xFFFFFFFF:08x}"


def _number(text):
    """As JavaScript has it: 1.0 is 1."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _is_within(value, depth):
    if not isinstance(value, (dict, list)):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return depth > 0 and all(_is_within(part, depth - 1) for part in inner)


def _read_frame(text):
    try:
        frame = json.loads(text, parse_float=_number) if len(text) <= FRAME_BYTES_MAX else None
    except (ValueError, RecursionError):
        frame = None
    if not isinstance(frame, dict) or not isinstance(frame.get("type"), str) or not _is_within(frame, FRAME_DEPTH_MAX):
        raise ProtocolError("not a frame")
    return frame


# --- the conversation -------------------------------------------------------------------------------------------


class Conversation:
    """Its owner carries text: opened, received and closed say what happened, `frames` gives what is to be sent.

    `told` collects events for the owner; `closed` returns after how many seconds to come back, None for never.
    `legal_moves=False`: for whoever has rules of their own; the server sends none.
    """

    def __init__(self, token=None, rng=None, clock=time.monotonic, legal_moves=True):
        self.token, self.player = token, None
        self.room, self.version, self.state, self.hash = None, 0, None, ""
        self.layout, self.legal_moves, self.legal_moves_count = None, [], 0
        self._silence_s = {"calm": HEARTBEAT_S, "player": PLAYER_HEARTBEAT_S}
        self._more = None  # the question for more of them
        self.lost = False  # the copy is wrong, and waits for a snapshot
        self.told = []
        self._random, self._clock = rng or random.SystemRandom(), clock
        self._declined = {} if legal_moves else {"legal_moves": False}
        self._prefix, self._count = secrets.token_hex(4), 0
        self._attempt = 0
        self._stage = "closed"  # "opened", "greeted", "welcomed"
        self._commands = {}  # by id, in the order they were given
        self._own = {}  # by id: auth, resume, sync of this connection
        self._now = []  # frames of these

    # What the owner asks and says.

    @property
    def status(self):
        return (self.state or {}).get("status", "")

    @property
    def must_move(self):
        seat = (self.state or {}).get("seats", {}).get(self.state.get("to_move")) if self.status == "playing" else None
        return bool(seat) and seat["player"] == self.player

    @property
    def plays(self):
        """Holds a seat in a game that is under way."""
        seats = (self.state or {}).get("seats", {}).values() if self.status == "playing" else ()
        return any(seat["player"] == self.player for seat in seats)

    @property
    def heartbeat_s(self):
        """For so long nothing may be heard before the server is asked whether it is there."""
        return self._silence_s["player" if self.plays else "calm"]

    @property
    def ready(self):
        """Authenticated, and the room (if any) is up to date."""
        if self._stage != "welcomed" or self._own:
            return False
        return self.room is None or (self.state is not None and not self.lost)

    def command(self, **members):
        """Any command; the id it was given."""
        if len(self._commands) >= UNACKNOWLEDGED_MAX:
            raise ProtocolError("too many commands wait for their answers")
        key = self._next_id()
        self._commands[key] = _Command({**members, "id": key})
        return key

    def join(self, room, seat="any", name=None, as_="bot"):
        return self.command(type="join", room=room, seat=seat, as_=as_, **({} if name is None else {"name": name}))

    def move(self, move):
        return self._in_room(type="move", move=move, version=self.version)

    def more_legal_moves(self):
        """The next ones of a long list are asked for: with their `answer` they are in `legal_moves`."""
        self._more = self._in_room(type="legal_moves", skip=len(self.legal_moves))
        return self._more

    def action(self, kind, **members):
        return self._in_room(type="action", kind=kind, **members)

    def chat(self, text):
        return self._in_room(type="chat", text=text)

    def leave(self):
        return self._in_room(type="leave")

    def _in_room(self, **members):
        if self.room is None:
            raise ProtocolError("in no room")
        return self.command(room=self.room, **members)

    # What happens to the connection.

    def opened(self):
        self._stage = "opened"

    def closed(self, code=LOST):
        self._stage = "closed"
        self._own.clear()
        self._now.clear()
        for command in self._commands.values():
            command.sent = False
        if code in FINAL:
            return None
        delay = self._random.uniform(0, min(DELAY_MAX_S, DELAY_FIRST_S * 2 ** min(self._attempt, 16)))
        self._attempt += 1
        return delay + (5.0 if code in (OVERLOADED, RATE_LIMITED) else 0.0)

    def frames(self):
        """The frames that may go now, each once."""
        ready, self._now = self._now, []
        if self._stage == "welcomed" and "resume" not in self._own.values():
            for command in self._commands.values():
                if not command.sent and command.due <= self._clock():
                    command.sent = True
                    ready.append(command.frame)
        return [json.dumps({"as" if name == "as_" else name: value for name, value in frame.items()}) for frame in ready]

    def received(self, text):
        if self._stage == "closed":
            return
        frame = _read_frame(text)
        try:
            handler = getattr(self, "_on_" + frame["type"], self._on_other)
            handler(frame)
        except (KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ProtocolError(f"a {frame['type'][:32]} that is none: {error!r}") from error

    # What the server says, by type.

    def _on_hello(self, frame):
        if frame.get("protocol") != PROTOCOL:
            raise ProtocolError("hello in another protocol")
        if self._stage != "opened":
            return
        self._stage = "greeted"
        calm_ms = frame.get("heartbeat_ms", 15_000)
        told_ms = {"calm": calm_ms, "player": frame.get("player_heartbeat_ms", calm_ms)}
        self._silence_s = {who: min(max(ms / 1000, 1.0), 300.0) for who, ms in told_ms.items()}
        self._ask("auth", **({} if self.token is None else {"token": self.token}), **self._declined)

    def _on_welcome(self, frame):
        if self._own.pop(frame["re"], None) != "auth":
            return
        if not isinstance(frame["player"], str) or not isinstance(frame.get("token", self.token), str):
            raise ProtocolError("a welcome without player or token")
        self.player, self.token = frame["player"], frame.get("token", self.token)
        self._stage, self._attempt = "welcomed", 0
        if self.room is not None:
            self._resume()
        self.told.append(Event("welcome", frame))

    def _on_ack(self, frame):
        key = frame["re"]
        if self._own.get(key) == "resume":
            return self._resumed(key, frame)
        command = self._commands.pop(key, None)
        if command is None:
            return None  # answered already, on an earlier connection
        if command.frame["type"] == "join" and frame["room"] != self.room:
            self._enter(frame["room"])
        if command.frame["type"] == "leave" and command.frame["room"] == self.room:
            self._enter(None)
        return self.told.append(Event("acknowledged", frame, id=key))

    def _on_error(self, frame):
        key, code = frame.get("re"), frame["code"]
        own, command = self._own.get(key), self._commands.get(key)
        if own in ("resume", "sync") and frame.get("retry"):
            raise ProtocolError(f"{own} must be tried again later: {code}")
        if command is not None and frame.get("retry") and command.retries < RETRIES_MAX:
            command.retries += 1
            wait_ms = frame.get("retry_ms", RETRY_FIRST_MS) * (1 + self._random.random())
            command.sent, command.due = False, self._clock() + min(wait_ms, 60_000) / 1000
            return
        if own in ("resume", "sync"):
            self._enter(None)  # it is gone, or not ours to see
        elif own is None and command is None and key is not None:
            return
        self._own.pop(key, None)
        self._commands.pop(key, None)
        self.told.append(Event("refused", frame, id=key, code=code))

    def _on_snapshot(self, frame):
        key = frame.get("re")
        asked = self._own.pop(key, None) == "sync"
        news = asked or self.state is None or self.lost or frame["version"] >= self.version
        if frame["room"] == self.room and news:
            state = frame["state"]
            if hash_state(state) != frame.get("hash"):
                raise ProtocolError("a snapshot whose hash is not its state's")
            self.state, self.hash, self.version, self.lost = state, frame["hash"], int(frame["version"]), False
            self.layout = frame.get("layout", self.layout)
            self._offered(frame)
            self.told.append(Event("state", frame))
        if self._commands.pop(key, None) is not None:
            self.told.append(Event("answer", frame, id=key))

    def _on_event(self, frame):
        if frame["room"] != self.room or self.lost or (self.state is not None and frame["version"] <= self.version):
            return
        if self.state is None or frame["version"] != self.version + 1:
            return self._lose()
        state = apply_patch(self.state, frame.get("patch", {}))
        if hash_state(state) != frame["hash"]:
            return self._lose()
        self.state, self.hash, self.version = state, frame["hash"], self.version + 1
        self._offered(frame)
        return self.told.append(Event("state", frame))

    def _on_legal_moves(self, frame):
        behind = (frame["version"], frame.get("skip", 0)) == (self.version, len(self.legal_moves))
        if frame["re"] == self._more and behind:
            self.legal_moves = self.legal_moves + frame["moves"]
        self._on_other(frame)

    def _on_other(self, frame):
        key = frame.get("re")
        if key is None:
            self.told.append(Event("other", frame))
        elif self._commands.pop(key, None) is not None:
            self.told.append(Event("answer", frame, id=key))

    # Parts of these.

    def _next_id(self):
        self._count += 1
        return f"{self._prefix}.{self._count}"

    def _ask(self, kind, **members):
        key = self._next_id()
        self._own[key] = kind
        self._now.append({"type": kind, "id": key, **members})

    def _resume(self):
        usable = self.state is not None and not self.lost
        self._ask("resume", room=self.room, version=self.version if usable else 0)

    def _resumed(self, key, frame):
        del self._own[key]
        if frame["mode"] == "snapshot":
            # A server that knows less than we do was set back: what it says is what is.
            self.lost = self.lost or frame["version"] < self.version
        elif self.state is None or self.lost:
            self._lose()

    def _lose(self):
        self.lost = True
        if "sync" not in self._own.values():
            self._ask("sync", room=self.room)

    def _enter(self, room):
        self.room, self.version, self.state, self.hash, self.lost = room, 0, None, "", False
        self.layout, self.legal_moves, self.legal_moves_count = None, [], 0
        self._own = {key: kind for key, kind in self._own.items() if kind == "auth"}

    def _offered(self, frame):
        self.legal_moves = frame.get("legal_moves", [])
        self.legal_moves_count = frame.get("legal_moves_count", len(self.legal_moves))


# --- over a socket ----------------------------------------------------------------------------------------------


class Client(Conversation):
    """`address`: http(s)://host:port, ws(s)://… . Comes back by itself, with full jitter."""

    def __init__(self, address, token=None, **options):
        super().__init__(token, **options)
        self.address, self._socket, self._ends = address, None, False

    def events(self):
        """Each event as it comes, until `close`, or a close code that is final (the last event is `over`, then)."""
        while not self._ends:
            code = LOST
            try:
                self._socket = WebSocket(self.address, PROTOCOL)
                self.opened()
                while not self._ends:
                    yield from self._turn()
            except Hangup as hangup:
                code = hangup.code
            except (OSError, ProtocolError):
                pass
            self._hang_up()
            delay = self.closed(code)
            if delay is None:
                self._ends = True
                yield Event("over", code=str(code))
            elif not self._ends:
                time.sleep(delay)

    def close(self):
        """For good. What was given is sent, as far as it may go now."""
        try:
            self._send()
        except OSError:
            pass
        self._ends = True
        self._hang_up()

    def _turn(self):
        self._send()
        text = self._socket.receive(self.heartbeat_s, self._next_due())
        if text is not None:
            self.received(text)
        told, self.told = self.told, []
        yield from told

    def _send(self):
        for frame in self.frames() if self._socket else ():
            self._socket.send(frame)

    def _next_due(self):
        waits = [command.due for command in self._commands.values() if not command.sent]
        return max(0.0, min(waits) - self._clock()) if waits else None

    def _hang_up(self):
        if self._socket is not None:
            self._socket.close()
        self._socket = None


class Hangup(Exception):
    def __init__(self, code):
        super().__init__(f"closed: {code}")
        self.code = code


class WebSocket:
    """One connection of RFC 6455, text frames out and in."""

    _CONTINUED, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0, 1, 2, 8, 9, 10
    _HEAD_BYTES_MAX = 16 * 1024

    def __init__(self, address, subprotocol):
        url = urllib.parse.urlsplit(address)
        secure = url.scheme in ("https", "wss")
        port = url.port or (443 if secure else 80)
        raw = socket.create_connection((url.hostname, port), timeout=CONNECT_S)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self._socket = ssl.create_default_context().wrap_socket(raw, server_hostname=url.hostname) if secure else raw
            self._bytes, self._text, self._silent = b"", None, False
            self._shake_hands(url.netloc.rpartition("@")[2], subprotocol)
        except BaseException:
            raw.close()
            raise

    def _shake_hands(self, host, subprotocol):
        key = base64.b64encode(os.urandom(16)).decode()
        self._socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {subprotocol}\r\n\r\n".encode("ascii")
        )
        while b"\r\n\r\n" not in self._bytes:
            if len(self._bytes) > self._HEAD_BYTES_MAX:
                raise ProtocolError("too long an answer")
            self._read_more()
        head, self._bytes = self._bytes.split(b"\r\n\r\n", 1)
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        proof = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        if status.split(" ")[1:2] != ["101"] or headers.get("sec-websocket-accept") != base64.b64encode(proof).decode():
            raise ProtocolError(f"no WebSocket there: {status[:80]}")

    def send(self, text):
        self._send_frame(self._TEXT, text.encode())

    def receive(self, heartbeat_s, within_s=None):
        """The next text; None when there is none `within_s`. Silence is asked after once, and then taken for an end."""
        while True:
            wait_s = heartbeat_s if within_s is None else min(heartbeat_s, within_s)
            self._socket.settimeout(max(wait_s, 0.001))
            try:
                text = self._next_text()
            except TimeoutError:
                if within_s is not None and within_s <= heartbeat_s:
                    return None
                if self._silent:
                    raise Hangup(LOST) from None
                self._silent = True
                self._send_frame(self._PING, b"")
                continue
            self._silent = False
            if text is not None:
                return text

    def close(self):
        try:
            self._send_frame(self._CLOSE, struct.pack("!H", 1000))
        except OSError:
            pass
        self._socket.close()

    def _next_text(self):
        """A whole text, or None after a frame that is none. What has come of a frame is kept when the time is over."""
        first, payload = self._next_frame()
        kind, last = first & 15, first & 128
        if kind == self._CLOSE:
            raise Hangup(struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005)
        if kind == self._PING:
            self._send_frame(self._PONG, payload)
        if kind in (self._PING, self._PONG):
            return None
        if kind not in (self._TEXT, self._CONTINUED) or (kind == self._CONTINUED) != (self._text is not None) or first & 112:
            raise ProtocolError("a frame that should not be there")
        self._text = (self._text or b"") + payload
        if len(self._text) > FRAME_BYTES_MAX:
            raise ProtocolError("too long a text")
        if not last:
            return None
        text, self._text = self._text, None
        try:
            return text.decode()
        except UnicodeDecodeError as error:
            raise ProtocolError("not UTF-8") from error

    def _next_frame(self):
        self._need(2)
        first, length, at = self._bytes[0], self._bytes[1] & 127, 2
        if self._bytes[1] & 128:
            raise ProtocolError("a masked frame")
        if length > 125:
            size, form = (2, "!H") if length == 126 else (8, "!Q")
            self._need(2 + size)
            (length,), at = struct.unpack(form, self._bytes[2 : 2 + size]), 2 + size
        if length > FRAME_BYTES_MAX:
            raise ProtocolError("too long a frame")
        self._need(at + length)
        payload, self._bytes = self._bytes[at : at + length], self._bytes[at + length :]
        return first, payload

    def _need(self, count):
        while len(self._bytes) < count:
            self._read_more()

    def _read_more(self):
        more = self._socket.recv(65536)
        if not more:
            raise Hangup(LOST)
        self._bytes += more

    def _send_frame(self, kind, payload):
        self._socket.settimeout(CONNECT_S)
        length, mask = len(payload), os.urandom(4)
        if length < 126:
            head = struct.pack("!BB", 128 | kind, 128 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 128 | kind, 128 | 126, length)
        else:
            head = struct.pack("!BBQ", 128 | kind, 128 | 127, length)
        pad = (mask * (length // 4 + 1))[:length]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(pad, "big")).to_bytes(length, "big")
        self._socket.sendall(head + mask + masked)
