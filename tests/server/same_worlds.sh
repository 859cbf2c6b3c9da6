#!/bin/sh
# same_worlds.sh VARIANT VARIANT -- simulated worlds are the same whoever compiled them: the last lines of the simulators with their
# signature are equal for equal seeds. A draw in an order that C leaves open (two in one call, or in one initializer) shows here.
set -u
for program in test_server_sim test_cluster_sim; do
    first=
    for variant in "$@"; do
        said=$(MASH_SIM_SEEDS=3 "build/$variant/tests/$program" 2>/dev/null | grep signature)
        [ -n "$said" ] || { echo "$program of $variant printed no signature" && exit 1; }
        [ "${first:=$said}" = "$said" ] || { printf '%s differs:\n%s\n%s\n' "$program" "$first" "$said" && exit 1; }
    done
    echo "$program: $first"
done
