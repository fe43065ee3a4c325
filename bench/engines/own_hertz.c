/*  Hertz's spring, Mindlin's along the plane, dashpots from restitution and Coulomb's bound, as a user of the
    library would write them: the formulas of "hertz" (scree/law.h) in plain loops over a batch, without what the
    built-in one has beside them (the energy balance's accounts, and bits that are the same at every level).

    Loops are short and have no branch, so that a compiler turns each into vector instructions, once it is told that
    roots set no errno and that floating-point traps are not used (-O3 -fno-math-errno -fno-trapping-math), and
    that arrays do not overlap; `target_clones` asks gcc for one version for each kind of processor. */
#include "engines/own_hertz.h"

#include <math.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
#define EVERY_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EVERY_PROCESSOR
#endif

/*  Arrays of a batch are not the same memory. */
#ifdef __clang__
#define EVERY_CONTACT_ALONE _Pragma("clang loop vectorize(assume_safety)")
#else
#define EVERY_CONTACT_ALONE _Pragma("GCC ivdep")
#endif

enum
{
    STIFFNESS, /* k / sqrt(R overlap) */
    DAMPING,   /* over sqrt(k m) */
    SHEAR,     /* tangential stiffness over k */
    FRICTION,
    OVERLAP = 3 /* in memory, behind the tangential spring's force */
};

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static double compliance(const scree_material_def *made)
{
    return (1 - made->poisson * made->poisson) / made->young;
}

static double shear_compliance(const scree_material_def *made)
{
    return 2 * (2 - made->poisson) * (1 + made->poisson) / made->young;
}

static scree_status prepare(const scree_law_input *input, double *constants, void *user)
{
    const scree_material_def *a = input->first, *b = input->second;
    double loss = log(fmin(a->restitution, b->restitution));

    (void)user;
    if (!(fmin(a->restitution, b->restitution) > 0))
        return SCREE_BAD_VALUE;
    double young = 1 / (compliance(a) + compliance(b));
    double shear = 1 / (shear_compliance(a) + shear_compliance(b));
    constants[STIFFNESS] = 2 * young;
    /* Tsuji, Tanaka and Ishida (1992): exact without the clip at 0 */
    constants[DAMPING] = -2 * sqrt(5.0 / 6) * loss / sqrt(loss * loss + 9.8696044010893586);
    constants[SHEAR] = 4 * shear / young;
    constants[FRICTION] = fmin(a->friction, b->friction);
    return SCREE_OK;
}

/*  Stiffness k, sqrt(k m), and the force along the normal. */
EVERY_PROCESSOR
static void press(const scree_batch *b, const double *constants, double *stiffness, double *root,
                  double *pressed)
{
    EVERY_CONTACT_ALONE
    for (uint32_t k = 0; k < SCREE_BATCH; k++) {
        double overlap = larger(b->overlap[k], 0);
        stiffness[k] = constants[STIFFNESS] * sqrt(b->radius[k] * overlap);
        root[k] = sqrt(stiffness[k] * b->mass[k]);
        double push =
            2.0 / 3 * stiffness[k] * overlap + constants[DAMPING] * root[k] * b->approach[k];
        pressed[k] = larger(push, 0);
    }
}

/*  The stored tangential force, rotated into the present contact plane. It keeps its magnitude, and is reduced where
    the overlap has become smaller. */
EVERY_PROCESSOR
static void recall(const scree_batch *b)
{
    const double time = b->dt + b->ahead;

    EVERY_CONTACT_ALONE
    for (uint32_t k = 0; k < SCREE_BATCH; k++) {
        double nx = b->normal[0][k], ny = b->normal[1][k], nz = b->normal[2][k];
        double ox = b->memory[0][k], oy = b->memory[1][k], oz = b->memory[2][k];
        double out = ox * nx + oy * ny + oz * nz, angle = b->twist[k] * time;
        double fx = ox - out * nx, fy = oy - out * ny, fz = oz - out * nz;
        double tx = fx + angle * (ny * fz - nz * fy), ty = fy + angle * (nz * fx - nx * fz),
               tz = fz + angle * (nx * fy - ny * fx);
        double was = b->memory[OVERLAP][k], overlap = larger(b->overlap[k], 0);
        double wanted = (ox * ox + oy * oy + oz * oz) * lesser(overlap, was);
        double turned = (tx * tx + ty * ty + tz * tz) * was;
        double factor = sqrt(wanted / larger(turned, 1e-300));
        b->next[0][k] = tx * factor;
        b->next[1][k] = ty * factor;
        b->next[2][k] = tz * factor;
        b->next[OVERLAP][k] = overlap;
    }
}

/*  What is added to it in this step, what friction holds of it and of the dashpot, and the whole force. */
EVERY_PROCESSOR
static void hold(const scree_batch *b, const double *constants, const double *stiffness,
                 const double *root, const double *pressed)
{
    const double shear = constants[SHEAR], damped = constants[DAMPING] * sqrt(shear);

    EVERY_CONTACT_ALONE
    for (uint32_t k = 0; k < SCREE_BATCH; k++) {
        double vx = b->slide[0][k], vy = b->slide[1][k], vz = b->slide[2][k];
        double spring = shear * stiffness[k], dashpot = damped * root[k];
        double sx = b->next[0][k] + spring * b->dt * vx, sy = b->next[1][k] + spring * b->dt * vy,
               sz = b->next[2][k] + spring * b->dt * vz;
        double hx = sx + dashpot * vx, hy = sy + dashpot * vy, hz = sz + dashpot * vz;
        double held = sqrt(larger(hx * hx + hy * hy + hz * hz, 1e-300));
        double share = lesser(constants[FRICTION] * pressed[k] / held, 1);
        double ahead = spring * b->ahead;
        b->next[0][k] = sx * share + ahead * vx;
        b->next[1][k] = sy * share + ahead * vy;
        b->next[2][k] = sz * share + ahead * vz;
        b->force[0][k] = -(hx * share + pressed[k] * b->normal[0][k]);
        b->force[1][k] = -(hy * share + pressed[k] * b->normal[1][k]);
        b->force[2][k] = -(hz * share + pressed[k] * b->normal[2][k]);
    }
}

static void force(const scree_batch *b, const double *constants, void *user)
{
    double stiffness[SCREE_BATCH], root[SCREE_BATCH], pressed[SCREE_BATCH];

    (void)user;
    press(b, constants, stiffness, root, pressed);
    recall(b);
    hold(b, constants, stiffness, root, pressed);
    for (uint32_t k = 0; k < b->count && b->stiffness; k++) {
        b->stiffness[k] = stiffness[k];
        b->shear_stiffness[k] = constants[SHEAR] * stiffness[k];
    }
}

scree_law scree_own_hertz(void)
{
    scree_law law = {.name = "own hertz",
                     .summary = "Hertz and Mindlin in plain loops",
                     .memory_count = OVERLAP + 1,
                     .prepare = prepare,
                     .force = force};
    return law;
}
