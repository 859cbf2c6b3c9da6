# mashup.py -- the games as a simulator for Python: one file, standard library only, over libmashup.so (include/mashup_sim.h says what
# each function does; here they are methods of Sim without "mash_sim_").
#
#     import mashup
#     sim = mashup.begin({"game": "zorde"}, seed=7)
#     while sim.result() is None:
#         sim.apply(random.choice(sim.actions(sim.turn())))
#
# An action is a number, which describe() tells as a dictionary. A wrong call raises mashup.Error and says what is wrong. The library is
# looked for beside this file, where $MASHUP_LIBRARY says, in build/ of the sources, and where the system keeps libraries.
import ctypes as c
import json
import os

ALL, SPECTATOR, DRAWN, RUNNING = 254, 255, 2, -1
ACTIONS_MAX = 1 << 16


class Error(Exception):
    """What mash_sim_error() says."""


class _Playouts(c.Structure):
    _fields_ = [("wins", c.c_uint64 * 2), ("draws", c.c_uint64), ("actions", c.c_uint64)]


def _open():
    here = os.path.dirname(os.path.realpath(__file__))
    name = "libmashup.so.0.2"
    tried = [os.environ.get("MASHUP_LIBRARY"), os.path.join(here, name), os.path.join(here, "..", "build", name),
             os.path.join(here, "..", "..", "lib", name), name]
    for path in filter(None, tried):
        try:
            return c.CDLL(path)
        except OSError as problem:
            last = problem
    raise ImportError(f"libmashup.so was not found ({last}); set MASHUP_LIBRARY to its path")


_library = _open()
for _name, _result, *_arguments in [
        ("version", c.c_char_p), ("error", c.c_char_p), ("games", c.c_char_p),
        ("begin", c.c_void_p, c.c_char_p, c.c_uint64), ("clone", c.c_void_p, c.c_void_p), ("drop", None, c.c_void_p),
        ("load", c.c_int32, c.c_void_p, c.c_uint32, c.c_char_p, c.c_uint32),
        ("bytes", c.c_uint32, c.c_void_p, c.c_uint32, c.c_void_p, c.c_uint32),
        ("guess", c.c_int32, c.c_void_p, c.c_uint64), ("awaited", c.c_uint32, c.c_void_p), ("result", c.c_int32, c.c_void_p),
        ("actions", c.c_uint32, c.c_void_p, c.c_uint32, c.c_void_p, c.c_uint32),
        ("find", c.c_int32, c.c_void_p, c.c_uint32, c.c_char_p, c.c_void_p),
        ("apply", c.c_int32, c.c_void_p, c.c_uint64), ("undo", c.c_int32, c.c_void_p),
        ("playout", c.c_int32, c.c_void_p, c.c_uint64, c.c_uint32, c.c_void_p),
        ("evaluate", c.c_int32, c.c_void_p, c.c_uint32),
        ("think", c.c_int32, c.c_void_p, c.c_uint32, c.c_uint32, c.c_uint64, c.c_void_p),
        ("position", c.c_char_p, c.c_void_p, c.c_uint32), ("events", c.c_char_p, c.c_void_p, c.c_uint32),
        ("preview", c.c_char_p, c.c_void_p, c.c_uint64, c.c_uint32), ("describe", c.c_char_p, c.c_void_p, c.c_uint64)]:
    _function = getattr(_library, "mash_sim_" + _name)
    _function.restype, _function.argtypes = _result, _arguments
    globals()["_" + _name] = _function


def _text(answer):
    if answer is None:
        raise Error(_error().decode())
    return json.loads(answer)


def _fine(answer):
    if answer < 0:
        raise Error(_error().decode())


def _wrong(action):
    raise Error(f"an action is a number of actions() or find(), not {action!r}")


def version():
    """The version of the library."""
    return _version().decode()


def games():
    """All games, with their presets and options."""
    return _text(_games())


def begin(table, seed=0):
    """The beginning of a match: a dictionary with `game` and perhaps `preset`, `options`, `documents`; a server's `table` as it is."""
    address = _begin(json.dumps(table, separators=(",", ":")).encode(), seed)
    if address is None:
        raise Error(_error().decode())
    return Sim(address)


def action(verb, seat, unit=0, ability=0, x=0, y=0, other=0, amount=0):
    """The number of an action."""
    return int.from_bytes(bytes([verb, seat, unit, ability, x & 255, y & 255, other, amount]), "little")


class Sim:
    """One position of one match."""

    _list = (c.c_uint64 * ACTIONS_MAX)()

    def __init__(self, address):
        self._at = address

    def clone(self):
        """A copy."""
        return Sim(_clone(self._at))

    def drop(self):
        """The end; happens by itself when nobody refers to it."""
        _drop(self.__dict__.pop("_at", None))

    __del__ = drop

    def __getattr__(self, name):  # of what is missing
        raise Error("this sim was dropped") if name == "_at" else AttributeError(f"Sim has no {name}")

    def load(self, seat, view):
        """Puts the bytes that a server sent for a seat (base64 in `view` of `position`) in place of the position."""
        if isinstance(view, str):
            import base64
            try:
                view = base64.b64decode(view, validate=True)
            except ValueError as problem:
                raise Error(f"view is not base64: {problem}") from None
        _fine(_load(self._at, seat, view, len(view)))

    def bytes(self, seat=ALL):
        """What a seat sees, as bytes for load()."""
        memory = c.create_string_buffer(_bytes(self._at, seat, None, 0))
        if len(memory) == 0 or _bytes(self._at, seat, memory, len(memory)) == 0:
            raise Error(_error().decode())
        return memory.raw

    def guess(self, seed):
        """Makes a loaded view a whole state that it could be."""
        _fine(_guess(self._at, seed))

    def awaited(self):
        """The seats that the match waits for."""
        bits = _awaited(self._at)
        return [seat for seat in (0, 1) if bits >> seat & 1]

    def turn(self):
        """The first of them; None: the match is over."""
        bits = _awaited(self._at)
        return None if bits == 0 else 0 if bits & 1 else 1

    def result(self):
        """The winner, DRAWN, or None while the match is running."""
        winner = _result_of(self._at)
        return None if winner == RUNNING else winner

    def actions(self, seat=None):
        """All legal actions of a seat, by default of the one to move: numbers."""
        if seat is None:
            seat = self.turn() or 0
        elif seat not in (0, 1):
            raise Error(f"seat {seat!r}: only 0 or 1")
        return self._list[:_actions(self._at, seat, self._list, ACTIONS_MAX)]

    def find(self, seat, word):
        """The action with this notation: "move h0 3 4"."""
        out = c.c_uint64()
        _fine(_find(self._at, seat, word.encode(), c.byref(out)))
        return out.value

    def apply(self, number):
        """Does an action."""
        try:
            if _apply(self._at, number) < 0:
                raise Error(_error().decode())
        except c.ArgumentError:
            _wrong(number)

    def undo(self):
        """Takes the last action back."""
        _fine(_undo(self._at))

    def playout(self, seed, count=1):
        """Random matches to the end: wins of seat 0, wins of seat 1, draws, actions."""
        out = _Playouts()
        _fine(_playout(self._at, seed, count, c.byref(out)))
        return out.wins[0], out.wins[1], out.draws, out.actions

    def evaluate(self, seat):
        """How good the position is for a seat by what the built-in players know."""
        return _evaluate(self._at, seat)

    def think(self, seat, level, seed=0):
        """What the built-in player of this level would do."""
        out = c.c_uint64()
        _fine(_think(self._at, seat, level, seed, c.byref(out)))
        return out.value

    def position(self, seat):
        """What a seat sees: the arena's `position`."""
        return _text(_position(self._at, seat))

    def events(self, seat=SPECTATOR):
        """What the last action did, as far as a seat may see it."""
        return _text(_events(self._at, seat))

    def preview(self, number, samples=16):
        """What an action would do, with how likely each thing is."""
        try:
            return _text(_preview(self._at, number, samples))
        except c.ArgumentError:
            _wrong(number)

    def describe(self, number):
        """An action as a dictionary: its fields, its verb, its notation."""
        try:
            return _text(_describe(self._at, number))
        except c.ArgumentError:
            _wrong(number)


_result_of = _library.mash_sim_result
