/*  A checkpoint that ranks write together: the file of one process, whatever their number, and all or nothing. */
#include "dist/cut_comm.h"
#include "dist/ranks_bed.h"
#include "io/checkpoint_ranks.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct written
{
    bed of;
    host_fn *host; /* between steps and writing */
    uint64_t steps, digest;
    const char *path;
    scree_status status;
    scree_error error;
    bool continues; /* takes more steps afterwards */
} written;

static const scree_checkpoint_part parts[] = {{"scene", "a scene", 7}, {"none", NULL, 0}};

/*  In a folder of this process. Each name has one text, which stays. */
static const char *path_of(const char *name)
{
    static char folder[64], paths[8][128];
    char path[sizeof paths[0]];
    size_t k = 0;

    snprintf(folder, sizeof folder, "checkpoint_ranks.%ld", (long)getpid());
    (void)mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    while (k + 1 < sizeof paths / sizeof paths[0] && paths[k][0] && strcmp(paths[k], path) != 0)
        k++;
    memcpy(paths[k], path, sizeof path);
    return paths[k];
}

static size_t count_files(void)
{
    char folder[64];
    size_t count = 0;

    snprintf(folder, sizeof folder, "checkpoint_ranks.%ld", (long)getpid());
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        count += entry->d_name[0] != '.';
    if (list)
        closedir(list);
    return count;
}

static unsigned char *read_all(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;

    *count = 0;
    if (!file)
        return NULL;
    CHECK(fseek(file, 0, SEEK_END) == 0);
    *count = (size_t)ftell(file);
    bytes = malloc(*count + 1);
    rewind(file);
    CHECK(fread(bytes, 1, *count, file) == *count);
    fclose(file);
    return bytes;
}

static void compare_files(const char *path, const char *other, uint32_t ranks)
{
    size_t count, other_count, at = 0;
    unsigned char *bytes = read_all(path, &count), *others = read_all(other, &other_count);

    CHECK(bytes && others);
    while (at < count && at < other_count && bytes[at] == others[at])
        at++;
    if (count != other_count || at < count)
        FAIL("%u ranks: %zu bytes, should be %zu; the first that differs is %zu", ranks, count,
             other_count, at);
    free(bytes);
    free(others);
}

static scree_status write_rank(const scree_comm *comm, void *data)
{
    written *all = data;
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status status = make(&all->of, &world, &error);

    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (!status)
        scree_ranks_checkpoint_prepare(ranks);
    if (!status && comm->rank == 0) {
        all->status = scree_world_step(world, all->steps);
        if (all->host)
            all->host(world, 1);
        if (!all->status)
            all->status =
                scree_ranks_checkpoint_write(ranks, world, all->path, parts, 2, &all->error);
        if (all->continues)
            CHECK_EQUAL(scree_world_step(world, 20), SCREE_OK);
        all->digest = scree_world_digest(world);
    } else if (!status) {
        status = scree_ranks_serve(ranks);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

static uint64_t write_alone(const written *of, const char *path)
{
    scree_world *world = NULL;
    scree_error error = {SCREE_OK, ""};

    if (make(&of->of, &world, &error))
        FAIL("%s", error.text);
    CHECK_EQUAL(scree_world_step(world, of->steps), SCREE_OK);
    if (of->host)
        of->host(world, 1);
    if (scree_checkpoint_write(world, path, parts, 2, &error))
        FAIL("%s", error.text);
    if (of->continues)
        CHECK_EQUAL(scree_world_step(world, 20), SCREE_OK);
    const uint64_t digest = scree_world_digest(world);
    scree_world_destroy(world);
    return digest;
}

static void compare_writers(bed of, uint64_t steps, host_fn *host)
{
    const char *alone = path_of("alone"), *together = path_of("together");
    const written one = {.of = of, .steps = steps, .host = host, .continues = true};
    const uint64_t digest = write_alone(&one, alone);

    for (uint32_t ranks = 1; ranks <= 7; ranks += ranks < 4 ? 1 : 3) {
        written all = one;
        all.path = together;
        CHECK_EQUAL(scree_run_ranks(ranks, write_rank, &all), SCREE_OK);
        if (all.status)
            FAIL("%u ranks: %s: %s", ranks, scree_status_name(all.status), all.error.text);
        compare_files(together, alone, ranks);
        CHECK_EQUAL(all.digest, digest);
        CHECK_EQUAL(count_files(), 2);
    }
    unlink(alone);
    unlink(together);
}

TEST(the_file_of_ranks_is_that_of_one_process)
{
    compare_writers((bed){.bodies = 300, .ratio = 3, .threads = 1, .has_mesh = true}, 1500, NULL);
    compare_writers((bed){.bodies = 200,
                          .ratio = 2,
                          .threads = 2,
                          .is_periodic = true,
                          .has_loads = true,
                          .has_balance = true,
                          .has_fluid = true,
                          .sleeps = true},
                    1200, NULL);
    compare_writers((bed){.bodies = 100, .ratio = 2, .threads = 1, .shapes = BED_ALL}, 800, NULL);
    compare_writers((bed){.bodies = 60,
                          .ratio = 2,
                          .threads = 1,
                          .shapes = BED_SPHERES | BED_CLUMPS | BED_BLOCKS,
                          .is_flat = true},
                    400, NULL);
    /* fewer bodies than ranks, and none */
    compare_writers((bed){.bodies = 3, .ratio = 2, .threads = 1}, 10, NULL);
    compare_writers((bed){.bodies = 0, .ratio = 2, .threads = 1}, 1, NULL);
}

/*  Ids with gaps and out of order, handles that are free or used again, and a wall that is gone. */
static void change_bodies(scree_world *world, int call)
{
    (void)call;
    for (uint64_t serial = 1; serial < 250; serial += 4) {
        const scree_body_id id = id_of(world, serial);
        if (id.index1)
            CHECK_EQUAL(scree_world_remove_body(world, id), SCREE_OK);
    }
    for (uint32_t k = 0; k < 9; k++) {
        scree_body_def def = scree_default_body_def();
        def.shape = scree_shape_sphere(0.002);
        def.material = (scree_material_id){1};
        def.position[0] = -0.04 + 0.008 * k;
        def.position[2] = 0.2;
        def.serial = k % 2 ? UINT64_C(5000000000) - 17 * k : 0;
        CHECK_EQUAL(scree_world_add_body(world, &def, NULL), SCREE_OK);
    }
    CHECK_EQUAL(scree_world_remove_wall(world, world->walls.wall[1].id), SCREE_OK);
}

static void bond_all(scree_world *world, int call)
{
    scree_bond_def bonds = scree_default_bond_def();

    (void)call;
    bonds.gap = 0.004;
    CHECK_EQUAL(scree_world_add_bonds(world, &bonds, NULL), SCREE_OK);
}

TEST(what_the_host_has_changed_is_in_the_file)
{
    compare_writers((bed){.bodies = 250, .ratio = 3, .threads = 1, .lists_events = true}, 1500,
                    change_bodies);
    compare_writers(
        (bed){.bodies = 150, .ratio = 1.3, .threads = 1, .has_bonds = true, .bonds_last = true},
        300, bond_all);
    compare_writers((bed){.bodies = 150, .ratio = 2, .threads = 1, .shapes = BED_ALL}, 500,
                    change_bodies);
}

/* ---- all or nothing ---- */

/*  The old file, and no other. */
static void check_old(const char *path, const char *copy)
{
    compare_files(path, copy, 3);
    CHECK_EQUAL(count_files(), 2);
}

static const bed small = {.bodies = 80, .ratio = 2, .threads = 1, .has_balance = true};

/*  Writes with three ranks while a limit of the process is lower. */
static void write_limited(int what, rlim_t limit, const char *says)
{
    const char *path = path_of("limited"), *copy = path_of("copy");
    written all = {.of = small, .steps = 10, .path = path};
    struct rlimit before, lower;

    write_alone(&all, path);
    write_alone(&all, copy);
    CHECK(getrlimit(what, &before) == 0);
    lower = before;
    lower.rlim_cur = limit;
    all.steps = 20;
    CHECK(setrlimit(what, &lower) == 0);
    CHECK_EQUAL(scree_run_ranks(3, write_rank, &all), SCREE_OK);
    CHECK(setrlimit(what, &before) == 0);
    CHECK_EQUAL(all.status, SCREE_IO_ERROR);
    CHECK_SAYS(all.error.text, says);
    CHECK_SAYS(all.error.text, path);
    check_old(path, copy);
    unlink(path);
    unlink(copy);
}

TEST(a_rank_that_cannot_write_leaves_the_old_file)
{
    const int descriptor = dup(0);

    signal(SIGXFSZ, SIG_IGN);
    write_limited(RLIMIT_FSIZE, 20000, "File too large");
    write_limited(RLIMIT_FSIZE, 20000, "rank ");
    /* rank 0 can make the file, and no rank can open it */
    close(descriptor);
    write_limited(RLIMIT_NOFILE, (rlim_t)descriptor + 1, "cannot open it: Too many open files");
    write_limited(RLIMIT_NOFILE, (rlim_t)descriptor + 1, "the machines of all ranks see");
}

TEST(a_wrong_path_or_part_is_told)
{
    written all = {.of = small, .steps = 1, .path = "no/such/folder/file"};

    CHECK_EQUAL(scree_run_ranks(2, write_rank, &all), SCREE_OK);
    CHECK_EQUAL(all.status, SCREE_IO_ERROR);
    CHECK_SAYS(all.error.text, "no/such/folder/file: cannot be created");
    all.path = "/dev/null";
    CHECK_EQUAL(scree_run_ranks(2, write_rank, &all), SCREE_OK);
    CHECK_EQUAL(all.status, SCREE_BAD_ARGUMENT);
    CHECK_SAYS(all.error.text, "/dev/null: it is no regular file");
}

/*  One rank has no memory at some request of the writing, and later has. */
typedef struct short_writing
{
    written all;
    uint32_t rank;
    size_t fail_after;
    failing_allocator memory;
    scree_status again;
} short_writing;

static scree_status write_short_rank(const scree_comm *comm, void *data)
{
    short_writing *of = data;
    bed own = of->all.of;
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};

    if (comm->rank == of->rank)
        own.allocator = failing_allocator_hooks(&of->memory);
    scree_status status = make(&own, &world, &error);
    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (!status)
        scree_ranks_checkpoint_prepare(ranks);
    if (!status && comm->rank == 0) {
        CHECK_EQUAL(scree_world_step(world, of->all.steps), SCREE_OK);
        of->memory.fail_at = atomic_load(&of->memory.requests) + of->fail_after;
        of->all.status =
            scree_ranks_checkpoint_write(ranks, world, of->all.path, parts, 2, &of->all.error);
        of->memory.fail_at = 0;
        of->again = of->all.status ? scree_ranks_checkpoint_write(ranks, world, path_of("again"),
                                                                  parts, 2, &error)
                                   : SCREE_OK;
    } else if (!status) {
        status = scree_ranks_serve(ranks);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

static void write_short(uint32_t rank)
{
    const char *copy = path_of("copy");
    uint32_t failed = 0;
    bool is_short = true;

    for (size_t k = 1; is_short; k++) {
        short_writing of = {.all = {.of = small, .steps = 10, .path = path_of("short")},
                            .rank = rank,
                            .fail_after = k};
        write_alone(&of.all, of.all.path);
        write_alone(&of.all, copy);
        of.all.steps = 20;
        CHECK_EQUAL(scree_run_ranks(3, write_short_rank, &of), SCREE_OK);
        CHECK(failing_allocator_is_clean(&of.memory));
        is_short = atomic_load(&of.memory.failures) > 0;
        CHECK_EQUAL(of.all.status, is_short ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        CHECK_EQUAL(of.again, SCREE_OK);
        unlink(path_of("again"));
        if (is_short) {
            CHECK_SAYS(of.all.error.text, "memory");
            check_old(of.all.path, copy);
        }
        failed += is_short;
    }
    CHECK(failed >= 10);
    unlink(path_of("short"));
    unlink(copy);
}

TEST(a_rank_without_memory_leaves_the_old_file)
{
    write_short(0);
    write_short(2);
}

typedef struct cut_writing
{
    written all;
    uint64_t cut_at, before, after;
    scree_status next; /* of steps afterwards */
} cut_writing;

static scree_status write_cut_rank(const scree_comm *comm, void *data)
{
    cut_writing *of = data;
    cut_comm cut = {.whole = *comm};
    const scree_comm through = cut_through(&cut);
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status status = make(&of->all.of, &world, &error);

    if (!status)
        status = scree_ranks_open(&through, world, &ranks, &error);
    if (!status)
        scree_ranks_checkpoint_prepare(ranks);
    /* nothing has been exchanged before the steps of rank 0, so all ranks count alike */
    cut.cut_at = of->cut_at;
    if (!status && comm->rank == 0) {
        of->before = scree_world_digest(world);
        of->all.status =
            scree_ranks_checkpoint_write(ranks, world, of->all.path, parts, 2, &of->all.error);
        of->after = scree_world_digest(world);
        of->next = of->all.status ? scree_world_step(world, 1) : SCREE_OK;
    } else if (!status) {
        (void)scree_ranks_serve(ranks);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

TEST(ranks_that_cannot_be_reached_leave_the_old_file)
{
    const char *path = path_of("cut"), *copy = path_of("copy");
    uint32_t failed = 0;
    bool is_cut = true;

    for (uint64_t k = 1; is_cut; k++) {
        cut_writing of = {.all = {.of = small, .path = path}, .cut_at = k};
        const written old = {.of = small, .steps = 1};
        write_alone(&old, path);
        write_alone(&old, copy);
        CHECK_EQUAL(scree_run_ranks(3, write_cut_rank, &of), SCREE_OK);
        is_cut = of.all.status != SCREE_OK;
        CHECK_EQUAL(of.before, of.after);
        if (!is_cut)
            break;
        CHECK_EQUAL(of.all.status, SCREE_IO_ERROR);
        CHECK_EQUAL(of.next, SCREE_IO_ERROR);
        check_old(path, copy);
        failed++;
    }
    CHECK(failed >= 20);
    unlink(path);
    unlink(copy);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_file_of_ranks_is_that_of_one_process),
        CASE(what_the_host_has_changed_is_in_the_file),
        CASE(a_rank_that_cannot_write_leaves_the_old_file),
        CASE(a_wrong_path_or_part_is_told),
        CASE(a_rank_without_memory_leaves_the_old_file),
        CASE(ranks_that_cannot_be_reached_leave_the_old_file),
    };
    const int code = test_main(argc, argv, tests, sizeof tests / sizeof *tests);

    (void)rmdir(path_of(""));
    return code;
}
