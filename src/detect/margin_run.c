/*  When to map all bodies at once: the schedules of the insertion-sort collider (Smilauer and Chareyre
    2009), one from the largest speed, one from its integral, one from that of each class of speed.
    Without them, or in addition, a body that has left its volume makes the run due; see plan.c.

    Where only speeds are looked at, these schedules are all there is, so each is made safe by what the
    bodies may have travelled. In a step a body moves by no more than the larger of its speeds before
    and after it, times its length: that holds for explicit and for semi-implicit steps. Of all
    computed sums the upper neighbour is taken, and each step adds a grain for the rounding of places.

    The published stride is not safe by itself. A peak of speed that is over before the schedule is
    looked at again, or a step that grows between (stride - 1) dt and (stride - 1/2) dt, uses up more
    than the enlargement; therefore a run is due as well when the distance travelled exceeds it. */
#include "detect/margin.h"

#include <math.h>
#include <string.h>

/*  Largest stride in steps, so that its product with a step stays finite. */
#define LONGEST_STRIDE 1e9

static double grain_of(const scree_margin *margin)
{
    return scree_margin_grain(margin->farthest + margin->length);
}

bool scree_margin_is_scheduled(const scree_margin *margin)
{
    return margin->def.kind == SCREE_MARGIN_STRIDE || margin->def.kind == SCREE_MARGIN_DISTANCE ||
           margin->def.kind == SCREE_MARGIN_BINS;
}

/* ---- what has been travelled ---- */

/*  An upper bound, now that the current step has ended with speed `after`. */
static double travel(const scree_margin *margin, double before_step, double before, double after)
{
    double speed = fmax(before, after);
    if (speed == 0)
        return before_step;
    return nextafter(before_step + nextafter(speed * margin->last_dt, INFINITY), INFINITY) +
           grain_of(margin);
}

static double travelled_by_all(const scree_margin *margin, const scree_speeds *speeds)
{
    return travel(margin, margin->travelled, margin->last.largest, speeds->largest);
}

static double travelled_by_bin(const scree_margin *margin, const scree_speeds *speeds, uint32_t bin)
{
    return travel(margin, margin->bin_travelled[bin], margin->last.of_bin[bin],
                  speeds->of_bin[bin]);
}

/* ---- is a run due? ---- */

static bool stride_is_due(const scree_margin *margin, const scree_speeds *speeds)
{
    double speed = speeds->largest * margin->def.speed_factor;
    double elapsed = margin->elapsed + margin->last_dt;
    double travelled = travelled_by_all(margin, speeds);
    if (margin->stride_speed == 0)
        return speed > 0;
    if (elapsed >= margin->stride_scheduled || travelled + grain_of(margin) > margin->stride_growth)
        return true;
    /* faster than predicted: the growth may be used up earlier, in proportion */
    return speed > margin->stride_speed &&
           elapsed >= margin->stride_speed / speed * margin->stride_scheduled;
}

static bool is_used_up(const scree_margin *margin, double travelled, double growth)
{
    return travelled > 0 && travelled + grain_of(margin) >= growth;
}

static bool bins_are_due(const scree_margin *margin, const scree_speeds *speeds)
{
    bool due = false;
    for (uint32_t bin = 0; bin < margin->def.bin_count; bin++)
        due |= is_used_up(margin, travelled_by_bin(margin, speeds, bin), margin->bin_growth[bin]);
    return due;
}

bool scree_margin_is_due(const scree_margin *margin, const scree_speeds *speeds)
{
    if (margin->must_run)
        return true;
    switch (margin->def.kind) {
    case SCREE_MARGIN_STRIDE:
        return stride_is_due(margin, speeds);
    case SCREE_MARGIN_DISTANCE:
        return is_used_up(margin, travelled_by_all(margin, speeds), margin->length);
    case SCREE_MARGIN_BINS:
        return bins_are_due(margin, speeds);
    default:
        return false;
    }
}

/* ---- the lengths of a run ---- */

/*  As published, but for the grains: stride = max(1, floor(length / (v dt))), growth = (stride - 1) v dt,
    and the next run after stride - 1/2 steps. */
static void begin_stride(scree_margin *margin, double speed, double dt)
{
    double stride = 1, grain = grain_of(margin);
    margin->stride_speed = speed * margin->def.speed_factor;
    if (margin->stride_speed > 0)
        stride = floor((margin->length - 2 * grain) / (margin->stride_speed * dt + grain));
    stride = fmin(fmax(1, stride), LONGEST_STRIDE);
    margin->stride_growth =
        stride > 1 ? (stride - 1) * (margin->stride_speed * dt + grain) + 2 * grain : 0;
    margin->stride_scheduled = dt * (stride - 0.5);
}

/*  The reference speed follows the largest speed slowly; growths decrease from class to class. */
static void begin_bins(scree_margin *margin, double speed)
{
    double change = speed - margin->reference_speed;
    if (margin->has_run && margin->def.bin_max_change > 0 && margin->def.bin_max_change < 1)
        change *= margin->def.bin_max_change;
    margin->reference_speed += change;
    double growth = margin->length;
    for (uint32_t bin = 0; bin < margin->def.bin_count; bin++) {
        margin->bin_growth[bin] = growth;
        margin->bin_travelled[bin] = 0;
        growth /= margin->def.bin_ratio;
    }
}

/*  Class n is for speeds from V0 / ratio^(n + 1); the first has no upper end, the last no lower. */
void scree_margin_choose_bin(scree_margin *margin, uint32_t id, double speed)
{
    uint32_t before = margin->bin[id], last = margin->def.bin_count - 1, bin = 0;
    double lower = margin->reference_speed / margin->def.bin_ratio;
    for (; bin < last; bin++, lower /= margin->def.bin_ratio)
        if (speed >= lower * (bin == before ? margin->def.bin_overlap : 1) && speed > 0)
            break;
    /* to any faster class at once, to slower ones one at a time */
    margin->bin[id] = (uint8_t)(bin > before + 1 ? before + 1 : bin);
}

void scree_margin_begin_run(scree_margin *margin, const scree_speeds *speeds, double dt,
                            double smallest_size)
{
    double length = margin->def.length;
    margin->length = length >= 0 ? length : fmin(-length * smallest_size, SCREE_MAX_COORDINATE);
    margin->largest = 0;
    if (margin->def.kind == SCREE_MARGIN_STRIDE)
        begin_stride(margin, speeds->largest, dt);
    if (margin->def.kind == SCREE_MARGIN_BINS)
        begin_bins(margin, speeds->largest);
    margin->travelled = 0;
    margin->elapsed = 0;
    margin->must_run = false;
    margin->is_cramped = false;
    memcpy(margin->longest, margin->period, sizeof margin->longest);
    margin->has_run = true;
    memset(&margin->last, 0, sizeof margin->last);
}

void scree_margin_end_run(scree_margin *margin)
{
    margin->steps = 0;
}

void scree_margin_skip_run(scree_margin *margin, const scree_speeds *speeds)
{
    if (!scree_margin_is_scheduled(margin))
        return;
    for (uint32_t bin = 0; bin < margin->def.bin_count; bin++)
        margin->bin_travelled[bin] = travelled_by_bin(margin, speeds, bin);
    margin->travelled = travelled_by_all(margin, speeds);
    margin->elapsed += margin->last_dt;
    margin->last = *speeds;
}

void scree_margin_begin_step(scree_margin *margin, double dt)
{
    margin->last_dt = dt;
    margin->steps++;
}

uint32_t scree_margin_classes(const scree_margin *margin, const scree_store *store,
                              scree_speed_class *classes)
{
    if (margin->def.kind != SCREE_MARGIN_BINS)
        return 0;
    double speed = margin->reference_speed;
    for (uint32_t bin = 0; bin < margin->def.bin_count && classes; bin++) {
        speed = bin + 1 < margin->def.bin_count ? speed / margin->def.bin_ratio : 0;
        classes[bin] = (scree_speed_class){speed, margin->bin_growth[bin], 0};
    }
    for (uint32_t k = 0; k < store->active_count && classes; k++)
        classes[margin->bin[store->active[k]]].bodies++;
    return margin->def.bin_count;
}
