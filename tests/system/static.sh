#!/bin/sh
# static.sh -- the program without shared libraries in a root that holds nothing else: tests/system/static.sh build/mashup-static
# It serves its page, two bots play a match there by address and by name, the archive and the admin socket answer, it closes when asked. Wants root or
# a system on which users may have a root directory of their own (unshare), and python3.
set -eu
program=$1
root=$(mktemp -d)
log=$(mktemp -d)
server=
fail() { echo "static: $*" >&2; cat "$log"/* >&2; exit 1; }
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$root" "$log"
}
trap finish EXIT
cp "$program" "$root/mashup"
! readelf -lW "$program" | grep -q INTERP || fail "it asks for a loader of shared libraries"
if [ "$(id -u)" = 0 ]; then
    inside() { chroot "$root" "$@"; }
else
    inside() { unshare --user --map-root-user --root="$root" "$@"; }
fi

inside /mashup games >"$log/games" || fail "it does not run"
mkdir "$root/data"
# The process itself, not a shell function around it, gets the signal.
if [ "$(id -u)" = 0 ]; then
    chroot "$root" /mashup serve --address 127.0.0.1 --port 0 --data /data >"$log/serve.out" 2>"$log/serve.err" &
else
    unshare --user --map-root-user --root="$root" /mashup serve --address 127.0.0.1 --port 0 --data /data >"$log/serve.out" 2>"$log/serve.err" &
fi
server=$!
i=0
until grep -q 'ready at' "$log/serve.out"; do i=$((i + 1)); [ "$i" -lt 100 ] || fail "the server did not open"; sleep 0.1; done
port=$(sed -n 's/.*:\([0-9]*\)$/\1/p' "$log/serve.out")
for place in "127.0.0.1:$port" "localhost:$port"; do
    inside /mashup bot "$place" --game zorde --seats 2 --pairs --matches 1 --seconds 60 >"$log/bots" 2>&1 || fail "bots at $place"
done
mkdir "$root/etc"
echo "127.0.0.1 games.example" >"$root/etc/hosts"
inside /mashup bot "games.example:$port" --game generals --seats 2 --pairs --matches 1 --seconds 60 >"$log/bots" 2>&1 || fail "bots at a name of /etc/hosts"
python3 - "$port" <<'PYTHON' || fail "what it serves is not as it must be"
import json, sys, time, urllib.request
def ask(path):
    with urllib.request.urlopen("http://127.0.0.1:%s%s" % (sys.argv[1], path)) as answer:
        return answer.read()
for _ in range(50):
    if len(json.loads(ask("/api/archive"))["matches"]) == 3:
        break
    time.sleep(0.1)
else:
    sys.exit("FAILED: the archive has not all matches")
if b"<script" not in ask("/"):
    sys.exit("FAILED: no page")
PYTHON
inside /mashup admin list --data /data >"$log/admin" || fail "the side door is closed"
kill -TERM "$server"
wait "$server" || fail "it ended with $?"
server=
echo "static: $(wc -c <"$program") bytes alone in a root: page, three matches, archive, side door"
