/* threat.c -- see MashGame.threat: a champion moves, then attacks and casts with what is left.
 *
 * Champions and covers in the way, roots, mana and shields only make it less, so they are left
 * out; what may come upon him before or in his turn and make it more is counted in. */
#include "games/ultimate-war/state.h"

/* What a champion may become in his next turn at best. */
typedef struct ChampionProspect {
    const WarContent *content;
    const Champion *champion;
    int points;     /* action points at most */
    int32_t attack; /* damage of one attack at most */
    bool powered;   /* abilities may be raised once more [7.7] */
    bool rooted;    /* he stays where he is */
    int32_t *most;
} ChampionProspect;

/* Has the champion an ability that gives this effect to him? */
static bool gives(const WarContent *content, const Champion *champion, uint8_t effect) {
    for (int slot = 0; slot < SLOTS; slot++) {
        const Ability *ability = &kind_of(content, champion)->abilities[slot];
        if (ability->effect_kind == ABILITY_EFFECT_EFFECT && ability->effect == effect)
            return true;
    }
    return false;
}

/* How many effects of this kind end with a gain for him: each Shock takes a point and a tenth of
 * his damage [7.10]. */
static int shocks_on(const Champion *champion) {
    int count = 0;
    for (uint8_t i = 0; i < champion->effects_count; i++)
        count += champion->effects[i] >> 4 == EFFECT_SHOCK;
    return count;
}

/* Does an effect still hinder him in his next turn? It is one turn less by then [4.5], and a hero
 * who leads may end it [8.2]. */
static bool hindered(const Champion *champion, uint8_t effect, bool cleanses) {
    for (uint8_t i = 0; i < champion->effects_count; i++)
        if (champion->effects[i] >> 4 == effect && (champion->effects[i] & 15) > 1)
            return !cleanses || effect == EFFECT_STUN;
    return false;
}

/* Damage of one attack: another type [5.7], Shocks that end [7.10], an Embrace that comes [7.6];
 * 1 more for each rounding. */
static int32_t attack_most(const WarContent *content, const Champion *champion, bool embrace) {
    int32_t damage = champion->damage;
    for (int i = shocks_on(champion); i > 0; i--)
        damage = ultimate_war_lowered(damage, 90) + 1;
    if (embrace || gives(content, champion, EFFECT_EMBRACE))
        damage = ultimate_war_raised(damage, 120) + 1;
    return ultimate_war_raised(damage, 150) + 1;
}

/* Those who stand on these cells may lose so much. */
static void hit(const ChampionProspect *prospect, uint32_t cells, int32_t loss) {
    while (cells != 0) {
        uint8_t cell = cell_take(&cells);
        prospect->most[row_of(cell) * SIDE + column_of(cell)] += loss;
    }
}

/* The cells that an ability touches from a cell, in whatever direction. */
static uint32_t cells_of(const Lines *lines, uint8_t cell, const Ability *ability) {
    uint32_t within = lines->within[cell][ability->range], rays = 0;
    for (int direction = 0; direction < DIRECTIONS; direction++)
        rays |= lines->rays[cell][direction];
    switch (ability->area) {
    case AREA_SELF:
        return 0;
    case AREA_SURROUND:
        return lines->around[cell];
    case AREA_DIRECTIONAL:
        return within & rays;
    default:
        return within;
    }
}

/* Everything that the ability may touch with so many points left after moving. */
static uint32_t cells_after_moves(const ChampionProspect *prospect, const Ability *ability) {
    const Lines *lines = &prospect->content->lines;
    int moves = prospect->points - ability->points;
    uint32_t from, touched = 0;
    if (moves < 0)
        return 0;
    if (prospect->rooted)
        moves = 0;
    from = lines->within[prospect->champion->cell][moves < DISTANCES ? moves : DISTANCES - 1];
    while (from != 0)
        touched |= cells_of(lines, cell_take(&from), ability);
    return touched;
}

/* One damaging ability, cast once: it then cools down. */
static void cast(const ChampionProspect *prospect, const Ability *ability, int32_t amount,
                 uint8_t cooldown) {
    bool paid = ability->mana <= prospect->champion->mana + prospect->champion->mana / 5 + 1;
    if (ability->effect_kind != ABILITY_EFFECT_DAMAGE || cooldown > 1 || !paid) /* [4.6] [7.6] */
        return;
    int32_t loss = prospect->powered ? ultimate_war_raised(amount, 120) + 1 : amount;
    hit(prospect, cells_after_moves(prospect, ability), loss);
}

/* The attack, as often as points suffice where he stands; nearer the points are as many. */
static void attack(const ChampionProspect *prospect) {
    Ability blow = {.area = AREA_DIRECTIONAL,
                    .range = kind_of(prospect->content, prospect->champion)->range,
                    .points = COST_ATTACK};
    hit(prospect, cells_after_moves(prospect, &blow),
        prospect->attack * (prospect->points / COST_ATTACK));
}

/* A villain who leads may put out whoever is weak, wherever he stands [8.3]. */
static void command(const ChampionProspect *prospect, const WarState *state, uint8_t unit) {
    uint8_t first = (uint8_t)(TEAM * opponent(seat_of(unit)));
    int32_t weakest = 0;
    for (uint8_t i = first; i < first + TEAM; i++) {
        const Champion *victim = &state->champions[i];
        bool weak = victim->cell != CELL_NONE &&
                    10 * victim->health < 3 * kind_of(prospect->content, victim)->health;
        if (weak && victim->health > weakest)
            weakest = victim->health;
    }
    if (weakest > 0)
        hit(prospect, (UINT32_C(1) << CELLS) - 1, weakest);
}

void ultimate_war_threat(const MashContent *loaded, const void *view, uint8_t unit, int32_t *most) {
    const WarContent *content = war_content(loaded);
    const WarState *state = view;
    const Champion *champion = &state->champions[unit];
    if (champion->cell == CELL_NONE || champion->kind == KIND_NONE)
        return;
    uint8_t seat = seat_of(unit), type = kind_of(content, champion)->type;
    bool leads = state->leaders[seat] == unit && (state->commands >> seat & 1) == 0;
    bool cleanses = leads && type == TYPE_HERO;
    if (hindered(champion, EFFECT_STUN, cleanses)) /* [4.4] */
        return;
    ChampionProspect prospect = {.content = content, .champion = champion, .most = most};
    prospect.points =
        champion->points_turn + shocks_on(champion) + gives(content, champion, EFFECT_SPEED_UP);
    prospect.attack = attack_most(content, champion, cleanses);
    prospect.powered = gives(content, champion, EFFECT_POWER_UP);
    prospect.rooted = hindered(champion, EFFECT_ROOT, cleanses);
    if (!hindered(champion, EFFECT_DISARM, cleanses))
        attack(&prospect);
    bool silent = hindered(champion, EFFECT_SILENCE, cleanses);
    for (int slot = 0; slot < SLOTS && !silent; slot++)
        cast(&prospect, &kind_of(content, champion)->abilities[slot], champion->amounts[slot],
             champion->cooldowns[slot]);
    for (uint8_t i = 0; i < champion->punches_count && !silent; i++)
        cast(&prospect, &content->punch, champion->punch_amounts[i], champion->punch_cooldowns[i]);
    if (leads && type == TYPE_VILLAIN)
        command(&prospect, state, unit);
}
