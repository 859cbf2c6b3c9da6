#!/usr/bin/env python3
# bot.py -- a whole player in Python's standard library: python3 examples/bot.py ws://localhost:1218 zorde [NAME]
# (wss:// works as well.) Seeks a quick match, makes any legal move, says how it ended. Make choose() clever to make it yours.
import base64, json, os, random, socket, ssl, struct, sys
from urllib.parse import urlsplit

def connect(url):
    at = urlsplit(url)
    line = socket.create_connection((at.hostname, at.port or 1218))
    if at.scheme == "wss":
        line = ssl.create_default_context().wrap_socket(line, server_hostname=at.hostname)
    line.sendall(f"GET /arena HTTP/1.1\r\nHost: {at.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n\r\n".encode())
    stream = line.makefile("rb")
    if b" 101 " not in stream.readline():
        sys.exit("the server refused the connection")
    while stream.readline() != b"\r\n":
        pass
    return line, stream

def send(line, message, opcode=1):
    data, mask = (message if opcode != 1 else json.dumps(message).encode()), os.urandom(4)
    size = bytes([128 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
    line.sendall(bytes([128 | opcode]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

def receive(line, stream):  # the next message; pings are answered on the way
    def take(count):
        data = stream.read(count)
        return data if len(data) == count else sys.exit("the connection was lost")
    while True:
        opcode, size = take(2)
        size = struct.unpack(">H", take(2))[0] if size == 126 else struct.unpack(">Q", take(8))[0] if size == 127 else size
        data = take(size)
        if opcode & 15 == 1:
            return json.loads(data)
        if opcode & 15 == 8:
            sys.exit(f"the server closed the connection: {data[2:].decode()}")
        if opcode & 15 == 9:
            send(line, data, 10)

def choose(position):  # all you may do is in `actions`, all there is to see in `board`
    group = random.choice(position["actions"])
    return {"verb": group["verb"], "unit": group["unit"], "ability": group["ability"],
            **dict(zip(("x", "y", "other", "amount"), random.choice(group["cells"])))}

line, stream = connect(sys.argv[1])
send(line, {"type": "hello", "name": sys.argv[3] if len(sys.argv) > 3 else "Python", "role": "ai"})
token = os.environ.get("MASHUP_TOKEN")  # of an account, if the bot has one: then it plays for its rating
if token:
    send(line, {"type": "login", "key": token})
    while (answer := receive(line, stream))["type"] != "account":
        if answer["type"] == "refused":
            sys.exit(f"refused: {answer['reason']}")
send(line, {"type": "seek", "game": sys.argv[2], "rated": bool(token)})
while True:
    message = receive(line, stream)
    if message["type"] == "refused" and message["code"] != "late":
        sys.exit(f"refused: {message['reason']}")
    if message["type"] == "closed":
        sys.exit(f"the table is gone: {message['reason']}")
    if message["type"] == "position" and "result" in message:
        won = message["result"]["winner"]
        print("drawn" if won is None else "won" if won == message["you"] else "lost", "-", message["result"]["why"])
        break
    if message["type"] == "position" and message["you"] in message["awaited"]:
        send(line, {"type": "act", "position": message["number"], **choose(message)})
send(line, struct.pack(">H", 1000), 8)
