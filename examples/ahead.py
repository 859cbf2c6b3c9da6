# ahead.py -- a player that looks ahead with the simulator: mashup bot HOST --game battleground --exec "python3 examples/ahead.py [MILLISECONDS]"
# Tries turns in guesses of what is hidden: a first action, then always the best one at once, then the same for the opponent; and does the turn that is
# worth most after that reply. Knows no rule of any game: value() is where yours may become clever.
import json, os, sys, time
sys.path[:0] = [os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "sim"), "/usr/share/mashup", "/usr/local/share/mashup"]
import mashup

limit = float(sys.argv[1] if len(sys.argv) > 1 else 300) / 1000

def value(sim, seat):  # what the built-in players know; put your own knowledge here
    return sim.evaluate(seat)

def ranked(sim, seat):  # the legal actions, the best one at once first
    worths = []
    for action in sim.actions(seat):
        sim.apply(action)
        worths.append((value(sim, seat), action))
        sim.undo()
    return [action for _, action in sorted(worths, reverse=True)]

def turn(sim, seat, first=None):  # plays a turn, always the best action at once; which they were
    done = []
    while seat in sim.awaited() and len(done) < 40:
        done.append(first if first and not done else ranked(sim, seat)[0])
        sim.apply(done[-1])
    return done

def look(sim, seat, view):  # the best turn found in time
    until, best, most, tried = time.monotonic() + limit, None, None, 0
    sim.guess(0)
    for first in ranked(sim, seat):
        if best and time.monotonic() > until:
            break
        tried += 1
        sim.load(seat, view)
        sim.guess(tried)
        done = turn(sim, seat, first)
        turn(sim, 1 - seat)
        if best is None or value(sim, seat) > most:
            best, most = done, value(sim, seat)
    sim.load(seat, view)
    return best

plan = []
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "table":
        sim, seat, plan = mashup.begin(message), message["you"], []
    elif message.get("actions"):
        sim.load(seat, message["view"])
        if not plan or plan[0] not in sim.actions(seat):
            plan = look(sim, seat, message["view"])
        print(sim.describe(plan.pop(0))["word"], flush=True)
