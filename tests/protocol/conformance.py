"""The client in Python beside protocol/conformance; run by conformance.test.mjs."""

import json
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "protocol/clients/python"))
sys.dont_write_bytecode = True
import senet  # noqa: E402

SUITE = json.loads((root / "protocol/conformance/conversations.json").read_text(encoding="utf-8"))
OF_ONE_CONNECTION = ("auth", "resume", "sync")


class Runner:
    def __init__(self, options):
        self.client, self.ids, self.said, self.is_broken = senet.Conversation(**options), {}, [], False

    def heard_events(self):
        told, self.client.told = self.client.told, []
        kinds = {"acknowledged": lambda event: "acknowledged", "refused": lambda event: f"refused {event.code}"}
        return [kinds[event.kind](event) for event in told if event.kind in kinds]

    def run(self, steps):
        told = []
        for number, (kind, *words) in enumerate(steps, 1):
            try:
                if kind == "told":
                    assert (told.pop(0) if told else "nothing") == words[0], told
                else:
                    getattr(self, kind.replace(" ", "_"))(*words)
            except Exception as error:
                raise AssertionError(f"step {number}, {json.dumps([kind, *words])[:120]}: {error!r}") from error
            told += self.heard_events()
            self.said += [json.loads(frame) for frame in self.client.frames()]
        assert not told, told

    def open(self):
        self.is_broken = False
        self.client.opened()

    def hear(self, frame, members=None):
        frame = {**(SUITE["frames"][frame] if isinstance(frame, str) else frame), **(members or {})}
        self.hear_text(re.sub(r'"\$(\w+)"', lambda name: json.dumps(self.ids[name[1]]), json.dumps(frame)))

    def hear_text(self, text):
        try:
            self.client.received(text)
        except senet.ProtocolError:
            self.is_broken = True
            self.client.closed()

    def hear_nested(self, depth):
        self.hear_text('{"type":"fireworks","a":' + "[" * depth + "]" * depth + "}")

    def says(self, members):
        frame = self.said.pop(0)
        name = members["id"][1:]
        for member, value in members.items():
            assert member == "id" or frame.get(member) == value, (member, frame)
        assert name in OF_ONE_CONNECTION or self.ids.get(name, frame["id"]) == frame["id"], frame
        self.ids[name] = frame["id"]

    def silent(self):
        assert not self.said, self.said

    def do(self, verb, words):
        if verb != "join":
            self.ids.pop("it", None)
        verbs = {"join": self.client.join, "move": lambda **move: self.client.move(move), "chat": self.client.chat, "leave": self.client.leave, "more": self.client.more_legal_moves}
        verbs[verb](**words)

    def holds(self, wanted):
        client = self.client
        known = {
            "player": client.player,
            "room": client.room,
            "version": client.version,
            "state": client.state,
            "status": client.status,
            "legal_moves": len(client.legal_moves),
            "legal_moves_all": client.legal_moves_count,
            "offered": client.legal_moves,
            "last_offered": (client.legal_moves or [None])[-1],
            "must_move": client.must_move,
            "ready": client.ready,
        }
        for name, value in wanted.items():
            assert known[name] == (SUITE["states"][value] if name == "state" else value), (name, known[name])

    def close(self, code, within):
        delay = self.client.closed(code)
        assert delay is None if within == "for good" else 0 <= delay * 1000 <= within, delay

    def broken(self):
        assert self.is_broken


failed = 0
for conversation in SUITE["conversations"]:
    try:
        Runner(conversation.get("options", {})).run(conversation["steps"])
    except AssertionError as error:
        failed += 1
        print(f"{conversation['name']}: {error}", file=sys.stderr)
sys.exit(1 if failed else 0)
