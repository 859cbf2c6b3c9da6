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

# --- Rooms: what is compiled into what --------------------------------------------------------
ENGINE_SOURCES = $(wildcard base/*.c engine/*.c) $(filter-out %/test_%.c,$(wildcard games/*.c games/*/*.c))
MATCH_SOURCES = $(wildcard match/*.c)
CLI_SOURCES = $(wildcard cli/*.c)
TEST_SUPPORT = $(filter-out tests/test_%.c tests/bench_%.c,$(wildcard tests/*.c))
TEST_SOURCES = $(wildcard tests/test_*.c games/*/test_*.c)
SHIPPED = $(filter-out %.schema.json,$(wildcard games/*/content/*.json))
GENERATED = build/generated/shipped.c
# games/zorde/test_rules.c -> zorde_test_rules; tests/test_json.c -> test_json
test_name = $(subst /,_,$(patsubst tests/%,%,$(patsubst games/%,%,$(basename $(1)))))
TESTS = $(foreach source,$(TEST_SOURCES),$(call test_name,$(source)))

build/generated/embed: tools/embed.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -Wall -Wextra -Werror -O1 -o $@ $<

$(GENERATED): build/generated/embed $(SHIPPED)
	@mkdir -p $(@D)
	build/generated/embed $(SHIPPED) > $@

# --- Variants ----------------------------------------------------------------------------------
# $(1) folder, $(2) compiler, $(3) flags for compiling and linking
define variant
$(1)_LIBRARY = $$(patsubst %.c,build/$(1)/%.o,$$(ENGINE_SOURCES) $$(MATCH_SOURCES) $$(GENERATED))
build/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	$(2) $$(COMMON) $(3) -c -o $$@ $$<
build/$(1)/mashup: $$($(1)_LIBRARY) $$(patsubst %.c,build/$(1)/%.o,$$(CLI_SOURCES))
	$(2) $(3) -o $$@ $$^
$(foreach source,$(TEST_SOURCES),$(call test_program,$(1),$(2),$(3),$(source)))
$(1)-tests: $$(addprefix build/$(1)/tests/,$$(TESTS))
-include $$(patsubst %.o,%.d,$$($(1)_LIBRARY))
-include $$(wildcard build/$(1)/tests/*.d build/$(1)/cli/*.d build/$(1)/games/*/test_*.d)
endef
# $(4) the test's source
define test_program

build/$(1)/tests/$(call test_name,$(4)): build/$(1)/$(4:.c=.o) $$(patsubst %.c,build/$(1)/%.o,$$(TEST_SUPPORT)) $$($(1)_LIBRARY)
	@mkdir -p $$(@D)
	$(2) $(3) -o $$@ $$^ -lcmocka
endef

$(eval $(call variant,release,$(CC),-O2))
$(eval $(call variant,sanitized,$(CLANG),-O1 $(SANITIZE)))

build/mashup: build/release/mashup
	@cp $< $@

.PHONY: clean
clean: ## remove everything made
	rm -rf build
