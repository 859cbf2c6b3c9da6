#!/bin/sh
# deploy.sh -- the files of deploy/ are understood by the programs that read them: tests/system/deploy.sh
# haproxy and nginx take their settings, systemd the units, dpkg the description of the package; compose files name files, services and
# networks that exist. What is not installed here is skipped, with a message.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
checked=
left=
fail() { echo "deploy: $*" >&2; exit 1; }
haproxy=$(command -v haproxy || ls /usr/sbin/haproxy 2>/dev/null || true)
if [ -n "$haproxy" ]; then
    "$haproxy" -c -f deploy/haproxy.cfg >"$here/said" 2>&1 || { cat "$here/said"; fail "haproxy refuses its settings"; }
    grep -q WARNING "$here/said" && { cat "$here/said"; fail "haproxy warns"; }
    checked="$checked haproxy"
else
    left="$left haproxy"
fi
nginx=$(command -v nginx || ls /usr/sbin/nginx 2>/dev/null || true)
if [ -n "$nginx" ] && command -v openssl >/dev/null; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -keyout "$here/privkey.pem" -out "$here/fullchain.pem" >/dev/null 2>&1
    for file in deploy/nginx.conf deploy/cluster/nginx.conf; do
        { echo "pid $here/nginx.pid; error_log $here/nginx.log; events {} http {"; sed -e "s|/etc/ssl/mashup|$here|" "$file"; echo "}"; } >"$here/nginx.conf"
        "$nginx" -t -c "$here/nginx.conf" -p "$here" >"$here/said" 2>&1 || { cat "$here/said"; fail "nginx refuses $file"; }
        grep -q '\[warn\]' "$here/said" && { cat "$here/said"; fail "nginx warns about $file"; }
    done
    checked="$checked nginx"
else
    left="$left nginx"
fi
if command -v dpkg-deb >/dev/null; then
    mkdir -p "$here/package/DEBIAN"
    sed -e 's/@VERSION@/1/' -e 's/@ARCHITECTURE@/all/' -e 's/@SIZE@/1/' deploy/debian/control >"$here/package/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$here/package" "$here/package.deb" >/dev/null || fail "dpkg refuses the description of the package"
    checked="$checked package"
else
    left="$left package"
fi
if command -v systemd-analyze >/dev/null; then
    sed -e 's|/usr/bin/pg_autoctl|/bin/true|' -e 's|^User=.*|User=root|' -e '/^EnvironmentFile/d' deploy/cluster/pgautofailover.service >"$here/pgautofailover.service"
    systemd-analyze verify --man=no "$here/pgautofailover.service" >"$here/said" 2>&1 || true
    if grep pgautofailover.service "$here/said"; then fail "systemd does not take the unit"; fi
    checked="$checked unit"
else
    left="$left unit"
fi
sh -n deploy/cluster/database-start || fail "database-start is no script"
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - <<'PYTHON' || fail "a compose file is wrong"
import os, sys, yaml
for path in ('deploy/compose.yml', 'deploy/cluster/compose.yml'):
    folder = os.path.dirname(path)
    document = yaml.safe_load(open(path))
    services = document['services']
    for name, service in services.items():
        build = service.get('build')
        if isinstance(build, dict):
            file = os.path.join(folder, build.get('context', '.'), build.get('dockerfile', 'Dockerfile'))
            if not os.path.isfile(file):
                sys.exit(f'{path}: {name} is built from {file}, which is not there')
        elif 'image' not in service:
            sys.exit(f'{path}: {name} has no image')
        for other in service.get('depends_on', []):
            if other not in services:
                sys.exit(f'{path}: {name} depends on {other}, which is not there')
        for network in service.get('networks', []):
            if network not in document.get('networks', {}):
                sys.exit(f'{path}: {name} is in {network}, which is not there')
        for volume in service.get('volumes', []):
            source = volume.split(':')[0]
            there = os.path.exists(os.path.join(folder, source)) if source.startswith(('.', '/')) else source in document.get('volumes', {})
            if not there:
                sys.exit(f'{path}: {name} has the volume {source}, which is not there')
PYTHON
    checked="$checked compose"
else
    left="$left compose"
fi
echo "deploy: understood:$checked${left:+; left out, not installed:$left}"
