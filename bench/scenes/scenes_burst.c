/*  The scene on which the cell space was tuned (PFC manual, specification of the cell space, CS-H1):
    equal balls put into a cube one by one where they touch no other, then blown up by half, so that
    they overlap and would fly apart, in a domain with room for many more. A coarse grid of lists tells
    whether a place is free. */
#include "scenes/scenes_internal.h"

#include "base/portable_math.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/*  Radius before it is multiplied by 1.5. */
#define SMALL (2.0 / 3.0)

/*  Of the cube, before: 9 tries a ball are needed, as 100,000 for 11,000 in the source. */
#define FRACTION 0.30

/*  Extents of the final balls that the domain has room for: 120,000 for 11,000 balls. An extent is
    2.5 radii wide, a ball with a margin of a quarter of its radius. */
#define EXTENTS_PER_BALL (120.0 / 11.0)
#define EXTENT 2.5

/*  A ball that finds no place by then overlaps; not seen at this fraction. */
#define MAX_TRIES 10000

#define NONE UINT32_MAX

typedef struct free_space
{
    scree_scene *scene;
    double lower, side; /* of the cube of centres */
    uint32_t cells;     /* along an axis */
    uint32_t *first;    /* of a cell */
    uint32_t *next;     /* of a ball */
} free_space;

static uint32_t cell_along(const free_space *space, double x)
{
    double cell = (x - space->lower) / space->side * space->cells;
    return cell < 0 ? 0 : cell >= space->cells ? space->cells - 1 : (uint32_t)cell;
}

static size_t cell_at(const free_space *space, const uint32_t cell[3])
{
    return cell[0] + (size_t)space->cells * (cell[1] + (size_t)space->cells * cell[2]);
}

static bool touches_one_of(const free_space *space, size_t cell, const double x[3])
{
    const scree_scene *scene = space->scene;
    for (uint32_t j = space->first[cell]; j != NONE; j = space->next[j]) {
        double sum = 0;
        for (int k = 0; k < 3; k++) {
            double d = scene->centre[k][j] - x[k];
            sum += d * d;
        }
        if (sum < 4 * SMALL * SMALL)
            return true;
    }
    return false;
}

static bool is_free(const free_space *space, const uint32_t at[3], const double x[3])
{
    uint32_t low[3], high[3], c[3];
    for (int k = 0; k < 3; k++) {
        low[k] = at[k] > 0 ? at[k] - 1 : 0;
        high[k] = at[k] + 1 < space->cells ? at[k] + 1 : at[k];
    }
    for (c[2] = low[2]; c[2] <= high[2]; c[2]++)
        for (c[1] = low[1]; c[1] <= high[1]; c[1]++)
            for (c[0] = low[0]; c[0] <= high[0]; c[0]++)
                if (touches_one_of(space, cell_at(space, c), x))
                    return false;
    return true;
}

static void place_ball(free_space *space, uint32_t i, scree_random *random)
{
    double x[3];
    uint32_t cell[3];
    for (int attempt = 0; attempt < MAX_TRIES; attempt++) {
        for (int k = 0; k < 3; k++) {
            x[k] = scree_random_range(random, space->lower, space->lower + space->side);
            cell[k] = cell_along(space, x[k]);
        }
        if (is_free(space, cell, x))
            break;
    }
    for (int k = 0; k < 3; k++)
        space->scene->centre[k][i] = x[k];
    space->next[i] = space->first[cell_at(space, cell)];
    space->first[cell_at(space, cell)] = i;
}

scree_status scree_make_burst(scree_scene *scene, const scree_scene_numbers *numbers,
                              scree_random *random)
{
    double n = (double)scene->count, edge = EXTENT;
    double domain = scree_pow(fmax(1, n) * EXTENTS_PER_BALL * edge * edge * edge, 1.0 / 3);
    free_space space = {.scene = scene};
    (void)numbers;
    space.side = scree_pow(fmax(1, n) * 4 / 3 * PI * SMALL * SMALL * SMALL / FRACTION, 1.0 / 3);
    space.lower = (domain - space.side) / 2;
    /* cells as long as two balls reach */
    space.cells = (uint32_t)fmax(1, floor(space.side / (2 * SMALL)));
    size_t cells = (size_t)space.cells * space.cells * space.cells;
    for (int k = 0; k < 3; k++)
        scene->upper[k] = domain;
    scree_status status =
        scree_memory_take(&scene->memory, cells, sizeof *space.first, &space.first);
    if (status == SCREE_OK)
        status = scree_memory_take(&scene->memory, scene->count, sizeof *space.next, &space.next);
    if (status == SCREE_OK) {
        memset(space.first, 0xff, cells * sizeof *space.first);
        for (uint32_t i = 0; i < scene->count; i++) {
            place_ball(&space, i, random);
            scene->radius[i] = 1;
        }
    }
    scree_memory_give(&scene->memory, &space.first, cells, sizeof *space.first);
    scree_memory_give(&scene->memory, &space.next, scene->count, sizeof *space.next);
    return status;
}
