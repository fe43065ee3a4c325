/*  scree itself, measured like the others. A variant is the name of a method; METHOD+skin and
    METHOD+tolerance follow moving bodies with a margin, keep the pairs of the enlarged volumes while
    no body leaves its own, and put them to the rule in every step. */
#include "peer.h"

#include "scree/scree.h"

#include <stdio.h>
#include <string.h>

typedef struct finder
{
    scree_detector *detector;
    bool has_margin, is_new; /* is_new: the pairs must be asked for */
    uint32_t *rows;
    scree_pairs kept;
} finder;

static void insist(scree_status status, const char *text)
{
    if (status == SCREE_OK)
        return;
    printf("failed: %s\n", text);
    fflush(stdout);
    _Exit(1);
}

static const char *refuse(const peer_bodies *bodies)
{
    (void)bodies;
    return NULL;
}

static const char *refuse_still(const peer_bodies *bodies)
{
    return bodies->moving ? NULL : "margins are for moving bodies";
}

/*  Of the smallest radius: a tenth for all bodies; or a tenth of each one's own. */
static void set_margin(scree_margin_def *margin, const char *kind)
{
    if (strcmp(kind, "skin") == 0) {
        margin->kind = SCREE_MARGIN_SKIN;
        margin->length = -0.1;
    } else {
        margin->kind = SCREE_MARGIN_TOLERANCE;
        for (int k = 0; k < SCREE_PIECE_KINDS; k++)
            margin->extent[k] = 0.05;
        margin->reach = 1;
    }
}

static void *create(const peer_bodies *bodies, const char *name)
{
    char method[64];
    scree_error error = {SCREE_OK, ""};
    finder *f = calloc(1, sizeof *f);
    insist(f ? SCREE_OK : SCREE_OUT_OF_MEMORY, "no memory");
    scree_detector_def def = scree_default_detector_def();
    snprintf(method, sizeof method, "%.*s", (int)strcspn(name, "+"), name);
    def.method = method;
    def.dimensions = bodies->dimensions;
    def.volume = bodies->boxes ? SCREE_BOXES : SCREE_SPHERES;
    def.thread_count = 1;
    def.error = &error;
    f->has_margin = strchr(name, '+') != NULL;
    if (f->has_margin)
        set_margin(&def.margin, strchr(name, '+') + 1);
    insist(scree_detector_create(&def, &f->detector), error.text);
    return f;
}

static void destroy(void *state)
{
    finder *f = state;
    scree_detector_destroy(f->detector);
    free(f);
}

static void reset(void *state)
{
    finder *f = state;
    insist(scree_detector_clear(f->detector), scree_detector_message(f->detector));
}

static scree_table table_of(const peer_bodies *b)
{
    scree_view x[3], y[3], none = {NULL, 0, SCREE_FLOAT64};
    for (int k = 0; k < 3; k++) {
        x[k] = scree_doubles(b->boxes ? b->low[k] : b->x[k], sizeof(double));
        y[k] = scree_doubles(b->boxes ? b->high[k] : b->x[k], sizeof(double));
    }
    if (b->boxes)
        return scree_table_boxes(b->count, x, y);
    return scree_table_spheres(b->count, x[0], x[1], b->dimensions == 3 ? x[2] : none,
                               scree_doubles(b->radius, sizeof(double)));
}

static void build(void *state, const peer_bodies *bodies)
{
    finder *f = state;
    scree_table table = table_of(bodies);
    insist(scree_detector_update(f->detector, &table, NULL), scree_detector_message(f->detector));
    f->is_new = true;
}

static void move(void *state, const peer_bodies *bodies, const uint32_t *rows, size_t count)
{
    finder *f = state;
    scree_table table = table_of(bodies);
    scree_rows dirty = {rows, count};
    scree_advance did = {.ran = true};
    scree_status status;
    if (f->has_margin)
        status = scree_detector_advance(f->detector, &table, NULL, 1, &did);
    else
        status = scree_detector_update(f->detector, &table, rows ? &dirty : NULL);
    insist(status, scree_detector_message(f->detector));
    f->is_new = did.ran;
}

static void find(void *state, peer_pairs *pairs)
{
    finder *f = state;
    if (f->is_new)
        insist(scree_detector_pairs(f->detector, NULL, &f->kept),
               scree_detector_message(f->detector));
    f->is_new = false;
    if (f->has_margin) {
        peer_filter(pairs, f->kept.first, f->kept.second, f->kept.count);
        return;
    }
    pairs->first = f->kept.first;
    pairs->second = f->kept.second;
    pairs->count = f->kept.count;
}

static const peer_variant plain = {"", "", refuse, create, reset, build, move, find, destroy};
static const peer_variant with_margin = {"",    "",   refuse_still, create, reset,
                                         build, move, find,         destroy};

/*  Which methods there are is known to the library alone. */
static const peer_variant *by_name(const char *name)
{
    char method[64];
    const char *plus = strchr(name, '+');
    snprintf(method, sizeof method, "%.*s", (int)strcspn(name, "+"), name);
    if (!scree_method_by_name(method))
        return NULL;
    if (!plus)
        return &plain;
    return strcmp(plus, "+skin") == 0 || strcmp(plus, "+tolerance") == 0 ? &with_margin : NULL;
}

const peer_library peer_this = {SCREE_VERSION_TEXT, NULL, by_name};
