#!/bin/sh
# containers.sh -- builds the server's and the AI's image and lets them play a match: tests/system/containers.sh
# No Docker engine is needed: buildah works in a chroot, on a Debian that debootstrap makes once (build/containers/base.tar; put
# another root there to use it instead). Wants root, buildah and debootstrap: tools/setup full. IMAGES=ai builds that one alone.
set -eu
here=build/containers
mkdir -p "$here"
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
buildah="buildah --root $PWD/$here/storage --runroot $PWD/$here/run"
fail() { echo "containers: $*" >&2; exit 1; }

if [ ! -f "$here/base.tar" ]; then
    debootstrap --variant=minbase bookworm "$here/base" >"$here/debootstrap.log" 2>&1 || { tail "$here/debootstrap.log"; fail "debootstrap failed"; }
    rm -rf "$here"/base/var/cache/apt/archives/*.deb
    tar -C "$here/base" -cf "$here/base.tar.new" . && mv "$here/base.tar.new" "$here/base.tar"
    rm -rf "$here/base"
fi
if ! $buildah inspect --type image mashup-base >/dev/null 2>&1; then
    base=$($buildah from scratch)
    $buildah add -q "$base" "$here/base.tar" / >/dev/null
    $buildah commit -q "$base" mashup-base >/dev/null
    $buildah rm "$base" >/dev/null
fi

working=
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    for one in $working; do $buildah rm "$one" >/dev/null 2>&1 || true; done
}
trap finish EXIT

# A network whose own certificate npm is told to believe here has it inside as well.
believe=
certificate=$(npm config get cafile 2>/dev/null || echo null)
if [ -f "$certificate" ]; then
    echo "cafile=/etc/mashup-test.pem" >"$here/npmrc"
    believe="--volume $PWD/$here/npmrc:/root/.npmrc:ro --volume $certificate:/etc/mashup-test.pem:ro"
fi
for image in ${IMAGES:-server ai}; do
    # shellcheck disable=SC2086
    $buildah bud $believe -q --format docker --layers=false --build-arg BASE=localhost/mashup-base -f "deploy/Containerfile.$image" -t "mashup-$image" . \
        >"$here/$image.log" 2>&1 || { tail -n 30 "$here/$image.log"; fail "the image of the $image was not built"; }
done

# told IMAGE FIELD: a list or word of the image's own settings, as words of a shell
told() { $buildah inspect --type image --format "{{range .Docker.Config.$2}}{{.}} {{end}}" "mashup-$1"; }
user() { $buildah inspect --type image --format '{{.Docker.Config.User}}' "mashup-$1"; }
for image in server ai; do
    [ "$(user "$image")" = 1218:1218 ] || fail "the $image runs as $(user "$image")"
    [ -n "$($buildah inspect --type image --format '{{.Docker.Config.Healthcheck}}' "mashup-$image")" ] || fail "the $image has no health check"
done

: >"$here/serve.out"
one=$($buildah from mashup-server)
working="$working $one"
# shellcheck disable=SC2046
$buildah run "$one" -- $(told server Entrypoint) --port 0 --address 127.0.0.1 --no-rates --team08-unknown 3 >"$here/serve.out" 2>"$here/serve.err" &
server=$!
i=0
until grep -q 'ready at' "$here/serve.out"; do
    i=$((i + 1))
    [ "$i" -lt 100 ] || { cat "$here/serve.err"; fail "the server in its container did not open"; }
    sleep 0.2
done
port=$(sed -n 's/.*:\([0-9]*\)$/\1/p' "$here/serve.out")

# The health check of the image, beside the server in the same container, as its user.
health=$(told server Healthcheck.Test | sed 's/^CMD //')
# shellcheck disable=SC2086
$buildah run "$one" -- $health >/dev/null || fail "the health check of the server says no: $health"
[ "$($buildah run "$one" -- id -u)" = 1218 ] || fail "the server is not its own user"

two=$($buildah from mashup-ai)
three=$($buildah from mashup-ai)
working="$working $two $three"
# shellcheck disable=SC2046
timeout 180 $buildah run "$two" -- $(told ai Entrypoint) "ws://127.0.0.1:$port" --level 2 --pace 0 --name One >"$here/one.out" 2>&1 &
first=$!
# shellcheck disable=SC2046
timeout 180 $buildah run "$three" -- $(told ai Entrypoint) "ws://127.0.0.1:$port" --level 1 --pace 0 --name Two >"$here/two.out" 2>&1 ||
    { cat "$here/two.out"; fail "the second AI did not finish its match"; }
wait "$first" || { cat "$here/one.out"; fail "the first AI did not finish its match"; }
node -e "
fetch('http://127.0.0.1:$port/api/archive').then(answer => answer.json()).then(told => {
  const [match] = told.matches;
  if (!match || match.game !== 'marvelous-mashup') throw new Error('no match in the archive: ' + JSON.stringify(told));
  console.log('containers: ' + match.players.map(player => player.name).join(' against ') + ': ' + match.reason + ' after ' + match.actions + ' actions');
}).catch(error => { console.error(String(error)); process.exit(1); })"
