/*  Meshes of superquadrics, for pictures, files and queries: slices and stacks of a ball whose coordinates are raised to
    the power 2 / exponent, which takes the sphere to the surface. */
#include "base/error.h"
#include "base/portable_math.h"
#include "base/sized_definition.h"
#include "shape/mesh.h"

#include <math.h>

#define SUPERQUADRIC_COOKIE 0x50e7a1c3u
#define PI 3.14159265358979323846
#define MIN_FACETS 8u
#define MAX_FACETS 1000000u
#define MAX_SEGMENTS 100000u

void scree_init_superquadric_def(scree_superquadric_def *def, size_t size)
{
    static const scree_superquadric_def own = {.cookie = SUPERQUADRIC_COOKIE,
                                               .size = sizeof(scree_superquadric_def),
                                               .exponents = {2, 2},
                                               .dimensions = 3,
                                               .facets = 320};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- checks ---- */

static scree_status check_radii(const scree_superquadric_def *def)
{
    double least = INFINITY, most = 0;

    for (int k = 0; k < def->dimensions; k++) {
        if (!(def->radii[k] >= 1e-50 && def->radii[k] <= 1e50))
            return scree_fail(def->error, SCREE_BAD_VALUE,
                              "superquadric def: radii[%d] is %g, must be 1e-50 to 1e50", k,
                              def->radii[k]);
        least = fmin(least, def->radii[k]);
        most = fmax(most, def->radii[k]);
    }
    if (def->dimensions == 2 && def->radii[2] != 0)
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "superquadric def: radii[2] is %g, must be 0 in two dimensions",
                          def->radii[2]);
    if (most > SCREE_SUPERQUADRIC_MAX_RATIO * least)
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "superquadric def: radii are %g to %g, the largest must be at most %g "
                          "times the smallest",
                          least, most, SCREE_SUPERQUADRIC_MAX_RATIO);
    return SCREE_OK;
}

static scree_status check_def(const scree_superquadric_def *def)
{
    const bool is_flat = def->dimensions == 2;
    const uint32_t most = is_flat ? MAX_SEGMENTS : MAX_FACETS;

    if (def->dimensions != 2 && def->dimensions != 3)
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "superquadric def: dimensions is %d, must be 2 or 3", def->dimensions);
    for (int k = 0; k < 2; k++)
        if (!(def->exponents[k] >= 2 && def->exponents[k] <= SCREE_SUPERQUADRIC_MAX_EXPONENT))
            return scree_fail(def->error, SCREE_BAD_VALUE,
                              "superquadric def: exponents[%d] is %g, must be 2 to %g", k,
                              def->exponents[k], SCREE_SUPERQUADRIC_MAX_EXPONENT);
    if (is_flat && def->exponents[0] != 2)
        return scree_fail(
            def->error, SCREE_BAD_VALUE,
            "superquadric def: exponents[0] is %g, must be 2 in two dimensions, which "
            "have no z",
            def->exponents[0]);
    if (def->facets < MIN_FACETS || def->facets > most)
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "superquadric def: facets is %u, must be %u to %u", def->facets,
                          MIN_FACETS, most);
    return check_radii(def);
}

/* ---- vertices ---- */

typedef struct cut_plan
{
    uint32_t slices, stacks; /* stacks 0: a line of segments */
    uint32_t vertices, facets;
} cut_plan;

/*  Both even, so that vertices are symmetric about all three planes. */
static cut_plan plan_of(const scree_superquadric_def *def)
{
    cut_plan p = {0};

    if (def->dimensions == 2) {
        p.slices = (def->facets + 3) / 4 * 4;
        p.vertices = p.facets = p.slices;
        return p;
    }
    /* slices (stacks - 1) * 2 facets, with twice as many slices as stacks */
    p.stacks = 2 * (uint32_t)(sqrt(def->facets / 4.0) / 2 + 0.75);
    p.stacks = p.stacks < 2 ? 2 : p.stacks;
    p.slices = 4 * ((def->facets / (2 * (p.stacks - 1)) + 2) / 4);
    p.slices = p.slices < 4 ? 4 : p.slices;
    p.vertices = p.slices * (p.stacks - 1) + 2;
    p.facets = 2 * p.slices * (p.stacks - 1);
    return p;
}

static double signed_power(double x, double exponent)
{
    return x == 0 ? 0 : x < 0 ? -scree_pow(-x, exponent) : scree_pow(x, exponent);
}

/*  Sine and cosine of k / of turns, symmetric to the last bit. */
static void split_turn(uint32_t k, uint32_t of, double *sine, double *cosine)
{
    const uint32_t quarter = of / 4, part = k % of / quarter, in = k % quarter;
    double s, c;

    scree_sin_cos(2 * PI * in / of, &s, &c);
    if (in == 0) {
        s = 0;
        c = 1;
    }
    *sine = part == 0 ? s : part == 1 ? c : part == 2 ? -s : -c;
    *cosine = part == 0 ? c : part == 1 ? -s : part == 2 ? -c : s;
}

static void put_vertex(const scree_superquadric_def *def, const cut_plan *plan, uint32_t slice,
                       uint32_t stack, double to[3])
{
    double s, c, across = 1, up = 0;

    if (plan->stacks > 0) {
        split_turn(stack, 2 * plan->stacks, &s, &c);
        across = signed_power(s, 2 / def->exponents[0]);
        up = signed_power(c, 2 / def->exponents[0]);
    }
    split_turn(slice, plan->slices, &s, &c);
    to[0] = def->radii[0] * across * signed_power(c, 2 / def->exponents[1]);
    to[1] = def->radii[1] * across * signed_power(s, 2 / def->exponents[1]);
    to[2] = def->radii[2] * up;
}

/*  The poles are the last two vertices. */
static void fill_vertices(const scree_superquadric_def *def, const cut_plan *plan, double *vertex)
{
    const uint32_t rings = plan->stacks > 0 ? plan->stacks - 1 : 1;

    for (uint32_t ring = 0; ring < rings; ring++)
        for (uint32_t slice = 0; slice < plan->slices; slice++, vertex += 3)
            put_vertex(def, plan, slice, ring + 1, vertex);
    if (plan->stacks > 0)
        for (int pole = 0; pole < 2; pole++, vertex += 3) {
            vertex[0] = vertex[1] = 0;
            vertex[2] = pole ? -def->radii[2] : def->radii[2];
        }
}

static uint32_t *put_facet(uint32_t *facet, uint32_t a, uint32_t b, uint32_t c)
{
    facet[0] = a;
    facet[1] = b;
    facet[2] = c;
    return facet + 3;
}

static void fill_facets(const cut_plan *plan, uint32_t *facet)
{
    const uint32_t slices = plan->slices, top = plan->vertices - 2, bottom = top + 1;

    for (uint32_t k = 0; k < slices && plan->stacks == 0; k++) {
        /* normals are to the left of segments, so outward are those that go round clockwise */
        *facet++ = (k + 1) % slices;
        *facet++ = k;
    }
    for (uint32_t ring = 0; ring + 1 < plan->stacks; ring++)
        for (uint32_t k = 0; k < slices; k++) {
            const uint32_t a = ring * slices + k, b = ring * slices + (k + 1) % slices;
            if (ring == 0)
                facet = put_facet(facet, top, a, b);
            if (ring + 2 == plan->stacks) {
                facet = put_facet(facet, a, bottom, b);
                continue;
            }
            facet = put_facet(facet, a, a + slices, b);
            facet = put_facet(facet, b, a + slices, b + slices);
        }
}

/* ---- creation ---- */

static scree_status make_mesh(const scree_superquadric_def *def, const cut_plan *plan,
                              scree_memory *memory, scree_mesh **mesh)
{
    const size_t corners = (size_t)plan->facets * (size_t)def->dimensions;
    scree_mesh_def as_mesh = scree_default_mesh_def();
    double *vertices = NULL;
    uint32_t *facets = NULL;

    scree_status status =
        scree_memory_take(memory, 3 * (size_t)plan->vertices, sizeof *vertices, &vertices);
    if (!status)
        status = scree_memory_take(memory, corners, sizeof *facets, &facets);
    if (status) {
        scree_fail(def->error, status, "superquadric def: out of memory");
    } else {
        fill_vertices(def, plan, vertices);
        fill_facets(plan, facets);
        as_mesh.corners = def->dimensions;
        as_mesh.vertices = vertices;
        as_mesh.vertex_count = plan->vertices;
        as_mesh.facets = facets;
        as_mesh.facet_count = plan->facets;
        as_mesh.weld = 0;
        as_mesh.allocator = def->allocator;
        as_mesh.error = def->error;
        status = scree_mesh_create(&as_mesh, mesh);
    }
    scree_memory_give(memory, &facets, corners, sizeof *facets);
    scree_memory_give(memory, &vertices, 3 * (size_t)plan->vertices, sizeof *vertices);
    return status;
}

scree_status scree_mesh_superquadric(const scree_superquadric_def *def, scree_mesh **mesh)
{
    scree_memory memory;
    scree_status status;

    if (!mesh)
        return SCREE_BAD_ARGUMENT;
    *mesh = NULL;
    if (!def)
        return SCREE_BAD_ARGUMENT;
    scree_superquadric_def own = scree_default_superquadric_def();
    if (!scree_definition_read(&own, def))
        return SCREE_BAD_DEF; /* def->error is invalid then */
    def = &own;
    if ((status = scree_memory_init(&memory, &def->allocator)))
        return scree_fail(def->error, status,
                          "superquadric def: allocator has some functions, not all");
    if ((status = check_def(def)))
        return status;
    const cut_plan plan = plan_of(def);
    if ((status = make_mesh(def, &plan, &memory, mesh)))
        return status;
    (*mesh)->quadric = scree_superquadric_of(def->radii, def->exponents);
    (*mesh)->quadric.facets = def->facets;
    return SCREE_OK;
}
