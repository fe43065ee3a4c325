/*  How many bytes each rank has at most, counted by its allocator: with eight ranks, of which only rank 0 makes bodies. They touch
    all their neighbours, so contacts need much of the memory. */
#include "ranks_bed.h"

#include "io/checkpoint_ranks.h"

#include <stdio.h>
#include <unistd.h>

#define RANKS 8

static char file[64]; /* of this process */

/*  Bytes held now and at most, of one rank. Each block has its size in front, as sizes that are given back are not trusted. */
typedef struct tally
{
    atomic_size_t now, most;
} tally;

typedef union tally_head
{
    size_t bytes;
    max_align_t align;
} tally_head;

static void count(tally *of, size_t more, size_t less)
{
    const size_t now = atomic_fetch_add(&of->now, more - less) + more - less;
    size_t most = atomic_load(&of->most);

    while (now > most && !atomic_compare_exchange_weak(&of->most, &most, now)) {
    }
}

static void *tally_resize(void *block, size_t old_bytes, size_t new_bytes, void *user)
{
    tally_head *head = block ? (tally_head *)block - 1 : NULL;
    const size_t before = head ? head->bytes : 0;

    (void)old_bytes;
    head = realloc(head, sizeof *head + new_bytes);
    if (!head)
        return NULL;
    head->bytes = new_bytes;
    count(user, new_bytes, before);
    return head + 1;
}

static void *tally_allocate(size_t bytes, void *user)
{
    return tally_resize(NULL, 0, bytes, user);
}

static void tally_free(void *block, size_t bytes, void *user)
{
    tally_head *head = block ? (tally_head *)block - 1 : NULL;

    (void)bytes;
    if (head)
        count(user, 0, head->bytes);
    free(head);
}

static scree_allocator tally_hooks(tally *of)
{
    return (scree_allocator){tally_allocate, tally_resize, tally_free, of};
}

typedef struct counted
{
    uint32_t edge; /* bodies along an edge of the lattice */
    bool has_blocks;
    bool is_saved; /* in a checkpoint */
    tally of_rank[RANKS];
    uint64_t digest;
} counted;

static scree_status add_lattice(const counted *of, scree_world *world, scree_material_id material)
{
    const double radius = 1e-3, step = of->has_blocks ? 1.999e-3 : 1.99e-3;
    shape_stock stock = {0};
    scree_body_def def = scree_default_body_def();
    scree_status status = stock_make(&stock, radius, 2 * radius, 3);

    def.material = material;
    def.shape = stock_shape(&stock, of->has_blocks ? BED_BLOCKS : BED_SPHERES, 0, radius);
    for (uint32_t k = 0; k < of->edge * of->edge * of->edge && !status; k++) {
        def.position[0] = step * (k % of->edge);
        def.position[1] = step * (k / of->edge % of->edge);
        def.position[2] = step * (k / of->edge / of->edge);
        status = scree_world_add_body(world, &def, NULL);
    }
    stock_free(&stock);
    return status;
}

static scree_status make_lattice(const counted *of, bool has_bodies, tally *bytes,
                                 scree_world **world, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_material_id id;

    def.step.dt = 1e-6;
    def.hooks.allocator = tally_hooks(bytes);
    def.hooks.error = error;
    scree_status status = scree_world_create(&def, world);
    if (status)
        return status;
    material.density = 2500;
    material.young = 1e6;
    material.friction = 0.5;
    status = scree_world_add_material(*world, &material, &id);
    if (!status)
        status = scree_world_add_rule(*world, &rule);
    return has_bodies && !status ? add_lattice(of, *world, id) : status;
}

static scree_status run_counted(const scree_comm *comm, void *data)
{
    counted *all = data;
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status status =
        make_lattice(all, comm->rank == 0, &all->of_rank[comm->rank], &world, &error);

    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (!status)
        scree_ranks_checkpoint_prepare(ranks);
    if (!status && comm->rank == 0) {
        for (int call = 0; call < 3 && !status; call++)
            status = scree_world_step(world, 4);
        if (!status && all->is_saved)
            status = scree_ranks_checkpoint_write(ranks, world, file, NULL, 0, &error);
        all->digest = scree_world_digest(world);
    } else if (!status) {
        status = scree_ranks_serve(ranks);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

static void run_alone_counted(counted *alone)
{
    scree_world *world = NULL;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(make_lattice(alone, true, &alone->of_rank[0], &world, &error), SCREE_OK);
    for (int call = 0; call < 3; call++)
        CHECK_EQUAL(scree_world_step(world, 4), SCREE_OK);
    if (alone->is_saved)
        CHECK_EQUAL(scree_checkpoint_write(world, file, NULL, 0, &error), SCREE_OK);
    alone->digest = scree_world_digest(world);
    scree_world_destroy(world);
}

/*  The largest memory of rank 0, and of another rank, over that of one process. */
static void count_bytes(counted of, double limit_0, double limit_others)
{
    const char *name = of.is_saved ? "a checkpoint" : of.has_blocks ? "blocks" : "spheres";
    counted all = of, alone = of;
    size_t others = 0;

    run_alone_counted(&alone);
    CHECK_EQUAL(scree_run_ranks(RANKS, run_counted, &all), SCREE_OK);
    CHECK_EQUAL(all.digest, alone.digest);
    unlink(file);
    for (int r = 1; r < RANKS; r++) {
        const size_t most = atomic_load(&all.of_rank[r].most);
        others = most > others ? most : others;
    }
    const double one = (double)atomic_load(&alone.of_rank[0].most),
                 of_0 = (double)atomic_load(&all.of_rank[0].most) / one,
                 of_others = (double)others / one;
    FIGURE("%s: %.0f bytes a body in one process, rank 0 %.2f of them, others %.2f", name,
           one / (of.edge * of.edge * of.edge), of_0, of_others);
    if (of_0 > limit_0 || of_others > limit_others)
        FAIL("%s: rank 0 has %.2f of the bytes of one process, others %.2f: should be at most %.2f "
             "and %.2f",
             name, of_0, of_others, limit_0, limit_others);
}

TEST(no_rank_but_the_first_has_memory_for_all_bodies)
{
    snprintf(file, sizeof file, "rank_memory.%ld", (long)getpid());
    count_bytes((counted){.edge = 24}, 1.4, 0.4);
    count_bytes((counted){.edge = 24, .is_saved = true}, 1.05, 0.4);
    count_bytes((counted){.edge = 12, .has_blocks = true}, 1, 0.4);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(no_rank_but_the_first_has_memory_for_all_bodies),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
