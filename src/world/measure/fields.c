/*  Coarse graining: see scree/fields.h.

    Everything is spread over a line with constant density: a mass over a line of length 0 at the body's centre, a
    contact over the line from the contact point to the centre. A grid point gets the integral of the kernel along
    the line. The lines of both bodies of a contact form the branch vector between their centres. */
#include "world/measure/fields.h"

#include "base/sized_definition.h"
#include "base/vector.h"
#include "world/step/world_data.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FIELDS_COOKIE 0x51defe1du
/*  Number of periods over which grid and kernel may extend. */
#define MAX_PERIODS 1000.0

void scree_init_fields_def(scree_fields_def *def, size_t size)
{
    static const scree_fields_def own = {
        .cookie = FIELDS_COOKIE, .size = sizeof(scree_fields_def), .cells = {1, 1, 1}};

    scree_definition_write(def, size, &own, sizeof own);
}

typedef struct field_grid
{
    double origin[3], last[3], step[3]; /* centres of cells; step 0: one cell */
    scree_domain domain;
    const scree_strain *strain;
    uint32_t cells[3];
    scree_field_kernel kernel;
    double width, height; /* of the kernel */
    double weight;
    int dimensions;
    scree_field *fields;
} field_grid;

/* ---- definition ---- */

static scree_status check_axis(const scree_fields_def *def, const scree_domain *domain, int k,
                               scree_error *error)
{
    static const char axes[] = "xyz";
    double lower = def->lower[k], upper = def->upper[k];

    if (!(lower > -INFINITY && upper - lower < INFINITY && lower <= upper))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fields: %c from %g to %g; must be finite, as what is between, and lower "
                          "not above upper",
                          axes[k], lower, upper);
    if (def->cells[k] == 0)
        return scree_fail(error, SCREE_BAD_VALUE, "fields: 0 cells along %c", axes[k]);
    if (def->cells[k] > 1 && !(upper - lower >= def->cells[k] * DBL_MIN))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fields: %" PRIu32 " cells along %c, which has no length", def->cells[k],
                          axes[k]);
    double period = domain->period[k];
    if (period > 0 && !(upper - lower + 2 * def->width <= MAX_PERIODS * period))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fields: along %c the grid and twice the width, %g, are %g; at most %g "
                          "periods of the domain, %g",
                          axes[k], def->width, upper - lower + 2 * def->width, MAX_PERIODS, period);
    if (!scree_domain_is_near(domain, k, lower))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fields: %c from %g, must be within %g periods of the domain, of %g",
                          axes[k], lower, SCREE_DOMAIN_MAX_EDGES, period);
    return SCREE_OK;
}

scree_status scree_fields_check(const scree_fields_def *def, const scree_domain *domain,
                                int dimensions, double weight, bool has_kernel, scree_error *error)
{
    scree_status status = SCREE_OK;

    if (has_kernel && !(def->width > 0 && def->width < INFINITY))
        return scree_fail(error, SCREE_BAD_VALUE, "fields: width is %g, must be above 0 and finite",
                          def->width);
    if (def->kernel != SCREE_KERNEL_SMOOTH && def->kernel != SCREE_KERNEL_BALL)
        return scree_fail(error, SCREE_BAD_VALUE, "fields: there is no kernel %d",
                          (int)def->kernel);
    if (!(weight > -INFINITY && weight < INFINITY))
        return scree_fail(error, SCREE_BAD_VALUE, "fields: weight is %g, must be finite", weight);
    if (dimensions == 2 && def->cells[2] != 1)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fields: %" PRIu32 " cells along z, must be 1 in two dimensions",
                          def->cells[2]);
    for (int k = 0; k < dimensions && !status; k++) {
        status = check_axis(def, domain, k, error);
        if (!status && !has_kernel && !(def->upper[k] > def->lower[k]))
            status = scree_fail(error, SCREE_BAD_VALUE,
                                "fields: axis %d of a wall's grid has no length", k);
    }
    return status;
}

scree_status scree_fields_check_count(const scree_fields_def *def, int dimensions, size_t count,
                                      scree_error *error)
{
    uint64_t product = 1;

    /* 0 if too large for a count */
    for (int k = 0; k < dimensions; k++)
        product = product > SIZE_MAX / def->cells[k] ? 0 : product * def->cells[k];
    if (product != count)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "fields: %zu for %" PRIu32 " x %" PRIu32 " x %" PRIu32 " cells", count,
                          def->cells[0], def->cells[1], def->cells[2]);
    return SCREE_OK;
}

/*  Normalisation: the integral of the kernel is 1. */
static double height_of(scree_field_kernel kernel, double width, int dimensions)
{
    const double pi = 3.14159265358979323846;

    if (dimensions == 2)
        return (kernel == SCREE_KERNEL_BALL ? 1 : 4) / (pi * width * width);
    return (kernel == SCREE_KERNEL_BALL ? 0.75 : 315.0 / 64) / (pi * width * width * width);
}

static field_grid grid_of(const scree_strain *strain, int dimensions, const scree_fields_def *def,
                          double weight, scree_field *fields)
{
    field_grid grid = {.kernel = def->kernel,
                       .width = def->width,
                       .weight = weight,
                       .dimensions = dimensions,
                       .domain = strain->now,
                       .strain = strain,
                       .fields = fields};

    grid.height = height_of(def->kernel, def->width, grid.dimensions);
    for (int k = 0; k < 3; k++) {
        bool is_flat = k >= grid.dimensions;
        double step = (def->upper[k] - def->lower[k]) / def->cells[k];
        grid.cells[k] = def->cells[k];
        grid.origin[k] = is_flat ? 0 : def->lower[k] + step / 2;
        grid.step[k] = def->cells[k] == 1 ? 0 : step;
        grid.last[k] = grid.origin[k] + grid.step[k] * (def->cells[k] - 1);
    }
    return grid;
}

/* ---- lines ---- */

typedef struct field_line
{
    double from[3], along[3]; /* along = 0: a point */
} field_line;

static double kernel_at(const field_grid *grid, double square)
{
    double left = 1 - square / (grid->width * grid->width);

    if (left < 0)
        return 0;
    return grid->kernel == SCREE_KERNEL_BALL ? grid->height : grid->height * left * left * left;
}

/*  Mean of the kernel over the line. The squared distance is a quadratic function along the line, so the kernel is a
    cubic of it within its width: four-point Gauss quadrature is exact, also for the part of a line that is cut at
    the width. */
static double mean_along(const field_grid *grid, const field_line *line, const double place[3])
{
    static const double node[] = {0.33998104358485626, 0.86113631159405258};
    static const double share[] = {0.65214515486254614, 0.34785484513745386};
    double to[3], off[3], length_sq = scree_dot(line->along, line->along), sum = 0;

    for (int k = 0; k < 3; k++)
        to[k] = place[k] - line->from[k];
    if (length_sq == 0)
        return kernel_at(grid, scree_dot(to, to));
    double foot = scree_dot(to, line->along) / length_sq;
    for (int k = 0; k < 3; k++)
        off[k] = to[k] - foot * line->along[k];
    double off_sq = scree_dot(off, off), sleep = grid->width * grid->width - off_sq;
    if (sleep <= 0)
        return 0;
    double half = sqrt(sleep / length_sq);
    double begin = fmax(0, foot - half), end = fmin(1, foot + half);
    if (!(begin < end))
        return 0;
    for (int n = 0; n < 4; n++) {
        double at = (begin + end) / 2 + (n % 2 ? 1 : -1) * node[n / 2] * (end - begin) / 2 - foot;
        sum += share[n / 2] * kernel_at(grid, off_sq + at * at * length_sq);
    }
    return sum * (end - begin) / 2;
}

/*  Adds `share` of a line to a field. */
typedef void deposit_fn(scree_field *field, double share, const void *what);

/*  Cells whose centres are within the range; if none, the first is after the last. */
static void find_cells(const field_grid *grid, int k, double lower, double upper, uint32_t *first,
                       uint32_t *last)
{
    double step = grid->step[k], most = grid->cells[k] - 1.0;

    *first = 1;
    *last = 0;
    if (lower > grid->last[k] || upper < grid->origin[k])
        return;
    *first = step > 0 && lower > grid->origin[k]
                 ? (uint32_t)fmin(most, ceil((lower - grid->origin[k]) / step))
                 : 0;
    *last = step > 0 ? (uint32_t)fmin(most, floor((upper - grid->origin[k]) / step)) : 0;
}

static void smear_once(const field_grid *grid, const field_line *line, deposit_fn *deposit,
                       const void *what)
{
    uint32_t first[3], last[3], cell[3];

    for (int k = 0; k < 3; k++) {
        double end = line->from[k] + line->along[k];
        find_cells(grid, k, fmin(line->from[k], end) - grid->width,
                   fmax(line->from[k], end) + grid->width, &first[k], &last[k]);
    }
    for (cell[2] = first[2]; cell[2] <= last[2]; cell[2]++)
        for (cell[1] = first[1]; cell[1] <= last[1]; cell[1]++)
            for (cell[0] = first[0]; cell[0] <= last[0]; cell[0]++) {
                double place[3];
                for (int k = 0; k < 3; k++)
                    place[k] = grid->origin[k] + cell[k] * grid->step[k];
                double mean = mean_along(grid, line, place);
                size_t at = ((size_t)cell[2] * grid->cells[1] + cell[1]) * grid->cells[0] + cell[0];
                if (mean > 0)
                    deposit(&grid->fields[at], mean * grid->weight, what);
            }
}

/*  Range of edges along one axis by which the line must be shifted to come near the grid. */
static void find_images(const field_grid *grid, const field_line *line, int k, double *least,
                        double *most)
{
    double end = line->from[k] + line->along[k], period = grid->domain.period[k];

    *least = *most = 0;
    if (period == 0)
        return;
    *least = ceil((grid->origin[k] - fmax(line->from[k], end) - grid->width) / period);
    *most = floor((grid->last[k] - fmin(line->from[k], end) + grid->width) / period);
}

typedef struct field_body
{
    double mass, volume, velocity[3];
} field_body;

typedef struct field_smear
{
    const field_grid *grid;
    deposit_fn *deposit;
    const void *what;
    const field_body *body; /* its images may have other velocities; NULL: none */
} field_smear;

static void smear_image(const field_smear *s, const field_line *image, const double by[3])
{
    double speed[3];
    field_body body;

    if (!s->body || !s->grid->strain->is_moving) {
        smear_once(s->grid, image, s->deposit, s->what);
        return;
    }
    body = *s->body;
    scree_strain_speed(s->grid->strain, &s->grid->domain, by, speed);
    for (int k = 0; k < 3; k++)
        body.velocity[k] += speed[k];
    smear_once(s->grid, image, s->deposit, &body);
}

/*  Images along `axis` and the axes before it, along which an edge may be tilted. */
static void smear_along(const field_smear *s, const field_line *line, int axis, double by[3])
{
    double least, most;

    if (axis < 0) {
        smear_image(s, line, by);
        return;
    }
    find_images(s->grid, line, axis, &least, &most);
    for (by[axis] = least; by[axis] <= most; by[axis]++) {
        field_line image = *line;
        scree_domain_take(&s->grid->domain, axis, -by[axis], image.from);
        smear_along(s, &image, axis - 1, by);
    }
}

static void smear(const field_grid *grid, const field_line *line, deposit_fn *deposit,
                  const void *what, const field_body *body)
{
    const field_smear s = {grid, deposit, what, body};
    double by[3] = {0};

    smear_along(&s, line, 2, by);
}

/* ---- bodies ---- */

static const int first_axis[6] = {0, 1, 2, 0, 1, 0}, second_axis[6] = {0, 1, 2, 1, 2, 2};

static void deposit_body(scree_field *field, double share, const void *what)
{
    const field_body *body = what;
    const double *v = body->velocity;

    field->number += share;
    field->solid += share * body->volume;
    field->mass += share * body->mass;
    for (int k = 0; k < 3; k++)
        field->momentum[k] += share * body->mass * v[k];
    for (int k = 0; k < 6; k++)
        field->flow[k] += share * body->mass * v[first_axis[k]] * v[second_axis[k]];
}

static field_line line_of(const field_grid *grid, const double place[3])
{
    field_line line = {{0}, {0}};

    for (int k = 0; k < grid->dimensions; k++)
        line.from[k] = place[k];
    return line;
}

double scree_fields_volume_of(const scree_shape_table *meshes, const scree_shape *shape,
                              int dimensions)
{
    const void *geometry = scree_shape_geometry(shape);
    scree_mass ball = {0};

    if (geometry)
        return scree_shape_table_find(meshes, geometry)->solid.volume;
    /* bodies were checked when they were added, so this cannot fail */
    scree_shape_mass(shape, 1, dimensions, &ball, NULL);
    return ball.volume;
}

/*  By handles, so that the order in memory makes no difference. */
static void add_bodies(const scree_body_arrays *bodies, const scree_shape_table *meshes,
                       const field_grid *grid)
{
    for (uint32_t n = 0; n < bodies->name_count; n++) {
        uint32_t slot = bodies->names[n].slot;
        if (!bodies->names[n].taken || bodies->flags[slot][0] & SCREE_GHOST)
            continue;
        field_body body = {
            .mass = bodies->inertia[slot][3],
            .volume = scree_fields_volume_of(meshes, bodies->shape[slot], grid->dimensions)};
        for (int k = 0; k < grid->dimensions; k++)
            body.velocity[k] = bodies->velocity[slot][k];
        field_line line = line_of(grid, bodies->position[slot]);
        smear(grid, &line, deposit_body, &body, &body);
    }
}

/* ---- contacts ---- */

typedef struct field_contact
{
    double force[3], along[3], normal[3];
} field_contact;

static void deposit_force(scree_field *field, double share, const void *what)
{
    const field_contact *contact = what;

    for (int k = 0; k < 9; k++)
        field->contact[k] += share * contact->force[k / 3] * contact->along[k % 3];
}

static void deposit_end(scree_field *field, double share, const void *what)
{
    const double *n = ((const field_contact *)what)->normal;

    field->contact_ends += share;
    for (int k = 0; k < 6; k++)
        field->fabric[k] += share * n[first_axis[k]] * n[second_axis[k]];
}

void scree_fields_way_to_body(const scree_domain *domain, int dimensions, const double point[3],
                              const double place[3], double way[3])
{
    for (int k = 0; k < 3; k++)
        way[k] = k < dimensions ? place[k] - point[k] : 0;
    for (int k = dimensions - 1; k >= 0; k--)
        if (domain->period[k] > 0)
            scree_domain_take(domain, k, floor(way[k] / domain->period[k] + 0.5), way);
}

/*  One body's part of a contact: `sign` times the force, on the line from the contact point to the nearest image of
    the body. */
static void add_end(const scree_body_arrays *bodies, const field_grid *grid,
                    const scree_contact *contact, scree_body_id id, double sign)
{
    size_t slot = scree_bodies_slot(bodies, id);
    const double *place = bodies->position[slot];
    field_line line = line_of(grid, contact->point), body = line_of(grid, place);
    field_contact what = {{0}, {0}, {0}};

    if (bodies->flags[slot][0] & SCREE_GHOST)
        return;
    scree_fields_way_to_body(&grid->domain, grid->dimensions, contact->point, place, line.along);
    for (int k = 0; k < grid->dimensions; k++) {
        what.along[k] = line.along[k];
        what.force[k] = sign * contact->force[k];
        what.normal[k] = contact->normal[k];
    }
    smear(grid, &line, deposit_force, &what, NULL);
    smear(grid, &body, deposit_end, &what, NULL);
}

scree_status scree_world_add_fields(scree_world *world, const scree_fields_def *def, double weight,
                                    scree_field *fields, size_t count)
{
    const scree_contact *contacts;
    scree_status status;
    size_t many;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!def || !fields)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "fields: def or fields is NULL");
    const int dimensions = world->def.dimensions;
    scree_fields_def own = scree_default_fields_def();
    if (!scree_definition_read(&own, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "fields: not made by scree_default_fields_def of this version");
    def = &own;
    status = scree_fields_check(def, &world->cell.now, dimensions, weight, true, &world->error);
    if (!status)
        status = scree_fields_check_count(def, dimensions, count, &world->error);
    if (!status)
        status = scree_world_contacts(world, NULL, &contacts, &many);
    if (status)
        return status;
    field_grid grid = grid_of(&world->cell, dimensions, def, weight, fields);
    add_bodies(&world->bodies, &world->shape_finder.meshes, &grid);
    for (size_t c = 0; c < many; c++) {
        add_end(&world->bodies, &grid, &contacts[c], contacts[c].first, 1);
        if (contacts[c].second.index1)
            add_end(&world->bodies, &grid, &contacts[c], contacts[c].second, -1);
    }
    return SCREE_OK;
}

/* ---- results ---- */

/*  Of the symmetric part of both stresses. */
static double shear_of(const scree_field_values *v, int dimensions)
{
    double sum = 0;

    for (int k = 0; k < 6; k++) {
        int i = first_axis[k], j = second_axis[k];
        double stress = v->kinetic_stress[k] +
                        (v->contact_stress[3 * i + j] + v->contact_stress[3 * j + i]) / 2;
        if (i == j && i < dimensions)
            stress -= v->pressure;
        sum += (i == j ? 0.5 : 1) * stress * stress;
    }
    return sqrt(sum);
}

scree_field_values scree_field_read(const scree_field *field, int dimensions)
{
    scree_field_values v = {0};

    if (!field || dimensions < 2 || dimensions > 3)
        return v;
    v.density = field->mass;
    v.solid_fraction = field->solid;
    for (int k = 0; k < 3 && field->mass > 0; k++)
        v.velocity[k] = field->momentum[k] / field->mass;
    for (int k = 0; k < 6; k++)
        v.kinetic_stress[k] =
            field->flow[k] - field->momentum[first_axis[k]] * v.velocity[second_axis[k]];
    memcpy(v.contact_stress, field->contact, sizeof v.contact_stress);
    for (int k = 0; k < dimensions; k++) {
        v.temperature += v.kinetic_stress[k] / dimensions;
        v.pressure += (v.kinetic_stress[k] + v.contact_stress[4 * k]) / dimensions;
    }
    v.temperature = field->mass > 0 ? fmax(0, v.temperature / field->mass) : 0;
    v.shear_stress = shear_of(&v, dimensions);
    v.coordination = field->number > 0 ? field->contact_ends / field->number : 0;
    for (int k = 0; k < 6 && field->contact_ends > 0; k++)
        v.fabric[k] = field->fabric[k] / field->contact_ends;
    return v;
}
