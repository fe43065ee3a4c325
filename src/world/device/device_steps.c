/*  Steps on a device: batches of kernels, and their results. */
#include "world/boundaries/cell_motion.h"
#include "world/boundaries/wall_motion.h"
#include "world/boundaries/wall_way.h"
#include "world/device/facet_contacts.h"
#include "world/search/wall_neighbours.h"

#include "base/vector.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define LOCAL 128u
/*  Arguments of the kernel `press` that are about facets. */
#define FACET_ARGUMENTS 6u
/*  Room for facets that a body overlaps at once: at first, and if that was not enough. Each work-item has memory for
    them. */
#define MIN_TOUCHES 16u
#define MAX_TOUCHES 128u
/*  Number of steps sent at once. */
#define MIN_BATCH 8u
#define MAX_BATCH 256u
/*  Displacement of bodies, in smallest radii, after which pairs are searched again; and the number of steps aimed at
    between searches. */
#define FIRST_ALLOWED 0.1
#define MIN_ALLOWED 0.02
#define MAX_ALLOWED 0.4
#define SOON 24u
#define LATE 400u
/*  Expected number of steps after the first search of a call. */
#define FIRST_STRETCH 64u

/*  The current call. */
typedef struct march
{
    scree_world *world;
    uint64_t wanted, done; /* number of steps */
    double time;           /* end of the last step for which walls were moved */
    bool walls_move;
    uint32_t first, many;              /* of the batch: steps first .. first + many - 1, from 1 */
    uint32_t searched_at;              /* the last search was before the forces of this step, */
    uint32_t lasted;                   /* and the one before lasted for this many steps */
    double searched_travel, travelled; /* of walls */
    double longest_of_walls;           /* in one step of the batch */
    scree_domain searched_domain;
    uint32_t failed_at; /* UINT32_MAX: none; */
    uint32_t why;       /* troubles, see step_numbers.h */
} march;

/* ---- walls ---- */

static bool some_wall_moves(const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (scree_wall_moves(&walls->wall[w]))
            return true;
    return false;
}

static void write_wall(const scree_wall_record *wall, double row[SCREE_PLANE_NUMBERS])
{
    const scree_wall_pose *pose = &wall->next;

    memset(row, 0, SCREE_PLANE_NUMBERS * sizeof *row);
    memcpy(row, pose->position, sizeof pose->position);
    memcpy(row + 4, pose->velocity, sizeof pose->velocity);
    memcpy(row + 8, pose->spin, sizeof pose->spin);
    memcpy(row + 12, pose->normal, sizeof pose->normal);
    memcpy(row + SCREE_PLANE_TURN, pose->orientation, sizeof pose->orientation);
    scree_wall_belt_motion(wall, row + SCREE_PLANE_BELT, row + SCREE_PLANE_BELT + 4);
    row[SCREE_PLANE_IS_MESH] = wall->def.kind != SCREE_WALL_PLANE;
}

/*  Upper bounds of the displacement of any point of a wall in a step, from its two poses for searches and along its
    path for crossings. */
static scree_status note_travel(march *run)
{
    scree_world *world = run->world;
    const double dt = world->def.step.dt;
    double longest = 0;
    scree_status status = SCREE_OK;

    for (size_t w = 0; w < world->walls.count && !status; w++) {
        const scree_wall_record *wall = &world->walls.wall[w];
        const double travel = scree_wall_travel(wall);
        scree_wall_way way;
        if (!(travel < INFINITY))
            return scree_fail(&world->error, SCREE_UNSUPPORTED,
                              "world: the device cannot do: planes that turn (wall %" PRIu32 ")",
                              wall->id.index1);
        longest = fmax(longest, travel);
        status =
            scree_wall_find_way(wall, run->time, dt, world->walls.dimensions, &way, &world->error);
        run->longest_of_walls = fmax(run->longest_of_walls, status ? 0 : scree_wall_max_way(&way));
    }
    run->travelled += longest * (1 + 0x1p-40);
    return status;
}

/*  Poses of walls at the end of each step of the batch. */
static scree_status send_planes(march *run)
{
    scree_world *world = run->world;
    scree_device *device = world->device;
    const size_t walls = world->walls.count, rows = walls * (run->walls_move ? run->many : 1);
    scree_status status = SCREE_OK;

    run->longest_of_walls = 0;
    if (scree_memory_reserve(&world->memory, &device->plane_rows, &device->plane_row_capacity, rows,
                             sizeof *device->plane_rows) ||
        scree_memory_reserve(&world->memory, &device->travel, &device->travel_capacity, run->many,
                             sizeof *device->travel))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: poses of walls: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    for (uint32_t k = 0; k < run->many && !status; k++) {
        run->time += world->def.step.dt;
        status = scree_walls_move(&world->walls, run->time, world->def.step.dt, &world->error);
        if (!status && run->walls_move)
            status = note_travel(run);
        device->travel[k] = run->travelled;
        for (size_t w = 0; w < walls && (run->walls_move || k == 0); w++)
            write_wall(&world->walls.wall[w], device->plane_rows[k * walls + w]);
        if (!status)
            scree_walls_accept(&world->walls);
    }
    if (status)
        return status;
    status =
        scree_gpu_reserve(device->gpu, &device->planes, rows * sizeof *device->plane_rows, "walls");
    if (!status && rows)
        status = scree_gpu_write(device->gpu, &device->planes, 0, device->plane_rows,
                                 rows * sizeof *device->plane_rows);
    return status ? scree_device_failed(world, status) : SCREE_OK;
}

/*  The cell before the batch and after each of its steps. */
static scree_status follow_cell(march *run)
{
    scree_world *world = run->world;
    scree_device *device = world->device;
    const size_t rows = (size_t)run->many + 1;
    scree_step step = {.def = &world->def, .error = &world->error, .dt = world->def.step.dt};
    scree_status status = SCREE_OK;

    if (scree_memory_reserve(&world->memory, &device->domains, &device->domain_capacity, rows,
                             sizeof *device->domains) ||
        scree_memory_reserve(&world->memory, &device->domain_rows, &device->domain_row_capacity,
                             rows, sizeof *device->domain_rows))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: the cell: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    for (size_t k = 0; k < rows; k++) {
        const scree_domain *domain = &world->cell.now;
        double *row = device->domain_rows[k];
        device->domains[k] = *domain;
        memcpy(row, domain->lower, sizeof domain->lower);
        memcpy(row + 3, domain->upper, sizeof domain->upper);
        memcpy(row + 6, domain->period, sizeof domain->period);
        memcpy(row + 9, domain->tilt, sizeof domain->tilt);
        if (k + 1 < rows && !status)
            status = scree_strain_advance(&step, &world->cell);
        world->cell.now = world->cell.next;
    }
    if (status)
        return status;
    status = scree_gpu_reserve(device->gpu, &device->domain, rows * sizeof *device->domain_rows,
                               "the cell");
    if (!status)
        status = scree_gpu_write(device->gpu, &device->domain, 0, device->domain_rows,
                                 rows * sizeof *device->domain_rows);
    return status ? scree_device_failed(world, status) : SCREE_OK;
}

/*  Index of the domain at the end of a step of the batch, or of the step before it. */
static uint32_t domain_at(const march *run, uint32_t step)
{
    return step - run->first + 1;
}

/*  Displacement of images since the last search, see search/neighbours.c; half of it counts for each body. */
static double image_travel(const march *run, uint32_t step)
{
    const scree_strain between = {.next = run->world->device->domains[domain_at(run, step)],
                                  .shown = run->searched_domain};
    double drift[3];

    scree_strain_drift(&between, drift);
    return (drift[0] + 0.5 * drift[1] + 0.5 * drift[2]) * (1 + 0x1p-40);
}

static uint32_t planes_at(const march *run, uint32_t step)
{
    return run->walls_move ? (step - run->first) * (uint32_t)run->world->walls.count : 0;
}

/* ---- kernels ---- */

static scree_status launch_move(const march *run, uint32_t step)
{
    scree_device *device = run->world->device;
    const uint32_t is_finished = step == 1;
    const double travel =
        fmax(device->travel[step - run->first] - run->searched_travel, image_travel(run, step));
    const uint32_t domain = domain_at(run, step - 1);
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(device->numbers),
                                            SCREE_GPU_VALUE(step),
                                            SCREE_GPU_VALUE(is_finished),
                                            SCREE_GPU_VALUE(travel),
                                            SCREE_GPU_BUFFER(device->domain),
                                            SCREE_GPU_VALUE(domain),
                                            SCREE_GPU_BUFFER(device->told),
                                            SCREE_GPU_BUFFER(device->position),
                                            SCREE_GPU_BUFFER(device->velocity),
                                            SCREE_GPU_BUFFER(device->spin),
                                            SCREE_GPU_BUFFER(device->orientation),
                                            SCREE_GPU_BUFFER(device->force[(step - 1) % 2]),
                                            SCREE_GPU_BUFFER(device->force[step % 2]),
                                            SCREE_GPU_BUFFER(device->left)};

    return scree_gpu_launch(device->gpu, &device->kernel[KERNEL_MOVE], device->numbers.count, LOCAL,
                            arguments, SCREE_COUNT_OF(arguments));
}

static scree_status launch_press(const march *run, uint32_t step)
{
    scree_device *device = run->world->device;
    const device_facets *facets = &device->facets;
    const uint32_t at = planes_at(run, step), domain = domain_at(run, step);
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(device->numbers),
                                            SCREE_GPU_VALUE(step),
                                            SCREE_GPU_BUFFER(device->told),
                                            SCREE_GPU_BUFFER(device->position),
                                            SCREE_GPU_BUFFER(device->velocity),
                                            SCREE_GPU_BUFFER(device->spin),
                                            SCREE_GPU_BUFFER(device->mass),
                                            SCREE_GPU_BUFFER(device->inertia),
                                            SCREE_GPU_BUFFER(device->material),
                                            SCREE_GPU_BUFFER(device->rows.base),
                                            SCREE_GPU_BUFFER(device->rows.entries),
                                            SCREE_GPU_BUFFER(device->rows.memory),
                                            SCREE_GPU_BUFFER(device->laws),
                                            SCREE_GPU_BUFFER(device->pair_slot),
                                            SCREE_GPU_BUFFER(device->wall_slot),
                                            SCREE_GPU_BUFFER(device->planes),
                                            SCREE_GPU_VALUE(at),
                                            SCREE_GPU_BUFFER(device->domain),
                                            SCREE_GPU_VALUE(domain),
                                            SCREE_GPU_BUFFER(device->force[step % 2]),
                                            SCREE_GPU_BUFFER(facets->start),
                                            SCREE_GPU_BUFFER(facets->near_at),
                                            SCREE_GPU_BUFFER(facets->many[step % 2]),
                                            SCREE_GPU_BUFFER(facets->contacts[step % 2]),
                                            SCREE_GPU_BUFFER(facets->history[step % 2]),
                                            SCREE_GPU_BUFFER(facets->history[(step - 1) % 2])};
    /* the last are there only if walls have facets */
    const uint32_t count = SCREE_COUNT_OF(arguments) - (device->touch_room ? 0 : FACET_ARGUMENTS);

    return scree_gpu_launch(device->gpu, &device->kernel[KERNEL_PRESS], device->numbers.count,
                            LOCAL, arguments, count);
}

/*  Finishes the last step. */
static scree_status launch_finish(const march *run)
{
    scree_device *device = run->world->device;
    const uint32_t now = (uint32_t)(run->done % 2);
    const uint32_t domain = domain_at(run, (uint32_t)run->done);
    const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(device->numbers),
                                            SCREE_GPU_BUFFER(device->domain),
                                            SCREE_GPU_VALUE(domain),
                                            SCREE_GPU_BUFFER(device->position),
                                            SCREE_GPU_BUFFER(device->velocity),
                                            SCREE_GPU_BUFFER(device->spin),
                                            SCREE_GPU_BUFFER(device->force[now]),
                                            SCREE_GPU_BUFFER(device->force[1 - now])};

    device->now = now;
    return scree_gpu_launch(device->gpu, &device->kernel[KERNEL_FINISH], device->numbers.count,
                            LOCAL, arguments, SCREE_COUNT_OF(arguments));
}

/* ---- a batch ---- */

/*  Allows a larger displacement if searches are frequent, a smaller one if bodies hardly move, which means fewer
    pairs. */
static void choose_allowed(const march *run, uint32_t step)
{
    scree_device *device = run->world->device;
    const double smallest = run->world->bodies.smallest;
    const uint32_t lasted = step - run->searched_at;
    double share = device->numbers.allowed / smallest;

    if (!(share > 0))
        share = device->last_share > 0 ? device->last_share : FIRST_ALLOWED;
    else if (lasted < SOON)
        share = fmin(share * 1.5, MAX_ALLOWED);
    else if (lasted > LATE)
        share = fmax(share / 1.5, MIN_ALLOWED);
    device->last_share = share;
    device->numbers.allowed = share * smallest;
}

/*  Whether images of a body are apart, as scree_search_check_room requires; otherwise the host refuses the step. */
static bool has_room(const march *run)
{
    const scree_device *device = run->world->device;
    const double least = 4 * device->largest + 2 * device->numbers.reach;

    for (int k = 0; k < 3; k++)
        if (run->searched_domain.period[k] > 0 && !(run->searched_domain.period[k] > least))
            return false;
    return true;
}

/*  Searches pairs before a step, or before its forces. */
static scree_status search_at(march *run, uint32_t step, bool has_moved)
{
    scree_status status;

    choose_allowed(run, step);
    run->lasted = run->first == 1 && step == 1 ? FIRST_STRETCH : step - run->searched_at;
    run->searched_at = step;
    run->searched_travel = run->world->device->travel[step - run->first];
    run->searched_domain = run->world->device->domains[domain_at(run, has_moved ? step : step - 1)];
    if (!has_room(run)) {
        run->failed_at = step;
        return SCREE_OK;
    }
    status = scree_device_find_rows(run->world, planes_at(run, step), &run->searched_domain);
    if (!status)
        status = scree_device_find_facets(run->world, planes_at(run, step), (step - 1) % 2);
    if (status == SCREE_BAD_VALUE) {
        run->failed_at = step;
        return SCREE_OK;
    }
    return status;
}

/*  Steps from `step` on that are sent before results are read: as many as will probably need no search, from how
    long the last one lasted, within the batch. */
static uint32_t end_of_stretch(const march *run, uint32_t step)
{
    const uint32_t gone = step - run->searched_at, end = run->first + run->many;
    uint32_t stretch = run->lasted > gone ? run->lasted - gone : gone / 4;

    stretch = stretch > MIN_BATCH ? stretch : MIN_BATCH;
    return end - step < stretch ? end : step + stretch;
}

/*  Launches steps from `*step` on, which becomes the one after the last. `has_moved`: bodies have been moved by the
    first step already. */
static scree_status launch_steps(const march *run, uint32_t *step, bool has_moved)
{
    const uint32_t end = end_of_stretch(run, *step);
    scree_status status = SCREE_OK;

    for (; *step < end && !status; (*step)++, has_moved = false) {
        if (!has_moved)
            status = launch_move(run, *step);
        if (!status)
            status = scree_device_touch_facets(run->world->device, *step, planes_at(run, *step));
        if (!status)
            status = launch_press(run, *step);
    }
    return status ? scree_device_failed(run->world, status) : SCREE_OK;
}

static scree_status read_told(const march *run, uint32_t told[SCREE_TOLD_WORDS])
{
    scree_device *device = run->world->device;
    scree_status status =
        scree_gpu_read(device->gpu, &device->told, 0, told, SCREE_TOLD_WORDS * sizeof *told);

    return status ? scree_device_failed(run->world, status) : SCREE_OK;
}

/*  A step in which a body moves farther is taken by the host, which examines paths. Edges of the cell grow or shrink
    monotonically, so they are longest at an end of the batch. */
static void bound_ways(march *run, double way_of_cell)
{
    const double smallest = run->world->bodies.thinnest;

    run->world->device->numbers.has_belts = scree_walls_have_belts(&run->world->walls);
    run->world->device->numbers.max_way =
        fmin((smallest - way_of_cell * (1 + 0x1p-20)) / 2, smallest - run->longest_of_walls);
}

/*  Runs a batch, with as many searches as it needs. */
static scree_status take_batch(march *run)
{
    uint32_t told[SCREE_TOLD_WORDS], step = run->first;
    bool has_moved = false;
    double cell = scree_crossing_way_of_cell(&run->world->cell, run->world->def.step.dt);
    scree_status status = send_planes(run);

    if (!status)
        status = follow_cell(run);
    cell = fmax(cell, scree_crossing_way_of_cell(&run->world->cell, run->world->def.step.dt));
    bound_ways(run, cell);
    if (!status && run->first == 1)
        status = search_at(run, 1, false);
    while (!status && run->failed_at == UINT32_MAX && step < run->first + run->many) {
        status = launch_steps(run, &step, has_moved);
        has_moved = false;
        if (!status)
            status = read_told(run, told);
        if (status)
            break;
        if (told[SCREE_TOLD_FAIL] != UINT32_MAX) {
            run->failed_at = told[SCREE_TOLD_FAIL];
            run->why = told[SCREE_TOLD_WHY];
        } else if (told[SCREE_TOLD_STOP] != UINT32_MAX) {
            step = told[SCREE_TOLD_STOP];
            has_moved = true;
            status = search_at(run, step, true);
        }
    }
    return status;
}

/* ---- a call ---- */

/*  Walls and the cell are moved on the host. */
static void keep(scree_world *world)
{
    scree_device *device = world->device;

    device->cell = world->cell;
    for (size_t w = 0; w < world->walls.count; w++)
        device->poses[w] = world->walls.wall[w].now;
}

static void bring_back(scree_world *world)
{
    const scree_device *device = world->device;

    world->cell = device->cell;
    for (size_t w = 0; w < world->walls.count; w++)
        world->walls.wall[w].now = world->walls.wall[w].next = device->poses[w];
}

/*  Takes `wanted` steps on the device, from the state of the host. Fewer if one fails; then the state on the device
    must not be used. */
static scree_status go(march *run)
{
    scree_world *world = run->world;
    uint32_t batch = MIN_BATCH;
    scree_status status = scree_device_send(world);

    while (!status && run->done < run->wanted) {
        run->first = (uint32_t)run->done + 1;
        run->many = run->wanted - run->done < batch ? (uint32_t)(run->wanted - run->done) : batch;
        status = take_batch(run);
        if (status || run->failed_at != UINT32_MAX)
            return status;
        run->done += run->many;
        batch = 2 * batch < MAX_BATCH ? 2 * batch : MAX_BATCH;
    }
    if (!status && launch_finish(run))
        status = scree_device_failed(world, SCREE_DEVICE_ERROR);
    return status;
}

static march begin(scree_world *world, uint64_t wanted)
{
    return (march){.world = world,
                   .wanted = wanted,
                   .time = world->clock.time,
                   .walls_move = some_wall_moves(&world->walls),
                   .failed_at = UINT32_MAX};
}

static void accept(march *run)
{
    scree_world *world = run->world;
    const double dt = world->def.step.dt;

    world->clock.time = run->time;
    world->clock.steps += run->done;
    world->clock.dt = dt;
    world->clock.stable = 0;
    world->clock.longest = fmax(world->clock.longest, dt);
    world->back.is_there = false;
}

/*  Whether a step that failed can be taken with kernels that have more room; then they have it. */
static bool make_room(scree_device *device, uint32_t why)
{
    if (why == SCREE_TROUBLE_RANGE && !device->sums_are_wide) {
        device->sums_are_wide = true;
        return true;
    }
    if (!(why & SCREE_TROUBLE_FACETS) || device->touch_room == MAX_TOUCHES)
        return false;
    device->wanted_room = MAX_TOUCHES;
    return true;
}

/*  Room for the contacts with facets that there are. False: a body has too many for kernels. */
static bool make_room_for_contacts(scree_world *world)
{
    const uint32_t most = 4 * scree_host_max_facets(world);
    uint32_t *room = &world->device->wanted_room;

    *room = most > MIN_TOUCHES || *room == MAX_TOUCHES ? MAX_TOUCHES : MIN_TOUCHES;
    return most <= MAX_TOUCHES;
}

/*  Takes as many of `wanted` steps as the device can; sets `taken`. */
static scree_status take_on_device(scree_world *world, uint64_t wanted, uint64_t *taken)
{
    scree_device *device = world->device;
    march run = begin(world, wanted);
    scree_status status;

    *taken = 0;
    if (!make_room_for_contacts(world))
        return SCREE_OK;
    status = scree_device_build(world);
    if (!status && scree_memory_reserve(&world->memory, &device->poses, &device->pose_capacity,
                                        world->walls.count, sizeof *device->poses))
        status = scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: poses of walls: %s",
                            scree_status_name(SCREE_OUT_OF_MEMORY));
    if (status)
        return status;
    keep(world);
    status = go(&run);
    while (!status && run.failed_at != UINT32_MAX && make_room(device, run.why)) {
        bring_back(world);
        run = begin(world, wanted);
        status = scree_device_build(world);
        if (!status)
            status = go(&run);
    }
    if (!status && run.failed_at != UINT32_MAX) {
        /* repeats the steps up to the failed one: they depend only on the state */
        bring_back(world);
        run = begin(world, run.failed_at - 1);
        if (run.wanted == 0)
            return SCREE_OK;
        status = go(&run);
    }
    if (!status)
        status = scree_device_fetch(world);
    if (status) {
        bring_back(world);
        return status;
    }
    accept(&run);
    *taken = run.done;
    return SCREE_OK;
}

static scree_status refuse(scree_world *world)
{
    char reasons[512];

    if (world->device->is_lost)
        return scree_fail(&world->error, SCREE_DEVICE_ERROR,
                          "world: its device has failed; to continue, call "
                          "scree_world_set_device with \"cpu\"");
    if (scree_device_list_refusals(world, reasons, sizeof reasons))
        return scree_fail(&world->error, SCREE_UNSUPPORTED, "world: the device cannot do: %s",
                          reasons);
    return SCREE_OK;
}

/*  Takes a step on the host that needs more than the device can do, or that must be refused. */
static scree_status take_on_host(scree_world *world, const scree_local_way *local, bool is_last)
{
    scree_status status;

    world->host_may_read = is_last;
    world->wants_index = true;
    world->back.is_there = false;
    status = scree_world_take_step(world, local);
    world->device->host_steps += !status;
    return status;
}

scree_status scree_device_take_steps(scree_world *world, const scree_local_way *local,
                                     uint64_t count)
{
    scree_status status = refuse(world);

    while (!status && count > 0) {
        const scree_course before = world->clock;
        uint64_t taken = 0, wanted = count < UINT32_MAX / 2 ? count : UINT32_MAX / 2;
        world->host_may_read = false;
        status = scree_world_make_ready(world, local);
        if (!status && world->bodies.count)
            status = take_on_device(world, wanted, &taken);
        count -= taken;
        if (!status && taken < wanted) {
            status = take_on_host(world, local, count == 1);
            count -= !status;
        }
        /* a refused first step leaves everything unchanged, also that forces were not known */
        if (status && taken == 0)
            world->clock = before;
    }
    return status;
}
