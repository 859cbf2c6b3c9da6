import json, random, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("actions"):
        group = random.choice(message["actions"])
        print(random.choice(group["words"]), flush=True)
