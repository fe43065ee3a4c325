/*  The axis begins at a power of ten below the least value, since a bar on a logarithmic axis has no
    zero to stand on; its length is a ratio, which is what the reader is to compare. */
#include "measure/bars.h"

#include <math.h>

#define WIDTH 860
#define LEFT 220
#define RIGHT 700
#define TOP 78
#define BAR 17
#define GROUP_GAP 26

typedef struct axis
{
    double low, high; /* logarithms to base 10 */
} axis;

static double to_x(const axis *a, double value)
{
    return LEFT + (RIGHT - LEFT) * (log10(value) - a->low) / (a->high - a->low);
}

static bool is_shown(const scree_bar *bar)
{
    return bar->value > 0 && isfinite(bar->value);
}

static axis find_axis(const scree_bars *bars)
{
    axis a = {INFINITY, -INFINITY};
    for (size_t g = 0; g < bars->group_count; g++)
        for (size_t k = 0; k < bars->groups[g].count; k++)
            if (is_shown(&bars->groups[g].bars[k])) {
                double at = log10(bars->groups[g].bars[k].value);
                a.low = fmin(a.low, floor(at - 0.05));
                a.high = fmax(a.high, at + 0.05);
            }
    if (!(a.low < a.high)) {
        axis empty = {0, 1};
        return empty;
    }
    return a;
}

static int find_height(const scree_bars *bars)
{
    int height = TOP + 50;
    for (size_t g = 0; g < bars->group_count; g++)
        height += GROUP_GAP + BAR * (int)bars->groups[g].count;
    return height;
}

static void write_ticks(const axis *a, int bottom, FILE *out)
{
    for (double power = a->low; power <= a->high; power += 1) {
        double value = pow(10, power), x = to_x(a, value);
        fprintf(out,
                "<path d='M%.1f %dV%d' stroke='#dfe3e8'/><text x='%.1f' y='%d' "
                "text-anchor='middle'>%g</text>\n",
                x, TOP, bottom, x, bottom + 18, value);
    }
}

static void write_bar(const axis *a, const scree_bar *bar, int y, FILE *out)
{
    const char *weight = bar->is_ours ? " font-weight='600'" : "";
    double end = is_shown(bar) ? to_x(a, bar->value) : LEFT;
    fprintf(out, "<text x='%d' y='%d' text-anchor='end'%s>%s</text>", LEFT - 8, y + 12, weight,
            bar->name);
    fprintf(out, "<rect x='%d' y='%d' width='%.1f' height='%d' fill='%s'/>", LEFT, y + 2,
            end - LEFT, BAR - 4, bar->is_ours ? "#0072b2" : "#a9b8c6");
    fprintf(out, "<text x='%.1f' y='%d'%s>%.*f%s%s</text>\n", end + 6, y + 12, weight,
            bar->value < 10    ? 2
            : bar->value < 100 ? 1
                               : 0,
            bar->value, bar->note ? " " : "", bar->note ? bar->note : "");
}

void scree_bars_write(const scree_bars *bars, FILE *out)
{
    axis a = find_axis(bars);
    int height = find_height(bars), bottom = height - 44, y = TOP;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
            "font-family='system-ui,sans-serif' font-size='12' fill='#333'>\n"
            "<rect width='%d' height='%d' fill='#fff'/>\n",
            WIDTH, height, WIDTH, height);
    fprintf(out, "<text x='20' y='28' font-size='17' font-weight='600'>%s</text>\n", bars->title);
    fprintf(out, "<text x='20' y='48' fill='#666'>%s</text>\n", bars->subtitle);
    write_ticks(&a, bottom, out);
    for (size_t g = 0; g < bars->group_count; g++) {
        const scree_bar_group *group = &bars->groups[g];
        fprintf(out, "<text x='20' y='%d' font-weight='600' fill='#555'>%s</text>\n", y + 16,
                group->name);
        y += GROUP_GAP;
        for (size_t k = 0; k < group->count; k++, y += BAR)
            write_bar(&a, &group->bars[k], y, out);
    }
    fprintf(out, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n</svg>\n", (LEFT + RIGHT) / 2,
            height - 8, bars->x_label);
}
