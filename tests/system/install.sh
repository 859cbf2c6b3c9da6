#!/bin/sh
# install.sh -- make install and uninstall into a folder; the manual page has no warnings, the completions complete: tests/system/install.sh
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
fail() { echo "install: $*" >&2; exit 1; }
make --no-print-directory -s install DESTDIR="$here" PREFIX=/opt/mashup
share=$here/opt/mashup/share
[ "$("$here/opt/mashup/bin/mashup" --version)" = "$(build/mashup --version)" ] || fail "another program was installed"
[ -s "$share/doc/mashup/docs/hosting.md" ] || fail "the documents are missing"
tools/links "$share/doc/mashup" || fail "the documents that are installed have dead links"
said=$(MANWIDTH=80 man --warnings -l "$share/man/man1/mashup.1.gz" 2>&1 >"$here/page")
[ -z "$said" ] || fail "the manual page: $said"
for command in $(build/mashup help | sed -n 's/^  mashup \([a-z]*\) .*/\1/p'); do
    grep -q "mashup $command" "$here/page" || fail "the manual page does not tell of $command"
done
# offers WORDS...: what bash offers for the last word
offers() {
    bash -c 'source "$0"; COMP_WORDS=(mashup "$@"); COMP_CWORD=$#; _mashup; echo "${COMPREPLY[*]}"' "$share/bash-completion/completions/mashup" "$@"
}
[ "$(offers adm)" = admin ] || fail "mashup adm completes to $(offers adm)"
[ "$(offers serve --behind)" = --behind-proxy ] || fail "serve --behind completes to $(offers serve --behind)"
[ "$(offers play zor)" = zorde ] || fail "play zor completes to $(offers play zor)"
if command -v zsh >/dev/null; then zsh -n "$share/zsh/vendor-completions/_mashup" || fail "zsh does not read its completion"; fi
# The simulator as a program of somebody else finds it: header and library by the compiler, the two others in their folder.
printf '#include <mashup_sim.h>\n#include <stdio.h>\nint main(void) { return puts(mash_sim_version()) < 0; }\n' >"$here/own.c"
gcc -I"$here/opt/mashup/include" -o "$here/own" "$here/own.c" -L"$here/opt/mashup/lib" -lmashup || fail "no program builds with the library"
[ "mashup $(LD_LIBRARY_PATH="$here/opt/mashup/lib" "$here/own")" = "$(build/mashup --version)" ] || fail "another library was installed"
node tests/sim/simulators.mjs "$here/opt/mashup/bin/mashup" "$share/mashup" || fail "mashup.py and mashup.mjs do not work where they are installed"
make --no-print-directory -s uninstall DESTDIR="$here" PREFIX=/opt/mashup
left=$(find "$here/opt" ! -type d)
[ -z "$left" ] || fail "uninstall left $left"
echo "install: program, simulator, manual of $(wc -l <"$here/page") lines, completions; and away again"
