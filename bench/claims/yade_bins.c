/*  Velocity bins and sweeps of their own: a few fast bodies in a packing (IS-H4), and none (IS-H5). */
#include "claims/stage.h"
#include "claims/yade_internal.h"
#include "measure/measure.h"

/*  The packing is dense and hardly moves by then. */
#define SETTLED 1500

/* ---- IS-H4: a few fast ones ---- */

/*  As Yade does it, both look at velocities alone. */
static scree_margin_def uniform_of(double length)
{
    scree_margin_def margin = scree_margin_of(SCREE_MARGIN_DISTANCE, length);
    margin.trust_velocities = true;
    return margin;
}

static scree_margin_def bins_of(double length, uint32_t count, double ratio)
{
    scree_margin_def margin = scree_margin_of(SCREE_MARGIN_BINS, length);
    margin.trust_velocities = true;
    margin.bin_count = count;
    margin.bin_ratio = ratio;
    return margin;
}

/*  Uniform, bins 5 by 2, bins 3 by 10, per body, off: in this order. */
static scree_status invite_all(scree_stage *s, double length, scree_error *error)
{
    scree_margin_def margins[SCREE_STAGE_OBSERVERS] = {
        scree_margin_of(SCREE_MARGIN_DISTANCE, length), bins_of(length, 5, 2),
        bins_of(length, 3, 10), scree_margin_of(SCREE_MARGIN_PER_BODY, length),
        scree_margin_of(SCREE_MARGIN_NONE, 0)};
    static const char *const names[SCREE_STAGE_OBSERVERS] = {"uniform", "bins 5 by 2",
                                                             "bins 3 by 10", "per body", "off"};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < SCREE_STAGE_OBSERVERS && status == SCREE_OK; k++)
        status = scree_stage_invite(s, names[k], &margins[k], error);
    return status;
}

static double pair_gain(const scree_observer *uniform, const scree_observer *other)
{
    return (double)uniform->pairs / (double)other->pairs;
}

/*  With `flying` fast bodies; the packing stays the same. */
static scree_status fly(scree_study *study, scree_stage *s, size_t flying, uint64_t steps,
                        bool *pass, scree_claim *claim, scree_error *error)
{
    scree_stage_set_speeds(s, flying, 5e-4, 5e-2, study->seed);
    scree_status status = invite_all(s, 0.5, error);
    /* until sweeps of single bodies and classes have settled */
    if (status == SCREE_OK)
        status = scree_stage_play(s, steps, error);
    scree_stage_reset(s);
    if (status == SCREE_OK)
        status = scree_stage_play(s, steps, error);
    if (status != SCREE_OK)
        return status;
    const scree_observer *uniform = &s->observer[0];
    scree_claim_say(claim,
                    "%s%zu fast, uniform / other, pairs and time:", claim->figure[0] ? "\n" : "",
                    flying);
    for (size_t k = 1; k < s->count; k++) {
        const scree_observer *other = &s->observer[k];
        double pairs = pair_gain(uniform, other), time = uniform->sec / other->sec;
        scree_claim_say(claim, "%s %s %.2f, %.2f", k > 1 ? ";" : "", other->name, pairs, time);
        if (k < 4)
            *pass = *pass && pairs >= 2 && time >= 2;
    }
    scree_claim_say(claim, "; runs %llu, %llu, %llu, %llu of %llu",
                    (unsigned long long)uniform->runs, (unsigned long long)s->observer[1].runs,
                    (unsigned long long)s->observer[2].runs,
                    (unsigned long long)s->observer[3].runs, (unsigned long long)uniform->steps);
    scree_stage_dismiss(s);
    return SCREE_OK;
}

/* ---- IS-H5: all alike ---- */

#define BLOCKS 5

static scree_status compare_bins(scree_study *study, scree_stage *s, uint64_t steps,
                                 scree_error *error)
{
    scree_margin_def uniform = uniform_of(0.05);
    scree_margin_def bins = bins_of(0.05, 5, 2);
    double ratio[BLOCKS], same[BLOCKS];
    scree_stage_set_speeds(s, 0, 2e-3, 0, study->seed);
    scree_status status = scree_stage_invite(s, "uniform", &uniform, error);
    if (status == SCREE_OK)
        status = scree_stage_invite(s, "bins", &bins, error);
    if (status == SCREE_OK)
        status = scree_stage_invite(s, "uniform again", &uniform, error);
    if (status == SCREE_OK)
        status = scree_stage_play(s, steps, error);
    for (size_t b = 0; b < BLOCKS && status == SCREE_OK; b++) {
        scree_stage_reset(s);
        status = scree_stage_play(s, steps, error);
        ratio[b] = s->observer[1].sec / s->observer[0].sec;
        same[b] = s->observer[2].sec / s->observer[0].sec;
    }
    if (status != SCREE_OK)
        return status;
    scree_claim *claim =
        scree_study_claim(study, "IS-H5", "IS-23",
                          "dense packing, all speeds alike: bins cost at most 5 % over uniform");
    double middle = scree_median(ratio, BLOCKS);
    scree_claim_say(
        claim,
        "bins / uniform %.3f (uniform / uniform, a measure of the noise: %.3f); runs %llu "
        "and %llu of %llu, %zu spheres",
        middle, scree_median(same, BLOCKS), (unsigned long long)s->observer[1].runs,
        (unsigned long long)s->observer[0].runs, (unsigned long long)s->observer[0].steps,
        s->c.count);
    claim->pass = middle <= 1.05;
    return SCREE_OK;
}

scree_status scree_yade_mixed_speeds(scree_study *study, scree_error *error)
{
    scree_stage s;
    bool pass = true;
    size_t n = study->quick ? 4000 : 25000;
    uint64_t steps = study->quick ? 200 : 500;
    scree_study_tell(study, "IS-H4, IS-H5: packing of %zu spheres", n);
    scree_status status = scree_stage_open(&s, n, study->seed, SETTLED, error);
    scree_claim *claim = scree_study_claim(
        study, "IS-H4", "IS-18",
        "25,000 spheres at rest and 1 to 10 a hundred times faster: bins and per body\n"
        "              have potential pairs and time at least 2 times below uniform");
    for (size_t flying = 1; flying <= 10 && status == SCREE_OK; flying *= 10)
        status = fly(study, &s, flying, steps, &pass, claim, error);
    claim->pass = pass;
    if (status == SCREE_OK)
        status = compare_bins(study, &s, steps / 2, error);
    scree_stage_close(&s);
    return status;
}
