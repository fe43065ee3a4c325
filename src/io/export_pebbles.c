/*  All spheres of which bodies are made, in the order of global ids: a sphere is one, a clump has its pebbles, a
    mesh none. Each is a point and a vertex cell, like bodies. */
#include "base/quaternion.h"
#include "io/export_vtk.h"
#include "shape/clump.h"

const char *const scree_pebble_field_names[] = {"serial", "material", "user",        "pebble",
                                                "radius", "velocity", "temperature", NULL};

enum
{
    PEBBLE_SERIAL,
    PEBBLE_MATERIAL,
    PEBBLE_USER,
    PEBBLE_NUMBER, /* index within its body, from 0 */
    PEBBLE_RADIUS,
    PEBBLE_VELOCITY,
    PEBBLE_TEMPERATURE,
    PEBBLE_FIELDS,
    PEBBLE_POINT = PEBBLE_FIELDS,
    PEBBLE_CELL,
    PEBBLE_END,
};

typedef struct pebble_rows
{
    const scree_export_job *job;
    size_t *first; /* index of the first pebble of each body, then the total number */
} pebble_rows;

static size_t count_of(const scree_body_arrays *bodies, uint32_t slot)
{
    const scree_shape *shape = bodies->shape[slot];

    return shape->kind == SCREE_SHAPE_CLUMP ? shape->clump->pebble_count
                                            : shape->kind == SCREE_SHAPE_SPHERE;
}

/*  The last body whose first pebble is not after it; bodies without pebbles are skipped. */
static size_t body_of(const pebble_rows *rows, size_t number)
{
    size_t low = 0, high = rows->job->row_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (rows->first[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void place_pebble(const scree_body_arrays *bodies, uint32_t slot, size_t pebble,
                         double arm[3], double *radius)
{
    const scree_shape *shape = bodies->shape[slot];

    arm[0] = arm[1] = arm[2] = 0;
    *radius = bodies->position[slot][3];
    if (shape->kind != SCREE_SHAPE_CLUMP)
        return;
    scree_quaternion_turn(bodies->orientation[slot], shape->clump->local[pebble], arm);
    *radius = shape->clump->local[pebble][3];
}

static void fill_pebble(const pebble_rows *rows, int what, size_t number, scree_export_word *words)
{
    const scree_body_arrays *bodies = &rows->job->world->bodies;
    size_t row = body_of(rows, number), pebble = number - rows->first[row];
    uint32_t slot = rows->job->row[row];
    const double *v = bodies->velocity[slot], *w = bodies->spin[slot];
    double arm[3], radius;

    place_pebble(bodies, slot, pebble, arm, &radius);
    switch (what) {
    case PEBBLE_SERIAL:
        words->whole = bodies->serial[slot][0];
        break;
    case PEBBLE_MATERIAL:
        words->whole = bodies->material[slot][0];
        break;
    case PEBBLE_USER:
        words->whole = bodies->user[slot][0];
        break;
    case PEBBLE_NUMBER:
        words->whole = pebble;
        break;
    case PEBBLE_RADIUS:
        words->real = radius;
        break;
    case PEBBLE_VELOCITY:
        for (int k = 0; k < 3; k++)
            words[k].real =
                v[k] + w[(k + 1) % 3] * arm[(k + 2) % 3] - w[(k + 2) % 3] * arm[(k + 1) % 3];
        break;
    case PEBBLE_TEMPERATURE:
        words->real = bodies->heat[slot][SCREE_HEAT_TEMPERATURE];
        break;
    default:
        for (int k = 0; k < 3; k++)
            words[k].real = bodies->position[slot][k] + arm[k];
    }
}

static int width_of(int what)
{
    return what == PEBBLE_VELOCITY || what == PEBBLE_POINT ? 3 : 1;
}

static void fill_pebbles(const void *context, int what, size_t first, size_t count,
                         scree_export_word *words)
{
    for (size_t number = first; number < first + count; number++, words += width_of(what))
        if (what == PEBBLE_CELL || what == PEBBLE_END)
            words->whole = number + (what == PEBBLE_END);
        else
            fill_pebble(context, what, number, words);
}

scree_status scree_export_pebbles_vtp(scree_export_job *job)
{
    scree_memory *memory = &job->file.memory;
    pebble_rows rows = {.job = job};
    size_t n = 0;

    if (scree_memory_take(memory, job->row_count + 1, sizeof *rows.first, &rows.first))
        return scree_fail(job->error, SCREE_OUT_OF_MEMORY, "%.150s: out of memory", job->file.path);
    for (size_t i = 0; i < job->row_count; i++) {
        rows.first[i] = n;
        n += count_of(&job->world->bodies, job->row[i]);
    }
    rows.first[job->row_count] = n;
    scree_vtk vtk = {.points = n, .verts = n, .fill = fill_pebbles, .context = &rows};
    for (int f = 0; f < PEBBLE_FIELDS; f++)
        if (job->wanted[f])
            scree_vtk_add(&vtk, "PointData", scree_pebble_field_names[f],
                          f < PEBBLE_RADIUS ? SCREE_VTK_WHOLE : SCREE_VTK_REAL, width_of(f), n, f);
    scree_vtk_add(&vtk, "Points", "Points", SCREE_VTK_REAL, 3, n, PEBBLE_POINT);
    scree_vtk_add(&vtk, "Verts", "connectivity", SCREE_VTK_INTEGER, 1, n, PEBBLE_CELL);
    scree_vtk_add(&vtk, "Verts", "offsets", SCREE_VTK_INTEGER, 1, n, PEBBLE_END);
    scree_vtk_write(&vtk, &job->file, scree_world_clock(job->world).time);
    scree_memory_give(memory, &rows.first, job->row_count + 1, sizeof *rows.first);
    return job->file.status;
}
