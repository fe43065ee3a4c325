/*  Method "auto" as the detector sees it: see auto.h. All candidates exist from the beginning, so that
    their parameters are checked at once; only the chosen one has a structure. The scene is looked at
    whenever a structure is built from nothing, and now and then between, the more rarely the longer
    nothing changes. */
#include "detect/auto.h"

#include <math.h>
#include <string.h>

/*  Steps between two looks at most. */
#define MAX_STEPS 32u
/*  And at least, once another has been chosen. */
#define MIN_STEPS 2u
/*  A step in which at most this share of the bodies moves is one of few. */
#define FEW 0.05
/*  A method at work is left only for one that costs less than this share: a rebuild must pay. */
#define WORTH_SWITCHING 0.92
/*  Nanoseconds of one exchange of an insertion sort. */
#define EXCHANGE 2.0

extern const scree_method scree_method_bounding_volume, scree_method_flat, scree_method_bvh8,
    scree_method_insertion_sort;

const scree_method *scree_auto_method(scree_auto_choice choice)
{
    static const scree_method *const methods[SCREE_AUTO_CHOICES] = {
        [SCREE_AUTO_ALL_PAIRS] = &scree_method_bounding_volume,
        [SCREE_AUTO_FLAT] = &scree_method_flat,
        [SCREE_AUTO_BVH8] = &scree_method_bvh8,
        [SCREE_AUTO_INSERTION] = &scree_method_insertion_sort,
    };
    return methods[choice];
}

static const scree_method *method_of(const scree_auto *self)
{
    return scree_auto_method(self->chosen);
}

static void *state_of(const scree_auto *self)
{
    return self->inner[self->chosen];
}

/* ---- life ---- */

static scree_status create_inner(scree_auto *self, const scree_method_env *env,
                                 scree_auto_choice choice)
{
    const scree_method *method = scree_auto_method(choice);
    memset(self->inner[choice], 0, method->state_bytes);
    return method->create ? method->create(self->inner[choice], env) : SCREE_OK;
}

static scree_status create(void *state, const scree_method_env *env)
{
    scree_auto *self = state;
    self->chosen = SCREE_AUTO_FLAT;
    self->features.motion.dirty_share = 1;
    for (int c = 0; c < SCREE_AUTO_CHOICES; c++) {
        scree_status status = scree_memory_take(
            env->memory, 1, scree_auto_method((scree_auto_choice)c)->state_bytes, &self->inner[c]);
        if (!status)
            status = create_inner(self, env, (scree_auto_choice)c);
        if (status)
            return status;
    }
    return SCREE_OK;
}

static void destroy(void *state, const scree_method_env *env)
{
    scree_auto *self = state;
    for (int c = 0; c < SCREE_AUTO_CHOICES && self->inner[c]; c++) {
        const scree_method *method = scree_auto_method((scree_auto_choice)c);
        method->destroy(self->inner[c], env);
        scree_memory_give(env->memory, &self->inner[c], 1, method->state_bytes);
    }
    scree_auto_free_boxes(self, env);
}

/* ---- choosing ---- */

static void look(scree_auto *self, const scree_bodies *bodies)
{
    scree_auto_look(&self->features, bodies);
    self->looks++;
}

static scree_auto_choice cheapest(scree_auto *self)
{
    scree_auto_choice best = SCREE_AUTO_ALL_PAIRS;
    for (int c = 0; c < SCREE_AUTO_CHOICES; c++) {
        self->predicted[c] = scree_auto_predict(&self->features, (scree_auto_choice)c);
        if (self->predicted[c] < self->predicted[best])
            best = (scree_auto_choice)c;
    }
    return best;
}

/*  The method at work is about to lose its own figures. */
static void keep_figures(scree_auto *self)
{
    if (method_of(self)->stats)
        method_of(self)->stats(state_of(self), &self->past);
}

/*  Makes `choice` the one at work; its structure is still to be built. What the other held is given back:
    one structure at a time. */
static scree_status switch_to(scree_auto *self, const scree_method_env *env,
                              scree_auto_choice choice)
{
    if (choice == self->chosen)
        return SCREE_OK;
    keep_figures(self);
    method_of(self)->destroy(state_of(self), env);
    scree_status status = create_inner(self, env, self->chosen);
    self->chosen = choice;
    self->switches++;
    return status;
}

static scree_status build_chosen(scree_auto *self, const scree_method_env *env,
                                 const scree_bodies *bodies)
{
    scree_status status = scree_auto_bound(self, env, bodies, NULL, 0);
    scree_bodies shown = scree_auto_show(self, bodies);
    return status ? status : method_of(self)->build(state_of(self), env, &shown);
}

static scree_status build(void *state, const scree_method_env *env, const scree_bodies *bodies)
{
    scree_auto *self = state;
    self->features.motion =
        (scree_auto_motion){.from_nothing = true, .dirty_share = 1, .found = -1};
    look(self, bodies);
    scree_status status = switch_to(self, env, cheapest(self));
    self->features.motion.from_nothing = false;
    self->interval = self->steps_to_look = 1;
    return status ? status : build_chosen(self, env, bodies);
}

/* ---- motion ---- */

/*  Exchanges since the last step, a body. */
static void count_exchanges(scree_auto *self, const scree_bodies *bodies)
{
    scree_auto_motion *motion = &self->features.motion;
    scree_stats figures;
    memset(&figures, 0, sizeof figures);
    motion->exchanges = 0;
    if (self->chosen != SCREE_AUTO_INSERTION)
        return;
    method_of(self)->stats(state_of(self), &figures);
    motion->exchanges = EXCHANGE * (double)figures.inversions / bodies->active_count;
}

static void note_step(scree_auto *self, const scree_bodies *bodies, bool all, size_t count)
{
    scree_auto_motion *motion = &self->features.motion;
    double share = all ? 1 : (double)count / bodies->active_count;
    motion->dirty_share = share;
    motion->steps_in_a_row++;
    motion->few_in_a_row = share <= FEW ? motion->few_in_a_row + 1 : 0;
    count_exchanges(self, bodies);
}

/*  Looks at the scene if it is time; *is_other: another method has been chosen. */
static scree_status look_again(scree_auto *self, const scree_method_env *env,
                               const scree_bodies *bodies, bool *is_other)
{
    *is_other = false;
    if (--self->steps_to_look > 0)
        return SCREE_OK;
    scree_status status = SCREE_OK;
    look(self, bodies);
    scree_auto_choice before = self->chosen, best = cheapest(self);
    if (self->predicted[best] < WORTH_SWITCHING * self->predicted[before]) {
        *is_other = best != before;
        self->features.motion.insertion_is_beaten |= before == SCREE_AUTO_INSERTION;
        status = switch_to(self, env, best);
    }
    self->interval = *is_other ? MIN_STEPS : self->interval * 2;
    self->interval = self->interval > MAX_STEPS ? MAX_STEPS : self->interval;
    self->steps_to_look = self->interval;
    return status;
}

static scree_status update(void *state, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count)
{
    scree_auto *self = state;
    bool is_other;
    if (bodies->active_count == 0)
        return build(self, env, bodies);
    note_step(self, bodies, ids == NULL, count);
    scree_status status = look_again(self, env, bodies, &is_other);
    if (status)
        return status;
    if (is_other || !method_of(self)->update)
        return build_chosen(self, env, bodies);
    status = scree_auto_bound(self, env, bodies, ids, count);
    scree_bodies shown = scree_auto_show(self, bodies);
    return status ? status : method_of(self)->update(state_of(self), env, &shown, ids, count);
}

/*  A method that cannot insert, or remove, is rebuilt before it is next used: any failure says so. */
static scree_status insert(void *state, const scree_method_env *env, const scree_bodies *bodies,
                           const uint32_t *ids, size_t count)
{
    scree_auto *self = state;
    if (!method_of(self)->insert || scree_auto_bound(self, env, bodies, ids, count))
        return SCREE_OUT_OF_MEMORY;
    scree_bodies shown = scree_auto_show(self, bodies);
    return method_of(self)->insert(state_of(self), env, &shown, ids, count);
}

static scree_status leave(void *state, const scree_method_env *env, const scree_bodies *bodies,
                          const uint32_t *ids, size_t count)
{
    scree_auto *self = state;
    if (!method_of(self)->remove)
        return SCREE_OUT_OF_MEMORY;
    scree_bodies shown = scree_auto_show(self, bodies);
    return method_of(self)->remove(state_of(self), env, &shown, ids, count);
}

/* ---- searching ---- */

static bool is_exact(const void *state)
{
    return method_of(state)->exact;
}

static size_t block_count(const void *state, const scree_bodies *bodies)
{
    const scree_auto *self = state;
    scree_bodies shown = scree_auto_show(self, bodies);
    return method_of(self)->block_count ? method_of(self)->block_count(state_of(self), &shown) : 1;
}

static void pairs(const void *state, const scree_bodies *bodies, size_t block,
                  scree_scratch *scratch, scree_sink *sink)
{
    const scree_auto *self = state;
    scree_bodies shown = scree_auto_show(self, bodies);
    method_of(self)->pairs(state_of(self), &shown, block, scratch, sink);
}

static void query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                  scree_hit_sink *sink)
{
    const scree_auto *self = state;
    scree_bodies shown = scree_auto_show(self, bodies);
    if (method_of(self)->query) {
        method_of(self)->query(state_of(self), &shown, probe, sink);
        return;
    }
    /* only methods that go by boxes leave queries to others */
    for (uint32_t i = 0; i < shown.active_count && !sink->stopped; i++)
        if (scree_probe_meets(probe, &shown.box[shown.active[i]]))
            scree_sink_hit(sink, shown.active[i]);
}

/* ---- figures ---- */

static void stats(const void *state, scree_stats *figures)
{
    const scree_auto *self = state;
    if (method_of(self)->stats)
        method_of(self)->stats(state_of(self), figures);
    /* not the inversions: they are those of the last update */
    figures->remapped += self->past.remapped;
    figures->created += self->past.created;
    figures->destroyed += self->past.destroyed;
    figures->rebuilds += self->past.rebuilds;
}

static void note_search(void *state, uint64_t found, double seconds)
{
    scree_auto *self = state;
    double bodies = self->features.bodies;
    if (bodies == 0)
        return;
    self->measured[self->chosen] = seconds * 1e9 / bodies;
    self->features.motion.found = (double)found / bodies;
}

static void explain(const void *state, scree_explanation *why)
{
    const scree_auto *self = state;
    const scree_auto_features *f = &self->features;
    why->method = method_of(self)->info.name;
    why->reason = scree_auto_reason(f, self->chosen);
    why->looks = self->looks;
    why->switches = self->switches;
    why->size_ratio = f->size_ratio;
    why->slenderness = f->slenderness;
    why->crowding = f->crowding;
    why->far_share = f->far_share;
    why->dirty_share = f->motion.dirty_share;
    why->pairs = scree_auto_pairs(f);
    why->alternative_count = SCREE_AUTO_CHOICES;
    for (int c = 0; c < SCREE_AUTO_CHOICES; c++)
        why->alternatives[c] =
            (scree_alternative){scree_auto_method((scree_auto_choice)c)->info.name,
                                self->predicted[c], self->measured[c]};
}

static void outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                    scree_outline_sink *sink)
{
    const scree_auto *self = state;
    scree_bodies shown = scree_auto_show(self, bodies);
    if (method_of(self)->outline)
        method_of(self)->outline(state_of(self), &shown, scratch, sink);
}

const scree_method scree_method_auto = {
    .info = {.name = "auto",
             .summary = "the method that suits the scene, chosen again when the scene changes",
             .cost = "N",
             .worst_time = "N^2, where long bodies cross without touching",
             .worst_memory = "N log N + K",
             .capabilities = SCREE_METHOD_QUERY | SCREE_METHOD_THREADS,
             .exponent = {1.1, 1.1}},
    .state_bytes = sizeof(scree_auto),
    .spheres_alone = true,
    .batches = true,
    .create = create,
    .destroy = destroy,
    .build = build,
    .update = update,
    .insert = insert,
    .remove = leave,
    .is_exact = is_exact,
    .block_count = block_count,
    .pairs = pairs,
    .query = query,
    .stats = stats,
    .outline = outline,
    .note_search = note_search,
    .explain = explain,
};
