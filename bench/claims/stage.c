/*  Trembling spheres all turn back after the same number of steps; those that fly turn at the walls. */
#include "claims/stage.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/*  Steps after which a trembling sphere turns back. */
#define TURN 100

void scree_stage_close(scree_stage *s)
{
    scree_stage_dismiss(s);
    scree_compression_free(&s->c);
}

void scree_stage_dismiss(scree_stage *s)
{
    for (size_t k = 0; k < s->count; k++)
        scree_observer_close(&s->observer[k]);
    s->count = 0;
}

void scree_stage_reset(scree_stage *s)
{
    for (size_t k = 0; k < s->count; k++)
        scree_observer_reset(&s->observer[k]);
}

scree_status scree_stage_invite(scree_stage *s, const char *name, const scree_margin_def *margin,
                                scree_error *error)
{
    scree_status status =
        scree_observer_open(&s->observer[s->count], name, SCREE_BOXES, margin, error);
    s->count += status == SCREE_OK;
    return status;
}

void scree_stage_set_speeds(scree_stage *s, size_t flying, double slow, double fast, uint64_t seed)
{
    s->flying = flying;
    scree_random random = scree_random_stream(seed, (uint64_t)5 << 32);
    for (size_t i = 0; i < s->c.count; i++) {
        double d[3], square = 0;
        for (int k = 0; k < 3; k++) {
            d[k] = scree_random_normal(&random);
            square += d[k] * d[k];
        }
        double speed = i < s->flying ? fast : slow;
        for (int k = 0; k < 3; k++)
            s->c.v[k][i] = square > 0 ? speed * d[k] / sqrt(square) : 0;
    }
}

static void move(scree_stage *s, uint64_t step)
{
    scree_compression *c = &s->c;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < c->count; i++) {
            c->x[k][i] += c->v[k][i];
            if (i < s->flying ? fabs(c->x[k][i]) > c->half && c->x[k][i] * c->v[k][i] > 0
                              : step % TURN == TURN - 1)
                c->v[k][i] = -c->v[k][i];
        }
    scree_compression_refresh(c);
}

scree_status scree_stage_play(scree_stage *s, uint64_t steps, scree_error *error)
{
    scree_table table = scree_compression_table(&s->c);
    scree_motion motion = scree_compression_motion(&s->c);
    for (uint64_t step = 0; step < steps; step++) {
        for (size_t k = 0; k < s->count; k++) {
            /* in turn, so that none always finds the caches as the same other left them */
            scree_observer *observer = &s->observer[(k + step) % s->count];
            scree_status status = scree_observer_look(observer, &table, &motion, error);
            if (status != SCREE_OK)
                return status;
        }
        move(s, step);
    }
    return SCREE_OK;
}

scree_status scree_stage_open(scree_stage *s, size_t n, uint64_t seed, uint64_t steps,
                              scree_error *error)
{
    memset(s, 0, sizeof *s);
    scree_status status = scree_compression_create(n, seed, &s->c, error);
    while (status == SCREE_OK && s->c.step < steps)
        status = scree_compression_step(&s->c, error);
    return status;
}
