#!/bin/sh
# proxy.sh -- deploy/nginx.conf or deploy/Caddyfile in front of a real server, with Debian's nginx or Caddy: tests/system/proxy.sh build/mashup nginx|caddy
# Only names, ports and paths of the configuration are changed. What must hold: TLS, WebSockets, whole matches, the real address of a
# client and not the one it claims, no metrics for strangers. Wants nginx or Caddy, openssl and python3: tools/setup full.
set -eu
mashup=$1
kind=$2
here=$(mktemp -d)
fail() { echo "$kind: $*" >&2; tail -n 20 "$here"/*.log >&2 2>/dev/null || true; exit 1; }
server=
proxy=
finish() {
    [ -z "$proxy" ] || kill "$proxy" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait
    rm -rf "$here"
}
trap finish EXIT

"$mashup" serve --behind-proxy --address 127.0.0.1 --port 0 --data "$here/data" --fast --no-rates --log-level debug >"$here/serve.out" 2>"$here/serve.log" &
server=$!
i=0
until grep -q 'ready at' "$here/serve.out"; do i=$((i + 1)); [ "$i" -lt 100 ] || fail "the server did not open"; sleep 0.1; done
port=$(sed -n 's/.*:\([0-9]*\)$/\1/p' "$here/serve.out")

# Two ports that are free now.
ports=$(python3 -c 'import socket; a, b = socket.socket(), socket.socket(); a.bind(("127.0.0.1", 0)); b.bind(("127.0.0.1", 0)); print(a.getsockname()[1], b.getsockname()[1])')
plain=${ports% *}
secure=${ports#* }
# Both start a proxy in the background and leave the certificate to trust in SSL_CERT_FILE.
start_nginx() {
    nginx=$(command -v nginx || echo /usr/sbin/nginx)
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
        -keyout "$here/privkey.pem" -out "$here/fullchain.pem" >/dev/null 2>&1 || fail "openssl made no certificate"
    {
        echo "pid $here/nginx.pid; error_log $here/nginx.log; events {} http { access_log off;"
        for part in client_body proxy fastcgi uwsgi scgi; do echo "${part}_temp_path $here/$part;"; done
        sed -e "s/127.0.0.1:1218/127.0.0.1:$port/" -e "s/mashup\.example/localhost/" -e "s|/etc/ssl/mashup|$here|" -e '/listen \[::\]/d' \
            -e "s/listen 80/listen 127.0.0.1:$plain/" -e "s/listen 443/listen 127.0.0.1:$secure/" deploy/nginx.conf
        echo "}"
    } >"$here/nginx.conf"
    "$nginx" -t -c "$here/nginx.conf" -p "$here" >"$here/check.log" 2>&1 || fail "it does not take the configuration"
    "$nginx" -c "$here/nginx.conf" -p "$here" -g 'daemon off;' 2>>"$here/nginx.log" &
    proxy=$!
    export SSL_CERT_FILE="$here/fullchain.pem"
}
start_caddy() {
    # For localhost Caddy makes certificates of its own; this one keeps them to itself.
    export XDG_DATA_HOME="$here" XDG_CONFIG_HOME="$here" MASHUP_HOST=localhost MASHUP_SERVER="127.0.0.1:$port"
    {
        printf '{\n\tadmin off\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n\thttp_port %s\n\thttps_port %s\n}\n' "$plain" "$secure"
        cat deploy/Caddyfile
    } >"$here/Caddyfile"
    caddy run --config "$here/Caddyfile" --adapter caddyfile >"$here/caddy.log" 2>&1 &
    proxy=$!
    export SSL_CERT_FILE="$here/caddy/pki/authorities/local/root.crt"
}
"start_$kind"
i=0
until python3 -c "import http.client, ssl; http.client.HTTPSConnection('localhost', $secure, context=ssl.create_default_context()).request('GET', '/healthz')" 2>"$here/try.log"; do
    i=$((i + 1))
    [ "$i" -lt 100 ] || fail "it did not start"
    sleep 0.1
done

python3 - "$plain" "$secure" <<'PYTHON' || fail "plain HTTP through the proxy is not as it must be"
import http.client, ssl, sys
plain, secure = int(sys.argv[1]), int(sys.argv[2])
def ask(path, secured=True, headers={}):
    line = http.client.HTTPSConnection("localhost", secure, context=ssl.create_default_context()) if secured else http.client.HTTPConnection("localhost", plain)
    line.request("GET", path, headers=headers)
    answer = line.getresponse()
    return answer.status, answer.getheaders(), answer.read()
def demand(truth, what):
    if not truth:
        sys.exit(f"FAILED: {what}")
status, headers, body = ask("/healthz")
demand((status, body) == (200, b"ok\n"), f"/healthz: {status} {body}")
demand(dict((name.lower(), value) for name, value in headers).get("strict-transport-security") == "max-age=31536000", "no HSTS")
demand(ask("/metrics")[0] == 404, "figures are told to strangers")
demand(ask("/api/games")[0] == 200, "/api/games")
status, headers, _ = ask("/", secured=False)
demand(status in (301, 308) and dict(headers)["Location"].startswith("https://"), f"plain HTTP: {status}")
demand(ask("/arena")[0] in (400, 404, 426), "the arena without an upgrade")
PYTHON

# Two bots play a whole match through TLS.
python3 examples/bot.py "wss://localhost:$secure" zorde One >"$here/one.out" 2>&1 &
first=$!
python3 examples/bot.py "wss://localhost:$secure" zorde Two >"$here/two.out" 2>&1 || fail "the second bot: $(cat "$here/two.out")"
wait "$first" || fail "the first bot: $(cat "$here/one.out")"

# The same by the program itself, which trusts the certificate of the file and, without it, nobody.
"$mashup" bot "wss://localhost:$secure" --game zorde --pairs --seconds 60 >"$here/bot.out" 2>&1 || fail "mashup bot: $(cat "$here/bot.out")"
env -u SSL_CERT_FILE "$mashup" bot "https://localhost:$secure" --game zorde --pairs --seconds 60 --cafile "$SSL_CERT_FILE" >"$here/bot.out" 2>&1 || fail "mashup bot --cafile: $(cat "$here/bot.out")"
if env -u SSL_CERT_FILE "$mashup" bot "wss://localhost:$secure" --game zorde --seconds 60 >"$here/bot.out" 2>&1; then fail "a certificate that nobody signed is trusted"; fi
grep -q 'certificate is not accepted' "$here/bot.out" || fail "mashup bot: $(cat "$here/bot.out")"

# Somebody from 127.0.0.2 who claims to be 203.0.113.7, and a page of another host.
python3 - "$secure" <<'PYTHON' || fail "addresses or origins through the proxy are not as they must be"
import socket, ssl, sys
def knock(source, headers):
    line = socket.create_connection(("127.0.0.1", int(sys.argv[1])), source_address=(source, 0))
    line = ssl.create_default_context().wrap_socket(line, server_hostname="localhost")
    line.sendall(("GET /arena HTTP/1.1\r\nHost: localhost:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n%s\r\n" % (sys.argv[1], headers)).encode())
    answer = line.recv(4096).split(b"\r\n")[0].decode()
    line.close()
    return answer
for source, headers, wanted in [("127.0.0.2", "X-Forwarded-For: 203.0.113.7\r\n", " 101 "),
                                ("127.0.0.3", "Origin: https://localhost:%s\r\n" % sys.argv[1], " 101 "),
                                ("127.0.0.4", "Origin: https://elsewhere.example\r\n", " 403 ")]:
    answer = knock(source, headers)
    if wanted not in answer:
        sys.exit(f"FAILED: {source} {headers.strip()}: {answer}")
PYTHON
sleep 0.3
grep -q '127\.0\.0\.2 connected' "$here/serve.log" || fail "the server does not know the real address"
! grep -q '203\.0\.113\.7' "$here/serve.log" || fail "the server believed a claimed address"

# A ban of the real address works behind the proxy, and of that one alone.
"$mashup" admin ban 127.0.0.2 --data "$here/data" >/dev/null || fail "the ban was not taken"
python3 - "$secure" <<'PYTHON' || fail "a ban behind the proxy does not work"
import http.client, ssl, sys
for source, wanted in (("127.0.0.2", 403), ("127.0.0.3", 200)):
    line = http.client.HTTPSConnection("localhost", int(sys.argv[1]), source_address=(source, 0), context=ssl.create_default_context())
    line.request("GET", "/api/games")
    status = line.getresponse().status
    if status != wanted:
        sys.exit(f"FAILED: {source}: {status}")
PYTHON
echo "$kind: TLS, WebSockets, a whole match, real addresses and bans: $(cat "$here/one.out")"
