/*  scree/law.h: contact models ("laws"): forces from contacts.

    A law is one struct of functions. It gets contacts in batches, with an array for each quantity, so that compilers
    turn a plain loop over a batch into vector instructions. A law of the host is as fast as a built-in one.

        static void spring(const scree_batch *batch, const double *constants, void *user)
        {
            for (uint32_t k = 0; k < batch->count; k++)
                for (int a = 0; a < 3; a++)
                    batch->force[a][k] = -constants[0] * batch->overlap[k] * batch->normal[a][k];
        }

    Compilers vectorise such a loop if sqrt does not set errno and arrays do not overlap: with gcc use -O3
    -fno-math-errno -fno-trapping-math, and `#pragma GCC ivdep` before the loop. -ffast-math is not needed.

    BIT-IDENTICAL RESULTS. The result for a contact must depend on the numbers of that contact alone. Which contacts
    share a batch depends on threads and detection. Use + - * / sqrt only: exp and pow of the C library differ between
    machines. */
#ifndef SCREE_LAW_H
#define SCREE_LAW_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- materials ---------------------------------------------------------------------------------- */

/*  A handle of a material. */
typedef struct scree_material_id
{
    uint32_t index1; /* 0: none */
} scree_material_id;

/*  Properties of a material, in SI units. Each field says how the values of two materials are combined. A rule
    (scree_world_add_rule) may set other values for a pair. */
typedef struct scree_material_def
{
    uint32_t cookie;  /* set by the default function */
    uint32_t size;    /* in bytes, set by the default function */
    const char *name; /* for messages; copied, up to 31 bytes; "" */
    double density;   /* kg/m^3, in two dimensions kg/m^2; 2500 */
    /*  Young's modulus, Pa; INFINITY: rigid, one of two at most; 1e7. Pair: 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2. */
    double young;
    double poisson;     /* Poisson's ratio, above -1, at most 0.5; 0.3 */
    double restitution; /* coefficient of restitution, 0 to 1; 0.5. Pair: the smaller one */
    /*  Coulomb friction coefficient, 0 or more; 0.5. Pair: the smaller one. */
    double friction;
    /*  Rolling friction: lever arm over radius, 0 or more; 0. Pair: the smaller one. */
    double rolling_friction;
    double twisting_friction; /* the same about the normal; 0. Pair: the smaller one */
    /*  Normal stiffness of linear laws, N/m; 1e5. Pair: in series, k1 k2 / (k1 + k2). */
    double stiffness;
    /*  Of linear laws: tangential over normal stiffness, above 0; 2/7. Pair: the mean. */
    double stiffness_ratio;
} scree_material_def;

/*  What scree_default_material_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_material_def(scree_material_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_material_def scree_default_material_def(void)
{
    scree_material_def def;
    scree_init_material_def(&def, sizeof def);
    return def;
}

/* ---- laws --------------------------------------------------------------------------------------- */

/*  Largest number of contacts in a batch. Arrays have this length, and may be read and written up to it. Numbers past
    `count` have no meaning, but are finite. */
#define SCREE_BATCH 64
/*  Largest number of history variables of a contact. */
#define SCREE_MAX_MEMORY 16
/*  Largest number of constants of a law. */
#define SCREE_MAX_CONSTANTS 24

/*  How a contact dissipates energy. */
typedef enum scree_loss
{
    SCREE_LOSS_DAMPING,  /* normal and tangential damping */
    SCREE_LOSS_FRICTION, /* sliding */
    SCREE_LOSS_ROLLING,  /* rolling and twisting */
    SCREE_LOSSES,        /* the number of kinds */
} scree_loss;

/*  A batch of contacts, each between a first and a second body. The second may be a wall. The normal points from the
    first to the second. Arrays are aligned to 64 bytes, except those of `memory` and `next`, which are aligned as
    doubles. None of them overlap. */
typedef struct scree_batch
{
    uint32_t count; /* number of contacts */
    /*  dt + ahead is the time since the history was written. A law that integrates a displacement adds slide * dt to it
        before it computes the force, and another slide * ahead to what it writes to `next`. If the velocities of the
        batch are those that moved the bodies, ahead is 0; if they are velocities at the same instant as the positions,
        it is half a step, and the integral is of second order. Dissipated energy is power * (dt + ahead); the contact
        plane has rotated by twist * (dt + ahead). */
    double dt, ahead;
    /*  m; positive in contact, down to minus the interaction range of the law. */
    const double *overlap;
    const double *normal[3]; /* unit vector */
    const double *approach;  /* normal relative velocity, m/s; positive while the bodies approach */
    /*  Tangential velocity of the first relative to the second, at the contact, m/s. */
    const double *slide[3];
    const double *roll[3]; /* angular velocity of the first minus that of the second, rad/s */
    /*  Mean angular velocity about the normal, rad/s: the contact plane rotates with it. */
    const double *twist;
    const double *radius; /* effective radius r1 r2 / (r1 + r2), m; at a wall r1 */
    const double *mass;   /* effective mass m1 m2 / (m1 + m2), kg; at a wall m1 */
    /*  Lever arms: distance from each centre to the contact point, m; of a wall 0. */
    const double *arm[2];
    /*  Contact history after the last step; 0 if the contact is new. As many arrays as the law has memory_count. */
    const double *memory[SCREE_MAX_MEMORY];
    double *next[SCREE_MAX_MEMORY]; /* contact history after this step; all must be written */
    /*  Output: force on the first, N; the second gets the opposite. */
    double *force[3];
    /*  Output: moment on the first in addition to that of the force, N m; NULL unless has_moment. */
    double *moment[3];
    double *energy; /* output: elastic energy, J; NULL without an energy balance */
    /*  Output: energy dissipated in this step, J; NULL without an energy balance. */
    double *loss[SCREE_LOSSES];
    /*  Output: dF/d(overlap), normal and tangential, N/m; NULL unless needed for the stable step. */
    double *stiffness, *shear_stiffness;
} scree_batch;

/*  The input of `prepare`: two materials, and the values that a rule sets. */
typedef struct scree_law_input
{
    const scree_material_def *first, *second; /* the materials */
    /*  Values of the rule, one for each parameter of the law; NAN: not given. */
    const double *parameters;
    int dimensions;     /* 2 or 3 */
    scree_error *error; /* where to write a message */
} scree_law_input;

/*  A contact law. */
typedef struct scree_law
{
    const char *name;    /* unique name */
    const char *summary; /* one line of description */
    /*  Parameters that a rule may set; NULL-terminated; NULL: none. */
    const char *const *parameter_names;
    uint32_t memory_count; /* number of history variables of a contact */
    bool has_moment;       /* the law writes moments */
    /*  Interaction range: largest distance at which it acts, m; 0: only in contact. Built-in laws compute it from
        parameters and sizes and leave it 0 here. */
    double reach;
    /*  A persistent interaction: a contact of two spheres that has begun lasts until one of them is removed. Forces are
        computed at any distance, and overlap may be below minus the range. Not with local time steps. */
    bool lasts;
    /*  Computes the constants of a pair of materials. Called for each pair when a rule or material is added, and when
        friction changes. Returns SCREE_BAD_VALUE, with a message, if a value is out of range. */
    scree_status (*prepare)(const scree_law_input *input, double constants[SCREE_MAX_CONSTANTS],
                            void *user);
    /*  Computes the forces of a batch; all its contacts have these constants. Called from several threads at the same
        time. The search for a stable step calls it again with other overlaps and velocities and discards the results.
        */
    void (*force)(const scree_batch *batch, const double *constants, void *user);
    void *user; /* passed to both functions */
} scree_law;

/*  BUILT-IN LAWS

    "linear"   F = k d + c v. k: parameter "stiffness" (N/m), otherwise from the materials.

    "hertz"    F = 4/3 E sqrt(R d) d + c v. E: parameter "young" (Pa), otherwise 1/E* of the materials. In two
               dimensions discs are treated as spheres of their radius.

    "linear-rolling", "hertz-rolling"   the same, with rolling and twisting resistance.

    "jkr", "dmt", "sjkr", "capillary", "plastic", "eepa"   adhesive laws, see below.

    "bonded", "penalty"   see below.

    NORMAL FORCE. d is the overlap; R and m are radius and mass of the batch. c follows from "restitution": a head-on
    impact has the given coefficient of restitution at any speed, size and mass, with a force that is clipped at 0 and
    so never attractive. Values below 0.01 are treated as 0.01; smaller ones would need time steps ten times shorter.

    TANGENTIAL FORCE. A spring of stiffness kt and a dashpot, together limited by Coulomb friction, "friction" * F. The
    force of the spring is contact history; it rotates with the contact. kt is k * "stiffness_ratio", or with "hertz" 8
    G sqrt(R d), with G: "shear" (Pa), otherwise 1/G* = (2-nu1)/G1 + (2-nu2)/G2 of the materials (if only "young" is
    given, with the ratio of G to E of the materials). "tangential" says what happens to the spring when kt changes. 0:
    its force stays under loading and shrinks with kt under unloading, which creates no energy; 1: its force stays; 2:
    its displacement stays. "tangential_damping" is the ratio of the dashpot to 2 sqrt(kt m) (with "hertz" times
    sqrt(5/6)); if not given it is that of the normal direction.

    ROLLING. "rolling" 0: none; 1: a torque mu R F against the relative rolling velocity; 2 (default): spring and
    dashpot, together at most mu R F. mu is "rolling_friction", the stiffness 2.25 k mu^2 R^2 with k = dF/dd (Ai, Chen,
    Rotter, Ooi, Powder Technology 206 (2011) 269), and "rolling_damping" (0.3) the ratio to critical damping of a
    sphere of that mass and radius on a wall. Twisting about the normal has the same spring and dashpot, with
    "twisting_friction". These limits hold to the last bit: they are reduced by 2e-15 of their value.

    ADHESION. The adhesive laws add an attractive force to "hertz-rolling", also at walls, meshes and blocks, for each
    of their contacts. The restitution is that of the same contact without attraction. These laws act beyond contact as
    far as stated here. A pair within that range that does not stick (yet) is a contact without force.

    "jkr"    Johnson, Kendall and Roberts (1971) with "adhesion", the work of adhesion W in J/m^2 (twice the surface
             energy). Bodies that have touched stick until they are separated by 3/4 (pi^2 W^2 R / E^2)^(1/3); the
             largest attraction, 3/2 pi W R, comes before. Sticking and detaching costs 7.09 (W^5 R^4 / E^2)^(1/3),
             which counts as damping when they stick. Friction is limited by "friction" * (F + 3 pi W R) (Thornton
             1991), rolling likewise.

    "dmt"    Derjaguin, Muller and Toporov (1975): an attraction of 2 pi W R in contact; W is "adhesion". With
             "separation" z > 0 (m, 0) there is van der Waals attraction beyond contact, 2 pi W R (z / (z + gap))^2,
             shifted to reach 0 at a gap of 9 z. Friction and rolling are limited by F without the attraction.

    "sjkr"   "simplified JKR": an attraction of "cohesion" (J/m^3) times the intersection area 2 pi R d of the spheres,
             in contact. Limits as with "dmt".

    "capillary"   a liquid bridge of "volume" (m^3), with "surface_tension" gamma (N/m) and "contact_angle" (0; below
             pi/2, rad), between bodies that have touched, until their gap is (1 + angle / 2) volume^(1/3). The
             attraction is 4 pi R gamma cos(angle) / (1 + 1.05 s + 2.5 s^2), s = gap sqrt(2 R / volume) (Willett and
             others 2000; Lian and others 1993). Its energy counts as damping when the bridge forms. Limits as with
             "dmt".

    "plastic"   Luding (2008), based on "linear-rolling". Loading follows "stiffness"; unloading and reloading follow a
             line whose stiffness grows with the largest overlap so far, up to "plastic_stiffness" (N/m) at
             "plastic_depth" (0.05) times 2 R k2 / (k2 - k1). The attraction is at most "cohesion_stiffness" (N/m, 0)
             times the overlap. It acts in contact. Friction and rolling are limited by F plus that attraction. The
             loss counts as damping.

    "eepa"   The Edinburgh elasto-plastic adhesion model (Thakur and others 2014), based on "hertz-rolling". First loading is
             Hertz's, K1 d^1.5 with K1 = 4/3 E sqrt(R). Unloading and reloading are K2 (d^1.5 - dp^1.5), with K2 = K1 / (1
             - lambda), dp^1.5 = lambda d_max^1.5 and lambda "plasticity" (0.5, above 0, at most 0.99): the contact is
             flattened by dp. The attraction is at most P (d / d_min)^chi, with P = 3/2 pi W sqrt(2 R dp), W "adhesion" (J/m^2,
             0), chi "adhesion_exponent" (1.5, a multiple of 0.5), and d_min where unloading reaches P. P is at most half of
             K2 dp^1.5. A contact that was drawn along this limit and is pressed again goes up along K2 from there. In
             addition there is a constant attraction "pull_off_force" (N, 0) in contact. It acts in contact. Friction and
             rolling are limited by F plus the largest attraction at this overlap, without the constant. The loss counts
             as damping. Without adhesion and damping the coefficient of restitution is sqrt((1 - 5/2 lambda + 3/2
             lambda^(5/3)) / (1 - lambda)) at any speed.

    BONDS. "bonded" is linear-rolling plus a bond if scree_world_add_bonds (scree/bond.h) made one: a cylindrical beam
    of "bond_radius" (1) times the smaller radius, as long as the initial distance of the centres, with "bond_young" E
    (Pa) and "bond_ratio" (1) of normal to shear stiffness. It carries tension, shear, bending and twisting (Potyondy
    and Cundall 2004). It breaks if the tensile or shear stress at its edge exceeds "bond_tension" or "bond_shear" (Pa,
    infinite), where "bond_moment" (0 to 1, 1) is the share of bending and twisting in them; or if the surfaces are
    farther apart than "bond_reach" (0.2) times R. With "bond_lasts" 1 (0) distance breaks no bond: intact bonds are
    contacts at any distance, across periodic boundaries with the nearest image. The energy of a bond that breaks counts
    as damping. "bond_damping" (0.1) is the ratio of its dashpots to critical damping; without damping, vibrations grow
    if dt is near the stable step. The contact of bonded spheres counts overlap from the distance at which the bond was
    made. In two dimensions the bond is a plate of thickness 1. Bonds join spheres only: at walls, meshes and blocks the
    law is linear-rolling.

    "penalty" is the force of Noble and Weinzierl (arXiv:2105.12415): "strength" (1000) times (1 - distance / (2
    "contact_skin")) sqrt(m) with distance = 2 contact_skin - d, a spring proportional to the root of the mass, without
    damping or friction. It is for meshes with that contact skin (m). With several contact points each gets a share of
    the mass. */

/*  Returns the number of built-in laws. */
SCREE_API size_t scree_law_count(void);
/*  Returns a built-in law by its index, or NULL past the end. */
SCREE_API const scree_law *scree_law_at(size_t index);
/*  Returns a built-in law by its name, or NULL if it is unknown. */
SCREE_API const scree_law *scree_law_by_name(const char *name);

/* ---- laws written as formulas ---------------------------------------------------------------------- */

/*  A law may be written as formulas instead of C. They are checked when the law is created and computed in batches with
    SIMD, bit-identically on all machines. docs/guide/formulas.md describes the language. Formulas can use these names:

        d              overlap, 0 or more; with `reach` down to minus that
        vn vt wr       relative velocities: normal, above 0 while the bodies approach; tangential, 0 or more; rolling,
                       rad/s, 0 or more
        R m            r1 r2 / (r1 + r2) and m1 m2 / (m1 + m2); at walls those of the body
        arm1 arm2      lever arms, from the centres to the contact point; at walls arm2 is 0
        E G            effective moduli of the pair, from 1/E* and 1/G*, as in "hertz"
        e zeta         restitution, and the ratio to critical damping that gives it
        mu mu_roll mu_twist   friction: sliding, rolling, twisting
        k k_ratio      normal stiffness, as in "linear", and tangential over normal stiffness
        dt             time step
        fn             normal force; in all formulas except `normal` and `where`

    and the parameters and history variables of the law. "hertz" is

        scree_formula_law_def def = scree_default_formula_law_def();
        def.name = "my hertz";
        def.where = "a = sqrt(R * d); root = sqrt(2 * E * a * m)";
        def.normal = "max(0, 4/3 * E * a * d + 2 * sqrt(5/6) * zeta * root * vn)";
        def.spring_stiffness = "8 * G * a";
        def.spring_damping = "2 * sqrt(5/6) * zeta * sqrt(4 * G / E) * root";
        def.spring_limit = "mu * fn";
        scree_law *law;
        scree_formula_law_create(&def, &law);
        rule.own_law = law;
        scree_world_add_rule(world, &rule);
        scree_formula_law_destroy(law);           -- the world keeps it

    Devices cannot compute such laws, and refuse them with a message. Otherwise they are like laws in C. */

/*  A history variable of such a law. */
typedef struct scree_formula_memory
{
    const char *name; /* its name */
    /*  Formula for its next value; its own name is the previous value, 0 in a new contact. */
    const char *next;
} scree_formula_memory;

/*  A parameter of such a law, which a rule may set. */
typedef struct scree_formula_parameter
{
    const char *name; /* its name */
    double value;     /* default value; NAN: the rule must set it */
} scree_formula_parameter;

/*  A law written as formulas. */
typedef struct scree_formula_law_def
{
    uint32_t cookie;  /* set by the default function */
    uint32_t size;    /* in bytes, set by the default function */
    const char *name; /* unique name; must be given */
    /*  Definitions for all formulas: "a = sqrt(R * d); b = 2 * a"; NULL. */
    const char *where;
    const char *normal; /* normal force, N, positive if repulsive; must be given */
    /*  Tangential force against the sliding direction, N; not together with a spring; NULL. */
    const char *tangential;
    /*  Tangential spring, whose force is contact history and rotates with the contact, as in the built-in laws: its
        stiffness, N/m, its dashpot, N s/m (NULL: none), and the limit of both together, N; all NULL: no spring. If the
        stiffness decreases, the force of the spring decreases in proportion; if it increases, the force stays. */
    const char *spring_stiffness, *spring_damping, *spring_limit;
    const char *rolling; /* moment against rolling, N m; NULL */
    /*  dF/dd of the normal force, N/m, for the stable step; NULL: the difference quotient for a millionth of R. */
    const char *stiffness;
    /*  Elastic energy of the normal force, J; NULL: 0. In the energy balance, the part of the normal force that
        depends on vn counts as damping. */
    const char *energy;
    double reach;                              /* interaction range beyond contact, m; 0 */
    const scree_formula_memory *memory;        /* history variables */
    uint32_t memory_count;                     /* at most SCREE_MAX_FORMULA_MEMORY */
    const scree_formula_parameter *parameters; /* parameters */
    uint32_t parameter_count;                  /* at most SCREE_MAX_FORMULA_PARAMETERS */
    scree_allocator allocator;                 /* malloc */
    scree_error *error;                        /* gets the message of a failure; NULL */
} scree_formula_law_def;

/*  Largest number of history variables. */
#define SCREE_MAX_FORMULA_MEMORY 8
/*  Largest number of parameters. */
#define SCREE_MAX_FORMULA_PARAMETERS 15

/*  What scree_default_formula_law_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_formula_law_def(scree_formula_law_def *def, size_t size);
/*  Returns a definition with default values. Set `name` and `normal`. */
static inline scree_formula_law_def scree_default_formula_law_def(void)
{
    scree_formula_law_def def;
    scree_init_formula_law_def(&def, sizeof def);
    return def;
}
/*  Creates a law. Texts are copied. On failure *law is NULL. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: an invalid field, name or
    formula, with the column in the text; SCREE_TOO_LARGE; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_formula_law_create(const scree_formula_law_def *def, scree_law **law);
/*  Releases the law. Worlds whose rules use it keep it. NULL is allowed. */
SCREE_API void scree_formula_law_destroy(scree_law *law);

#ifdef __cplusplus
}
#endif

#endif
