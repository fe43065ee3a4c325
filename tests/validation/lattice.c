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
    double cell[3];
    size_t count;
    double at[4][3]; /* in parts of the cell */
    int repeat[3];
} lattice;

#define ROOT2 1.41421356237309504880
#define ROOT3 1.73205080756887729353
#define ROOT_8_3 1.63299316185545206546

static const lattice lattices[] = {
    {"simple cubic", "[F] pi/6", 3, 6, 0.523599, {1, 1, 1}, 1, {{0, 0, 0}}, {5, 5, 5}},
    {"face-centred cubic",
     "[F] pi/sqrt(18)",
     3,
     12,
     0.740480,
     {ROOT2, ROOT2, ROOT2},
     4,
     {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}},
     {4, 4, 4}},
    {"hexagonal close",
     "[F] pi/sqrt(18)",
     3,
     12,
     0.740480,
     {1, ROOT3, ROOT_8_3},
     4,
     {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 5.0 / 6, 0.5}, {0, 1.0 / 3, 0.5}},
     {5, 3, 3}},
    {"square (2D)", "[F] pi/4", 2, 4, 0.785398, {1, 1, 1}, 1, {{0, 0, 0}}, {6, 6, 1}},
    {"hexagonal (2D)",
     "[F] pi/sqrt(12)",
     2,
     6,
     0.906900,
     {1, ROOT3, 1},
     2,
     {{0, 0, 0}, {0.5, 0.5, 0}},
     {6, 4, 1}},
};

static void fill(rig *r, const lattice *l, scree_material_id material)
{
    for (int x = 0; x < l->repeat[0]; x++)
        for (int y = 0; y < l->repeat[1]; y++)
            for (int z = 0; z < l->repeat[2]; z++)
                for (size_t k = 0; k < l->count; k++) {
                    /* off the border of the domain, where rounding decides the side */
                    scree_body_def body =
                        rig_sphere(material, 0.5 * 1.0001, (x + l->at[k][0] + 0.1) * l->cell[0],
                                   (y + l->at[k][1] + 0.1) * l->cell[1],
                                   l->dimensions == 3 ? (z + l->at[k][2] + 0.1) * l->cell[2] : 0);
                    rig_add(r, &body);
                }
}

static void count_neighbours(validation *v, const lattice *l)
{
    scree_world_def def = rig_def(1e-9);
    double volume = 1;
    def.dimensions = l->dimensions;
    for (int a = 0; a < l->dimensions; a++) {
        def.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        def.lower[a] = 0;
        def.upper[a] = l->repeat[a] * l->cell[a];
        volume *= def.upper[a];
    }
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(1, 1, 0.3);
    fill(&r, l, rig_material(&r, &material));
    rig_step(&r, 1);
    size_t bodies = 0, odd = 0, total = 0;
    if (!r.status) {
        scree_bodies_view view = scree_world_bodies(r.world);
        scree_contact_filter filter = scree_default_contact_filter();
        bodies = view.count;
        for (size_t k = 0; k < bodies && !r.status; k++) {
            const scree_contact *contacts;
            size_t count = 0;
            filter.body = scree_world_bodies(r.world).id[k];
            r.status = scree_world_contacts(r.world, &filter, &contacts, &count);
            odd += count != (size_t)l->neighbours;
            total += count;
        }
    }
    double of_one = l->dimensions == 3 ? VALIDATION_PI / 6 : VALIDATION_PI / 4;
    validation_absolute(v, l->formula, l->fraction, (double)bodies * of_one / volume, 5e-7,
                        "%s: volume fraction", l->name);
    validation_absolute(v, "[F]", l->neighbours, (double)total / (double)bodies, 0,
                        "%s, %zu bodies: contacts of a body within 1.0001 d", l->name, bodies);
    validation_absolute(v, "[F]", 0, (double)odd, 0, "%s: bodies with another number of contacts",
                        l->name);
    rig_close(&r);
}

void validate_lattice(validation *v)
{
    validation_begin(v, "10. Lattices",
                     "Periodic crystals of spheres of diameter 1.0001 whose centres are 1 apart.");
    for (size_t k = 0; k < sizeof lattices / sizeof *lattices; k++)
        count_neighbours(v, &lattices[k]);
}
