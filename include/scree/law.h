/*  scree/law.h: from contact to force.

    A law is one struct of functions. It is given contacts in batches, each quantity an array of its own, so
    that a plain loop in C over a batch is compiled to vector instructions: a law of yours runs as fast as
    those that are built in.

        static void spring(const scree_batch *batch, const double *constants, void *user)
        {
            for (uint32_t k = 0; k < batch->count; k++)
                for (int a = 0; a < 3; a++)
                    batch->force[a][k] = -constants[0] * batch->overlap[k] * batch->normal[a][k];
        }

    Compilers do so where they are told that roots set no errno and that arrays do not overlap: with gcc -O3
    -fno-math-errno -fno-trapping-math and `#pragma GCC ivdep` before the loop. -ffast-math is not needed.

    THE SAME BITS EVERYWHERE. A law's result must be a function of the contact's own numbers. Which contacts
    share a batch, and how many, depends on threads and on detection. Use + - * / sqrt, and not the C
    library's exp or pow if runs are to be the same on all machines. */
#ifndef SCREE_LAW_H
#define SCREE_LAW_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- materials ---------------------------------------------------------------------------------- */

typedef struct scree_material_id
{
    uint32_t index1; /* 0: none */
} scree_material_id;

/*  What a body is made of. SI units. What two materials have together follows from both by the rules at
    each field, unless a rule of the table says otherwise. */
typedef struct scree_material_def
{
    uint32_t cookie;
    const char *name; /* for messages; copied, up to 31 bytes; "" */
    double density;   /* kg/m^3, in two dimensions kg/m^2; 2500 */
    double
        young; /* Pa; INFINITY is rigid, for one of two; 1e7. 1/E* = (1-nu1^2)/E1 + (1-nu2^2)/E2 */
    double poisson;           /* above -1, at most 0.5; 0.3 */
    double restitution;       /* [0, 1]; 0.5. Of two: the smaller */
    double friction;          /* 0 or more; 0.5. Of two: the smaller */
    double rolling_friction;  /* length over radius, 0 or more; 0. Of two: the smaller */
    double twisting_friction; /* the same about the normal; 0. Of two: the smaller */
    double stiffness;         /* linear law: N/m; 1e5. Of two: in series, k1 k2 / (k1 + k2) */
    double stiffness_ratio; /* linear law: tangential over normal, above 0; 2/7. Of two: the mean */
} scree_material_def;

SCREE_API scree_material_def scree_default_material_def(void);

/* ---- laws --------------------------------------------------------------------------------------- */

/*  Contacts in a batch, at most. Arrays have this length and may be read and written up to it; past `count`
    are numbers without meaning, but ones that can be computed with. */
#define SCREE_BATCH 64
#define SCREE_MAX_MEMORY 16
#define SCREE_MAX_CONSTANTS 24

/*  The kinds of energy that a contact turns into heat. */
typedef enum scree_loss
{
    SCREE_LOSS_DAMPING,  /* along the normal and in the tangential dashpot */
    SCREE_LOSS_FRICTION, /* sliding */
    SCREE_LOSS_ROLLING,  /* rolling and twisting */
    SCREE_LOSSES,
} scree_loss;

/*  Contacts between a first and a second body; the second may be a wall. The normal points from the first
    to the second. Arrays are aligned to 64 bytes, but `memory` and `next` as doubles are; none overlaps another. */
typedef struct scree_batch
{
    uint32_t count;
    /*  dt + ahead is the step since the memory was written. A law that adds up displacement adds slide * dt
        before it computes the force, and slide * ahead more to what goes into `next`. Where bodies moved with
        the velocities given here, ahead is 0; where these are velocities of the instant, half the step: the
        sum is then of second order. Heat is power * (dt + ahead), the contact turned by twist * (dt + ahead). */
    double dt, ahead;
    const double *overlap; /* above 0, or down to minus the law's reach */
    const double *normal[3];
    const double *approach; /* speed along the normal, above 0 while they come closer */
    const double
        *slide[3]; /* velocity of the first at the contact, relative to the second, tangential */
    const double *roll[3]; /* spin of the first less that of the second */
    const double *twist;   /* mean spin about the normal: the contact plane turns with it */
    const double *radius;  /* r1 r2 / (r1 + r2); of a wall r1 */
    const double *mass;    /* m1 m2 / (m1 + m2); of a wall m1 */
    const double *arm[2];  /* from the centre of each to the contact; of a wall 0 */
    /*  What the law remembers, as it was after the last step, 0 where the contact is new, and as it is now.
        All must be written. */
    const double *memory[SCREE_MAX_MEMORY];
    double *next[SCREE_MAX_MEMORY];
    double *force[3];  /* on the first; the second gets the opposite */
    double *moment[3]; /* on the first beside that of the force at the contact; NULL unless the law
                                  says has_moment */
    double *energy;    /* stored now; NULL where no energy balance is kept */
    double *loss
        [SCREE_LOSSES]; /* turned into heat in this step; NULL where no energy balance is kept */
    /*  dF/d(overlap) along the normal and along the plane; NULL but where a stable step is looked for. */
    double *stiffness, *shear_stiffness;
} scree_batch;

/*  What a rule gives to `prepare`: the two materials, and what the rule says instead. */
typedef struct scree_law_input
{
    const scree_material_def *first, *second;
    const double *parameters; /* of the rule, as many as the law has; NAN: not given */
    int dimensions;
    scree_error *error;
} scree_law_input;

typedef struct scree_law
{
    const char *name;
    const char *summary;                /* one line */
    const char *const *parameter_names; /* a rule may set these; NULL-terminated; NULL: none */
    uint32_t memory_count;              /* numbers remembered for each contact */
    bool has_moment;
    double reach; /* acts until bodies are so far apart; 0: only while they touch. Of those built in
                     it follows from parameters and sizes, and is not said here */
    /*  Contacts of two spheres, once they have begun, go on until one of the bodies is removed: forces are asked for at
        any distance, and overlap may be below minus the reach. Not where steps are local. */
    bool lasts;
    /*  Constants of a pair of materials: for each pair when a rule or material is added, and when friction changes. Returns
        SCREE_BAD_VALUE with a message if a number cannot be used. */
    scree_status (*prepare)(const scree_law_input *input, double constants[SCREE_MAX_CONSTANTS],
                            void *user);
    /*  Forces of a batch whose contacts have these constants. Called from several threads at once; and where it is
        looked which step is stable, again and with other overlaps and rates: these answers are not kept. */
    void (*force)(const scree_batch *batch, const double *constants, void *user);
    void *user;
} scree_law;

/*  Built-in laws, by index and by name; NULL past the end and if unknown.

    "linear"   F = k d + c v, k: parameter "stiffness" (N/m), else of the materials
    "hertz"    F = 4/3 E sqrt(R d) d + c v, E: parameter "young" (Pa), else 1/E* of the materials. In two
               dimensions discs are pressed as spheres of their radius are
    "linear-rolling", "hertz-rolling"   the same, and resistance to rolling and twisting
    "jkr", "dmt", "sjkr", "capillary", "plastic"   what sticks, see below; and "bonded", "penalty"

    d is the overlap, R and m what the batch calls radius and mass. c follows from "restitution": what is
    typed is what a head-on impact gives, at any speed, size and mass, with a force that is clipped at 0 and so
    never attracts. Below 0.01 it is taken as 0.01: nothing leaves slower without steps ten times shorter.

    Along the plane a spring of stiffness kt, a dashpot, and Coulomb's bound "friction" * F on both together.
    The spring's force is remembered; it turns with the contact. kt is k * "stiffness_ratio", or with "hertz"
    8 G sqrt(R d), G: "shear" (Pa), else 1/G* of the materials, 1/G* = (2-nu1)/G1 + (2-nu2)/G2 (in the proportion
    to E that the materials have, where only "young" is given). What happens to the spring when kt changes
    says "tangential": 0 its force stays when pressed harder, and shrinks with kt when let go, which creates
    no energy; 1 its force stays; 2 its displacement stays. "tangential_damping" is the ratio of the dashpot to
    2 sqrt(kt m) (with "hertz" times sqrt(5/6)); as along the normal if not given.

    "rolling": 0 none, 1 a torque mu R F against the relative spin along the plane, 2 (if not given) a spring and
    dashpot, together at most mu R F, with mu the "rolling_friction", stiffness 2.25 k mu^2 R^2, k = dF/dd (Ai,
    Chen, Rotter, Ooi, Powder Technology 206 (2011) 269), and "rolling_damping" the ratio to critical (0.3)
    of a sphere of that mass and radius on a wall. About the normal the same spring and dashpot with
    "twisting_friction". The bounds hold to the last bit: they are drawn in by 2e-15 of themselves.

    What sticks pulls beside the force of "hertz-rolling", at walls and bodies of triangles as well, at each of their contacts.
    Restitution is that of the same contact without the pull. These laws act beyond
    touching as far as is said here; what is within that, and does not stick (yet), is
    a contact without force.

    "jkr"    Johnson, Kendall and Roberts (1971) with "adhesion", the energy W to part a surface, J/m^2 (twice the
             surface energy of each). Bodies that touch stick until they have been pulled apart by
             3/4 (pi^2 W^2 R / E^2)^(1/3); the pull is greatest before, 3/2 pi W R. Sticking and tearing off
             cost 7.09 (W^5 R^4 / E^2)^(1/3), booked as damping when they stick. Friction is bounded by
             "friction" * (F + 3 pi W R) (Thornton 1991), rolling by the same.
    "dmt"    Derjaguin, Muller and Toporov (1975): a pull of 2 pi W R while they touch, "adhesion" is W; with
             "separation" z above 0 (m, 0) van der Waals' pull beyond, 2 pi W R (z / (z + gap))^2, which is brought
             to 0 at a gap of 9 z. Friction and rolling are bounded by F without the pull.
    "sjkr"   "simplified JKR": a pull of "cohesion" (J/m^3) times the area 2 pi R d in which the spheres cut each
             other, while they touch. Bounds as with "dmt".
    "capillary"   a bridge of liquid of "volume" (m^3) with "surface_tension" gamma (N/m) and "contact_angle" (0; below
             pi/2, rad), between bodies that have touched, until they are (1 + angle / 2) volume^(1/3) apart: a pull of
             4 pi R gamma cos(angle) / (1 + 1.05 s + 2.5 s^2), s = gap sqrt(2 R / volume) (Willett and others 2000; Lian
             and others 1993). What it holds is booked as damping when it forms. Bounds as with "dmt".
    "plastic"   Luding (2008), on "linear-rolling": loaded along "stiffness", unloaded and loaded again along a line whose
             stiffness grows with the greatest overlap, up to "plastic_stiffness" (N/m) where that is "plastic_depth"
             (0.05) times 2 R k2 / (k2 - k1); it pulls no more than "cohesion_stiffness" (N/m, 0) times the overlap.
             Acts while they touch. Friction and rolling are bounded by F and that pull. What is lost is booked as damping.

    "bonded" is linear-rolling, and beside it a bond where scree_world_add_bonds (scree/world.h) made one: a round beam
    of "bond_radius" (1) times the smaller radius, as long as the centres were apart, with "bond_young" E (Pa) and
    "bond_ratio" (1) of normal to shear stiffness, that carries force, shear, bending and twist (Potyondy and Cundall
    2004). It breaks where tension or shear on its rim pass "bond_tension" or "bond_shear" (Pa, not at all), with
    "bond_moment" (0 to 1, 1) the share of bending and twisting in them; and where surfaces are farther apart
    than "bond_reach" (0.2) times R, unless "bond_lasts" (0) is 1: then distance breaks none, and bonds that hold are
    contacts at any distance, across periodic borders with the nearest image. What it held is booked as damping. "bond_damping" (0.1) is the ratio of its dashpots
    to critical; without any, steps near the stable one let vibrations grow. The contact beside it counts overlap
    from where the bond was made. In two dimensions it is a plate of thickness 1. Bonds join spheres alone: at walls and at
    bodies of triangles the law is linear-rolling.

    "penalty" is the force of Noble and Weinzierl (arXiv:2105.12415), "strength" (1000) times
    (1 - distance / (2 "halo")) sqrt(m) with distance = 2 halo - d: a spring that goes with the root of the mass,
    without damping or friction. Made for bodies of triangles whose halos are "halo" (m); where several points of two bodies
    touch, each has its share of the mass. */
SCREE_API size_t scree_law_count(void);
SCREE_API const scree_law *scree_law_at(size_t index);
SCREE_API const scree_law *scree_law_by_name(const char *name);

/* ---- laws written as formulas ---------------------------------------------------------------------- */

/*  Text in the place of C: formulas over the numbers of a contact, checked when the law is made and computed in batches by SIMD, with
    the same bits everywhere (docs/guide/formulas.md says what a formula can say). They know

        d              overlap, 0 or more; with `reach` down to minus that
        vn vt wr       relative speeds: along the normal, above 0 while they come closer; of sliding, and of rolling (rad/s), 0 or more
        R m            r1 r2 / (r1 + r2) and m1 m2 / (m1 + m2); at walls those of the body
        arm1 arm2      from the centres to the contact; at walls arm2 is 0
        E G            1/E* and 1/G* of both materials, inverted, as "hertz" takes them
        e zeta         restitution, and the ratio to critical damping that gives it
        mu mu_roll mu_twist   friction of all kinds
        k k_ratio      stiffness, as "linear" takes it, and tangential over normal
        dt             the step
        fn             in all formulas but `normal` and `where`: the normal force

    and the parameters and memory of the law. "hertz" is

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
        scree_formula_law_destroy(law);           the world holds it

    Devices do not compute such laws, and say so; nothing else is different from a law in C. */
typedef struct scree_formula_memory
{
    const char *name;
    const char *next; /* what it becomes; its own name is what it was, 0 where the contact is new */
} scree_formula_memory;

typedef struct scree_formula_parameter
{
    const char *name;
    double value; /* where the rule gives none; NAN: the rule must */
} scree_formula_parameter;

typedef struct scree_formula_law_def
{
    uint32_t cookie;
    const char *name;
    const char
        *where; /* names for parts, known to all formulas: "a = sqrt(R * d); b = 2 * a"; NULL */
    const char *normal; /* N, above 0 where it pushes them apart; must be given */
    /*  Along the plane one of two, or nothing: a force against the sliding, N, */
    const char *tangential; /* NULL */
    /*  or a spring that is remembered and turns with the contact, as that of the built-in laws: its stiffness N/m, its dashpot N s/m
        (NULL: none), and what both hold at most, N. Where the stiffness shrinks the spring's force shrinks with it; where it grows the
        force stays. */
    const char *spring_stiffness, *spring_damping, *spring_limit;
    const char *rolling; /* moment against rolling, N m; NULL */
    /*  dF/dd along the normal, N/m, for the stable step; NULL: found by pressing each contact a millionth of R deeper. */
    const char *stiffness;
    /*  J that the normal force stores; NULL: 0. Where an energy balance is kept, what vn adds to the normal force is booked as damping. */
    const char *energy;
    double reach; /* m that it acts beyond touching; 0 */
    const scree_formula_memory *memory;
    uint32_t memory_count; /* up to SCREE_MOST_FORMULA_MEMORY */
    const scree_formula_parameter *parameters;
    uint32_t parameter_count; /* up to SCREE_MOST_FORMULA_PARAMETERS */
    scree_allocator allocator;
    scree_error *error;
} scree_formula_law_def;

#define SCREE_MOST_FORMULA_MEMORY 8
#define SCREE_MOST_FORMULA_PARAMETERS 15

SCREE_API scree_formula_law_def scree_default_formula_law_def(void);
/*  Texts are copied. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (a field, name or formula that makes no sense, with the column of the text),
    SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; then *law is NULL and nothing was allocated. */
SCREE_API scree_status scree_formula_law_create(const scree_formula_law_def *def, scree_law **law);
/*  Worlds whose rules have it keep it. NULL is fine. */
SCREE_API void scree_formula_law_destroy(scree_law *law);

#ifdef __cplusplus
}
#endif

#endif
