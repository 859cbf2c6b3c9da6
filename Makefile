# Mashup: `make` builds build/mashup, `make run` plays, `make test` tests; `make help` lists the rest.
# Everything made lies in build/, one folder for each variant of the compiler's flags.

.DEFAULT_GOAL := build/mashup
.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules

CC = gcc
CLANG = clang
WARNINGS = -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wstrict-prototypes \
  -Wmissing-prototypes -Wvla -Wundef -Wpointer-arith -Wcast-align -Wwrite-strings -Wformat=2 \
  -Wimplicit-fallthrough
COMMON = -std=c11 -I. $(WARNINGS) -g -MMD -MP
SANITIZE = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Of the hundreds of programs that only tests run: five times as fast as the usual linker. build/release/mashup needs nothing but the usual one.
TEST_LINKER = -fuse-ld=lld

# --- Rooms: what is compiled into what --------------------------------------------------------
ENGINE_SOURCES = $(wildcard base/*.c engine/*.c) \
  $(filter-out $(wildcard games/*/test_*.c),$(wildcard games/*.c games/*/*.c games/*/*/*.c))
MATCH_SOURCES = $(wildcard match/*.c)
AI_SOURCES = $(wildcard ai/*.c)
PROTO_SOURCES = $(wildcard proto/*.c standard/*.c standard/wire/*.c)
SIM_SOURCES = $(wildcard sim/*.c)
TOURNAMENT_SOURCES = $(wildcard tournament/*.c)
NET_SOURCES = $(wildcard net/*.c)
NET_LIBRARIES = -luv -lssl -lcrypto
# POSTGRES=no builds without libpq: such a program knows the embedded store only.
POSTGRES = yes
STORE_SOURCES = $(filter-out $(if $(filter no,$(POSTGRES)),store/postgres/%,store/no_postgres.c),$(wildcard store/*.c store/postgres/*.c))
STORE_LIBRARIES = -lsqlite3 $(if $(filter no,$(POSTGRES)),,-lpq) -lpthread
RATING_SOURCES = $(wildcard rating/*.c)
SERVER_SOURCES = $(wildcard server/*.c standard/server/*.c)
CLIENT_SOURCES = $(wildcard client/*.c standard/client/*.c)
CLI_SOURCES = $(wildcard cli/*.c cli/*/*.c standard/commands/*.c bench/*.c) build/generated/help.c
TEST_SUPPORT = examples/breakthrough.c $(filter-out $(wildcard tests/*/test_*.c) tests/fuzz/% tests/soak/% tests/cluster/%,$(wildcard tests/*/*.c))
TEST_SOURCES = $(wildcard tests/*/test_*.c games/*/test_*.c)
SHIPPED = $(filter-out %.schema.json,$(wildcard games/*/content/*.json))
GENERATED = build/generated/shipped.c
HELP = $(wildcard cli/help/*.txt) cli/tournament/tournament-page.html
LIBRARY_SOURCES = $(ENGINE_SOURCES) $(MATCH_SOURCES) $(AI_SOURCES) $(PROTO_SOURCES) $(SIM_SOURCES) \
  $(TOURNAMENT_SOURCES) $(NET_SOURCES) $(STORE_SOURCES) $(RATING_SOURCES) $(SERVER_SOURCES) $(CLIENT_SOURCES) $(GENERATED)
# games/zorde/test_rules.c -> zorde_test_rules; tests/base/test_json.c -> test_json
test_name = $(if $(filter games/%,$(1)),$(subst /,_,$(patsubst games/%,%,$(basename $(1)))),$(notdir $(basename $(1))))
TESTS = $(foreach source,$(TEST_SOURCES),$(call test_name,$(source)))

build/generated/embed: tools/embed.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -Wall -Wextra -Werror -O1 -o $@ $<

$(GENERATED): build/generated/embed $(SHIPPED)
	@mkdir -p $(@D)
	build/generated/embed $(SHIPPED) > $@

build/generated/help.c: build/generated/embed $(HELP)
	@mkdir -p $(@D)
	build/generated/embed $(HELP) > $@

# --- Variants ----------------------------------------------------------------------------------
# $(1) folder, $(2) compiler, $(3) flags for compiling and linking
define variant
$(1)_LIBRARY = $$(patsubst %.c,build/$(1)/%.o,$$(LIBRARY_SOURCES))
build/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$(2) $$(COMMON) $(3) -c -o $$@ $$<
build/$(1)/mashup: $$($(1)_LIBRARY) $$(patsubst %.c,build/$(1)/%.o,$$(CLI_SOURCES))
	$(2) $(3) $(if $(filter-out release,$(1)),$$(TEST_LINKER)) -o $$@ $$^ -lm -lz $$(NET_LIBRARIES) $$(STORE_LIBRARIES)
$(foreach source,$(TEST_SOURCES),$(call test_program,$(1),$(2),$(3),$(source)))
$(1)-tests: $$(addprefix build/$(1)/tests/,$$(TESTS))
-include $$(patsubst %.o,%.d,$$($(1)_LIBRARY))
-include $$(wildcard build/$(1)/*/*.d build/$(1)/*/*/*.d build/$(1)/*/*/*/*.d)
endef
# $(4) the test's source. Tests of the server, and those of times, have a network and a clock of their own; those of a cluster
# also a database and threads of their own.
own = $(patsubst %.c,build/$(1)/%.o,$(wildcard tests/server/fake/*.c tests/server/sim/*.c $(if $(filter tests/server/test_cluster_%,$(2)),tests/server/model/*.c)))
replaced = build/$(1)/net/% $(if $(filter tests/server/test_cluster_%,$(2)),$(patsubst %,build/$(1)/store/postgres/%.o,hosts link threads))
without_net = $(if $(filter tests/server/% %_times.c,$(2)),$(call own,$(1),$(2)) build/$(1)/net/rate_limit.o $$(filter-out $(call replaced,$(1),$(2)),$$($(1)_LIBRARY)),$$($(1)_LIBRARY))
# Tests of commands have the subcommands inside, without main().
commands = $(if $(findstring _commands,$(2)),$$(patsubst %.c,build/$(1)/%.o,$$(filter-out cli/main.c,$$(CLI_SOURCES))))
define test_program

build/$(1)/tests/$(call test_name,$(4)): build/$(1)/$(4:.c=.o) $$(patsubst %.c,build/$(1)/%.o,$$(TEST_SUPPORT)) $(call without_net,$(1),$(4)) $(call commands,$(1),$(4))
	@mkdir -p $$(@D)
	$(2) $(3) $$(TEST_LINKER) -o $$@ $$^ -lcmocka -lm -lz $$(NET_LIBRARIES) $$(STORE_LIBRARIES)
endef

$(eval $(call variant,release,$(CC),-O2))
# Places where a test may kill the process (store/fault.h) are in these two alone.
$(eval $(call variant,sanitized,$(CLANG),-O1 $(SANITIZE) -DMASH_FAULTS))
$(eval $(call variant,coverage,$(CC),-O0 --coverage -DMASH_FAULTS))
$(eval $(call variant,fuzz,$(CLANG),-O1 $(SANITIZE) -fsanitize=fuzzer-no-link))

# The program that people get has the page inside; the variants for tests have none.
build/mashup: $(release_LIBRARY) $(patsubst %.c,build/release/%.o,$(filter-out cli/no_page.c,$(CLI_SOURCES))) build/release/build/generated/page.o
	$(CC) -O2 -o $@ $^ -lm -lz $(NET_LIBRARIES) $(STORE_LIBRARIES)

# The same without shared libraries: one file that runs wherever Linux runs on this kind of machine.
STATIC_LIBRARIES = -lz -l:libssl.a -l:libcrypto.a -l:libuv_a.a -l:libsqlite3.a -lpthread -ldl -lm
build/mashup-static: build/mashup build/release/store/no_postgres.o
	$(CC) -O2 -static -Wl,--no-warnings -o $@ $(filter-out build/release/store/postgres/%,$(filter %.o,$(release_LIBRARY))) build/release/store/no_postgres.o \
	  $(patsubst %.c,build/release/%.o,$(filter-out cli/no_page.c,$(CLI_SOURCES))) build/release/build/generated/page.o $(STATIC_LIBRARIES)
	strip $@

# The players and the checker of tests/cluster/run.
build/release/cluster_%: build/release/tests/cluster/%.o build/release/tests/support/support.o $(release_LIBRARY)
	$(CC) -O2 -o $@ $^ $(NET_LIBRARIES) $(STORE_LIBRARIES)

build/release/bench_%: build/release/bench/programs/%.o build/release/examples/breakthrough.o build/release/tests/support/support.o $(release_LIBRARY)
	$(CC) -O2 -o $@ $^ $(NET_LIBRARIES) $(STORE_LIBRARIES)

# What made games/ultimate-war/picks.c; takes some minutes: build/train-picks PROCESSES > picks.c
build/train-picks: build/release/train/ultimate_war.o build/release/tests/support/support.o $(release_LIBRARY)
	$(CC) -O2 -o $@ $^ -lm $(NET_LIBRARIES) $(STORE_LIBRARIES)

# What made games/generals/learned.c, and plays exploiters against it: docs/strength.md.
build/train-generals: $(patsubst %.c,build/release/%.o,$(wildcard train/generals*.c)) build/release/tests/support/support.o $(release_LIBRARY)
	$(CC) -O2 -o $@ $^ -lm $(NET_LIBRARIES) $(STORE_LIBRARIES)

# Makes evaluation nets by self-play (learn/); wherever there is a C compiler, without the libraries of the rest.
build/learn: $(patsubst %.c,build/release/%.o,$(wildcard learn/*.c) $(ENGINE_SOURCES) $(MATCH_SOURCES) $(AI_SOURCES) $(GENERATED))
	$(CC) -O2 -o $@ $^ -lm

# Programs for readers of docs/bots.md, built like their own would be.
build/examples/%: build/release/examples/%.o $(release_LIBRARY)
	@mkdir -p $(@D)
	$(CC) -O2 -o $@ $^ $(NET_LIBRARIES) $(STORE_LIBRARIES)

FUZZERS = $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
# The one of the server has a network, a clock and a store of its own, as its tests have.
build/fuzz/fuzz_server: build/fuzz/tests/fuzz/fuzz_server.o $(patsubst %,build/fuzz/tests/server/fake/%.o,net store) build/fuzz/net/rate_limit.o $(filter-out build/fuzz/net/%,$(fuzz_LIBRARY))
	$(CLANG) $(SANITIZE) -fsanitize=fuzzer $(TEST_LINKER) -o $@ $^ -lcrypto $(STORE_LIBRARIES)
build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o $(fuzz_LIBRARY)
	$(CLANG) $(SANITIZE) -fsanitize=fuzzer $(TEST_LINKER) -o $@ $^ $(NET_LIBRARIES) $(STORE_LIBRARIES)

# --- WebAssembly: the engine for the browser, without imports ------------------------------------
# wasi-libc gives string.h and its functions; stdio stays out because a failed assert is a trap.
WASM_SOURCES = $(ENGINE_SOURCES) $(MATCH_SOURCES) $(AI_SOURCES) $(PROTO_SOURCES) $(GENERATED) \
  $(wildcard rating/*.c wasm/*.c standard/wasm/*.c)
WASM_FLAGS = --target=wasm32-wasi -O2 -fno-builtin-printf -mbulk-memory
build/wasm/base/table_net.o build/wasm/games/marvelous-mashup/net_input.o build/wasm/ai/turn_generator.o: WASM_FLAGS += -msimd128
build/wasm/%.o: %.c
	@mkdir -p $(@D)
	$(CLANG) $(COMMON) $(WASM_FLAGS) -c -o $@ $<
build/mashup.wasm: $(patsubst %.c,build/wasm/%.o,$(WASM_SOURCES))
	wasm-ld --no-entry --strip-all --gc-sections -z stack-size=262144 -o $@ $^ /usr/lib/wasm32-wasi/libc.a
-include $(patsubst %.c,build/wasm/%.d,$(WASM_SOURCES))

# Nets computed in WebAssembly and compared with native programs: tests/wasm/nets.mjs.
build/net-vectors.wasm: $(patsubst %,build/wasm/%.o,tests/support/net_vectors base/table_net base/hash base/chance wasm/assert)
	wasm-ld --no-entry --strip-all --gc-sections -z stack-size=262144 --export=net_vectors --export=net_vectors_expected -o $@ $^ /usr/lib/wasm32-wasi/libc.a
-include build/wasm/tests/support/net_vectors.d

# --- The simulator: libmashup.so, and the same functions as WebAssembly for mashup.mjs --------------
# Both export what include/mashup_sim.h declares and nothing else.
VERSION = $(shell sed -n 's/.*MASH_VERSION "\(.*\)"/\1/p' base/version.h)
SONAME = libmashup.so.$(basename $(VERSION))
SIM_ALL = $(ENGINE_SOURCES) $(MATCH_SOURCES) $(AI_SOURCES) $(PROTO_SOURCES) $(SIM_SOURCES) $(GENERATED)
SIM_NAMES = $(shell grep -E '^[a-zA-Z]' include/mashup_sim.h | grep -oE 'mash_sim_[a-z]+')
build/shared/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(COMMON) -O2 -fPIC -c -o $@ $<
build/shared/names.map: include/mashup_sim.h Makefile
	@mkdir -p $(@D)
	printf 'MASHUP_$(basename $(VERSION)) { global: %s local: *; };\n' '$(patsubst %,%;,$(SIM_NAMES))' > $@
build/libmashup.so.$(VERSION): $(patsubst %.c,build/shared/%.o,$(SIM_ALL)) build/shared/names.map
	$(CC) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=build/shared/names.map -Wl,-z,defs -Wl,--gc-sections -o $@ $(filter %.o,$^)
build/libmashup.so: build/libmashup.so.$(VERSION)
	ln -sf libmashup.so.$(VERSION) build/$(SONAME)
	ln -sf $(SONAME) $@
build/mashup-sim.wasm: $(patsubst %.c,build/wasm/%.o,$(SIM_ALL) wasm/assert.c)
	wasm-ld --no-entry --strip-all --gc-sections -z stack-size=262144 $(patsubst %,--export=%,$(SIM_NAMES) malloc free) -o $@ $^ /usr/lib/wasm32-wasi/libc.a
-include $(patsubst %.c,build/shared/%.d,$(SIM_ALL)) $(patsubst %.c,build/wasm/%.d,$(SIM_SOURCES))

# --- The page: TypeScript, styles and the engine for the browser, put into build/mashup ------------
PAGE_SOURCES = $(shell find web -type f -not -path 'web/tests/*') $(wildcard games/*.schema.json) \
  $(wildcard games/*/page.json games/*/guide.json games/*/lesson.json games/*/puzzles.json games/*/page/* games/*/RULES.md games/*/content/*.schema.json)
node_modules/.package-lock.json: package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund
	@touch $@
build/generated/page.c: build/mashup.wasm node_modules/.package-lock.json $(PAGE_SOURCES)
	node_modules/.bin/tsc -p web
	node web/build.mjs
	@touch $@

# --- What people call ----------------------------------------------------------------------------
.PHONY: help run test test-browser wasm tidy format pictures bench bench-ratings bench-rest bench-players bench-cluster schemas fuzz mutate coverage clean
help: ## list these targets
	@awk -F ': .*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

run: ## install dependencies, build and start the server; open the address it prints
	@tools/setup build
	@$(MAKE) --no-print-directory -s build/mashup
	@build/mashup serve

test: ## install dependencies, build and run all tests
	@tools/setup test
	@$(MAKE) --no-print-directory -s -j2 test-programs
	@OPTIMISED="$(OPTIMISED)" tests/run

# What must give the same bytes in optimised code: signatures, golden files, choices of the AI. `make test-full` runs all of them.
OPTIMISED = test_golden test_every_game test_ai test_glicko test_table_net
.PHONY: test-programs
test-programs: build/examples/bot $(addprefix build/release/tests/,$(OPTIMISED)) sanitized-tests coverage-tests build/mashup build/release/mashup \
  build/sanitized/mashup build/coverage/mashup build/mashup.wasm build/mashup-sim.wasm build/net-vectors.wasm build/learn build/train-generals build/libmashup.so \
  build/release/cluster_bots build/release/cluster_check build/release/bench_player build/release/bench_rest $(addprefix build/fuzz/,$(FUZZERS))

test-browser: ## all tests of the page in Chromium, against the real server
	@tools/setup test
	@$(MAKE) --no-print-directory -s build/mashup
	@sh web/tests/run

wasm: ## build the engine for the browser: build/mashup.wasm
	@tools/setup test
	@$(MAKE) --no-print-directory build/mashup.wasm

tidy: ## check style: includes, sizes, bans in the rules, rule numbers, format
	@tools/setup test
	@$(MAKE) --no-print-directory -s build/mashup
	@tools/tidy build/release

format: ## rewrite the C sources with clang-format
	clang-format -i $$(git ls-files --cached --others --exclude-standard '*.c' '*.h')

pictures: ## take the pictures of README.md and docs/page.md anew
	@tools/setup test
	@$(MAKE) --no-print-directory -s build/mashup
	@node web/tests/shots.mjs

bench: ## run all benchmarks (rules, WebAssembly, AI, server)
	@tools/setup test
	@$(MAKE) --no-print-directory -s build/release/bench_games build/mashup build/mashup.wasm build/mashup-sim.wasm build/libmashup.so
	@build/release/bench_games
	@node bench/programs/wasm.mjs build/mashup.wasm build/mashup
	@node bench/programs/simulators.mjs build/mashup
	@build/mashup bench ai
	@build/mashup bench server

bench-ratings: build/release/bench_ratings ## 10,000 players of known strength: how well ratings find it, docs/players.md
	@build/release/bench_ratings

bench-rest: build/release/mashup build/release/bench_rest ## 100,000 matches over days that rest: start and memory of a server, docs/scale.md
	@build/release/bench_rest 100000

bench-players: build/release/mashup build/release/bench_players ## 100,000 accounts and 1,000,000 matches: start, answers and memory of a server, docs/scale.md
	@build/release/bench_players 100000 1000000

bench-cluster: build/release/mashup build/release/bench_park ## nodes over PostgreSQL with a synchronous standby, docs/scale.md; CLUSTER= its arguments
	@node bench/programs/cluster.mjs $(CLUSTER)

# Takes hours on few cores: SEATS="zorde skirmish --matches 40" for less.
.PHONY: seats
seats: build/release/bench_seats ## measure how fair the seats are, level 6 against itself; SEATS= its arguments
	@build/release/bench_seats --jobs $$(nproc) $(SEATS)

.PHONY: learn-smoke
learn-smoke: build/learn ## self-play, training (where there is PyTorch), gate and export of a net, all small: docs/strength.md
	@learn/smoke

.PHONY: train-smoke
train-smoke: build/train-generals ## training of Generals and its exploiters, all small: docs/strength.md
	@train/smoke

schemas: build/release/mashup ## print the schemas of all documents, docs/documents.md and the tables of docs/bots.md
	@build/release/mashup schema | while read -r kind flag game; do \
	  build/release/mashup schema $$kind $$flag $$game > build/schema.json || exit 1; \
	  cp build/schema.json games/$$game/content/$$kind.schema.json; done
	@build/release/mashup schema --reference > docs/documents.md
	@build/release/mashup engine --reference | tools/tables docs/bots.md

fuzz: ## run every fuzzer for FUZZ_SECONDS (default 600), and keep findings in build/fuzz
	@tools/setup test
	@$(MAKE) --no-print-directory -s -j2 $(addprefix build/fuzz/,$(FUZZERS))
	@for fuzzer in $(FUZZERS); do tests/fuzz/run $$fuzzer $(or $(FUZZ_SECONDS),600) || exit 1; done

ROOM = server
mutate: ## plant MUTANTS (usually 100) small bugs in ROOM, one at a time, and list those that no test finds
	@tools/setup test
	@$(MAKE) --no-print-directory -s -j2 sanitized-tests
	@tools/mutate $(ROOM) --count $(or $(MUTANTS),100) --jobs $(or $(JOBS),2)

coverage: ## lines run by the tests: C by file (at least 85 %), the page's TypeScript without drawing (75 %)
	@tools/setup test
	@$(MAKE) --no-print-directory -s -j2 coverage-tests build/coverage/mashup build/mashup
	@tools/coverage
	@tools/coverage-page

# --- Installing ----------------------------------------------------------------------------------
PREFIX = /usr/local
DESTDIR =
STRIP = true
build/mashup.1: build/mashup tools/manual
	tools/manual man build/mashup > $@
build/mashup.bash: build/mashup tools/manual
	tools/manual bash build/mashup > $@
build/mashup.zsh: build/mashup tools/manual
	tools/manual zsh build/mashup > $@

.PHONY: install uninstall static deb docs test-full
# In the folders in which they link to each other.
DOCUMENTS = README.md LICENSE CHANGELOG.md ARCHITECTURE.md STYLE.md $(wildcard docs/*.md docs/*.json docs/pictures/* deploy/*.conf deploy/*.cfg \
  deploy/*.json deploy/*.yml deploy/cluster/* games/*/RULES.md games/*/content/*.schema.json examples/*) deploy/Caddyfile include/mashup.h include/mashup_sim.h
SIMULATOR = sim/mashup.py sim/mashup.mjs build/mashup-sim.wasm
install: build/mashup build/libmashup.so build/mashup-sim.wasm build/mashup.1 build/mashup.bash build/mashup.zsh ## install to PREFIX (default: /usr/local), honouring DESTDIR
	install -D -m 755 build/mashup $(DESTDIR)$(PREFIX)/bin/mashup
	$(STRIP) $(DESTDIR)$(PREFIX)/bin/mashup
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(DESTDIR)$(PREFIX)/share/doc/mashup
	gzip -9nc build/mashup.1 > $(DESTDIR)$(PREFIX)/share/man/man1/mashup.1.gz
	install -D -m 644 build/mashup.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/mashup
	install -D -m 644 build/mashup.zsh $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_mashup
	for document in $(DOCUMENTS); do install -D -m 644 $$document $(DESTDIR)$(PREFIX)/share/doc/mashup/$$document || exit 1; done
	install -D -m 644 include/mashup_sim.h $(DESTDIR)$(PREFIX)/include/mashup_sim.h
	install -D -m 644 build/libmashup.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/libmashup.so.$(VERSION)
	$(STRIP) $(DESTDIR)$(PREFIX)/lib/libmashup.so.$(VERSION)
	ln -sf libmashup.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libmashup.so
	install -d $(DESTDIR)$(PREFIX)/share/mashup
	install -m 644 $(SIMULATOR) $(DESTDIR)$(PREFIX)/share/mashup

uninstall: ## remove what install installed
	rm -rf $(DESTDIR)$(PREFIX)/include/mashup_sim.h $(DESTDIR)$(PREFIX)/lib/libmashup.so* $(DESTDIR)$(PREFIX)/share/mashup
	rm -rf $(DESTDIR)$(PREFIX)/bin/mashup $(DESTDIR)$(PREFIX)/share/man/man1/mashup.1.gz \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/mashup \
	  $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_mashup $(DESTDIR)$(PREFIX)/share/doc/mashup

static: ## make build/mashup-static: one file without shared libraries, for any Linux on this kind of machine
	@tools/setup build
	@$(MAKE) --no-print-directory -s build/mashup-static

deb: ## make a Debian package: build/mashup_VERSION_ARCHITECTURE.deb
	@tools/setup build
	@$(MAKE) --no-print-directory -s build/mashup
	@tools/deb

docs: ## check links in the documentation and print the share of documented code
	@tools/links
	@tools/games
	@tools/documented

test-full: ## make test, then containers, nginx, the Debian package, long faults and load: needs root and about an hour
	@$(MAKE) --no-print-directory test OPTIMISED="$(TESTS)"
	@tools/setup full
	@$(MAKE) --no-print-directory -s deb build/mashup-static build/release/bench_archive \
	  build/release/cluster_bots build/release/cluster_check
	@tests/run-full

clean: ## remove everything made
	rm -rf build
