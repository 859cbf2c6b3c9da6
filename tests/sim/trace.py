# trace.py -- plays matches of every game with mashup.py and prints what happened; tests/sim/simulators.mjs does the same with
# mashup.mjs and with `mashup engine` and compares. Usage: python3 tests/sim/trace.py MASHUP.PY'S FOLDER
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
import mashup

MATCHES, PLIES = 2, 120
for game in mashup.games():
    for seed in range(MATCHES):
        sim = mashup.begin({"game": game["id"]}, seed)
        number = 12345 + seed
        for _ in range(PLIES):
            if sim.result() is not None:
                break
            seat = sim.turn()
            actions = sim.actions(seat)
            number = (number * 1103515245 + 12345) % 2**31
            chosen = actions[number % len(actions)]
            told = sim.describe(chosen)
            assert mashup.action(**{key: told[key] for key in ("verb", "seat", "unit", "ability", "x", "y", "other", "amount")}) == chosen
            assert sim.find(seat, told["word"]) == chosen
            before = sim.bytes()
            sim.apply(chosen)
            sim.undo()
            assert sim.bytes() == before
            sim.apply(chosen)
        other = mashup.begin({"game": game["id"]}, 99)
        other.load(0, sim.bytes(0))
        other.guess(3)
        assert other.bytes(0) == sim.bytes(0)
        view = hashlib.sha256(other.bytes()).hexdigest()[:16]
        sim.clone().drop()
        print(game["id"], seed, hashlib.sha256(sim.bytes()).hexdigest()[:16], view, *sim.playout(seed, 3),
              hashlib.sha256(json.dumps(sim.position(1), separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()[:16])
for wrong in ({"game": "chess"}, {"game": "zorde", "preset": "none"}, []):
    try:
        mashup.begin(wrong)
        sys.exit(f"{wrong} was accepted")
    except mashup.Error as error:
        print(error)
# Wrong calls say what is wrong instead of ending the process.
lost = mashup.begin({"game": "zorde"}, 1)
chosen = lost.actions()[0]
assert lost.actions() == lost.actions(lost.turn())
for call, sentence in (
        (lambda: lost.apply("step d0 1 4"), "an action is a number of actions() or find(), not 'step d0 1 4'"),
        (lambda: lost.describe("x"), "not 'x'"), (lambda: lost.preview(None), "not None"), (lambda: lost.load(0, "***"), "view is not base64"),
        (lambda: lost.actions(7), "seat 7: only 0 or 1"), (lost.drop, None), (lambda: lost.actions(0), "this sim was dropped"),
        (lambda: lost.apply(chosen), "this sim was dropped"), (lambda: lost.evaluate(0), "this sim was dropped"), (lost.drop, None)):
    try:
        call()
        said = None
    except mashup.Error as error:
        said = str(error)
    if said != sentence and (said is None or sentence not in said):
        sys.exit(f"{sentence} was said as {said}")
