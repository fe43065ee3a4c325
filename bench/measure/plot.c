/*  Each curve is labelled at its right end in its own colour, so no legend has to be matched by
   eye; labels that would overlap are pushed apart. Ticks stand at 1, 2 and 5 times the powers of
   ten, on linear axes at multiples of one of these. */
#include "measure/plot.h"

#include <math.h>

#define WIDTH 860
#define HEIGHT 520
#define LEFT 74
#define RIGHT 668
#define TOP 64
#define BOTTOM 462
#define LABEL_STEP 16.0
#define MAX_DOTS 64

/*  After Okabe and Ito: distinct for all kinds of colour vision, then darker versions of them. */
static const char *const colours[] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6b6b6b",
    "#7a3e9d", "#8c564b", "#1b7837", "#b2182b", "#2c3e50", "#9a8b00",
};
#define COLOUR_COUNT (sizeof colours / sizeof *colours)

typedef struct frame
{
    double x_low, x_high, y_low, y_high; /* logarithms to base 10, unless: */
    bool linear;
} frame;

static double on_axis(const frame *f, double value)
{
    return f->linear ? value : log10(value);
}

static double to_x(const frame *f, double x)
{
    return LEFT + (RIGHT - LEFT) * (on_axis(f, x) - f->x_low) / (f->x_high - f->x_low);
}

static double to_y(const frame *f, double y)
{
    return BOTTOM - (BOTTOM - TOP) * (on_axis(f, y) - f->y_low) / (f->y_high - f->y_low);
}

static bool is_shown(const frame *f, const scree_plot_series *series, size_t k)
{
    return isfinite(series->x[k]) && isfinite(series->y[k]) &&
           (f->linear || (series->x[k] > 0 && series->y[k] > 0));
}

/*  The range of all points with a little air. */
static frame find_frame(const scree_plot *plot, bool linear)
{
    frame f = {INFINITY, -INFINITY, INFINITY, -INFINITY, linear};
    for (size_t s = 0; s < plot->series_count; s++)
        for (size_t k = 0; k < plot->series[s].count; k++) {
            if (!is_shown(&f, &plot->series[s], k))
                continue;
            double x = on_axis(&f, plot->series[s].x[k]), y = on_axis(&f, plot->series[s].y[k]);
            f.x_low = fmin(f.x_low, x);
            f.x_high = fmax(f.x_high, x);
            f.y_low = fmin(f.y_low, y);
            f.y_high = fmax(f.y_high, y);
        }
    if (!(f.x_low <= f.x_high)) {
        frame empty = {0, 1, 0, 1, linear};
        return empty;
    }
    /* one value alone has some room too */
    double x_least = !linear ? 0.01 : f.x_high > f.x_low ? 0 : fmax(fabs(f.x_low), 1) * 0.1;
    double y_least = !linear ? 0.05 : f.y_high > f.y_low ? 0 : fmax(fabs(f.y_low), 1) * 0.1;
    double x_air = 0.02 * (f.x_high - f.x_low) + x_least;
    double y_air = 0.04 * (f.y_high - f.y_low) + y_least;
    f.x_low -= x_air;
    f.x_high += x_air;
    f.y_low -= y_air;
    f.y_high += y_air;
    return f;
}

/*  "1000", "0.02", "1e+06" */
static void format_tick(const frame *f, double value, char text[32])
{
    if (!f->linear && (value >= 1e6 || value < 1e-3))
        snprintf(text, 32, "%.0e", value);
    else
        snprintf(text, 32, "%g", value);
}

static void write_tick(const frame *f, bool is_x, double value, bool is_power, bool labelled,
                       FILE *out)
{
    char text[32];
    double at = is_x ? to_x(f, value) : to_y(f, value);
    const char *stroke = is_power ? "#c9ced6" : "#eceff3";
    format_tick(f, value, text);
    if (is_x)
        fprintf(out, "<path d='M%.1f %dV%d' stroke='%s'/>", at, TOP, BOTTOM, stroke);
    else
        fprintf(out, "<path d='M%d %.1fH%d' stroke='%s'/>", LEFT, at, RIGHT, stroke);
    if (labelled && is_x)
        fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle'>%s</text>", at, BOTTOM + 20, text);
    else if (labelled)
        fprintf(out, "<text x='%d' y='%.1f' text-anchor='end'>%s</text>", LEFT - 8, at + 4, text);
    fputc('\n', out);
}

/*  Between four and nine ticks at multiples of 1, 2 or 5 times a power of ten. */
static void write_linear_axis(const frame *f, bool is_x, FILE *out)
{
    double low = is_x ? f->x_low : f->y_low, high = is_x ? f->x_high : f->y_high;
    double step = pow(10, floor(log10((high - low) / 4)));
    double steps = (high - low) / step;
    step *= steps > 20 ? 5 : steps > 9 ? 2 : 1;
    for (double k = ceil(low / step); k * step <= high; k += 1)
        write_tick(f, is_x, k * step + 0.0, k == 0, true, out); /* 0 has no sign */
}

static void write_axis(const frame *f, bool is_x, FILE *out)
{
    if (f->linear) {
        write_linear_axis(f, is_x, out);
        return;
    }
    /* within one power of ten 1, 2 and 5 would leave an axis almost bare */
    static const double coarse[] = {1, 2, 5}, fine[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8};
    double low = is_x ? f->x_low : f->y_low, high = is_x ? f->x_high : f->y_high;
    bool narrow = high - low < 0.8;
    bool few = high - low < 3.2; /* else only powers of ten have room for a number */
    const double *steps = narrow ? fine : coarse;
    size_t count = narrow ? sizeof fine / sizeof *fine : sizeof coarse / sizeof *coarse;
    for (double power = floor(low); power <= high; power += 1)
        for (size_t k = 0; k < count; k++) {
            double value = steps[k] * pow(10, power), at = log10(value);
            if (at >= low && at <= high)
                write_tick(f, is_x, value, k == 0, k == 0 || few, out);
        }
}

static void write_curve(const frame *f, const scree_plot_series *series, const char *colour,
                        FILE *out)
{
    const char *command = "M";
    fputs("<path d='", out);
    for (size_t k = 0; k < series->count; k++)
        if (is_shown(f, series, k)) {
            fprintf(out, "%s%.1f %.1f", command, to_x(f, series->x[k]), to_y(f, series->y[k]));
            command = "L";
        }
    fprintf(out, "' fill='none' stroke='%s' stroke-width='%s'%s stroke-linejoin='round'/>\n",
            colour, series->dashed ? "1.2" : "2", series->dashed ? " stroke-dasharray='5 4'" : "");
    for (size_t k = 0; k < series->count && !series->dashed && series->count <= MAX_DOTS; k++)
        if (is_shown(f, series, k))
            fprintf(out, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", to_x(f, series->x[k]),
                    to_y(f, series->y[k]), colour);
    fputc('\n', out);
}

/*  Where the last shown point of a curve is; false if it has none. */
static bool find_end(const frame *f, const scree_plot_series *series, double *x, double *y)
{
    bool found = false;
    for (size_t k = 0; k < series->count; k++)
        if (is_shown(f, series, k)) {
            *x = to_x(f, series->x[k]);
            *y = to_y(f, series->y[k]);
            found = true;
        }
    return found;
}

/*  Labels from top to bottom, each at least a line below the one before; if the last then hangs
   below the frame, all move up. */
static void write_labels(const scree_plot *plot, const frame *f, FILE *out)
{
    size_t order[SCREE_PLOT_MAX_SERIES], count = 0;
    double x[SCREE_PLOT_MAX_SERIES], y[SCREE_PLOT_MAX_SERIES], at[SCREE_PLOT_MAX_SERIES];
    for (size_t s = 0; s < plot->series_count && s < SCREE_PLOT_MAX_SERIES; s++)
        if (find_end(f, &plot->series[s], &x[s], &y[s])) {
            size_t k = count++;
            for (; k > 0 && y[order[k - 1]] > y[s]; k--)
                order[k] = order[k - 1];
            order[k] = s;
        }
    for (size_t k = 0; k < count; k++) {
        at[k] = y[order[k]];
        if (k > 0 && at[k] < at[k - 1] + LABEL_STEP)
            at[k] = at[k - 1] + LABEL_STEP;
    }
    if (count > 0 && at[count - 1] > BOTTOM) {
        at[count - 1] = BOTTOM;
        for (size_t k = count - 1; k > 0 && at[k - 1] > at[k] - LABEL_STEP; k--)
            at[k - 1] = at[k] - LABEL_STEP;
    }
    for (size_t k = 0; k < count; k++) {
        size_t s = order[k];
        const char *colour = colours[s % COLOUR_COUNT];
        fprintf(out,
                "<path d='M%.1f %.1fL%d %.1f' stroke='%s' stroke-width='0.7' opacity='0.6' "
                "fill='none'/><text x='%d' y='%.1f' fill='%s'>%s</text>\n",
                x[s] + 4, y[s], RIGHT + 14, at[k], colour, RIGHT + 18, at[k] + 4, colour,
                plot->series[s].name);
    }
}

static void write_plot(const scree_plot *plot, bool linear, FILE *out)
{
    frame f = find_frame(plot, linear);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
            "font-family='system-ui,sans-serif' font-size='12' fill='#333'>\n"
            "<rect width='%d' height='%d' fill='#fff'/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(out, "<text x='%d' y='28' font-size='17' font-weight='600'>%s</text>\n", LEFT,
            plot->title);
    fprintf(out, "<text x='%d' y='48' fill='#666'>%s</text>\n", LEFT,
            plot->subtitle ? plot->subtitle : "");
    write_axis(&f, true, out);
    write_axis(&f, false, out);
    fprintf(out, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#8a93a0'/>\n",
            LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP);
    for (size_t s = 0; s < plot->series_count; s++)
        write_curve(&f, &plot->series[s], colours[s % COLOUR_COUNT], out);
    write_labels(plot, &f, out);
    fprintf(out, "<text x='%d' y='%d' text-anchor='middle'>%s</text>\n", (LEFT + RIGHT) / 2,
            HEIGHT - 18, plot->x_label);
    fprintf(out, "<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>%s</text>\n",
            (TOP + BOTTOM) / 2, plot->y_label);
    fputs("</svg>\n", out);
}

void scree_plot_write(const scree_plot *plot, FILE *out)
{
    write_plot(plot, false, out);
}

void scree_plot_write_linear(const scree_plot *plot, FILE *out)
{
    write_plot(plot, true, out);
}
