#!/bin/sh
# deb.sh -- the Debian package installs on a clean Debian, plays a match there, and goes away again: tests/system/deb.sh PACKAGE
# The clean Debian is the one of tests/system/containers.sh (build/containers/base.tar). Wants root and debootstrap: tools/setup full.
set -eu
package=$1
here=build/debtest
fail() { echo "deb: $*" >&2; exit 1; }
rm -rf "$here"
mkdir -p "$here"
if [ -f build/containers/base.tar ]; then
    tar -C "$here" -xf build/containers/base.tar
else
    debootstrap --variant=minbase bookworm "$here" >"$here.log" 2>&1 || { tail "$here.log"; fail "debootstrap failed"; }
fi
finish() { rm -rf "$here"; }
trap finish EXIT
cp "$package" "$here/tmp/mashup.deb"
cp /etc/resolv.conf "$here/etc/resolv.conf"
# Everything runs in a list of processes of its own, so that nothing stays behind.
inside() { unshare --mount --pid --fork --mount-proc="$PWD/$here/proc" chroot "$here" sh -ec "$1"; }
inside 'export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/mashup.deb' >"$here.log" 2>&1 || { tail -n 20 "$here.log"; fail "the package did not install"; }
inside '
    mashup --version
    test -s /usr/share/man/man1/mashup.1.gz || { echo "no manual page" >&2; exit 1; }
    test -s /usr/share/bash-completion/completions/mashup && test -s /usr/share/zsh/vendor-completions/_mashup
    test -s /lib/systemd/system/mashup.service && test -s /etc/default/mashup && test -s /usr/share/doc/mashup/docs/hosting.md
    test -s /usr/include/mashup_sim.h && test -s /usr/share/mashup/mashup.mjs && ldconfig -p | grep -q libmashup.so.0.2
    cd /tmp
    mashup serve --port 0 --address 127.0.0.1 --no-rates >out 2>err &
    i=0
    until grep -q "ready at" out; do i=$((i + 1)); [ $i -lt 100 ] || { cat err; exit 1; }; sleep 0.1; done
    port=$(sed -n "s/.*:\([0-9]*\)$/\1/p" out)
    mashup bot "127.0.0.1:$port" --game battleground --seats 2 --pairs --seconds 60
    i=0
    until [ -n "$(find mashup-data/archive -name "*.json")" ]; do i=$((i + 1)); [ $i -lt 50 ] || { echo "no match in the archive" >&2; exit 1; }; sleep 0.1; done
    mashup admin drain --seconds 1 >/dev/null
    wait' || fail "what was installed does not work"
inside 'apt-get remove -y -qq mashup >/dev/null 2>&1; ! test -e /usr/bin/mashup && test -e /etc/default/mashup' || fail "the package did not go away"
echo "deb: $(dpkg-deb --field "$package" Package Version Installed-Size | tr '\n' ' ')installs, plays and goes away"
