/*  Lattices: densities and numbers of neighbours that are known exactly. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include <math.h>

/*  A crystal: `count` places in a cell, which is repeated. The nearest are 1 apart. */
typedef struct lattice
{
    const char *name, *formula;
    int dimensions, neighbours;
    double fraction;
    /*  Distances at which there are others, squared, and how many there are up to there. */
    struct
    {
        double squared;
        int within;
    } shell[6];
    double cell[3];
    size_t count;
    double at[4][3]; /* in parts of the cell */
    int repeat[3];
} lattice;

#define ROOT2 1.41421356237309504880
#define ROOT3 1.73205080756887729353
#define ROOT_8_3 1.63299316185545206546

static const lattice lattices[] = {
    {"simple cubic",
     "[F] pi/6",
     3,
     6,
     0.523599,
     {{1, 6}, {2, 18}, {3, 26}, {4, 32}},
     {1, 1, 1},
     1,
     {{0, 0, 0}},
     {5, 5, 5}},
    {"face-centred cubic",
     "[F] pi/sqrt(18)",
     3,
     12,
     0.740480,
     {{1, 12}, {2, 18}, {3, 42}, {4, 54}},
     {ROOT2, ROOT2, ROOT2},
     4,
     {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}},
     {4, 4, 4}},
    {"hexagonal close",
     "[F] pi/sqrt(18)",
     3,
     12,
     0.740480,
     {{1, 12}, {2, 18}, {8.0 / 3, 20}, {3, 38}, {11.0 / 3, 50}, {4, 56}},
     {1, ROOT3, ROOT_8_3},
     4,
     {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 5.0 / 6, 0.5}, {0, 1.0 / 3, 0.5}},
     {5, 3, 3}},
    {"square (2D)",
     "[F] pi/4",
     2,
     4,
     0.785398,
     {{1, 4}, {2, 8}, {4, 12}},
     {1, 1, 1},
     1,
     {{0, 0, 0}},
     {6, 6, 1}},
    {"hexagonal (2D)",
     "[F] pi/sqrt(12)",
     2,
     6,
     0.906900,
     {{1, 6}, {3, 12}, {4, 18}},
     {1, ROOT3, 1},
     2,
     {{0, 0, 0}, {0.5, 0.5, 0}},
     {6, 4, 1}},
};

static void fill(rig *r, const lattice *l, double diameter, scree_material_id material)
{
    for (int x = 0; x < l->repeat[0]; x++)
        for (int y = 0; y < l->repeat[1]; y++)
            for (int z = 0; z < l->repeat[2]; z++)
                for (size_t k = 0; k < l->count; k++) {
                    /* off the boundary of the domain, where rounding decides the side */
                    scree_body_def body =
                        rig_sphere(material, 0.5 * diameter, (x + l->at[k][0] + 0.1) * l->cell[0],
                                   (y + l->at[k][1] + 0.1) * l->cell[1],
                                   l->dimensions == 3 ? (z + l->at[k][2] + 0.1) * l->cell[2] : 0);
                    rig_add(r, &body);
                }
}

typedef struct census
{
    size_t bodies, odd; /* odd: that have another number of contacts than the first */
    double contacts;    /* a body has in the mean */
    double volume;      /* of the cell */
} census;

static void count_contacts(rig *r, census *found)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    size_t total = 0, of_first = 0;
    found->bodies = scree_world_body_count(r->world);
    for (size_t k = 0; k < found->bodies && !r->status; k++) {
        const scree_contact *contacts;
        size_t count = 0;
        filter.body = scree_body_id_at(scree_world_bodies(r->world).id, k);
        r->status = scree_world_contacts(r->world, &filter, &contacts, &count);
        of_first = k == 0 ? count : of_first;
        found->odd += count != of_first;
        total += count;
    }
    found->contacts = (double)total / (double)found->bodies;
}

/*  Of the crystal whose spheres have this diameter. */
static census take_census(validation *v, const lattice *l, double diameter)
{
    scree_world_def def = rig_def(1e-9);
    census found = {.volume = 1};
    def.dimensions = l->dimensions;
    for (int a = 0; a < l->dimensions; a++) {
        def.domain.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[a] = 0;
        def.domain.upper[a] = l->repeat[a] * l->cell[a];
        found.volume *= def.domain.upper[a];
    }
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(1, 1, 0.3);
    fill(&r, l, diameter, rig_material(&r, &material));
    if (rig_step(&r, 1))
        count_contacts(&r, &found);
    rig_close(&r);
    return found;
}

static void count_neighbours(validation *v, const lattice *l)
{
    census found = take_census(v, l, 1.0001);
    double of_one = l->dimensions == 3 ? VALIDATION_PI / 6 : VALIDATION_PI / 4;
    validation_absolute(v, l->formula, l->fraction, (double)found.bodies * of_one / found.volume,
                        5e-7, "%s: volume fraction", l->name);
    validation_absolute(v, "[F]", l->neighbours, found.contacts, 0,
                        "%s, %zu bodies: contacts of a body within 1.0001 d", l->name,
                        found.bodies);
    validation_absolute(v, "[F]", 0, (double)found.odd, 0,
                        "%s: bodies with another number of contacts", l->name);
}

/*  Neighbours farther away: one shell after the other comes within reach as the spheres grow. */
static void count_shells(validation *v, const lattice *l, validation_chart *chart)
{
    validation_curve *known = validation_add_curve(chart, l->name, true),
                     *ours = validation_add_curve(chart, l->name, false);
    double before = 0, from = 0.96;
    for (size_t k = 0; k < 6 && l->shell[k].within; k++) {
        double at = sqrt(l->shell[k].squared), within = l->shell[k].within;
        validation_exact(v, "[F] shells", within, take_census(v, l, at * 1.0001).contacts,
                         "%s: contacts of a body within %.4f d", l->name, at * 1.0001);
        validation_point(known, from, before);
        validation_point(known, at, before);
        validation_point(known, at, within);
        before = within;
        from = at;
    }
    for (double diameter = 0.96; diameter < 2.02; diameter += 0.02)
        validation_point(ours, diameter, take_census(v, l, diameter).contacts);
}

void validate_lattice(validation *v)
{
    validation_begin(v, "10. Lattices",
                     "Periodic crystals of spheres of diameter 1.0001 whose centres are 1 apart; "
                     "then of larger ones, that reach the second neighbours, and the third.");
    for (size_t k = 0; k < sizeof lattices / sizeof *lattices; k++)
        count_neighbours(v, &lattices[k]);
    validation_chart *chart = validation_add_chart(
        v, "validation-lattice.svg", "Neighbours in crystals", "dashed: shells of the crystal",
        "diameter of spheres, over the least distance", "contacts of a body");
    for (size_t k = 0; k < sizeof lattices / sizeof *lattices; k++)
        count_shells(v, &lattices[k], chart);
}
