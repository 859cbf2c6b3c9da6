/* board.h -- filling a MashBoard: what every game's show() does. */
#ifndef ENGINE_BOARD_H
#define ENGINE_BOARD_H
#include "include/mashup.h"

/* A board without tokens, meters and order, on which nobody acts. */
static inline void board_clear(MashBoard *board) {
    board->tokens_count = board->meters_count = board->order_count = 0;
    board->active = MASH_UNIT_NONE;
    board->phase = 0;
}

/* Appends a meter of a unit, of a team or of the match; the content's limits guarantee enough
 * space. */
static inline MashMeter *board_meter(MashBoard *board, uint8_t unit, uint8_t meter, MashRole role,
                                     int32_t now, int32_t most) {
    MashMeter *added = &board->meters[board->meters_count++];
    *added =
        (MashMeter){.unit = unit, .meter = meter, .role = (uint8_t)role, .now = now, .most = most};
    return added;
}

/* The meter is about an entry of a list of names. */
static inline MashMeter *meter_about(MashMeter *meter, MashNames list, uint8_t index) {
    meter->about_list = (uint8_t)(1 + list);
    meter->about = index;
    return meter;
}

/* The meter is a set of entries of a list: bit i of `now` stands for entry `first` + i. */
static inline void meter_about_set(MashMeter *meter, MashNames list, uint8_t first) {
    meter_about(meter, list, first)->about_set = true;
}

#endif
