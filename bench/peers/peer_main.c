/*  The harness of a peer: makes the scene, lets the library build and find, or follow moving bodies,
    and prints one line of figures. Only the calls of the library are inside the clock, which is
    processor time; the pairs of
    every step go into a checksum that `scree-bench peers` compares.
    Usage: peer_X list
           peer_X run VARIANT SCENE N MOTION STEPS REPEAT SEED BUDGET-SECONDS */
#include "peer.h"

#include "measure/measure.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MAX_STEPS 1000
#define MAX_REPEATS 100

typedef struct course
{
    scree_scene scene;
    scree_mover mover;
    scree_scene_motion motion;
    peer_bodies bodies;
    peer_pairs pairs;
    double *row;
    uint32_t steps, repeats;
    double budget;
    uint64_t sums[MAX_STEPS]; /* a checksum for each step, or one for all repeats */
    double sec[MAX_STEPS], build[MAX_STEPS], find[MAX_STEPS];
    uint32_t done; /* of steps or repeats */
    long pages_before;
} course;

static int fail(const char *text)
{
    printf("failed: %s\n", text);
    return 1;
}

/*  Of the whole process: a library's own threads count, other processes do not. */
static double processor_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- pairs ---- */

void peer_pairs_grow(peer_pairs *pairs)
{
    size_t wanted = pairs->capacity ? pairs->capacity * 2 : pairs->bodies->count * 4 + 64;
    for (int k = 0; k < 2; k++) {
        uint32_t *grown = realloc(pairs->buffer[k], wanted * sizeof *grown);
        if (!grown) {
            fail("out of memory for pairs");
            fflush(stdout);
            _exit(1);
        }
        pairs->buffer[k] = grown;
    }
    pairs->capacity = wanted;
    pairs->first = pairs->buffer[0];
    pairs->second = pairs->buffer[1];
}

void peer_filter(peer_pairs *pairs, const uint32_t *first, const uint32_t *second, size_t count)
{
    double begin = processor_seconds();
    for (size_t k = 0; k < count; k++)
        peer_offer(pairs, first[k], second[k]);
    pairs->sec_filter += processor_seconds() - begin;
}

/*  The same for every order of pairs, and of the two in each. */
static uint64_t checksum(const peer_pairs *pairs)
{
    uint64_t sum = 0;
    scree_pairs one = {0, NULL, NULL};
    for (size_t k = 0; k < pairs->count; k++) {
        uint32_t i = pairs->first[k], j = pairs->second[k];
        uint32_t low = i < j ? i : j, high = i < j ? j : i;
        one = (scree_pairs){1, &low, &high};
        sum += scree_pairs_checksum(&one);
    }
    return sum;
}

/* ---- bodies ---- */

static void fill_rows(course *c)
{
    const scree_scene *s = &c->scene;
    double *row = c->row;
    for (size_t i = 0; i < s->count; i++)
        if (s->volume == SCREE_BOXES) {
            for (int k = 0; k < 3; k++) {
                row[k] = s->low[k][i];
                row[k + 3] = s->high[k][i];
            }
            row += 6;
        } else {
            for (int k = 0; k < 3; k++)
                *row++ = s->centre[k][i];
            *row++ = s->radius[i];
        }
}

static double half_edge(const scree_scene *s, size_t i)
{
    double most = s->radius[i];
    for (int k = 0; k < 3 && s->volume == SCREE_BOXES; k++)
        most = fmax(most, s->half[k][i]);
    return most;
}

/*  Centres stay within the scene's box, so volumes stay within it and the largest of them. */
static void fill_bodies(course *c)
{
    const scree_scene *s = &c->scene;
    peer_bodies *b = &c->bodies;
    b->count = s->count;
    b->dimensions = s->dimensions;
    b->boxes = s->volume == SCREE_BOXES;
    b->moving = c->motion.kind != SCREE_MOTION_NONE;
    b->radius = s->radius;
    b->row = c->row;
    b->smallest = INFINITY;
    for (size_t i = 0; i < s->count; i++) {
        b->largest = fmax(b->largest, half_edge(s, i));
        b->smallest = fmin(b->smallest, half_edge(s, i));
    }
    for (int k = 0; k < 3; k++) {
        b->x[k] = s->centre[k];
        b->low[k] = s->low[k];
        b->high[k] = s->high[k];
        b->velocity[k] = s->velocity[k];
        b->lower[k] = s->lower[k];
        b->upper[k] = s->upper[k];
        /* a gaussian cluster may reach out of the box it was put into */
        for (size_t i = 0; i < s->count; i++) {
            b->lower[k] = fmin(b->lower[k], s->centre[k][i]);
            b->upper[k] = fmax(b->upper[k], s->centre[k][i]);
        }
        b->lower[k] -= 1.01 * b->largest;
        b->upper[k] += 1.01 * b->largest;
    }
}

/* ---- measuring ---- */

static void find_pairs(course *c, const peer_variant *variant, void *state)
{
    c->pairs.count = 0;
    c->pairs.first = c->pairs.buffer[0];
    c->pairs.second = c->pairs.buffer[1];
    variant->find(state, &c->pairs);
}

static void build_and_find(course *c, const peer_variant *variant, void *state, uint32_t at)
{
    double begin = processor_seconds();
    variant->build(state, &c->bodies);
    double built = processor_seconds();
    find_pairs(c, variant, state);
    double end = processor_seconds();
    c->build[at] = built - begin;
    c->find[at] = end - built;
    c->sec[at] = end - begin;
}

/*  As often as asked for, or until half of the time is over. False if the repeats differ. */
static bool measure_still(course *c, const peer_variant *variant, void *state)
{
    double start = processor_seconds();
    while (c->done < c->repeats && (c->done == 0 || processor_seconds() - start < c->budget / 2)) {
        variant->reset(state);
        build_and_find(c, variant, state, c->done);
        uint64_t sum = checksum(&c->pairs);
        if (c->done > 0 && sum != c->sums[0])
            return false;
        c->sums[0] = sum;
        c->done++;
    }
    return true;
}

static void measure_moving(course *c, const peer_variant *variant, void *state)
{
    double start = processor_seconds();
    const scree_pairs none = {0, NULL, NULL};
    scree_rows rows;
    variant->reset(state);
    build_and_find(c, variant, state, 0);
    c->pairs.sec_filter = 0;
    while (c->done < c->steps && (c->done == 0 || processor_seconds() - start < c->budget / 2)) {
        scree_mover_step(&c->mover, &none);
        fill_rows(c);
        const scree_rows *dirty = scree_mover_dirty(&c->mover, &rows);
        double begin = processor_seconds();
        variant->move(state, &c->bodies, dirty ? dirty->rows : NULL, dirty ? dirty->count : 0);
        double moved = processor_seconds();
        find_pairs(c, variant, state);
        double end = processor_seconds();
        c->build[c->done] = moved - begin;
        c->find[c->done] = end - moved;
        c->sec[c->done] = end - begin;
        c->sums[c->done++] = checksum(&c->pairs);
    }
}

/*  Pages in memory now. */
static long resident_pages(void)
{
    long pages = 0, all;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &all, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages;
}

/*  The growth of the process while the library worked, at its peak, output included. */
static double grown_bytes(const course *c)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double bytes =
        (double)usage.ru_maxrss * 1024 - (double)c->pages_before * (double)sysconf(_SC_PAGESIZE);
    return bytes > 0 ? bytes : 0;
}

static double mean(const double *values, uint32_t count)
{
    double sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += values[k];
    return sum / count;
}

static void print_figures(course *c)
{
    bool moving = c->bodies.moving;
    double worst = 0;
    for (uint32_t k = 0; k < c->done; k++)
        worst = fmax(worst, c->sec[k]);
    double bytes = grown_bytes(c), average = mean(c->sec, c->done);
    double filter = moving ? c->pairs.sec_filter / c->done : 0;
    double build = moving ? mean(c->build, c->done) : scree_median(c->build, c->done);
    double find = moving ? mean(c->find, c->done) : scree_median(c->find, c->done);
    double median = scree_median(c->sec, c->done);
    printf("done pairs=%zu bytes=%.0f runs=%u build=%.9g find=%.9g filter=%.9g sec=%.9g "
           "median=%.9g worst=%.9g sums=",
           c->pairs.count, bytes, c->done, build, find, filter, moving ? average : median, median,
           worst);
    for (uint32_t k = 0; k < (moving ? c->done : 1); k++)
        printf("%s%016" PRIx64, k ? "," : "", c->sums[k]);
    putchar('\n');
}

/* ---- the command line ---- */

static int list_variants(void)
{
    printf("version %s\n", peer_this.version);
    for (const peer_variant *v = peer_this.variants; v && v->name; v++)
        if (v == peer_this.variants || strcmp(v->name, v[-1].name) != 0)
            printf("variant %s %s\n", v->name, v->settings);
    return 0;
}

/*  One name may stand for several, each for other bodies: the first that takes these, or else the
    last. NULL: there is none of this name. */
static const peer_variant *find_variant(const char *name, const peer_bodies *bodies)
{
    const peer_variant *found = NULL;
    for (const peer_variant *v = peer_this.variants; v && v->name; v++)
        if (strcmp(v->name, name) == 0) {
            found = v;
            if (!v->refuse(bodies))
                break;
        }
    return found || !peer_this.by_name ? found : peer_this.by_name(name);
}

static int run(course *c, const char *name)
{
    const peer_variant *variant = find_variant(name, &c->bodies);
    if (!variant)
        return fail("there is no such variant");
    const char *reason = variant->refuse(&c->bodies);
    if (reason) {
        printf("left out: %s\n", reason);
        return 0;
    }
    c->pairs.bodies = &c->bodies;
    peer_pairs_grow(&c->pairs);
    c->pages_before = resident_pages();
    void *state = variant->create(&c->bodies, name);
    bool good = true;
    if (c->bodies.moving)
        measure_moving(c, variant, state);
    else
        good = measure_still(c, variant, state);
    if (!good)
        return fail("repeats find different pairs");
    print_figures(c);
    variant->destroy(state);
    return 0;
}

int main(int argc, char **argv)
{
    static course c;
    scree_error error = {SCREE_OK, ""};
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list_variants();
    if (argc != 10 || strcmp(argv[1], "run") != 0)
        return fail("usage: run VARIANT SCENE N MOTION STEPS REPEAT SEED BUDGET");
    /* memory once taken stays with the process, for all libraries alike: what is measured is the
       work, not the kernel's clearing of pages */
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    size_t n = strtoul(argv[4], NULL, 10);
    uint64_t seed = strtoull(argv[8], NULL, 10);
    c.steps = (uint32_t)strtoul(argv[6], NULL, 10);
    c.repeats = (uint32_t)strtoul(argv[7], NULL, 10);
    c.budget = strtod(argv[9], NULL);
    if (n < 1 || c.steps < 1 || c.steps > MAX_STEPS || c.repeats < 1 || c.repeats > MAX_REPEATS)
        return fail("a number is out of range");
    if (scree_scene_motion_parse(argv[5], &c.motion, &error) != SCREE_OK ||
        scree_scene_create(argv[3], n, seed, NULL, &c.scene, &error) != SCREE_OK ||
        scree_mover_create(&c.scene, c.motion, seed, &c.mover, &error) != SCREE_OK)
        return fail(error.text);
    c.row = malloc(n * 6 * sizeof *c.row);
    if (!c.row)
        return fail("out of memory for bodies");
    fill_rows(&c);
    fill_bodies(&c);
    int code = run(&c, argv[2]);
    scree_mover_free(&c.mover);
    scree_scene_free(&c.scene);
    free(c.row);
    free(c.pairs.buffer[0]);
    free(c.pairs.buffer[1]);
    return code;
}
