/*  Colours: maps from values to light, and from light to sRGB. Light is linear, 0 to 1; sRGB is 0 to 255. */
#ifndef SCREE_COLOUR_MAP_H
#define SCREE_COLOUR_MAP_H

#include "base/common.h"

#define SCREE_MAP_STEPS 256
#define SCREE_LIGHT_STEPS 4096

typedef struct scree_palette
{
    bool categories;                   /* entries are separate colours, repeated cyclically */
    uint32_t count;                    /* number of entries */
    float light[SCREE_MAP_STEPS][3];   /* from the lowest to the highest */
    uint8_t screen[SCREE_LIGHT_STEPS]; /* for light (k + 1/2) / SCREE_LIGHT_STEPS */
} scree_palette;

enum
{
    SCREE_MAP_LAGOON,  /* sequential: indigo, teal, green, straw */
    SCREE_MAP_EMBER,   /* sequential: plum, red, orange, cream */
    SCREE_MAP_GREY,    /* sequential */
    SCREE_MAP_BALANCE, /* diverging: blue, pale, red */
    SCREE_MAP_PEBBLES, /* categories */
    SCREE_MAPS,
};

extern const char *const scree_map_names[SCREE_MAPS + 1]; /* NULL at the end */

void scree_palette_set(scree_palette *palette, int map);
/*  At fraction `share` from the lowest to the highest; clamped at the ends. */
const float *scree_palette_at(const scree_palette *palette, double share);
/*  Of a category: its number, rounded down, in absolute value. */
const float *scree_palette_of(const scree_palette *palette, double category);

/*  Converts light to sRGB; light above 1 is clamped. */
static inline uint8_t scree_to_screen(const scree_palette *palette, float light)
{
    return palette->screen[light > 0 ? light < 0.9999f ? (int)(light * SCREE_LIGHT_STEPS)
                                                       : SCREE_LIGHT_STEPS - 1
                                     : 0];
}

#endif
