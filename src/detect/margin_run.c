/*  When to map all bodies at once: the schedules of the insertion-sort collider (Smilauer and Chareyre
    2009), one from the greatest speed, one from its integral, one from that of each class of speed.
    Without them, or beside them, a body that has left its volume makes the run due; see change.c. */
#include "detect/margin.h"

#include <math.h>
#include <string.h>

/*  Steps that a stride may be long, so that its product with a step stays finite. */
#define LONGEST_STRIDE 1e9

void scree_margin_add_speed(const scree_margin *margin, scree_speeds *speeds, uint32_t id,
                            double speed)
{
    speeds->greatest = fmax(speeds->greatest, speed);
    if (margin->def.kind == SCREE_MARGIN_BINS)
        speeds->of_bin[margin->bin[id]] = fmax(speeds->of_bin[margin->bin[id]], speed);
}

/* ---- is a run due? ---- */

static bool stride_is_due(const scree_margin *margin, const scree_speeds *speeds)
{
    double speed = speeds->greatest * margin->def.speed_factor;
    if (margin->stride_speed == 0)
        return speed > 0;
    if (margin->now >= margin->next_run)
        return true;
    /* faster than foreseen: the growth may be used up earlier, in proportion */
    return speed > margin->stride_speed &&
           margin->now - margin->last_run >=
               margin->stride_speed / speed * (margin->next_run - margin->last_run);
}

static bool bins_are_due(const scree_margin *margin)
{
    bool due = false;
    for (uint32_t bin = 0; bin < margin->def.bin_count; bin++)
        due |=
            margin->bin_travelled[bin] > 0 && margin->bin_travelled[bin] >= margin->bin_growth[bin];
    return due;
}

bool scree_margin_is_due(const scree_margin *margin, const scree_speeds *speeds)
{
    if (!margin->has_run)
        return true;
    switch (margin->def.kind) {
    case SCREE_MARGIN_STRIDE:
        return stride_is_due(margin, speeds);
    case SCREE_MARGIN_DISTANCE:
        return margin->travelled > 0 && margin->travelled >= margin->length;
    case SCREE_MARGIN_BINS:
        return bins_are_due(margin);
    default:
        return false;
    }
}

/* ---- the lengths of a run ---- */

static void begin_stride(scree_margin *margin, double speed, double dt)
{
    double stride = 1;
    margin->stride_speed = speed * margin->def.speed_factor;
    margin->last_run = margin->now;
    if (margin->stride_speed > 0)
        stride = fmin(fmax(1, floor(margin->length / margin->stride_speed / dt)), LONGEST_STRIDE);
    margin->stride_growth = dt * (stride - 1) * margin->stride_speed;
    margin->next_run = margin->now + dt * (stride - 0.5);
}

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
    margin->length =
        margin->def.length >= 0 ? margin->def.length : -margin->def.length * smallest_size;
    margin->largest = 0;
    if (margin->def.kind == SCREE_MARGIN_STRIDE)
        begin_stride(margin, speeds->greatest, dt);
    if (margin->def.kind == SCREE_MARGIN_BINS)
        begin_bins(margin, speeds->greatest);
    margin->travelled = 0;
    margin->has_run = true;
}

void scree_margin_end_run(scree_margin *margin)
{
    margin->steps = 0;
}

void scree_margin_end_step(scree_margin *margin, const scree_speeds *speeds, double dt)
{
    margin->now += dt;
    margin->steps++;
    margin->travelled += speeds->greatest * dt;
    if (margin->def.kind == SCREE_MARGIN_BINS)
        for (uint32_t bin = 0; bin < margin->def.bin_count; bin++)
            margin->bin_travelled[bin] += speeds->of_bin[bin] * dt;
}
