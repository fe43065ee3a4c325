/*  Files whose checksums are right, and whose numbers are not those of any world: each is refused for what it
    is, before it can do harm. */
#include "checkpoint_worlds.h"
#include "harness/checkpoint_repair.h"

#include <math.h>

/* ---- one number changed ---- */

typedef enum number_type
{
    U64,
    U32,
    U16,
    U8,
    F64,
    TEXT, /* all bytes become 'x': a text without an end */
} number_type;

/*  In a row of a section, so many bytes from its beginning. */
typedef struct tampering
{
    int world; /* 1: flat, 2: energy balance */
    const char *section;
    uint64_t row;
    size_t at;
    number_type type;
    uint64_t whole;
    double real;
    const char *says;
} tampering;

static void set_number(unsigned char *at, const tampering *change)
{
    const size_t bytes[] = {8, 4, 2, 1};

    if (change->type == F64)
        memcpy(at, &change->real, 8);
    else if (change->type == TEXT)
        memset(at, 'x', (size_t)change->whole);
    else
        memcpy(at, &change->whole, bytes[change->type]);
}

/*  Where a section of a file lies. */
static size_t offset_of(const file_bytes *file, const char *name)
{
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section;

    CHECK_EQUAL(scree_checkpoint_read_bytes(file->data, file->count, NULL, &checkpoint, NULL),
                SCREE_OK);
    if (!scree_checkpoint_section_of(checkpoint, name, &section))
        FAIL("there is no section %s", name);
    scree_checkpoint_destroy(checkpoint);
    return (size_t)section.offset;
}

static uint64_t row_bytes_of(const file_bytes *file, const char *name)
{
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section;

    CHECK_EQUAL(scree_checkpoint_read_bytes(file->data, file->count, NULL, &checkpoint, NULL),
                SCREE_OK);
    CHECK(scree_checkpoint_section_of(checkpoint, name, &section));
    scree_checkpoint_destroy(checkpoint);
    return section.row_bytes;
}

static scree_status make_world(const file_bytes *file, scree_error *error)
{
    scree_checkpoint *checkpoint;
    scree_world *world;
    scree_status status =
        scree_checkpoint_read_bytes(file->data, file->count, NULL, &checkpoint, error);

    if (status)
        return status;
    status = scree_checkpoint_world(checkpoint, NULL, &world, error);
    CHECK((status == SCREE_OK) == (world != NULL));
    scree_world_destroy(world);
    scree_checkpoint_destroy(checkpoint);
    return status;
}

static file_bytes file_of(int number)
{
    scree_world *world = small_world(number);
    file_bytes file = bytes_of(world);

    scree_world_destroy(world);
    return file;
}

static void check_change(const tampering *change)
{
    file_bytes file = file_of(change->world);
    size_t offset = offset_of(&file, change->section);
    scree_error error = {SCREE_OK, ""};
    scree_status status;

    offset += (size_t)(change->row * row_bytes_of(&file, change->section)) + change->at;
    set_number(file.data + offset, change);
    repair_checksums(file.data, file.count);
    status = make_world(&file, &error);
    if (status != SCREE_BAD_FILE && status != SCREE_BAD_ARGUMENT)
        FAIL("%s, row %" PRIu64 ", byte %zu: %s", change->section, change->row, change->at,
             scree_status_name(status));
    if (!strstr(error.text, change->says))
        FAIL("%s, row %" PRIu64 ", byte %zu: \"%s\" does not say \"%s\"", change->section,
             change->row, change->at, error.text, change->says);
    free(file.data);
}

#define CHECK_CHANGES(changes)                                                                     \
    do {                                                                                           \
        enter_folder();                                                                            \
        for (size_t k = 0; k < sizeof(changes) / sizeof *(changes); k++)                           \
            check_change(&(changes)[k]);                                                           \
        leave_folder();                                                                            \
    } while (0)

TEST(about_says_what_the_state_says)
{
    static const tampering changes[] = {
        {2, "about", 0, 8, U64, 1, 0, "has the digest"},
        {2, "about", 0, 16, U64, 4, 0, "section \"about\""},
        {2, "about", 0, 24, F64, 0, 1, "does not match the state"},
        {2, "about", 0, 32, F64, 0, 1, "does not match the state"},
        {2, "about", 0, 40, U64, 9, 0, "does not match the state"},
        {2, "about", 0, 48, U64, 9, 0, "does not match the state"},
        {2, "about", 0, 56, U64, 9, 0, "does not match the state"},
        {2, "about", 0, 64, U64, 9, 0, "does not match the state"},
        {2, "about", 0, 72, U64, 9, 0, "does not match the state"},
        {2, "about", 0, 80, U64, 9, 0, "does not match the state"},
        {2, "about", 0, 96, F64, 0, 1, "another mass, other radii or other energies"},
        {2, "about", 0, 104, F64, 0, 1, "another mass, other radii or other energies"},
        {2, "about", 0, 112, F64, 0, 1, "another mass, other radii or other energies"},
        {2, "about", 0, 120, F64, 0, 1, "another mass, other radii or other energies"},
        {2, "about", 0, 216, F64, 0, 1, "another mass, other radii or other energies"},
        {2, "about", 0, 88, U64, 1, 0, "names of walls: a free one leads nowhere"},
        {2, "about", 0, 88, U64, 99, 0, "names of walls: a free one leads nowhere"},
    };

    CHECK_CHANGES(changes);
}

TEST(definitions_are_checked)
{
    static const tampering changes[] = {
        {2, "materials", 0, 0, TEXT, 32, 0, "material 1: the name is not terminated"},
        {2, "materials", 0, 32, F64, 0, -1, "density is -1"},
        {2, "materials", 0, 32, F64, 0, 2000, "the world's materials or rules are not those of it"},
        {2, "rules", 0, 16, U32, 7, 0, "must be a scree_contact_type"},
        {2, "rules", 0, 20, U32, 2, 0, "rule 1: its row makes no sense"},
        {2, "rules", 0, 20, U32, 0, 0, "values are given, but no law"},
        {2, "rules", 0, 24, U32, 2, 0, "rule 1: its row makes no sense"},
        {2, "rules", 0, 24, U32, 1, 0, "rule 1 has a law of the host's own, \"hertz\""},
        {2, "rules", 0, 28, U32, 2, 0, "rule 1: its row makes no sense"},
        {2, "rules", 0, 32, U32, 2, 0, "rule 1: its row makes no sense"},
        {2, "rules", 0, 36, U32, 2, 0, "rule 1: its row makes no sense"},
        {2, "rules", 0, 36, U32, 0, 0, "1 values belong to no rule"},
        {2, "rules", 0, 0, U64, 0, 0, "groups is 0"},
        {2, "rules", 0, 48, TEXT, 40, 0, "rule 1: its row makes no sense"},
        {2, "rules", 0, 48, U8, 'x', 0, "there is no law \"xertz\""},
        {2, "rule.values", 0, 0, U8, 'x', 0, "has no parameter \"xestitution\""},
        {2, "rule.values", 0, 0, TEXT, 40, 0, "has no parameter \"\""},
        {2, "rule.values", 0, 40, F64, 0, NAN, "restitution is not a number"},
        {2, "rule.values", 0, 40, F64, 0, 2, "restitution"},
        {1, "meshes", 0, 0, U64, 5, 0, "mesh 1 is not what its digest says"},
        {1, "meshes", 0, 8, U32, 4, 0, "mesh 1: its row makes no sense"},
        {1, "meshes", 0, 8, U32, 3, 0, "mesh 1: its row makes no sense"},
        {1, "meshes", 0, 12, U32, 4, 0, "mesh 1: its row makes no sense"},
        {1, "meshes", 0, 12, U32, 2, 0, "is vertex 2, but vertex_count is 2"},
        {1, "meshes", 0, 16, U32, 3, 0, "mesh 1: its row makes no sense"},
        {1, "meshes", 0, 16, U32, 1, 0, "mesh 1 is not what its digest says"},
        {1, "meshes", 0, 28, U32, 1, 0, "mesh 1: its row makes no sense"},
        {1, "mesh.vertices", 1, 0, F64, 0, NAN, "must be finite"},
        {1, "mesh.vertices", 1, 0, F64, 0, 0.5, "mesh 1 is not what its digest says"},
        {1, "mesh.vertices", 1, 0, F64, 0, -1, "mesh 1 is not what its digest says"},
        {1, "mesh.corners", 1, 0, U32, 3, 0, "is vertex 3, but vertex_count is 3"},
        {1, "wall.meshes", 0, 0, U32, 0, 0, "wall 1: its row makes no sense"},
        {1, "wall.meshes", 0, 0, U32, 2, 0, "wall 1: its row makes no sense"},
        {2, "wall.meshes", 0, 0, U32, 1, 0, "wall 1: its row makes no sense"},
        {2, "wall.names", 0, 0, U32, 2, 0, "wall 1: its name is not its own"},
        {2, "wall.names", 0, 4, U32, 0, 0, "wall 1: its name is not its own"},
        {2, "wall.names", 0, 8, U32, 1, 0, "wall 1: its name is not its own"},
    };

    CHECK_CHANGES(changes);
}

TEST(the_head_of_the_state_is_checked)
{
    static const tampering changes[] = {
        {2, "state", 0, 0, U8, 'x', 0, "these bytes are none"},
        {2, "state", 0, 8, U32, 9, 0, "another kind of machine"},
        {2, "state", 0, 12, U32, 2, 0, "it is of version 2"},
        {2, "state", 0, 16, U64, 8, 0, "state.sections"},
        {2, "state", 0, 24, U64, 8, 0, "state.sections"},
        {2, "state", 0, 24, U64, 1000, 0, "too large for the file"},
        {2, "state", 0, 32, U64, UINT64_MAX, 0, "too large for the file"},
        {2, "state", 0, 32, U64, 2, 0, "is in the place of"},
        {2, "state", 0, 40, U64, 5, 0, "is in the place of"},
        {2, "state", 0, 64, U64, 2, 0, "is in the place of"},
        {2, "state", 0, 80, U64, 17, 0, "too large for the file"},
        {2, "state", 0, 88, U64, 2, 0, "is in the place of"},
        {2, "state", 0, 96, U64, 0, 0, "is in the place of"},
        {2, "state", 0, 104, U64, 2, 0, "numbers too large"},
        {2, "state", 0, 112, U64, 2, 0, "materials or rules"},
        {2, "state.sections", 3, 24, U64, 8, 0, "state.sections"},
        {2, "state.sections", 3, 0, U8, 'x', 0, "state.sections"},
    };

    CHECK_CHANGES(changes);
}

TEST(physics_and_time_are_checked)
{
    static const tampering changes[] = {
        {2, "state.physics", 0, 0, U64, 4, 0, "dimensions is 4"},
        {2, "state.physics", 0, 0, U64, 0x100000003, 0, "an impossible number"},
        {2, "state.physics", 0, 8, U64, 9, 0, "boundary is 9"},
        {1, "state.physics", 0, 32, F64, 0, 3, "upper is 1, must be above lower"},
        {2, "state.physics", 0, 32, F64, 0, 3, "an impossible number"},
        {2, "state.physics", 0, 80, U64, 7, 0, "integrator is 7"},
        {2, "state.physics", 0, 80, U64, SCREE_IMPLICIT_EULER, 0, "implicit steps are found"},
        {2, "state.physics", 0, 80, U64, 0x201, 0, "an impossible number"},
        {2, "state.physics", 0, 80, U64, 0x101, 0, "the digest"},
        {2, "state.physics", 0, 80, U64, 0x10000000001, 0, "local_steps is 1.67772e+07"},
        {2, "state.physics", 0, 80, U64, 0x150001, 0, "local_steps is 21, must be at most 20"},
        {2, "state.physics", 0, 80, U64, 0x1000000010001, 0, "an impossible number"},
        {2, "state.physics", 0, 88, U64, 7, 0, "time is 7"},
        {2, "state.physics", 0, 96, U64, 7, 0, "an impossible number"},
        {2, "state.physics", 0, 96, U64, 0, 0, "the energy balance is both on and off"},
        {2, "state.physics", 0, 104, F64, 0, NAN, "gravity is nan"},
        {2, "state.physics", 0, 128, F64, 0, 0, "dt is 0"},
        {2, "state.physics", 0, 136, F64, 0, 2, "safety_factor is 2"},
        {2, "state.physics", 0, 144, F64, 0, 1, "max_growth is 1"},
        {2, "state.physics", 0, 152, F64, 0, -1, "global_damping is -1"},
        {2, "state.physics", 0, 160, F64, 0, 1, "local_damping is 1"},
        {2, "state.physics", 0, 168, F64, 0, NAN, "overlap_limit"},
        {2, "state.course", 0, 24, F64, 0, NAN, "an impossible time, step or energy"},
        {2, "state.course", 0, 88, F64, 0, INFINITY, "an impossible time, step or energy"},
        {2, "state.course", 0, 96, F64, 0, INFINITY, "an impossible time, step or energy"},
        {2, "state.course", 0, 104, U64, 2, 0, "an impossible time, step or energy"},
        {2, "state.course", 0, 112, F64, 0, -1, "an impossible time, step or energy"},
        {2, "state.course", 0, 120, F64, 0, -1, "an impossible time, step or energy"},
        {2, "state.tally", 0, 0, U64, 0, 0, "global ids do not ascend"},
        {2, "state.tally", 0, 32, U64, 0, 0, "names are taken by"},
        {2, "state.tally", 0, 40, U64, 7, 0, "names are taken by"},
    };

    CHECK_CHANGES(changes);
}

TEST(bodies_are_checked)
{
    static const tampering changes[] = {
        {2, "state.names", 0, 0, U32, 1, 0, "an id that is both in use and free"},
        {2, "state.names", 0, 8, U32, 2, 0, "an id that is both in use and free"},
        {2, "state.names", 3, 0, U32, 9, 0, "a free name leads nowhere"},
        {2, "state.body.position", 1, 0, F64, 0, NAN, "body.position\", row 1: a number that is"},
        {2, "state.body.position", 1, 0, F64, 0, 1e101, "an impossible position"},
        {1, "state.body.position", 1, 16, F64, 0, 1, "it is outside of the plane"},
        {1, "state.body.spin", 1, 0, F64, 0, 1, "it is outside of the plane"},
        {2, "state.body.position", 1, 24, F64, 0, 1, "an impossible shape"},
        {2, "state.body.velocity", 0, 8, F64, 0, INFINITY, "a number that is not finite"},
        {2, "state.body.velocity", 0, 24, F64, 0, 1, "1 / mass does not match the mass"},
        {2, "state.body.orientation", 0, 0, F64, 0, 2, "it is not a rotation"},
        {2, "state.body.inertia", 0, 0, F64, 0, 0, "an impossible moment of inertia"},
        {2, "state.body.inertia", 0, 24, F64, 0, 0, "an impossible mass"},
        {2, "state.body.load", 2, 40, F64, 0, NAN, "body.load\", row 2"},
        {2, "state.body.account", 2, 0, F64, 0, NAN, "body.account\", row 2"},
        {2, "state.body.serial", 1, 0, U64, 1, 0, "global ids do not ascend"},
        {2, "state.body.id", 1, 0, U32, 1, 0, "another body has the same id"},
        {2, "state.body.id", 1, 4, U32, 7, 0, "a body has a name that is not taken"},
        {2, "state.body.material", 1, 0, U32, 2, 0, "a material that does not exist"},
        {2, "state.body.flags", 1, 0, U32, 0x80, 0, "an unknown flag"},
        {2, "state.body.flags", 1, 0, U32, 0xbf, 0, "a static body that moves"},
        {2, "state.body.marked", 1, 0, U8, 1, 0, "an unknown flag"},
        {2, "state.body.shape", 1, 0, U64, 2, 0, "an invalid shape"},
        {2, "state.body.shape", 1, 8, F64, 0, -1, "an impossible shape"},
        {2, "state.body.user", 1, 0, U64, 77, 0, "has the digest"},
    };

    CHECK_CHANGES(changes);
}

TEST(contacts_and_walls_are_checked)
{
    static const tampering changes[] = {
        {2, "state.pair.first", 1, 0, U32, 9, 0, "bodies that do not exist"},
        {2, "state.pair.second", 0, 0, U32, 9, 0, "bodies that do not exist"},
        {2, "state.pair.law", 0, 0, U16, 9, 0, "a law that does not exist"},
        {2, "state.pair.law", 0, 2, U16, 9, 0, "a law that does not exist"},
        {2, "state.pair.law", 0, 6, U16, 1, 0, "a contact without a law"},
        {1, "state.pair.law", 0, 2, U16, 0, 0, "pair.law\", row 0: a contact without a law"},
        {1, "state.surface.law", 1, 2, U16, 0, 0, "surface.law\", row 1: a contact without a"},
        {2, "state.surface.body", 0, 0, U32, 9, 0, "contacts with walls do not ascend"},
        {2, "state.surface.wall", 0, 0, U32, 9, 0, "contacts with walls do not ascend"},
        {2, "state.surface.law", 0, 4, U16, 9, 0, "a law that does not exist"},
        {2, "state.surface.memory", 0, 0, U32, 9, 0, "a facet that does not exist"},
        {2, "state.surface.memory", 0, 4, U8, 99, 0, "a facet that does not exist"},
        {2, "state.surface.memory", 0, 5, U8, 99, 0, "a facet that does not exist"},
        {2, "state.wall", 0, 0, U32, 2, 0, "wall 1: its name is not its own"},
        {2, "state.wall", 0, 8, U32, 1, 0, "wall 1: its row makes no sense"},
        {2, "state.wall", 0, 8, U32, 2, 0, "wall 1: its row makes no sense"},
        {2, "state.wall", 0, 12, U32, 2, 0, "material is 2"},
        {2, "state.wall", 0, 40, U64, 2, 0, "wall 1 of the world is another one"},
        {2, "state.wall", 0, 48, F64, 0, NAN, "point[0] is nan"},
        {2, "state.wall", 0, 72, F64, 0, 5, "an impossible position of a wall"},
        {2, "state.wall", 0, 104, F64, 0, 5, "an impossible position of a wall"},
        {2, "state.wall", 0, 128, F64, 0, NAN, "an impossible position of a wall"},
        {2, "state.wall", 0, 136, F64, 0, NAN, "an impossible position of a wall"},
        {2, "state.wall", 0, 160, F64, 0, 9, "an impossible position of a wall"},
        {2, "state.wall", 0, 192, F64, 0, NAN, "an impossible position of a wall"},
        {2, "state.wall", 0, 216, F64, 0, NAN, "an impossible position of a wall"},
        {2, "state.wall", 0, 240, F64, 0, 9, "an impossible position of a wall"},
        {1, "state.wall", 0, 240, F64, 0, NAN, "an impossible position of a wall"},
        {2, "state.wall.path", 0, 0, F64, 0, NAN, "could not be restored"},
        {2, "state.wall.path", 0, 120, U64, 3, 0, "more table rows than are stored"},
        {2, "state.wall.path", 0, 128, U64, 1, 0, "is moved by a function of the host"},
    };

    CHECK_CHANGES(changes);
}

/* ---- the table of sections ---- */

static scree_checkpoint_row *row_of(const file_bytes *file, size_t k)
{
    return (scree_checkpoint_row *)(void *)(file->data + sizeof(scree_checkpoint_head)) + k;
}

static void check_refused(file_bytes *file, const char *says)
{
    scree_error error = {SCREE_OK, ""};

    repair_checksums(file->data, file->count);
    CHECK_EQUAL(make_world(file, &error), SCREE_BAD_FILE);
    CHECK_SAYS(error.text, says);
    free(file->data);
}

/*  A file with a change of its table that `with` makes. */
#define CHECK_TABLE(says, with)                                                                    \
    do {                                                                                           \
        file_bytes file = file_of(2);                                                              \
        scree_checkpoint_row *row = row_of(&file, 2);                                              \
        (void)row;                                                                                 \
        with;                                                                                      \
        check_refused(&file, says);                                                                \
    } while (0)

TEST(the_table_is_checked)
{
    enter_folder();
    CHECK_TABLE("section 3 has an invalid name", row->name[0] = 0);
    CHECK_TABLE("section 3 has an invalid name", memset(row->name, 'x', sizeof row->name));
    CHECK_TABLE("section 3 has an invalid name", row->name[20] = 'x');
    CHECK_TABLE("section 3 has an invalid name", row->type[7] = 'x');
    CHECK_TABLE("is in the place of \"rules\"", row->name[0] = 'x');
    CHECK_TABLE("is in the place of \"rules\"", memcpy(row->type, "f64\0\0", 6));
    CHECK_TABLE("is in the place of \"about\"", row_of(&file, 0)->name[0] = 'x');
    CHECK_TABLE("is in the place of \"state\"", row_of(&file, 10)->name[0] = 'x');
    CHECK_TABLE("is in the place of \"state.sections\"", row_of(&file, 11)->name[7] = 'x');
    CHECK_TABLE("does not follow the one before", row->offset += 8);
    CHECK_TABLE("does not follow the one before", row->rows = UINT64_MAX);
    CHECK_TABLE("does not follow the one before", row->row_bytes = UINT64_MAX);
    CHECK_TABLE("does not follow the one before", row->rows = 2);
    CHECK_TABLE("the file should have",
                ((scree_checkpoint_head *)(void *)file.data)->bytes = file.count + 8);
    leave_folder();
}

/*  The bytes between sections, which no checksum covers. */
TEST(gaps_are_checked)
{
    file_bytes file;

    enter_folder();
    file = file_of(2);
    file.data[offset_of(&file, "wall.names") - 1] = 1;
    check_refused(&file, "after section \"wall.meshes\", is 1, must be 0");
    leave_folder();
}

/*  Parts of a host whose names no host could have given. */
TEST(names_of_parts_are_checked)
{
    const scree_checkpoint_part parts[] = {{"one", "x", 1}, {"two", "y", 1}};
    scree_world *world;

    enter_folder();
    for (int k = 0; k < 4; k++) {
        file_bytes file;
        scree_checkpoint_row *last;
        size_t count;
        world = small_world(0);
        CHECK_EQUAL(scree_checkpoint_write(world, path_of("parts"), parts, 2, NULL), SCREE_OK);
        scree_world_destroy(world);
        file = load(path_of("parts"));
        unlink(path_of("parts"));
        count = (size_t)((scree_checkpoint_head *)(void *)file.data)->section_count;
        last = row_of(&file, count - 1);
        if (k == 0)
            memcpy(last->name, "host.one", 8);
        else if (k == 1)
            memcpy(last->name, "host.ONE", 8);
        else if (k == 2)
            memcpy(last->name, "hast.one", 8);
        else
            memcpy(last->type, "u8\0\0\0", 6);
        check_refused(&file, k == 0 ? "section \"host.one\" appears twice"
                                    : "is in the place of \"host....\"");
    }
    leave_folder();
}

/*  A chain of free names that goes round, with a count of used-up names that makes up for it. */
TEST(free_names_do_not_go_round)
{
    scree_world *world;
    scree_bodies_view view;
    file_bytes file;
    size_t names, tally;
    uint64_t retired;

    enter_folder();
    world = small_world(2);
    view = scree_world_bodies(world);
    CHECK_EQUAL(scree_world_remove_body(world, scree_body_id_at(view.id, 0)), SCREE_OK);
    file = bytes_of(world);
    scree_world_destroy(world);
    names = offset_of(&file, "state.names");
    tally = offset_of(&file, "state.tally");
    /* the first that is free, and the one that follows, lead to each other */
    uint64_t first;
    uint32_t next, back;
    memcpy(&first, file.data + tally + 32, 8);
    memcpy(&next, file.data + names + 12 * (first - 1), 4);
    back = (uint32_t)first;
    memcpy(file.data + names + 12 * (next - 1), &back, 4);
    retired = (uint64_t)0 - 2 - 1; /* bodies + (names + 1) + this = names */
    memcpy(file.data + tally + 40, &retired, 8);
    check_refused(&file, "section \"state.tally\"");
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(about_says_what_the_state_says),
        CASE(definitions_are_checked),
        CASE(the_head_of_the_state_is_checked),
        CASE(physics_and_time_are_checked),
        CASE(bodies_are_checked),
        CASE(contacts_and_walls_are_checked),
        CASE(the_table_is_checked),
        CASE(gaps_are_checked),
        CASE(names_of_parts_are_checked),
        CASE(free_names_do_not_go_round),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
