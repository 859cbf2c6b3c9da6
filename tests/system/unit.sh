#!/bin/sh
# unit.sh -- systemd understands every line of deploy/mashup.service: tests/system/unit.sh
# The program of the unit is put in place of the one that is not installed; anything that systemd says is a failure.
set -eu
command -v systemd-analyze >/dev/null || { echo "unit: left out: no systemd-analyze here"; exit 0; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
sed "s|/usr/bin/mashup|$PWD/build/mashup|" deploy/mashup.service >"$here/mashup.service"
systemd-analyze verify --man=no "$here/mashup.service" >"$here/said" 2>&1 || true
if grep mashup.service "$here/said"; then exit 1; fi
score=$(systemd-analyze security --offline=true "$here/mashup.service" 2>/dev/null | tail -n 1 | sed 's/[^0-9.A-Z ]//g' || true)
echo "unit: understood; exposure by systemd's own measure:$score"
