/*  The colour bar is at the right margin, with ticks at round numbers. If a field has categories, each category that
    occurs has a patch of its colour instead. Sizes are fractions of the picture's height. */
#include "picture/legend.h"

#include "base/portable_math.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEXT 0.0155  /* height of a capital letter */
#define SMALL 0.0130 /* and of a tick label */
#define MARGIN 0.035 /* from the picture's edge */
#define BAR_WIDE 0.020
#define BAR_HIGH 0.46
#define TICK 0.008
#define MAX_TICKS 12
#define MAX_KINDS 10

/*  10^k by multiplication: the same everywhere. */
static double power_of_ten(int k)
{
    double power = 1;
    for (int i = 0; i < (k < 0 ? -k : k); i++)
        power *= 10;
    return k < 0 ? 1 / power : power;
}

/*  The exponent of ten at or below a number above 0, from -300 to 300. */
static int decade_of(double value)
{
    if (!(value > 1e-300 && value < 1e300))
        return value < 1 ? -300 : 300;
    int k = (int)floor(scree_ln(value) / 2.302585092994046);
    /* logarithms of powers of ten may be off by rounding */
    if (value >= power_of_ten(k + 1))
        k++;
    return value < power_of_ten(k) ? k - 1 : k;
}

/*  `digits` times 10^decade, where digits is an integer, as plain decimals. */
static void write_plain(double digits, int decade, bool minus, char text[SCREE_NUMBER_ROOM])
{
    if (decade >= 0) {
        snprintf(text, SCREE_NUMBER_ROOM, "%s%.0f", minus ? "-" : "",
                 digits * power_of_ten(decade));
        return;
    }
    double whole = floor(digits / power_of_ten(-decade));
    double rest = digits - whole * power_of_ten(-decade);
    snprintf(text, SCREE_NUMBER_ROOM, "%s%.0f.%0*.0f", minus ? "-" : "", whole, -decade, rest);
}

void scree_write_number(double value, double step, char text[SCREE_NUMBER_ROOM])
{
    bool minus = value < 0;
    int decade = decade_of(step);
    double size = fabs(value), digits = floor(size / power_of_ten(decade) + 0.5);
    if (digits == 0) {
        snprintf(text, SCREE_NUMBER_ROOM, "0");
        return;
    }
    /* removes trailing zeros */
    while (digits >= 10 && digits < 1e15 && floor(digits / 10) * 10 == digits) {
        digits /= 10;
        decade++;
    }
    int first = decade_of(digits) + decade;
    if (digits < 1e15 && decade >= -6 && first >= -3 && first < 6) {
        write_plain(digits, decade, minus, text);
        return;
    }
    char front[SCREE_NUMBER_ROOM];
    int shift = decade_of(digits);
    write_plain(digits, -shift, minus, front);
    snprintf(text, SCREE_NUMBER_ROOM, "%.24se%d", front, first);
}

/* ---- ticks ---- */

typedef struct ticks
{
    double at[MAX_TICKS], step[MAX_TICKS]; /* value, and the unit to which it is rounded */
    int count;
} ticks;

/*  Four to nine ticks at multiples of 1, 2 or 5 times a power of ten. */
static void set_linear(ticks *t, double low, double high, bool whole)
{
    double step = power_of_ten(decade_of((high - low) / 4)), steps = (high - low) / step;
    step *= steps > 20 ? 5 : steps > 9 ? 2 : 1;
    step = whole && step < 1 ? 1 : step;
    /* no ticks if numbers are so large that the step is below their rounding */
    for (double k = ceil(low / step);
         k * step <= high * (1 + (high > 0 ? 1e-12 : -1e-12)) && t->count < MAX_TICKS; k += 1) {
        t->at[t->count] = k * step;
        t->step[t->count++] = step;
        if (k + 1 == k)
            break;
    }
}

/*  At 1, 2, 3, 5, 7 of each decade, or at powers of ten only if there are several. */
static void set_logarithmic(ticks *t, double low, double high)
{
    static const double few[] = {1, 2, 3, 5, 7};
    int first = decade_of(low), last = decade_of(high), every = 1 + (last - first) / 10;
    int steps = last - first < 2 ? 5 : 1;
    for (int d = first; d <= last; d += every)
        for (int k = 0; k < steps && t->count < MAX_TICKS; k++) {
            double value = few[k] * power_of_ten(d);
            if (value < low * (1 - 1e-12) || value > high * (1 + 1e-12))
                continue;
            t->at[t->count] = value;
            t->step[t->count++] = power_of_ten(d);
        }
}

/* ---- drawing ---- */

/*  What a bar shows. */
typedef struct scale
{
    const char *of, *name, *unit; /* "wall ", "pressure", "Pa" */
    const double *range;
    const scree_palette *palette;
    bool is_logarithmic, is_count;
    bool on_left;
} scale;

typedef struct sheet
{
    const scree_canvas *canvas;
    const scree_roster *roster;
    const scree_palette *palette;
    double high;   /* height of the picture */
    float ink[3];  /* colour of text */
    double bar[4]; /* left, top, right, bottom */
    scale scale;
} sheet;

static void write_right(const sheet *s, double right, double base, double size, const char *text)
{
    const double at[2] = {right - scree_text_width(text, size), base};
    scree_canvas_text(s->canvas, at, size, text, s->ink);
}

/*  A label beside the bar, on the side of the picture's middle. */
static void write_beside(const sheet *s, double away, double base, double size, const char *text)
{
    const double at[2] = {s->bar[2] + away, base};

    if (s->scale.on_left)
        scree_canvas_text(s->canvas, at, size, text, s->ink);
    else
        write_right(s, s->bar[0] - away, base, size, text);
}

static void screen_colour(const sheet *s, const float light[3], float colour[3])
{
    for (int k = 0; k < 3; k++)
        colour[k] = scree_to_screen(s->palette, light[k]);
}

static void draw_ticks(const sheet *s)
{
    const double *range = s->scale.range;
    ticks t = {.count = 0};
    if (s->scale.is_logarithmic)
        set_logarithmic(&t, range[0], range[1]);
    else
        set_linear(&t, range[0], range[1], s->scale.is_count);
    for (int i = 0; i < t.count; i++) {
        double share = s->scale.is_logarithmic
                           ? scree_ln(t.at[i] / range[0]) / scree_ln(range[1] / range[0])
                           : (t.at[i] - range[0]) / (range[1] - range[0]);
        double y = s->bar[3] - share * (s->bar[3] - s->bar[1]), tick = TICK * s->high;
        const double a[2] = {s->scale.on_left ? s->bar[2] + 1 : s->bar[0] - tick, y},
                     b[2] = {s->scale.on_left ? s->bar[2] + tick : s->bar[0] - 1, y};
        char text[SCREE_NUMBER_ROOM];
        scree_write_number(t.at[i], t.step[i], text);
        scree_canvas_line(s->canvas, a, b, 0.0007 * s->high, s->ink, 0.8);
        write_beside(s, tick + 0.006 * s->high, y + 0.5 * SMALL * s->high, SMALL * s->high, text);
    }
}

static void draw_bar(const sheet *s)
{
    uint32_t rows = (uint32_t)(s->bar[3] - s->bar[1]);
    for (uint32_t y = 0; y < rows; y++) {
        const double from[2] = {s->bar[0], s->bar[1] + y}, to[2] = {s->bar[2], s->bar[1] + y + 1};
        float colour[3];
        screen_colour(s, scree_palette_at(s->scale.palette, 1 - (y + 0.5) / rows), colour);
        scree_canvas_box(s->canvas, from, to, colour, 1);
    }
    draw_ticks(s);
}

/*  The next larger category; infinity after the last. */
static double next_kind(const scree_roster *roster, double kind)
{
    double next = INFINITY;
    for (size_t i = 0; i < roster->count; i++) {
        double other = floor(roster->value[i]);
        next = other > kind && other < next ? other : next;
    }
    return next;
}

/*  Patches of the first categories that occur, from the top. */
static void draw_kinds(const sheet *s)
{
    double size = BAR_WIDE * s->high, y = s->bar[1], kind = next_kind(s->roster, -INFINITY);
    for (int k = 0; k < MAX_KINDS && kind < INFINITY; k++) {
        const double from[2] = {s->bar[0], y}, to[2] = {s->bar[2], y + size};
        float colour[3];
        char text[SCREE_NUMBER_ROOM];
        screen_colour(s, scree_palette_of(s->palette, kind), colour);
        scree_canvas_box(s->canvas, from, to, colour, 1);
        scree_write_number(kind, 1, text);
        write_right(s, s->bar[0] - 0.012 * s->high, y + 0.5 * (size + SMALL * s->high),
                    SMALL * s->high, text);
        y += 1.6 * size;
        kind = next_kind(s->roster, kind);
    }
}

static void draw_scale(const sheet *s)
{
    char name[96];
    const char *unit = s->scale.unit;
    const double at[2] = {s->bar[0], s->bar[1] - 0.024 * s->high};
    size_t length = (size_t)snprintf(name, sizeof name, "%s%.60s%s%.20s%s", s->scale.of,
                                     s->scale.name, *unit ? " [" : "", unit, *unit ? "]" : "");
    for (size_t i = 0; i < length; i++)
        name[i] = name[i] == '_' ? ' ' : name[i];
    if (s->scale.on_left)
        scree_canvas_text(s->canvas, at, TEXT * s->high, name, s->ink);
    else
        write_right(s, s->bar[2], at[1], TEXT * s->high, name);
    if (s->scale.palette->categories)
        draw_kinds(s);
    else
        draw_bar(s);
}

static void place_bar(sheet *s)
{
    const double margin = MARGIN * s->high, wide = BAR_WIDE * s->high;

    s->bar[0] = s->scale.on_left ? margin : s->canvas->width - margin - wide;
    s->bar[2] = s->bar[0] + wide;
    s->bar[1] = floor(0.5 * (1 - BAR_HIGH) * s->high);
    s->bar[3] = floor(0.5 * (1 + BAR_HIGH) * s->high);
}

static void draw_colours(sheet *s, const scree_picture_def *def, const scree_wall_colours *walls)
{
    if (s->roster->count > 0 && (def->own_field || strcmp(def->field, "none") != 0)) {
        s->scale = (scale){"",         def->field,       s->roster->unit,     s->roster->range,
                           s->palette, def->logarithmic, s->roster->is_count, false};
        place_bar(s);
        draw_scale(s);
    }
    if (walls->is_on && walls->count > 0) {
        s->scale = (scale){"wall ",         walls->name, walls->unit, walls->range,
                           &walls->palette, false,       false,       true};
        place_bar(s);
        draw_scale(s);
    }
}

/*  As many decimals as distinguish frames one mean interval apart, at most six. */
static void write_time(double time, char text[SCREE_NUMBER_ROOM + 8])
{
    char number[SCREE_NUMBER_ROOM];
    double size = fabs(time), micros = floor(size * 1e6 + 0.5);
    if (size >= 1e5 || (size > 0 && size < 1e-3))
        scree_write_number(time, power_of_ten(decade_of(size) - 2), number);
    else if (size >= 1)
        write_plain(floor(micros / 1000 + 0.5), -3, time < 0, number);
    else
        write_plain(floor(micros / 10 + 0.5), -5, time < 0, number);
    snprintf(text, SCREE_NUMBER_ROOM + 8, "t = %s s", number);
}

void scree_legend_draw(const scree_canvas *canvas, const scree_picture_def *def,
                       const scree_roster *roster, const scree_palette *palette,
                       const scree_wall_colours *walls, double time)
{
    static const float inks[2][3] = {{206, 214, 228}, {42, 50, 64}};
    double high = canvas->height, margin = MARGIN * high;
    sheet s = {.canvas = canvas, .roster = roster, .palette = palette, .high = high};
    const double title_at[2] = {margin, margin + 1.3 * TEXT * high},
                 time_at[2] = {margin, high - margin};
    memcpy(s.ink, inks[def->background == SCREE_PICTURE_DARK ? 0 : 1], sizeof s.ink);
    if (def->title && *def->title)
        scree_canvas_text(canvas, title_at, 1.3 * TEXT * high, def->title, s.ink);
    if (def->time_label) {
        char text[SCREE_NUMBER_ROOM + 8];
        write_time(time, text);
        scree_canvas_text(canvas, time_at, TEXT * high, text, s.ink);
    }
    if (def->colour_bar)
        draw_colours(&s, def, walls);
}
