# simulators.py -- how fast mashup.py is: playouts in the library, and actions listed, chosen and applied from Python, in a CPU-second.
# Called by simulators.mjs: python3 bench/programs/simulators.py GAME SECONDS
import random, sys, time
sys.path.insert(0, "sim")
import mashup

sim, seconds = mashup.begin({"game": sys.argv[1]}, 1), float(sys.argv[2])
began, matches, actions = time.process_time(), 0, 0
while time.process_time() < began + seconds:
    actions += sim.playout(matches, 20)[3]
    matches += 20
spent = time.process_time() - began
began, steps, chooser = time.process_time(), 0, random.Random(1)
while time.process_time() < began + seconds:
    match = sim.clone()
    while match.result() is None:
        listed = match.actions(match.turn())
        match.apply(listed[int(chooser.random() * len(listed))])
        steps += 1
print(matches / spent, actions / spent, steps / (time.process_time() - began))
