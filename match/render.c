/* render.c -- see render.h. */
#include "match/render.h"

char render_ground_sign(uint8_t ground) {
    static const char signs[] = ".#~^=%&*o:;!$@";
    if (ground < sizeof signs - 1)
        return signs[ground];
    return (char)('A' + (ground - (sizeof signs - 1)) % 26);
}

void render_legend(const MashContent *content, const MashBoard *board, MashText *text) {
    bool there[256] = {false};
    uint32_t kinds = 0;
    for (size_t cell = 0; cell < (size_t)content->limits.width * content->limits.height; cell++) {
        kinds += !there[board->ground[cell]];
        there[board->ground[cell]] = true;
    }
    if (kinds < 2)
        return;
    const char *gap = "";
    for (int ground = 0; ground < 256; ground++) {
        if (!there[ground])
            continue;
        text_format(text, "%s%c ", gap, render_ground_sign((uint8_t)ground));
        content->game->name(content, NULL, MASH_NAME_GROUND, (uint8_t)ground, text);
        gap = "   ";
    }
    text_byte(text, '\n');
}
