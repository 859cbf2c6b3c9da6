# level.py -- a built-in level as a program: exec:python3 examples/level.py 8. With MASHUP_LIBRARY=old/libmashup.so.0.2 it is that of an older release.
import json, os, sys
sys.path[:0] = [os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "sim"), "/usr/share/mashup", "/usr/local/share/mashup"]
import mashup
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "table":
        sim, seat = mashup.begin(message), message["you"]
    elif message.get("actions"):
        sim.load(seat, message["view"])
        print(sim.describe(sim.think(seat, int(sys.argv[1]), message["number"]))["word"], flush=True)
