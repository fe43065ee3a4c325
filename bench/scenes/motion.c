/*  Moving bodies keep a fixed velocity and are reflected where their centre would leave the scene.
    The discs of the thesis' tests also collide: a linear spring pushes along the line of centres,
   and symplectic Euler integrates with one step as the unit of time. */
#include "scenes/motion.h"

#include "base/error.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  A step of SCREE_MOTION_FEW, in radii, unless it is said. */
#define FEW_STEP 0.01

#define MAX_RADII 1e6

/*  Stiffness over the mass of the smallest disc. Two such discs part after pi / sqrt(2 k) = 4
   steps; the fastest mode of a lattice in contact, sqrt(4 k) = 1.11 a step and axis, is below the
   limit of the integrator, 2. */
#define STIFFNESS 0.3084

/*  Reads ":0.5"; where it ends, or NULL if it is not that, or out of range. */
static const char *parse_number(const char *text, double limit, double *number)
{
    char *end = NULL;
    if (*text != ':')
        return NULL;
    *number = strtod(text + 1, &end);
    return end != text + 1 && *number >= 0 && *number <= limit ? end : NULL;
}

static bool parse_all(const char *text, scree_scene_motion *motion)
{
    const char *end =
        strncmp(text, "all", 3) ? NULL : parse_number(text + 3, MAX_RADII, &motion->amount);
    return end && *end == 0;
}

static bool parse_few(const char *text, scree_scene_motion *motion)
{
    const char *end = strncmp(text, "few", 3) ? NULL : parse_number(text + 3, 100, &motion->amount);
    if (!end || *end == 0)
        return end != NULL;
    end = parse_number(end, MAX_RADII, &motion->step);
    return end && *end == 0 && motion->step > 0;
}

scree_status scree_scene_motion_parse(const char *text, scree_scene_motion *motion,
                                      scree_error *error)
{
    motion->amount = 0;
    motion->step = 0;
    if (strcmp(text, "none") == 0)
        motion->kind = SCREE_MOTION_NONE;
    else if (strcmp(text, "springs") == 0)
        motion->kind = SCREE_MOTION_SPRINGS;
    else if (parse_all(text, motion))
        motion->kind = SCREE_MOTION_ALL;
    else if (parse_few(text, motion))
        motion->kind = SCREE_MOTION_FEW;
    else
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "motion: \"%.60s\" is not none, springs, all:RADII_A_STEP or "
                          "few:PERCENT[:RADII_A_STEP]",
                          text);
    return SCREE_OK;
}

/* ---- making -------------------------------------------------------------------------------------
 */

/*  A direction that is uniform on the sphere or circle: normals in a vector have no preferred one.
 */
static void draw_velocity(scree_scene *scene, size_t i, double step, scree_random *random)
{
    double direction[3] = {0, 0, 0}, length_sq = 0;
    while (length_sq < 1e-6) {
        length_sq = 0;
        for (int k = 0; k < scene->dimensions; k++) {
            direction[k] = scree_random_normal(random);
            length_sq += direction[k] * direction[k];
        }
    }
    for (int k = 0; k < 3; k++)
        scene->velocity[k][i] = step * scene->radius[i] * direction[k] / sqrt(length_sq);
}

/*  `wanted` of n rows, each set equally likely, ascending (Knuth, TAOCP 2, 3.4.2, algorithm S). */
static void choose_rows(scree_mover *mover, size_t wanted, scree_random *random)
{
    size_t n = mover->scene->count;
    for (size_t i = 0; i < n && mover->row_count < wanted; i++)
        if (scree_random_below(random, (uint32_t)(n - i)) < wanted - mover->row_count)
            mover->rows[mover->row_count++] = (uint32_t)i;
}

static scree_status prepare_few(scree_mover *mover, scree_random *random)
{
    scree_scene *scene = mover->scene;
    double share = mover->motion.amount / 100 * (double)scene->count;
    double step = mover->motion.step > 0 ? mover->motion.step : FEW_STEP;
    size_t wanted = (size_t)(share + 0.5);
    if (wanted == 0 && mover->motion.amount > 0 && scene->count > 0)
        wanted = 1;
    scree_status status =
        scree_memory_take(&scene->memory, scene->count, sizeof *mover->rows, &mover->rows);
    if (status != SCREE_OK)
        return status;
    choose_rows(mover, wanted, random);
    for (size_t k = 0; k < mover->row_count; k++)
        draw_velocity(scene, mover->rows[k], step, random);
    return SCREE_OK;
}

scree_status scree_mover_create(scree_scene *scene, scree_scene_motion motion, uint64_t seed,
                                scree_mover *mover, scree_error *error)
{
    memset(mover, 0, sizeof *mover);
    mover->scene = scene;
    mover->motion = motion;
    if (motion.kind == SCREE_MOTION_SPRINGS && !scene->springs)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "motion: springs need scene thesis1 or thesis2");
    scree_random random = scree_random_stream(seed, (uint64_t)1 << 32);
    scree_status status = SCREE_OK;
    if (motion.kind == SCREE_MOTION_ALL)
        for (size_t i = 0; i < scene->count; i++)
            draw_velocity(scene, i, motion.amount, &random);
    if (motion.kind == SCREE_MOTION_FEW)
        status = prepare_few(mover, &random);
    for (int k = 0; k < 2 && motion.kind == SCREE_MOTION_SPRINGS && status == SCREE_OK; k++)
        status = scree_memory_take(&scene->memory, scene->count, sizeof(double), &mover->force[k]);
    if (status != SCREE_OK) {
        scree_mover_free(mover);
        return scree_fail(error, status, "motion: no memory for %zu bodies", scene->count);
    }
    return SCREE_OK;
}

void scree_mover_free(scree_mover *mover)
{
    if (!mover->scene)
        return;
    scree_memory *memory = &mover->scene->memory;
    size_t n = mover->scene->count;
    scree_memory_give(memory, &mover->rows, n, sizeof *mover->rows);
    for (int k = 0; k < 2; k++)
        scree_memory_give(memory, &mover->force[k], n, sizeof(double));
    mover->row_count = 0;
}

/* ---- moving -------------------------------------------------------------------------------------
 */

static void move_body(scree_scene *scene, size_t i)
{
    for (int k = 0; k < scene->dimensions; k++) {
        double lower = scene->lower[k], upper = scene->upper[k];
        double c = scene->centre[k][i] + scene->velocity[k][i];
        if (c < lower || c > upper) {
            c = c < lower ? lower + (lower - c) : upper - (c - upper);
            scene->velocity[k][i] = -scene->velocity[k][i];
            /* a step longer than the scene ends at its boundary */
            c = c < lower ? lower : c > upper ? upper : c;
        }
        scene->centre[k][i] = c;
    }
    scree_scene_refresh(scene, i);
}

/*  Forces are summed in the order of the pairs, so the same pairs give the same bits. */
static void push_apart(scree_mover *mover, uint32_t i, uint32_t j)
{
    scree_scene *scene = mover->scene;
    double dx = scene->centre[0][i] - scene->centre[0][j];
    double dy = scene->centre[1][i] - scene->centre[1][j];
    double distance = sqrt(dx * dx + dy * dy);
    double overlap = scene->radius[i] + scene->radius[j] - distance;
    if (overlap <= 0 || distance == 0)
        return;
    double scale = STIFFNESS * overlap / distance;
    mover->force[0][i] += scale * dx;
    mover->force[1][i] += scale * dy;
    mover->force[0][j] -= scale * dx;
    mover->force[1][j] -= scale * dy;
}

static void collide(scree_mover *mover, const scree_pairs *pairs)
{
    scree_scene *scene = mover->scene;
    for (int k = 0; k < 2 && scene->count; k++)
        memset(mover->force[k], 0, scene->count * sizeof(double));
    for (uint64_t p = 0; p < pairs->count; p++)
        push_apart(mover, pairs->first[p], pairs->second[p]);
    for (size_t i = 0; i < scene->count; i++) {
        if (scene->flags[i] & SCREE_FIXED)
            continue;
        /* mass is area, in units of the smallest disc's */
        double mass = scene->radius[i] * scene->radius[i];
        for (int k = 0; k < 2; k++)
            scene->velocity[k][i] += mover->force[k][i] / mass;
    }
}

void scree_mover_step(scree_mover *mover, const scree_pairs *pairs)
{
    scree_scene *scene = mover->scene;
    switch (mover->motion.kind) {
    case SCREE_MOTION_NONE:
        break;
    case SCREE_MOTION_FEW:
        for (size_t k = 0; k < mover->row_count; k++)
            move_body(scene, mover->rows[k]);
        break;
    case SCREE_MOTION_SPRINGS:
        collide(mover, pairs);
        for (size_t i = 0; i < scene->count; i++)
            move_body(scene, i);
        break;
    case SCREE_MOTION_ALL:
        for (size_t i = 0; i < scene->count; i++)
            move_body(scene, i);
        break;
    }
}
