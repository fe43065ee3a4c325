/*  Checks values that do not affect memory safety but could not come from a world: a body without a size, a wall at a
    position that is not finite, two bodies with one id. A correct checksum does not exclude these. */
#include "io/checkpoint_format.h"
#include "world/motion/sleep.h"
#include "world/save/pack_joints.h"
#include "world/save/pack_walls.h"

#include "base/error.h"
#include "world/api/set_wall_belt.h"
#include "world/api/set_wear.h"
#include "world/boundaries/free_wall.h"
#include "world/boundaries/wall_servo.h"

#include <inttypes.h>
#include <math.h>

/*  Tolerance for rotation matrices, far above their rounding. */
#define UNIT_TOLERANCE 1e-6

static scree_status refuse(scree_error *error, const char *section, uint64_t row, const char *what)
{
    return scree_fail(error, SCREE_BAD_FILE, "section \"state.%s\", row %" PRIu64 ": %s", section,
                      row, what);
}

static bool are_finite(const double *numbers, size_t count)
{
    /* the sum of products with 0 is 0, unless a value is not finite */
    double zero = 0;

    for (size_t k = 0; k < count; k++)
        zero += numbers[k] * 0;
    return zero == 0;
}

static bool are_places(const double *numbers, int count)
{
    for (int k = 0; k < count; k++)
        if (!(fabs(numbers[k]) <= SCREE_MAX_COORDINATE))
            return false;
    return true;
}

static bool is_unit(const double *v, int count)
{
    double sum = 0;

    for (int k = 0; k < count; k++)
        sum += v[k] * v[k];
    return fabs(sum - 1) <= UNIT_TOLERANCE;
}

/* ---- bodies ---- */

static scree_status check_numbers(const scree_snapshot *snapshot, scree_error *error)
{
    static const struct
    {
        const char *name;
        size_t count;
    } columns[] = {{"body.position", 4}, {"body.velocity", 4},    {"body.spin", 4},
                   {"body.force", 4},    {"body.torque", 4},      {"body.inertia", 4},
                   {"body.load", 6},     {"body.orientation", 4}, {"body.account", 8}};
    uint64_t bodies = scree_snapshot_head_of(snapshot)->bodies;

    for (size_t k = 0; k < SCREE_COUNT_OF(columns); k++) {
        const double *row = scree_snapshot_rows(snapshot, columns[k].name);
        for (uint64_t body = 0; body < bodies; body++, row += columns[k].count)
            if (!are_finite(row, columns[k].count))
                return refuse(error, columns[k].name, body, "a number that is not finite");
    }
    return SCREE_OK;
}

/*  The limits are those for bodies that a host adds. */
static const char *wrong_with_mass(const double inertia[4], double inv_mass)
{
    if (!(inertia[3] >= 1e-100 && inertia[3] <= SCREE_MAX_COORDINATE))
        return "an impossible mass";
    for (int k = 0; k < 3; k++)
        if (!(inertia[k] >= 1e-200 && inertia[k] <= 1e200))
            return "an impossible moment of inertia";
    return inv_mass * inertia[3] > 0.999 && inv_mass * inertia[3] < 1.001
               ? NULL
               : "1 / mass does not match the mass";
}

static const char *wrong_in_plane(const double position[4], const double velocity[4],
                                  const double spin[4])
{
    return position[2] != 0 || velocity[2] != 0 || spin[0] != 0 || spin[1] != 0
               ? "it is outside of the plane of two dimensions"
               : NULL;
}

/*  Meshes and clumps are known to exist. */
static bool shape_is_sound(const scree_world *world, const scree_snapshot *snapshot,
                           const scree_packed_scree_shape *shape, double radius)
{
    uint32_t mesh = SCREE_PACKED_MESH(shape->kind);
    const uint64_t *digest = mesh ? scree_snapshot_rows(snapshot, "solid.mesh") : NULL;
    bool has_no_radius = SCREE_PACKED_KIND(shape->kind) == SCREE_SHAPE_CLUMP ||
                         SCREE_PACKED_KIND(shape->kind) == SCREE_SHAPE_SUPERQUADRIC;

    if (has_no_radius ? shape->radius != 0 : !(shape->radius > 0))
        return false;
    if (!mesh)
        return shape->kind == SCREE_SHAPE_SPHERE && shape->radius == radius;
    return radius ==
           scree_shape_table_find_digest(&world->shape_finder.meshes, digest[mesh - 1])->reach +
               shape->radius;
}

static bool is_still(const double rate[4])
{
    return rate[0] == 0 && rate[1] == 0 && rate[2] == 0;
}

static scree_status check_bodies(const scree_world *world, const scree_snapshot *snapshot,
                                 scree_error *error)
{
    const double(*position)[4] = (const double(*)[4])scree_snapshot_rows(snapshot, "body.position");
    const double(*velocity)[4] = (const double(*)[4])scree_snapshot_rows(snapshot, "body.velocity");
    const double(*spin)[4] = (const double(*)[4])scree_snapshot_rows(snapshot, "body.spin");
    const double(*orientation)[4] =
        (const double(*)[4])scree_snapshot_rows(snapshot, "body.orientation");
    const double(*inertia)[4] = (const double(*)[4])scree_snapshot_rows(snapshot, "body.inertia");
    const scree_packed_scree_shape *shape = scree_snapshot_rows(snapshot, "body.shape");
    const uint32_t *flags = scree_snapshot_rows(snapshot, "body.flags");
    const uint8_t *marked = scree_snapshot_rows(snapshot, "body.marked");
    uint64_t bodies = scree_snapshot_head_of(snapshot)->bodies;

    for (uint64_t row = 0; row < bodies; row++) {
        const char *wrong = wrong_with_mass(inertia[row], velocity[row][3]);
        if (wrong)
            return refuse(error, "body.inertia", row, wrong);
        if (!shape_is_sound(world, snapshot, &shape[row], position[row][3]))
            return refuse(error, "body.shape", row, "an impossible shape");
        if (!are_places(position[row], 4))
            return refuse(error, "body.position", row, "an impossible position");
        if (!is_unit(orientation[row], 4))
            return refuse(error, "body.orientation", row, "it is not a rotation");
        if (!scree_body_flags_are_sound(flags[row]) || marked[row])
            return refuse(error, "body.flags", row, "an unknown flag");
        if (flags[row] & SCREE_FLAG_STATIC && !(is_still(velocity[row]) && is_still(spin[row])))
            return refuse(error, "body.velocity", row, "a static body that moves");
        wrong = world->def.dimensions == 2 ? wrong_in_plane(position[row], velocity[row], spin[row])
                                           : NULL;
        if (wrong)
            return refuse(error, "body.position", row, wrong);
    }
    return SCREE_OK;
}

/*  There are as many ids in use as bodies, which scree_snapshot_check has counted. So all are different if no two
    bodies have the same. */
static scree_status check_names(const scree_snapshot *snapshot, scree_memory *memory,
                                scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_packed_name *names = scree_snapshot_rows(snapshot, "names");
    const scree_body_id *id = scree_snapshot_rows(snapshot, "body.id");
    scree_status status = SCREE_OK;
    uint8_t *seen;

    for (uint64_t k = 0; k < head->names; k++)
        if (names[k].taken > 1 || (names[k].taken && names[k].next))
            return refuse(error, "names", k, "an id that is both in use and free");
    if (scree_memory_take(memory, (size_t)head->names, 1, &seen))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    if (!seen)
        return SCREE_OK; /* no ids: no bodies */
    memset(seen, 0, (size_t)head->names);
    for (uint64_t row = 0; row < head->bodies && !status; row++)
        if (seen[id[row].index1 - 1]++)
            status = refuse(error, "body.id", row, "another body has the same id");
    scree_memory_give(memory, &seen, (size_t)head->names, 1);
    return status;
}

static scree_status check_tally(const scree_snapshot *snapshot, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_snapshot_tally *tally = scree_snapshot_rows(snapshot, "tally");

    if (tally->retired > head->names || tally->removed > tally->added ||
        tally->added - tally->removed != head->bodies || tally->destroyed > tally->removed ||
        tally->next_serial == 0)
        return refuse(error, "tally", 0,
                      "the numbers of bodies added and removed do not match the bodies");
    return SCREE_OK;
}

/* ---- contacts ---- */

/*  A pair without an interaction has no contact. */
static scree_status check_laws(const scree_world *world, const scree_snapshot *snapshot,
                               const char *section, scree_error *error)
{
    uint64_t count;
    const scree_packed_law *law = scree_snapshot_find(snapshot, section, &count);

    for (uint64_t row = 0; row < count; row++)
        if (law[row].none || law[row].material[0] == 0 ||
            scree_rules_named(&world->rules, law[row].rule, law[row].material[0],
                              law[row].material[1]) == 0)
            return refuse(error, section, row, "a contact without a law");
    return SCREE_OK;
}

/* ---- walls, time ---- */

static bool is_pose(const scree_packed_wall *wall)
{
    bool is_plane = wall->kind == SCREE_WALL_PLANE;

    return are_places(wall->point, 3) && are_places(wall->now.position, 3) &&
           are_places(wall->now.velocity, 3) && are_places(wall->now.spin, 3) &&
           is_unit(wall->orientation, 4) && is_unit(wall->now.orientation, 4) &&
           (is_plane ? is_unit(wall->normal, 3) && is_unit(wall->now.normal, 3)
                     : are_places(wall->normal, 3) && are_places(wall->now.normal, 3)) &&
           are_places(&wall->start_time, 1);
}

static bool wall_is_sound(const void *row, const scree_world *world, const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return is_pose(row);
}

static bool servo_is_sound(const void *row, const scree_world *world,
                           const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return scree_servo_is_sound(row);
}

static bool free_wall_is_sound(const void *row, const scree_world *world,
                               const scree_snapshot *snapshot)
{
    (void)snapshot;
    return scree_free_wall_is_sound(row, world->def.dimensions);
}

static bool belt_is_sound(const void *row, const scree_world *world, const scree_snapshot *snapshot)
{
    (void)snapshot;
    return scree_belt_is_sound(row, world->def.dimensions);
}

static bool wear_is_sound(const void *row, const scree_world *world, const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return scree_wear_model_is_sound(row);
}

static bool heat_material_is_sound(const void *row, const scree_world *world,
                                   const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return scree_heat_material_is_sound(row);
}

static bool heat_body_is_sound(const void *row, const scree_world *world,
                               const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return scree_heat_row_is_sound(row);
}

static bool heat_wall_is_sound(const void *row, const scree_world *world,
                               const scree_snapshot *snapshot)
{
    const scree_packed_wall_heat *packed = row;
    scree_wall_heat heat;

    (void)world;
    (void)snapshot;
    scree_wall_heat_unpack(packed, &heat);
    return packed->is_given <= 1 && scree_heat_wall_is_sound(&heat);
}

static bool sleep_is_sound(const void *row, const scree_world *world,
                           const scree_snapshot *snapshot)
{
    (void)world;
    return scree_sleep_row_is_sound(scree_snapshot_rows(snapshot, "rest"), row);
}

static bool ambient_work_is_sound(const void *row, const scree_world *world,
                                  const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return are_finite(row, sizeof(scree_ambient_work) / sizeof(double));
}

static bool ambient_body_is_sound(const void *row, const scree_world *world,
                                  const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return are_finite(row, SCREE_AMBIENTS);
}

static bool joint_course_is_sound(const void *row, const scree_world *world,
                                  const scree_snapshot *snapshot)
{
    (void)world;
    (void)snapshot;
    return scree_joint_course_is_sound(row);
}

static bool joint_is_sound(const void *row, const scree_world *world,
                           const scree_snapshot *snapshot)
{
    (void)snapshot;
    return scree_packed_joint_is_sound(row, world->def.dimensions);
}

/*  Sections that are checked row by row, if the snapshot has them. */
static scree_status check_rows(const scree_world *world, const scree_snapshot *snapshot,
                               scree_error *error)
{
    static const struct
    {
        const char *name;
        size_t row_bytes;
        bool (*is_sound)(const void *row, const scree_world *world, const scree_snapshot *snapshot);
        const char *wrong;
    } sections[] = {
        {"wall", sizeof(scree_packed_wall), wall_is_sound, "an impossible position of a wall"},
        {"wall.servo", sizeof(scree_packed_servo), servo_is_sound,
         "a servo with impossible values"},
        {"wall.loose", sizeof(scree_packed_free_wall), free_wall_is_sound,
         "an impossible free wall"},
        {"wall.belt", sizeof(scree_belt), belt_is_sound, "an impossible belt"},
        {"wall.wear", sizeof(scree_wear_model), wear_is_sound, "impossible numbers of wear"},
        {"heat.material", sizeof(scree_heat_material), heat_material_is_sound,
         "impossible numbers"},
        {"heat.body", sizeof(double[SCREE_HEATS]), heat_body_is_sound,
         "an impossible temperature or heat"},
        {"heat.wall", sizeof(scree_packed_wall_heat), heat_wall_is_sound,
         "an impossible temperature or heat"},
        {"rest.body", sizeof(double[SCREE_SLEEP_VALUES]), sleep_is_sound,
         "an impossible sleep state"},
        {"ambient.work", sizeof(scree_ambient_work), ambient_work_is_sound,
         "an impossible work of a fluid or force field"},
        {"ambient.body", sizeof(double[SCREE_AMBIENTS]), ambient_body_is_sound,
         "an impossible force or work of a fluid or force field"},
        {"joints", sizeof(scree_joint_course), joint_course_is_sound,
         "impossible numbers or energies of joints"},
        {"joint", sizeof(scree_packed_joint), joint_is_sound, "an impossible joint"},
    };

    for (size_t k = 0; k < SCREE_COUNT_OF(sections); k++) {
        uint64_t count;
        const char *row = scree_snapshot_find(snapshot, sections[k].name, &count);
        for (uint64_t at = 0; at < count; at++, row += sections[k].row_bytes)
            if (!sections[k].is_sound(row, world, snapshot))
                return refuse(error, sections[k].name, at, sections[k].wrong);
    }
    return SCREE_OK;
}

static scree_status check_course(const scree_snapshot *snapshot, scree_error *error)
{
    const scree_course *course = scree_snapshot_rows(snapshot, "course");
    const scree_physics *physics = scree_snapshot_rows(snapshot, "physics");

    if (!(are_places(&course->time, 1) && course->dt >= 0 && are_places(&course->dt, 1) &&
          are_finite(course->accounts, SCREE_ACCOUNTS) && are_finite(&course->entered, 1) &&
          are_finite(&course->removed, 1) && course->unprimed <= 1 && course->stable >= 0 &&
          course->longest >= 0 && are_places(&course->longest, 1)))
        return refuse(error, "course", 0, "an impossible time, step or energy");
    if (physics->energy_balance != scree_snapshot_head_of(snapshot)->has_account)
        return refuse(error, "physics", 0, "the energy balance is both on and off");
    return SCREE_OK;
}

scree_status scree_checkpoint_check_values(const scree_world *world, const scree_snapshot *snapshot,
                                           scree_memory *memory, scree_error *error)
{
    scree_status status;

    if ((status = check_course(snapshot, error)) || (status = check_tally(snapshot, error)) ||
        (status = check_numbers(snapshot, error)) ||
        (status = check_bodies(world, snapshot, error)) ||
        (status = check_laws(world, snapshot, "pair.law", error)) ||
        (status = check_laws(world, snapshot, "surface.law", error)) ||
        (status = check_laws(world, snapshot, "solid.law", error)) ||
        (status = check_rows(world, snapshot, error)))
        return status;
    return check_names(snapshot, memory, error);
}
