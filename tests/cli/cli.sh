#!/bin/sh
# cli.sh -- the command line from outside: tests/cli/cli.sh BINARY [WORDS]
# Prints a line for each check, then `N passed, N failed`; exits 1 if one failed, with CMOCKA_TEST_ABORT at the first.
# WORDS: only the part whose heading has these words.
set -u
mashup=$1
case $mashup in /*) ;; *) mashup=$PWD/$mashup ;; esac
if [ $# -gt 1 ]; then
    awk -v words="$2" 'BEGIN { on = 1 } /^# --- / { on = index($0, words) || /- The end -/ } on' "$0" | sh -s "$mashup"
    exit
fi
oracles=$PWD/../shared/oracles/zorde
content=$PWD/games
recorded=$PWD/../shared/oracles/ultimate-war/traces
docs=$PWD/docs
player=$PWD/build/release/bench_player
trace=$PWD/tests/fuzz/corpus/traces/own.jsonl
dir=$(mktemp -d)
pid= # a server in the background
trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$dir"' EXIT
cd "$dir" || exit 1
passed=0
failed=0
unset NO_COLOR COLUMNS LINES
LC_ALL=C
export LC_ALL

# is NAME COMMAND...: the command succeeds
is() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        echo "        exit code $code; last lines of output and errors:"
        tail -n 12 out err
        [ -z "${CMOCKA_TEST_ABORT-}" ] || exit 1
    fi
}
# run ARGUMENT...: the binary with what `typed` wrote as input; output in out and err, exit code in $code
run() {
    "$mashup" "$@" <in >out 2>err
    code=$?
    : >in
}
# typed LINE...: what the next run reads
typed() { printf '%s\n' "$@" >in; }
: >in
games=$("$mashup" games --ids)

fine() { [ "$code" -eq 0 ]; }
refused() { [ "$code" -eq 2 ] && [ -s err ]; }
found() { [ "$code" -eq "$1" ] && grep -qF -- "$2" err; }
out_has() { fine && grep -qF -- "$1" out; }
out_lacks() { fine && ! grep -qF -- "$1" out; }
out_like() { fine && grep -qE -- "$1" out; }
err_has() { refused && grep -qF -- "$1" err; }
err_like() { refused && grep -qE -- "$1" err; }
same() { cmp -s "$1" "$2"; }
last_line_like() { fine && tail -n 1 out | grep -qE -- "$1"; }
no_escapes() { fine && ! grep -q "$(printf '\033')" out; }
has_escapes() { fine && grep -q "$(printf '\033')" out; }
silent_err() { [ ! -s err ]; }
narrow() { fine && ! grep -n '^.\{81\}' out; }
silent() { [ ! -s out ] && [ ! -s err ]; }
absent() { [ ! -e "$1" ]; }

# --- Help, version, wrong use ---------------------------------------------------------------------
run --version
is "--version prints a version" out_like '^mashup [0-9]+\.[0-9]+'
run help
is "help lists the commands" out_has 'mashup simulate'
run --help
is "--help is help" out_has 'mashup simulate'
is "help fits 80 columns" narrow
has_text() { fine && [ "$(wc -l <out)" -gt 4 ]; }
for command in $("$mashup" help | sed -n 's/^  mashup \([a-z]*\) .*/\1/p'); do
    run help $command
    is "help $command" out_has "Usage: mashup $command"
    is "help $command has a text" has_text
    is "help $command fits 80 columns" narrow
    run $command --help
    is "$command --help" out_has "Usage: mashup $command"
    cat out >>helps
    is "docs/command-line.md has $command" grep -q "mashup $command" "$docs/command-line.md"
done
# Options: what help prints is in docs/command-line.md, and what that has is in help; those of generate are of the games.
options_of() { grep -oE '(^|[^a-z-])--[a-z][a-z-]*[a-z]' "$@" | grep -oE -- '--[a-z-]+' | sort -u; }
{ echo --version; "$mashup" generate | options_of; options_of helps; } | sort -u >told
options_of "$docs/command-line.md" >written
undocumented=$(comm -23 told written | tr '\n' ' ') unknown=$(comm -13 told written | tr '\n' ' ')
is "docs/command-line.md has all options (not: $undocumented)" test -z "$undocumented"
is "docs/command-line.md has no other options (but: $unknown)" test -z "$unknown"
run ai --protocol morse
is "ai: an unknown protocol" err_has '--protocol must be standard or arena, not "morse"'
run ai --level 9
is "ai: a level that is none" err_has 'level'
run ai --game zorde
is "ai: the standard is for one game" err_has 'the standard only covers marvelous-mashup'
run ai --role SPECTATOR
is "ai: nobody watches" err_has '--role must be KI or PLAYER'
run ai 127.0.0.1:1 --patience 0
is "ai: nobody there" test "$code" -eq 1
MMU_URL=127.0.0.1:1 MMU_PATIENCE=0 MMU_LEVEL=0
export MMU_URL MMU_PATIENCE MMU_LEVEL
run ai
is "ai: the environment is read" err_has '0'
MMU_LEVEL=3
run ai
is "ai: by the environment alone" test "$code" -eq 1
unset MMU_URL MMU_PATIENCE MMU_LEVEL
run join localhost --protocol morse
is "join: an unknown protocol" err_has '--protocol must be arena or standard, not "morse"'
run join localhost --protocol standard --role KI
is "join: a person plays or watches" err_has '--role must be PLAYER or SPECTATOR, not "KI"'
run join 127.0.0.1:1 --protocol standard
is "join: nobody there" test "$code" -eq 1
run paly
is "a mistyped command is named, and the near one" err_has 'unknown command "paly"; did you mean "play"?'
is "wrong use says how to get help" err_has 'Try: mashup help'
run help paly
is "help for a mistyped command" err_has 'did you mean "play"?'
run xyzzy
is "a strange command gets the list" err_has 'there are play, games, show'
run simulate zored
is "a mistyped game" err_has 'unknown game "zored"; did you mean "zorde"?'
run simulate zorde --mathces 3
is "a mistyped flag" err_has 'unknown option --mathces; did you mean --matches?'
run simulate zorde --preset dule
is "a mistyped preset" err_has 'unknown preset "dule"; did you mean "duel"?'
run simulate battleground --option bilnd=1
is "a mistyped option" err_has 'no option "bilnd"; did you mean "blind"?'
run simulate battleground --option blind=7
is "an option out of its range" err_has 'option blind'
run simulate battleground --option blind
is "an option without a value" err_has 'option blind'
run simulate zorde --matches
is "a flag without its value" err_has '--matches needs a value'
run simulate zorde --matches 0
is "a number out of range" err_has 'must be a whole number from 1'
run simulate zorde --matches 99999999999999999999
is "a number too big" err_has 'must be a whole number from 1'
run simulate zorde --seed 1 --seed 2
is "a flag given twice" err_has '--seed was given too often'
run simulate
is "a word that is missing" err_has 'missing argument'
run simulate zorde battleground
is "a word too many" err_has 'unexpected argument "battleground"'
run games --ids=3
is "a value where none is taken" err_has '--ids takes no value'
typed 'about hela' 'pick venom' 'pick Captain America' 'pick dr-str' 'pick bogus' quit
COLUMNS=80 run play ultimate-war --seed 1
is "champions are picked by their names" out_has 'Team 1 picks Venom.'
is "names may have blanks and capitals" out_has 'Team 2 picks Captain America.'
is "a beginning of a name is enough" out_has 'Team 1 picks Dr Strange.'
is "what is no name is not taken for one" out_has 'No action matches "pick bogus".'
is "the draft tells the types" out_like '^ *2\) pool +Deadpool +1350/1350 +anti-hero '
is "about tells type and command" out_has 'Villain: attacks deal 50% more damage to heroes and anti-heroes.'
is "about tells values" out_has 'health 1500/1500, type villain, mana 750'
is "about tells abilities with their figures" out_has 'Deals 250 damage to every enemy and cover on the eight cells around.'
is "drafts fit 80 columns" narrow
typed 1 1 1 1 about quit
COLUMNS=80 run play ultimate-war --seed 1 --vs random
is "about tells the condition" out_has 'condition active'
is "names are not cut in the table" out_like '^[> ] \[cap\] +Captain America [0-9],[0-9]'
typed random ready quit
COLUMNS=80 run play generals --seed 1 --vs random
is "names are not cut on the board" out_like '^ +.*Panther America|^ +.*Panther +Captain'
typed quit
run play zorde --seed 2 --vs level3 --seat 1
is "a level plays" out_has 'You are <Zorde>, [Calliance] is played by the computer, level3.'
is "a level acts" out_like 'Human H0 moves|Dwarf D0 moves|Elf E0 moves'
is "the way back names the level" out_has 'mashup play zorde --vs level3 --seat 1 --seed 2'
run play zorde --vs dog
is "--vs takes some words" err_has '--vs is human, random or level1 to level9, not "dog"'
run play zorde --seat 3
is "--seat is 0 or 1" err_has '--seat must be 0 or 1, not "3"'
run play zorde --seed -5
is "a seed that is none" err_has '--seed must be an integer below 2^64'
run play zorde --seed 18446744073709551616
is "a seed too big" err_has '--seed must be an integer below 2^64'

# --- Games, simulate, perft --------------------------------------------------------------------
COLUMNS=80 run games
is "games fits 80 columns" narrow
run games
is "games lists presets" out_like 'duel +Lesson: '
is "games lists options" out_like 'dino +.*\(0 to 1, default: 0\)'
run games --ids
is "games --ids are words alone" out_like '^battleground$'
for game in $games; do
    run simulate "$game" --matches 5 --seed 3
    is "simulate $game: its last line" last_line_like "^$game: 5 matches, [0-9]+ actions, signature [0-9a-f]{16}, [0-9]+ actions per CPU-second\$"
    sed 's/, [0-9]* actions per.*//' out >first
    run simulate "$game" --seed=3 --matches=5
    sed 's/, [0-9]* actions per.*//' out >second
    is "simulate $game: the same again" same first second
    run perft "$game" --depth 2
    is "perft $game" out_like '^depth 2: [0-9]+ sequences'
done
run simulate battleground --matches 2 --preset small --option blind=yes --option dino=on
is "simulate takes presets and options" last_line_like '^battleground: 2 matches'
run perft zorde --preset duel --depth 1
is "perft counts the duel's first steps" out_has 'depth 1: 3 sequences'

# --- Play: choosing -----------------------------------------------------------------------------
typed 1 2
run play zorde --preset duel --seed 5
is "choosing by number" out_has 'Human H0 moves from 0,4 to 0,3.'
is "the input may end at any time" out_has 'mashup play zorde --preset duel --seed 5'
is "no escape codes into a pipe" no_escapes
typed 'step h0 1 3' 'H0 2 3' '<h0> 2,4' quit
run play zorde --preset duel --seed 5
is "typing whole words" out_has 'Human H0 moves from 0,4 to 1,3.'
is "typing unit and cell in capitals" out_has 'Human H0 moves from 1,3 to 2,3.'
is "typing marks and commas" out_has 'Human H0 moves from 2,3 to 2,4.'
typed 's h 1 3' 'step' 3 'step h0 9 9' 'step t0 1 1' 'fly' 77 '' quit
run play zorde --preset duel --seed 5
is "typing shortened words" out_has 'Human H0 moves from 0,4 to 1,3.'
is "words that fit several actions open their menu" out_has 'step [h0] Human: 8 cells'
is "a cell off the board is explained" out_has 'That cell is off the board.'
is "another's unit is explained" out_has "That's not your unit."
is "nonsense is answered" out_has 'No action matches "fly"'
is "a number beyond the menu is answered" out_has 'There is no entry 77 in the menu.'
typed help board 'board 1 1' 'board all' units 'log' options undo quit
run play zorde --preset duel --seed 5
is "help at the table" out_has 'takes back the last move'
is "log at the start" out_has 'Nothing has happened yet.'
is "options of a game without any" out_has 'This game has no options.'
is "undo at the start" out_has 'Nothing to undo.'
typed options 'save' 'load' 'undo x' 'opt' quit
run play battleground --option blind=1
is "options with their values" out_like 'blind +1'
is "save without a name" out_has 'save FILE'
is "load without a name" out_has 'load FILE'
is "undo of no number" out_has 'undo N takes back N moves'
typed 1 0 '' quit
run play zorde --preset battle --seed 1
is "a long list is shown by its first parts" out_like '\([0-9]+ cells\)'
is "cells are numbered on the board" out_has 'a number from the board, or X Y'
is "0 leads back" out_has '0) back'
is "the seed is printed" out_has 'seed 1'
typed quit
run play zorde
is "a fresh seed has 32 digits" out_like 'seed [0-9a-f]{32}'
typed quit
run play zorde --seed 0123456789abcdef0123456789ABCDEF
is "a seed of 32 digits" out_has 'seed 0123456789abcdef0123456789abcdef'
: >in
run play
is "no game: a list to choose from" out_has 'Which game?'
typed 9 '' chess zor dog random quit
run play
is "a game by name, an opponent by name" out_has '[Calliance] choose a unit >'
is "no such game" out_has 'Unknown game.'
is "no such opponent" out_has 'Unknown opponent.'
typed 2 1 quit
run
is "mashup alone plays" out_has 'Battleground, seed'
typed 1
run play
is "the input ends at the second question" out_has 'Choose your opponent:'
typed quit 1
run play
is "quit leaves the first question" out_lacks 'Choose your opponent:'
typed 1 quit 2
run play
is "quit leaves the second question" out_lacks 'seed'

# --- Play: what the screen shows ----------------------------------------------------------------
typed quit
run play zorde --seed 5 --vs random --seat 1
is "who plays whom" out_has 'You are <Zorde>, [Calliance] plays random moves.'
typed quit
run play battleground --seed 5
is "a choice of teams shows the warriors on offer" out_has 'Ninja: health 5, attack 2, movement 5'
is "and the potions" out_has 'Weakness: attack bonus -2, turns 3'
is "but no empty board" out_lacks '  0  1'
typed 'zombie-m' quit
run play battleground --seed 5
is "a sentence has one full stop" out_like 'Red chooses: Zombie M\.$'
typed 3 quit
run play ultimate-war --seed 5
is "a draft is a table of numbered units" out_like '^ 3\) doc +Dr Strange +1100/1100'
is "its numbers choose" out_has 'Team 1 picks Dr Strange.'
is "what is chosen is listed" out_has 'chosen: doc Dr Strange'
typed quit
run play generals --seed 5
is "verbs alone are explained" out_has 'layout (use the classic set-up)'
typed quit
run play tablut --seed 5
is "a crowd of few kinds has one line a row" out_like '^  3 \[m4\]  \.    \.    \.   <s1>'
is "its letters are explained once" out_has 'm Muscovite   s Swede   k King'
for game in $games; do
    { printf '%s\n' help usual layout ready; yes 1 | head -n 30; printf '%s\n' units xyzzy 'log'; yes 1 | head -n 20; } >in
    COLUMNS=80 LINES=24 run play "$game" --seed 7 --vs random
    is "$game fits 80 columns" narrow
done

# --- Play: undo, offers, the end ---------------------------------------------------------------
typed 1 1 'undo 2' 'log' quit
run play zorde --preset duel --seed 5
is "undo takes back" out_has 'Undid 2 actions.'
is "after undo the log is empty" out_has 'Nothing has happened yet.'
typed draw decline draw draw accept '' 
run play zorde --preset duel --seed 5
is "a draw is offered" out_has 'Draw offered to <Zorde>: accept or decline.'
is "one offer at a time" out_has 'A draw has already been offered.'
is "a draw is accepted" out_has 'Draw: draw agreed.'
typed accept resign undo resign 'save end.json' 1 ''
run play zorde --preset duel --seed 5
is "nothing to accept" out_has 'Nobody has offered a draw.'
is "a number after the end is answered" out_has 'The match is over.'
is "resigning ends the match" out_has '<Zorde> won: resignation.'
is "the end can be saved" test -s end.json
typed draw 1 quit
run play zorde --preset duel --seed 5 --vs random
is "random declines a draw" out_has 'Zorde declines'
yes 1 | head -n 400 >in
run play zorde --preset skirmish --seed 3 --vs random
is "a match against random comes to its end" out_like '(won|is drawn): '
is "figures at the end" out_has 'damage dealt'
cp out first
yes 1 | head -n 400 >in
run play zorde --preset skirmish --seed 3 --vs random
is "the same seed and choices, the same match" same out first
typed 1 1 1 undo quit
run play zorde --preset skirmish --seed 3 --vs random
is "the way back to the start is whole" out_has 'mashup play zorde --preset skirmish --vs random --seed 3'
is "undo against random goes back to one's own decision" out_like 'Undid [0-9]+ action'
typed quit
run play zorde --preset duel --seed 5 --vs random --seat 1
is "the person may sit on seat 1" out_has '<Zorde> choose a unit >'
yes 1 | head -n 3000 >in
{ echo usual; yes 1 | head -n 3000; } >in
run play battleground --seed 2 --vs random
is "battleground against random" out_has 'warriors left'
{ echo layout; echo ready; yes 1 | head -n 20; echo units; } >in
run play generals --seed 2 --vs random
is "generals against random" out_has 'pieces left'
is "hidden ranks stay hidden" out_lacks 'Thanos'

# --- Play: secrets between two persons ---------------------------------------------------------
typed layout ready '' '' layout ready '' '' 1 '' '' quit
run play generals --seed 2
is "a curtain between two persons" out_has 'Pass the device to <Villains>, then press Enter'
is "after the curtain the other's view" out_has '<Villains> turn >'
awk '/Pass the device to <Villains>/ { text = "" } { text = text $0 "\n" } END { printf "%s", text }' out >after
is "the one's ranks are not on the other's screen" sh -c '! grep -q Thor after'
typed layout 'save secret.json' quit
run play generals --seed 2
typed '' quit
run play --load secret.json
is "a curtain before a loaded match" out_has 'Pass the device to [Heroes], then press Enter'
typed layout ready
run play generals --seed 2
is "the input may end behind the curtain" fine
typed quit
run play generals --seed 2 --option open=1 --content nowhere.json
is "a document that is not there" err_has 'nowhere.json: cannot be opened'
typed 'h0 1 3' 'h0 1 2' 'h0 1 1' 't0 1 1' quit
run play zorde --preset duel --seed 2
is "no curtain where nothing is hidden" out_lacks 'Pass the device'

# --- Files -----------------------------------------------------------------------------------------
typed 'h0 1 3' 'h0 1 2' 'save a.json' 'save a.json' 'h0 1 1' quit
run play zorde --preset duel --seed 5
is "save" out_has 'Saved in a.json.'
is "leaving after more was played" out_has 'This match was not saved'
typed 'save a.json' 'save! a.json' quit
run play zorde --preset duel --seed 6
is "save does not replace another file" out_has 'use save! a.json to overwrite it'
is "save! does" out_has 'Saved in a.json.'
is "leaving what was saved" out_has 'To continue this match: mashup play --load a.json'
typed 'save again.json' 'h0 1 3' save quit
run play zorde --preset duel --seed 6
is "save alone writes to the same file" out_has 'To continue this match: mashup play --load again.json'
is "with all that was played" grep -qF 'step h0 1 3' again.json
typed 'save nowhere/a.json' quit
run play zorde --preset duel --seed 6
is "a folder that is not there" grep -qF 'nowhere/a.json: cannot be written' err
typed 'h0 1 3' 'h0 1 2' 'save b.json' quit
run play zorde --preset duel --seed 5
typed 'log' 'h0 1 1' 'save c.json' quit
run play --load b.json
is "load goes on" out_has 'Human H0 moves from 1,2 to 1,1.'
typed 'load b.json' 'load nowhere.json' 'log' quit
run play zorde
is "load at the table" out_has 'Human H0 moves from 0,4 to 1,3.'
run play battleground --load b.json
is "load of another game" err_has 'b.json is a zorde match, not battleground'
run play --load b.json --seed 7
is "a saved match has its own seed" err_has '--load cannot be combined with a seed, content or options'
typed 1 'save r.json' quit
run play zorde --preset duel --seed 5 --vs random --seat 1
typed quit
run play --load r.json
is "random stays random after loading" out_has '<Zorde> choose a unit >'
is "the file names the players" grep -qF '"random"' r.json
typed quit
run play --load r.json --vs human --seat 0
is "or becomes a person" fine

cat >tiny.start.json <<'DOCUMENT'
{"width": 4, "height": 3, "units": [
  {"kind": "human", "id": "H0", "x": 0, "y": 2}, {"kind": "troll", "id": "T0", "x": 3, "y": 0}]}
DOCUMENT
typed 'h0 1 1' 'save own.json' quit
run play zorde --content tiny.start.json --seed 5
is "content of one's own" out_has 'Human H0 moves from 0,2 to 1,1.'
rm tiny.start.json
run show own.json
is "its match file needs no other file" out_has 'custom files'
printf '{"width": 4, "height": 3, "units": [{"kind": "hobbit", "id": "X0", "x": 9, "y": 2}]}' >bad.start.json
run play zorde --content bad.start.json
is "bad content is reported with line and column" err_like '^bad\.start\.json:1:[0-9]+: '

run show c.json
is "show tells the players" out_has '[Calliance] person, <Zorde> person'
is "show tells each action" out_like '^ +3 \[Calliance\] step h0 1 1$'
is "show tells that it goes on" out_has 'The match is not finished.'
typed resign 'save over.json' quit
run play zorde --preset duel --seed 5
run show over.json
is "show tells the result" out_has '<Zorde> won: resignation.'
run show c.json --at 1
is "show --at: the position then" out_has '[h0]'
is "show --at: that action alone" out_lacks 'step h0 1 2'
run show c.json --at 0
is "show --at 0" out_lacks 'step h0'
run show c.json --at 99
is "show --at too late" err_has 'the match has only 3 actions'
run show c.json --view 7
is "show --view of nobody" err_has '--view must be 0, 1, spectator, watcher or all, not "7"'
{ printf '%s\n' layout ready; yes 1 | head -n 6; printf '%s\n' 'save g.json' quit; } >in
run play generals --seed 2 --vs random
run show g.json
is "show tells both views" out_has 'As seen by <Villains>:'
is "show tells what only one learnt" out_has 'to [Heroes]:'
run show g.json --view 0 --at 3
is "show --view keeps the other's secrets" out_lacks 'place '
run show g.json --view watcher
is "show --view watcher" out_lacks 'Thor'
run show nowhere.json
is "show of no file" err_has 'nowhere.json: cannot be opened'
head -c 300 c.json >cut.json
run show cut.json
is "a file that was cut off" err_like '^cut\.json:[0-9]+:[0-9]+: '
sed 's/step h0 1 2/step h0 2 2/' c.json >wrong.json
run show wrong.json
is "a word that is not the action's" err_like '^wrong\.json:[0-9]+:[0-9]+: \$\.actions\[1\]\.word: '
run play --load wrong.json
is "it is not loaded either" err_has 'wrong.json:'
long=$(printf 'a%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)
long=$long$long$long$long.json
cp cut.json "$long"
run show "$long"
is "a long name stays whole" err_has "$long:"

# --- Zorde's files --------------------------------------------------------------------------------
printf 'BOARD\n5x5\n\nCALLIANCE\nHUMAN H0 0 4\n\nZORDE\nTROLL T0 0 0\n' >initials.txt
printf 'H0 0;-1;-1;0;1;1;\nT0 0;1;0;1;\nT0 1;0;\n' >commands.txt
run zorde initials.txt commands.txt output.txt
is "zorde writes the output" fine
is "zorde draws the board" grep -qF '*T0        *' output.txt
is "zorde tells errors of the game in the output" grep -qF 'Error : Move sequence' output.txt
is "zorde says nothing" silent
printf 'H0 0;-1;x;0;1;1;\n' >bad.txt
cp output.txt before.txt
run zorde initials.txt bad.txt output.txt
is "zorde: bad input with file, line, column" err_like '^bad\.txt:1:[0-9]+: '
is "zorde: the output is as it was" same output.txt before.txt
run zorde initials.txt bad.txt none.txt
is "zorde: no half-written output" absent none.txt
is "zorde: no temporary file stays" sh -c '! ls none.txt.* 2>/dev/null'
run zorde initials.txt commands.txt nowhere/output.txt
is "zorde: a folder that is not there" err_has 'nowhere/output.txt: cannot be written'
run zorde initials.txt nowhere.txt output.txt
is "zorde: a file that is not there" err_has 'nowhere.txt: cannot be opened'
run zorde initials.txt commands.txt
is "zorde needs three files" err_has 'missing argument'
ln -s real.txt link.txt
: >real.txt
run zorde initials.txt commands.txt link.txt
is "zorde: a link stays, what it leads to is written" sh -c 'test -L link.txt && test -s real.txt'
mkfifo pipe
cat pipe >real.txt &
run zorde initials.txt commands.txt pipe
wait
is "zorde into a pipe" same real.txt output.txt
i=0
: >many.txt
while [ $i -lt 400 ]; do
    printf 'H0 0;-1;0;-1;0;1;\nT0 1;0;\nH0 0;1;0;1;0;-1;\nT0 -1;0;\n' >>many.txt
    i=$((i + 1))
done
printf 'BOARD\n12x12\n\nCALLIANCE\nHUMAN H0 11 8\n\nZORDE\nTROLL T0 0 0\n' >wide.txt
run zorde wide.txt many.txt output.txt
is "zorde: an output that outgrows its first memory" test "$(wc -c <output.txt)" -gt 65536

# What the published format means by equal: no CR, no blank lines, no blanks at line ends.
plain() { tr -d '\r' <"$1" | sed 's/[ 	]*$//' | grep -v '^$'; }
if [ -d "$oracles" ]; then
    wrong=
    for n in 1 2 3 4; do
        "$mashup" zorde "$oracles/samples/initials$n.txt" "$oracles/samples/commands$n.txt" output.txt 2>>err
        plain output.txt >first
        plain "$oracles/samples/output$n.txt" >second
        same first second || wrong="$wrong sample $n"
    done
    for case in "$oracles"/cases/*; do
        "$mashup" zorde "$case/initials.txt" "$case/commands.txt" output.txt 2>>err
        plain output.txt >first
        plain "$case/expected.txt" >second
        same first second || wrong="$wrong $(basename "$case")"
    done
    is "zorde: all published samples and cases ($wrong)" test -z "$wrong"
fi

# --- On a terminal ------------------------------------------------------------------------------
if command -v script >/dev/null 2>&1; then
    # on_terminal COMMAND: with a terminal of its own; what it prints is in out
    on_terminal() {
        script -qec "$1" /dev/null <in >out 2>err
        code=$?
        : >in
    }
    typed 1 1 quit
    TERM=xterm on_terminal "$mashup play zorde --preset duel --seed 5"
    is "colours on a terminal" has_escapes
    typed 1 1 quit
    NO_COLOR=1 TERM=xterm on_terminal "$mashup play zorde --preset duel --seed 5"
    is "no colours with NO_COLOR" no_escapes
    typed usual '' '' usual '' '' 1 quit
    LC_ALL=C.UTF-8 TERM=xterm on_terminal "stty cols 60 rows 20; $mashup play battleground --preset original --seed 5"
    is "a big board is shown in part" out_like 'columns [0-9]+-[0-9]+ of 82'
    typed layout ready '' '' quit
    TERM=xterm on_terminal "$mashup play generals --seed 5"
    is "the curtain empties the screen" out_has "$(printf '\033[2J')"
    : >in
    # The bar comes after a tenth of a second: on a fast machine only with more matches.
    for matches in 20000 200000 2000000; do
        TERM=xterm on_terminal "$mashup simulate zorde --matches $matches --preset duel"
        out_has "of $matches" && break
    done
    is "a progress bar on a terminal" out_has "of $matches"
    is "the progress bar is gone before the result" out_like "$(printf '\r') {88}$(printf '\r')zorde: $matches"
fi

# --- league, bench ------------------------------------------------------------------------------
run league zorde --players greedy-turn,random --pairs 3 --nodes 500
is "league: who thinks beats chance" out_like '^greedy-turn +random +[56] +[0-9]+ +[0-9]+ '
is "league: results by seat" out_like '^all matches: seat 0 won [0-9]+, seat 1 won [0-9]+, drawn [0-9]+; score of seat 0: '
is "league: a player on either seat" out_like '^greedy-turn +random +[0-3] +[0-3] +[0-3] +[0-3] +[0-3] +[0-3]$'
run league zorde --players level3,level3 --pairs 2 --json
is "league: results by seat as JSON" out_like '"seat_0": \[[0-2], [0-2], [0-2]\], "seat_1": \[[0-2], [0-2], [0-2]\]'
is "league: the same player twice splits every pair" out_has '"pairs": [0, 0, 2, 0, 0], "score": 0.5000'
run league zorde --players level8,random --pairs 50 --nodes 1000 --sprt 0,50 --json
is "league: a test stops when it is clear" out_has '"test": "high"'
run league zorde --players greedy-turn,level2,random --pairs 4 --nodes 500
is "league: three players stand in order" out_like '^greedy-turn +1[0-9.]+ +16 +\+'
run league zorde --players greedy-turn,level2,random --pairs 1 --nodes 500 --json
is "league: ratings as JSON" out_has '{"player": "random", "elo": -'
run league tablut --players level8@3,level8x3,level8x2@2 --pairs 1 --nodes 200 --seed 2 --json
is "league: several threads, and longer" out_has '{"player": "level8@3", "against": "level8x3", "won": '
cp out threads
run league tablut --players level8@3,level8x3,level8x2@2 --pairs 1 --nodes 200 --seed 2 --json
is "league: several threads play the same once more" cmp -s out threads
for wrong in level8@0 level8@17 level8@x level8@2x level8x0 level8x1000 x2 @2 level8x2x2; do
  run league tablut --players $wrong,level1
  is "league: no player is called $wrong" err_has "unknown player \"$wrong\""
done
run league zorde --players level5,level8 --pairs 2 --nodes 60 --random-turns 3 --save league
words() { grep -o '"word": "[^"]*"' league/*-"$1".json | head -n "$2"; } # the first of a saved match
is "league: both matches of a pair begin with the same random turns" test "$(words 1 3) 3" = "$(words 2 3) $(words 1 3 | wc -l)"
is "league: those of another pair do not" test "$(words 1 3)" != "$(words 3 3)"
is "league: behind them the players play their own" test "$(words 1 99)" != "$(words 2 99)"
run league ultimate-war --players level8,peer-effects --pairs 1 --nodes 1000
is "league: frozen players" out_like '^level8 +peer-effects +[012] '
run league zorde --players "level3,exec:$player level3" --pairs 1 --nodes 300
is "league: a built-in player as a program" out_like '^exec:.*bench_player level3 +level3 +0 +0 .* 0$'
run league generals --players "exec:$player level8 nodes 60,exec:$player level8 nodes 60" --pairs 2 --json
is "league: a program with fixed nodes against itself splits every pair" out_has '"pairs": [0, 0, 2, 0, 0], "score": 0.5000'
run league tablut --players "exec:$player level8 ms 1,exec:$player level1" --pairs 1 --json
is "league: a program with fixed time" out_has '"won": 2, "drawn": 0, "lost": 0'
run league zorde --players "exec:$player level8 knots 5,level1" --pairs 1 --json
is "league: a program that is wrongly used loses" grep -qF 'usage: bench_player' err
run league zorde --players level3
is "league: one player is too few" err_has 'at least two players'
run league zorde --players level3,levle4
is "league: a mistyped player" err_has 'unknown player "levle4"; did you mean "level4"?'
run league zorde --players level1,level2 --nodes 5 --ms 5
is "league: nodes or milliseconds" err_has 'either --nodes or --ms'
# --- tip, report, stats: of the same matches -------------------------------------------------------
run league zorde --players greedy-turn,random --pairs 1 --nodes 500 --save saved-matches
is "league: saves matches, into a folder that it makes" test -s saved-matches/random-greedy-turn-2.json
run league zorde --players level1,level1 --pairs 2 --nodes 50 --save saved/twins
is "league: every match of a player against itself is kept" test "$(ls saved/twins | wc -l)" -eq 4
run tip saved-matches/greedy-turn-random-1.json --at 2 --level 5 --nodes 2000
is "tip: the best action first" out_like '^best     step '
is "tip: another one" out_like '^or       step '
is "tip: reasons and risks" out_like '^  why    .* (moves from|loses) .*\.$'
is "tip: what may be lost" out_like '^  risk   (Works [0-9]+ out of [0-9]+ times|May lose [0-9]+ health before|No risk yet|No losses expected before) '
run tip saved-matches/greedy-turn-random-1.json --at 2 --json
is "tip: as JSON" out_like '"best": ?\{"action": ?"step .*"reason": ?".*"risk": ?".*"other": ?\{'
run tip saved-matches/greedy-turn-random-1.json
is "tip: not after the end" err_has 'the match is over'
run tip saved-matches/greedy-turn-random-1.json --at 9999
is "tip: not beyond the end" err_has '--at 9999: the match has'
run tip saved-matches/greedy-turn-random-1.json --at 2 --level 10
is "tip: nine levels at most" err_has '--level must be a whole number from 1 to 9'
run report saved-matches/greedy-turn-random-1.json --nodes 500
is "report: chances, play and luck of each turn" out_like '^[ *] +[0-9]+-[0-9]+ +[A-Z][a-z]+ +[0-9.]+ % +[-+][0-9.]+ +[-+][0-9.]+ +[-+]0\.0   (kept|lost [0-9.]+ %)$'
is "report: both sides" out_like '^Zorde: accuracy [0-9.]+ %, kept [0-9]+ of [0-9]+ turns, play [-+][0-9.]+ %, luck [-+]0\.0 %$'
run report saved-matches/greedy-turn-random-1.json --nodes 500 --json
is "report: as JSON" out_like '^\{"version":6,"nodes":500,.*"turns":\[\{"from":0,.*"best":\["step '
run puzzles zorde --nodes 500 --matches 2 --seed 5
is "puzzles: says how much it looked at" grep -qE '^2 matches, [0-9]+ turns, missed [0-9]+, .*, [0-9]+ puzzles$' err
run puzzles "$docs/../games/tablut/puzzles.json" --check --count 1 --nodes 2000
is "puzzles: a shipped one is right" out_like ': 1 puzzles, 0 wrong$'
sed 's/"solutions":\[\[[^]]*\]/"solutions":[["move k 2 3"]/' "$docs/../games/tablut/puzzles.json" >wrong-puzzles.json
run puzzles wrong-puzzles.json --check --count 1 --nodes 2000
is "puzzles: a wrong one is told" grep -qE '^wrong-puzzles.json:2: (a solution does not solve it|a turn of it is not legal)$' out
is "puzzles: and makes the exit code 1" test "$code" -eq 1
sed 's/"kind":"[a-z]*"/"kind":"win"/' "$docs/../games/zorde/puzzles.json" >wrong-puzzles.json
run puzzles wrong-puzzles.json --check --count 1 --nodes 100
is "puzzles: what is called a win has to be one" grep -qx 'wrong-puzzles.json:2: a solution does not win at once' out
sed 's/"second":[0-9]*/"second":7000/; s/"best":[0-9]*/"best":9000/' "$docs/../games/zorde/puzzles.json" >wrong-puzzles.json
run puzzles wrong-puzzles.json --check --count 1 --nodes 100
is "puzzles: the second best turn has to be worse by the usual gap" grep -qx 'wrong-puzzles.json:2: the second best turn is too good' out
sed -i 's/"puzzles":/"gap":2000,"puzzles":/' wrong-puzzles.json
run puzzles wrong-puzzles.json --check --count 1 --nodes 100
is "puzzles: or by that of the file" test "$(grep -c 'too good' out)" -eq 0
sed -i 's/"gap":2000/"gap":1999/' wrong-puzzles.json
run puzzles wrong-puzzles.json --check --count 1 --nodes 100
is "puzzles: which is not too small" grep -qx 'wrong-puzzles.json:2: the second best turn is too good' out
sed '3s/"preset":"[^"]*"/"preset":"none"/' "$docs/../games/tablut/puzzles.json" >wrong-puzzles.json
run puzzles wrong-puzzles.json --check --count 2 --nodes 100
is "puzzles: each is on its own board" grep -qx 'wrong-puzzles.json:3: there is no such board' out
for bad in 's/"seat":[01]/"seat":40/' 's/"actions":"[0-9a-f]*"/"actions":7/' 's/"actions":"../"actions":"zz/' 's/"puzzles":/"puzzles":3,"others":/'; do
    sed "$bad" "$docs/../games/tablut/puzzles.json" >wrong-puzzles.json
    run puzzles wrong-puzzles.json --check --count 1 --nodes 100
    cat out >>wrong-puzzles.out
done
is "puzzles: what has the wrong form is named" test "$(cat wrong-puzzles.out)" = "wrong-puzzles.json:2: its seat is not to act
wrong-puzzles.json: 1 puzzles, 1 wrong
wrong-puzzles.json:2: actions: must be 16 hexadecimal digits for each action
wrong-puzzles.json: 1 puzzles, 1 wrong
wrong-puzzles.json:2: actions: must be 16 hexadecimal digits for each action
wrong-puzzles.json: 1 puzzles, 1 wrong
wrong-puzzles.json: this is no file of puzzles"
run report nowhere.json
is "report: without a file" err_like 'nowhere\.json'
run stats saved-matches saved/twins --least 1
is "stats: boards with the first side's share" out_like '^zorde, skirmish: 6 matches, the first side [0-9.]+ % \[[0-9.]+, [0-9.]+\], [0-9]+ drawn, median length [0-9]+ actions$'
is "stats: players" out_like '^  player +2 +100\.0 % \[ 34\.2, 100\.0\]  greedy-turn$'
is "stats: first turns" out_like '^  first turn +[0-9]+ +[0-9.]+ % .*  step [a-z]0 '
run stats saved-matches --least 1 --player random --json
is "stats: of one player, as JSON" out_like '^\[\{"game":"zorde","preset":"skirmish","matches":2,.*"players":\[\{"name":"random","matches":2,"share":0,"low":0,"high":658\}\],"choices":\[\],"first_turns":\[\{'
mkdir rated-matches
for file in saved-matches/*.json; do sed 's/^\( *\)"players": /\1"ratings": [1400, 1650],\n\1"players": /' "$file" >"rated-matches/${file##*/}"; done
run stats rated-matches --least 1 --rating 1650-1700
is "stats: of a band of ratings, its ends count" sh -c "grep -c '^  player' out | grep -qx 2 && grep -qE '^  player +1 +0\.0 % .*  random$' out"
run stats rated-matches --least 1 --rating 1401-1649
is "stats: of a band in which nobody is" sh -c '! grep -q "^  " out'
run stats saved-matches --least 1 --rating 1-10000
is "stats: who has no rating is in no band" sh -c '! grep -q "^  " out'
run stats saved-matches --rating 1600-1400
is "stats: no band" err_has '"1600-1400" is not a band such as 1400-1600'
run stats saved-matches --level 5 --least 1
is "stats: only a level's" sh -c '! grep -q "^  player" out'
run stats saved/twins --level 1 --least 1
is "stats: the matches of a level" out_like '^  player +8 +50\.0 % .*  level1$'
run stats nowhere
is "stats: a folder that is not there" err_has 'nowhere: No such file or directory'
run league zorde --players level1,random --pairs 1 --save out/folder
is "league: a folder that cannot be" test "$code" -eq 1 -a -s err
is "league: says which" grep -qF 'out/folder: cannot be made a folder' err

run bench ai --positions 2 --nodes 100
is "bench ai has a line for each game" out_like '^zorde +200 nodes, .* [0-9]+ KiB, signature [0-9a-f]{16}$'
run bench hardware
is "there is no other bench" err_has 'choose ai, server or load'
run bench load
is "bench load: where" err_has 'needs the address of a server'

# --- trace ----------------------------------------------------------------------------------------
cp "$trace" own.jsonl
gzip -c own.jsonl >own.jsonl.gz
sed 's/"hp":955/"hp":956/' own.jsonl >other.jsonl
sed 's/"sp":90/"sp":"fast"/' own.jsonl >bad.jsonl
run trace ultimate-war own.jsonl own.jsonl.gz
is "trace counts equal steps, packed or not" out_has 'own.jsonl.gz: 7 of 7 steps equal'
is "trace counts all files" last_line_like '^total: 14 of 14 steps equal$'
run trace ultimate-war other.jsonl own.jsonl
differs() { [ "$code" -eq 1 ] && grep -qF -- "$1" out; }
is "a difference makes the exit code 1" differs 'other.jsonl: 5 of 7 steps equal'
is "the first difference is described" differs 'line 2: attack thor up: Loki: hp: expected 956, got 955'
is "the total has all of them" differs 'total: 12 of 14 steps equal'
run trace ultimate-war bad.jsonl
is "a malformed trace: file, line, column, path" err_like '^bad\.jsonl:1:[0-9]+: \$\.s\.ch\[0\]\.sp: '
head -c 100 own.jsonl.gz >cut.jsonl.gz
run trace ultimate-war cut.jsonl.gz
is "half a packed file is refused" err_has 'cut.jsonl.gz'
run trace ultimate-war absent.gz
is "an absent trace is refused" err_has 'absent.gz'
run trace zorde own.jsonl
is "a game without traces says so" err_has 'does not support recorded matches'
run trace ultimate-war
is "trace needs a file" refused
if [ -d "$recorded" ]; then
    run trace ultimate-war "$recorded"/*.gz
    is "all recorded matches are equal" last_line_like '^total: ([0-9]+) of \1 steps equal$'
fi

# --- Check ----------------------------------------------------------------------------------------
faulty() { [ "$code" -eq 1 ] && grep -qF -- "$1" err; }
faulty_out() { [ "$code" -eq 1 ] && grep -qF -- "$1" out; }
printf '%s\n' '{"width": 4, "height": 3, "units": [' \
    '  {"kind": "human", "id": "H0", "x": 0, "y": 2},' \
    '  {"kind": "troll", "id": "T0", "x": 3, "y": 0}]}' >good.start.json
sed 's/"x": 3/"x": 4/; s/human/hobbit/' good.start.json >bad.start.json
cp good.start.json good.json
cp good.start.json good.strat.json
run check good.start.json
is "check says what a good file is" out_has 'good.start.json: ok (zorde, start)'
run check bad.start.json
is "check: file, line, column, path, reason" faulty \
    'bad.start.json:3:38: $.units[1].x: must be a whole number from 0 to 3, found 4'
is "check tells every problem" faulty 'bad.start.json:2:12: $.units[0].kind: found "hobbit"'
is "check counts them" faulty_out 'bad.start.json: 2 problems (zorde, start)'
run check good.start.json bad.start.json ./good.json
is "check of several files" faulty_out './good.json: ok (zorde, start)'
is "each has a line of its own" test "$(wc -l <out)" -eq 3
run check good.json bad.start.json nowhere.json
is "a file that cannot be read weighs most" err_has 'nowhere.json: cannot be opened'
run check good.strat.json
is "an unknown ending gets the near one" err_has \
    'good.strat.json: no file of any game ends in .strat.json; did you mean .start.json?'
run check good.strat.json --kind start
is "check --kind" out_has 'good.strat.json: ok (zorde, start)'
run check good.strat.json --kind .start.json
is "check --kind takes the whole ending" out_has 'good.strat.json: ok (zorde, start)'
run check good.json --kind strat
is "check --kind of no kind" err_has 'unknown kind "strat"; did you mean .start.json?'
run check good.json --game battleground
is "a shape of another game" err_has 'good.json: not a recognised file of Battleground; there are'
run check good.start.json --game battleground
is "an ending of another game" err_has 'no file of Battleground ends in .start.json; there are'
run check good.json --game zored
is "check --game mistyped" err_has 'did you mean "zorde"?'
cp good.start.json in
run check -
is "check of standard input, by its shape" out_has '-: ok (zorde, start)'
cp bad.start.json in
run check - --kind=start
is "check of standard input, by --kind" faulty '-:3:38: $.units[1].x: '
echo '{"width": 4,' >in
run check -
is "check of half a text" faulty '-:2:1: unexpected end of file'
echo '[1, 2]' >in
run check -
is "check of what is like nothing" err_has 'not a recognised file of any game; there are .units.json'
echo '{"language": "en", "events": {}, "names": {}}' >empty.texts.json
run check empty.texts.json --game generals
is "check --game where several share a kind" faulty_out 'problems (generals, texts)'
sed 's/"human"/"hobbit"/' "$content/zorde/content/zorde.units.json" >shire.units.json
sed 's/"human"/"hobbit"/' "$content/zorde/content/skirmish.start.json" >shire.start.json
sed 's/"human"/"hobbit"/' "$content/zorde/content/english.texts.json" >shire.texts.json
run check shire.units.json
is "what is wrong only with the other documents" faulty_out \
    'shire.units.json: ok on its own (zorde, units), but not with the default files'
is "names that document" faulty 'shire.units.json: with english.texts.json:17:13: $.names.kind: key "hobbit"'
run check shire.units.json --content shire.start.json --content shire.texts.json
is "check --content gives it other company" out_has 'shire.units.json: ok (zorde, units)'
run check shire.units.json --content shire.start.json
is "company that does not fit" faulty_out 'but not with the given files'
run check good.json --content nowhere.start.json
is "company that is not there" err_has 'nowhere.start.json: cannot be opened'
run check good.json --content good.strat.json
is "company of no kind" err_has 'no game file ends like good.strat.json; did you mean .start.json?'
for file in "$content"/*/content/*.json; do
    case $file in *.schema.json) continue ;; esac
    game=${file#"$content"/}
    run check "$file"
    is "check ${file#"$content"/}" out_has ": ok (${game%%/*}, "
done
typed 'h0 1 3' 'h0 1 2' 'save match.json' quit
run play zorde --preset duel --seed 5
run check match.json
is "check replays a match" out_has 'match.json: ok (zorde, match of 2 actions)'
sed 's/"step h0 1 2"/"step h0 1 1"/' match.json >false.json
run check false.json
is "check of a match that was not played so" faulty 'false.json:15:'
is "and says so" faulty_out 'false.json: refused (match)'
cp match.json in
run check - --kind match
is "check of a match from standard input" out_has '-: ok (zorde, match of 2 actions)'
run check match.json --game generals
is "check --game of a match" faulty 'match.json: this is a zorde match, not generals'
run check good.json --kind match
is "check of what is no match" faulty 'good.json:'
run check
is "check needs a file" err_has 'missing argument'

# --- Generate -------------------------------------------------------------------------------------
run fmt --check "$content"/*/content/*.json
is "fmt --check: shipped content is laid out" silent
printf '{"b":[1, 2],"a":"\\u0041"}' >loose.json
run fmt loose.json
printf '{\n  "b": [1, 2],\n  "a": "A"\n}\n' >tight.json
is "fmt prints the one layout" same out tight.json
run fmt --check loose.json tight.json
is "fmt --check names what would change" [ "$code" -eq 1 ]
is "and nothing else" [ "$(cat out)" = "loose.json: would be reformatted" ]
run fmt --write loose.json tight.json
is "fmt --write says what it wrote" out_has "loose.json: reformatted"
is "fmt --write writes" same loose.json tight.json
printf '{"a":1,}' >broken.json
run fmt --write broken.json
is "fmt of what is no JSON" [ "$code" -eq 1 ]
is "and names the place" grep -q '^broken.json:1:8: ' err
is "and leaves it alone" [ "$(cat broken.json)" = '{"a":1,}' ]
run fmt
is "fmt needs a file" refused
run fmt --check --write tight.json
is "fmt --check --write" err_has "cannot be combined"
run fmt --write -
is "fmt --write of standard input" err_has "--write needs files"
run generate
is "generate lists kinds" out_like '^scenario +.*\(marvelous-mashup\)$'
is "generate lists parameters" out_like '^  --width +.*\(5 to 100, default: 12\)$'
for kind in scenario characters match; do
    run generate $kind --seed 7
    is "generate $kind" fine
    cp out first.json
    run generate --seed=7 $kind --game marvelous-mashup --output second.json
    is "generate $kind: the same seed, the same bytes" same first.json second.json
    is "generate $kind: into a file nothing is printed" silent
    run generate $kind --seed 8
    is "generate $kind: another seed, other bytes" sh -c '! cmp -s out first.json'
    run check first.json
    is "generate $kind: accepted" out_has 'first.json: ok (marvelous-mashup, '
done
run generate scenario --seed 1 --width 9 --height=7 --mirrored no --portals 0
is "generate takes parameters" out_has '"random 9 x 7"'
is "generate without portals" out_lacks PORTAL
is "generate prints the document alone" silent_err
run generate characters --count 30
is "a fresh seed is told" grep -qE '^mashup generate: --seed [0-9a-f]{32}$' err
seed=$(sed 's/.*--seed //' err)
cp out first
run generate characters --count 30 --seed "$seed"
is "and gives the same again" same out first
run generate scenaro
is "generate: a mistyped kind" err_has 'generates no "scenaro"; did you mean "scenario"?'
run generate scenario --widht 9
is "generate: a mistyped parameter" err_has 'unknown option --widht; did you mean --width?'
run generate characters --width 9
is "generate: a parameter of another kind" err_has 'characters has no --width; it has --count'
run generate match --count 30
is "generate: a kind without parameters" err_has 'match has no --count; it has no parameters'
run generate scenario --width 101
is "generate: out of range" err_has \
    '--width (Columns) must be a whole number from 5 to 100, not "101"'
run generate scenario --width 9.5
is "generate: no whole number" err_has 'must be a whole number from 5 to 100, not "9.5"'
run generate scenario --portals 1 --seed 1
is "generate: values that do not go together" err_has 'no scenario can have these values together: --width 12'
run generate scenario --game zorde
is "generate: a game that generates nothing" err_has 'Zorde vs Calliance generates nothing'
run generate heroes --game marvelous-mashup
is "generate: a kind that a game does not have" err_has 'generates no "heroes"; there are scenario'
run generate scenario --game zored
is "generate: a mistyped game" err_has 'did you mean "zorde"?'
run generate --seed 3
is "generate: flags without a kind" err_has 'specify what to generate'
run generate scenario --seed -3
is "generate: a seed that is none" err_has '--seed must be an integer below 2^64'
echo old >kept.json
run generate scenario --seed 3 --output nowhere/kept.json
is "generate: a folder that is not there" err_has 'nowhere/kept.json: cannot be written'
run generate scenario --seed 3 --portals 1 --output kept.json
is "generate: what cannot be made leaves the file" grep -qx old kept.json
run generate scenario --seed 3 --output kept.scenario.json
run check kept.scenario.json
is "generate: a file whose name tells its kind" out_has 'ok (marvelous-mashup, scenario)'

# --- The server and its protocol -------------------------------------------------------------------
run protocol
is "protocol prints the page" same out "$docs/protocol.md"
run protocol --schema
is "protocol --schema prints the schema" same out "$docs/arena.schema.json"
run serve --prot 1
is "an unknown flag of serve is refused" err_has 'port'
run serve --port 70000
is "a port out of range is refused" err_has '65535'
run serve --log verse
is "an unknown kind of log is refused" err_has 'text'
run serve extra
is "serve takes no plain words" refused
run serve --node 2
is "serve: a node needs a store that nodes share" err_has "for a store that nodes share"
run serve --store nothing:here --port 0 --data cluster-data
is "serve: an unknown store names those that there are" found 1 'embedded:... postgres:...'
run admin store mend --store postgres:
is "admin store: an unknown task" err_has 'choose upgrade or check'
run admin store check
is "admin store: which one?" err_has 'needs --store'
run admin store check --store 'postgres:host=/nowhere dbname=none'
is "admin store: no database there" found 1 'cannot connect to the database'
# What documents may hold: the files are as the program prints them, and every kind has one.
run schema --reference
is "schema --reference prints the page" same out "$docs/documents.md"
run schema
cp out kinds
is "schema lists the kinds" grep -qx 'start --game zorde' kinds
while read -r kind flag game; do
    run schema "$kind" "$flag" "$game"
    is "schema $kind of $game is the file" same out "$content/$game/content/$kind.schema.json"
done <kinds
is "every schema is of a kind" [ "$(wc -l <kinds)" -eq "$(ls "$content"/*/content/*.schema.json | wc -l)" ]
run schema .start.json
is "schema: an ending is a kind too" same out "$content/zorde/content/start.schema.json"
run schema strat
is "schema: a kind that is not there" err_has 'unknown kind "strat"; did you mean .start.json?'
run schema texts
is "schema: a kind of several games" err_has 'several games have the kind "texts": name one with --game'
run protocol --standard
is "protocol --standard prints the schema of the standard" same out "$docs/standard.schema.json"
# The standard's start parameters.
cp "$content/marvelous-mashup/content/quick.game.json" fine.game.json
cp "$content/marvelous-mashup/content/sanctum.scenario.json" fine.scenario.json
cp "$content/marvelous-mashup/content/heroes.character.json" fine.character.json
sed 's/"maxRounds": [0-9]*/"maxRounds": -1/; s/"maxRoundTime": [0-9]*/"maxRoundTime": 0/' fine.game.json >bad.game.json
run serve -C -m fine.game.json -s fine.scenario.json -c fine.character.json
is "server: configurations are checked" out_has 'configuration OK'
run server --check-conf --conf-match bad.game.json
is "server: all problems of one are listed" found 1 maxRounds
is "server: all problems of one are listed, also the second" found 1 maxRoundTime
run server -m bad.game.json -p 0
is "server: it does not start with a bad one" found 1 maxRounds
run server -C -m fine.scenario.json
is "server: a file with another ending" found 1 'must end in .game.json'
run server -C -s nowhere.scenario.json
is "server: a file that is not there" found 1 nowhere
run server -C --team08-wish 3 -q
is "server: unknown options are ignored with a warning" out_has 'configuration OK'
is "server: the warning names them" grep -qF -- 'ignoring unknown option "--team08-wish"' err
run serve -C --team08-wish 3
is "serve: unknown options are refused" refused
run serve -C --ais 3
is "serve: --ais is 1 or 2" err_has 'from 1 to 2'
run serve -C --rules other
is "serve: an unknown rule set" err_has 'customer'
run serve -C --dialect latin
is "serve: an unknown dialect" err_has 'wrapped'
run serve -C -l 9
is "serve: an unknown level" err_has 'debug'
run serve -C -v -l 0 --single --ais 1 --rules customer --dialect bare
is "serve: options of the standard" out_has 'configuration OK'
MMU_CONF_MATCH=bad.game.json MMU_LOG_LEVEL=2
export MMU_CONF_MATCH MMU_LOG_LEVEL
run server -C
is "server: the environment names a file" found 1 maxRounds
run server -C -m fine.game.json
is "server: an option wins over the environment" out_has 'configuration OK'
unset MMU_CONF_MATCH MMU_LOG_LEVEL
# A replay file of the standard.
cat >told_replay.json <<'END'
{"nameP1": "Ann", "nameP2": "B\"en", "config": {"character": {}, "match": {}, "scenario": {}}, "events": [
 {"messageType": "GAME_STRUCTURE", "playerOneCharacters": [{"characterID": 3, "name": "Hulk"}], "playerTwoCharacters": []},
 {"eventType": "SpawnEntityEvent", "entity": {"entityType": "Rock", "ID": 0, "HP": 100, "position": [1,1]}},
 {"eventType": "MoveEvent", "originEntity": {"entityID": "P1", "ID": 3}, "originField": [0,0], "targetField": [0,1]},
 {"eventType": "TakenDamageEvent", "targetEntity": {"entityID": "P2", "ID": 9}, "targetField": [2,2], "amount": 7},
 {"eventType": "GamestateEvent", "entities": []}, {"eventType": "SomethingElse"},
 {"eventType": "WinEvent", "playerWon": 2}]}
END
run show told_replay.json
is "show tells a replay of the standard" out_has 'MoveEvent Hulk 0,0 0,1'
is "show knows who won it" out_has 'B"en has won.'
sed 's/"WinEvent", "playerWon": 2/"DisconnectEvent"/' told_replay.json >open_replay.json
run show open_replay.json
is "show tells a replay without an end" out_has 'no winner'
sed 's/0, "HP"/0 "HP"/' told_replay.json >broken_replay.json
run show broken_replay.json
is "show says which event of a replay cannot be read" err_has 'event 2 cannot be read'
sed 's/"events"/"event"/' told_replay.json >empty_replay.json
run show empty_replay.json
is "show says that a replay has no events" err_has 'missing list of events'
sed 's/"nameP2"/"nameP3"/' told_replay.json >nameless_replay.json
run show nameless_replay.json
is "show says that a replay has no second name" err_has '"nameP2"'
# open_server ARGUMENT...: starts a server in the background and waits until it is ready
open_server() {
    : >out # what the previous server wrote must not count
    "$mashup" serve --port 0 --address 127.0.0.1 "$@" >out 2>err &
    pid=$!
    while ! grep -q ready out && kill -0 "$pid" 2>err2; do sleep 0.1; done
}
# leave SIGNAL: asks it to close
leave() {
    kill "-$1" "$pid"
    wait "$pid"
    code=$?
    pid=
}
open_server --data server-data --log json --log-level debug
leave TERM
is "serve says where it is ready, and closes when asked" \
    last_line_like '^mashup serve: ready at http://127\.0\.0\.1:[0-9]+$'
is "the log is JSON" grep -q '"level":"info","text":"shutting down' err
is "serve keeps its journal in the folder" test -d server-data/journal
open_server --data server-data --fast
port=$(sed 's/.*://' out)
"$mashup" serve --port "$port" --address 127.0.0.1 --data other >out2 2>err2
second=$?
taken() { [ "$second" -eq 1 ] && grep -qF "$port" err2; }
is "a port that is taken is named" taken
"$mashup" serve --port 0 --data server-data >out2 2>err2
second=$?
in_use() { [ "$second" -eq 1 ] && grep -qF server-data err2; }
is "two servers do not share a folder" in_use
leave INT
is "Ctrl-C closes it too" fine

# --- The end ----------------------------------------------------------------------------------------
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
