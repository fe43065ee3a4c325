#include "app/run/check_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*  Where notes go. */
typedef struct plan_listener
{
    scree_plan_note_fn *note;
    void *user;
} plan_listener;

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool are_equal(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

/* ---- walls ---- */

static bool same_surface(const scree_scene_geometry *a, const scree_scene_geometry *b)
{
    return a->form == b->form && are_equal(a->point, b->point, sizeof a->point) &&
           are_equal(a->normal, b->normal, sizeof a->normal) &&
           are_equal(a->lower, b->lower, sizeof a->lower) &&
           are_equal(a->upper, b->upper, sizeof a->upper) &&
           are_equal(a->from, b->from, sizeof a->from) && are_equal(a->to, b->to, sizeof a->to) &&
           a->radius == b->radius && a->radius_to == b->radius_to && a->open == b->open &&
           a->scale == b->scale && same_text(a->path, b->path) &&
           a->vertex_count == b->vertex_count && a->facet_count == b->facet_count &&
           a->corner_count == b->corner_count &&
           are_equal(a->vertices, b->vertices, 3 * sizeof(double) * a->vertex_count) &&
           are_equal(a->corners, b->corners,
                     (size_t)a->corner_count * a->facet_count * sizeof(uint32_t));
}

static bool moves(const scree_scene_wall *wall)
{
    static const double none[3] = {0};
    const scree_wall_path *path = &wall->path;

    return path->part_count > 0 || path->table_count > 0 || path->rate != 0 ||
           memcmp(path->velocity, none, sizeof none) != 0 ||
           memcmp(path->swing, none, sizeof none) != 0 || wall->has_servo || wall->is_free;
}

/*  Two walls that stand still in the same place: their forces count twice. */
static void check_walls(const scree_scene_plan *plan, const plan_listener *to)
{
    char text[200];

    for (size_t i = 0; i < plan->wall_count; i++)
        for (size_t k = 0; k < i; k++) {
            const scree_scene_wall *a = &plan->walls[k], *b = &plan->walls[i];
            if (!same_surface(&a->surface, &b->surface) || moves(a) || moves(b) ||
                !are_equal(a->position, b->position, sizeof a->position) ||
                !are_equal(a->orientation, b->orientation, sizeof a->orientation) ||
                a->groups != b->groups || a->mask != b->mask)
                continue;
            snprintf(text, sizeof text,
                     "line %d: this wall is the same as that of line %d: bodies that touch it are "
                     "pushed twice as hard",
                     b->line, a->line);
            to->note(text, to->user);
            break;
        }
}

/*  Few of a mesh's edges are open where it is meant to be closed: of a plate or a trough about as many as go along its side. */
static void check_holes(const scree_scene_plan *plan, const plan_listener *to)
{
    char text[240];

    for (size_t i = 0; i < plan->wall_count; i++) {
        const scree_scene_geometry *g = &plan->walls[i].surface;
        uint32_t open = g->open_edges;
        if (open == 0 || (double)open * open > g->facet_count / 4.0)
            continue;
        snprintf(
            text, sizeof text,
            "line %d: the surface of this wall is closed but for %u edges of %u facets: it has "
            "holes, or vertices that should be one are apart; bodies can leave through it",
            plan->walls[i].line, open, g->facet_count);
        to->note(text, to->user);
    }
}

/* ---- materials ---- */

static bool is_used(const scree_scene_plan *plan, uint32_t material)
{
    for (size_t i = 0; i < plan->wall_count; i++)
        if (plan->walls[i].material == material)
            return true;
    for (size_t i = 0; i < plan->body_count; i++)
        if (plan->bodies[i].material == material)
            return true;
    for (size_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].material == material)
            return true;
    return false;
}

static void check_materials(const scree_scene_plan *plan, const plan_listener *to)
{
    char text[200];

    for (uint32_t k = 1; k <= plan->material_count; k++) {
        const char *name = plan->materials[k - 1].name;
        if (is_used(plan, k))
            continue;
        snprintf(text, sizeof text, "line %d: no body or wall is made of %s",
                 plan->material_lines[k - 1], name[0] ? name : "this material");
        to->note(text, to->user);
    }
}

/* ---- rules ---- */

/*  Materials of rules are unordered pairs, in which 0 is any material. */
static bool covers_materials(const uint32_t a[2], const uint32_t b[2])
{
    for (int k = 0; k < 2; k++)
        if ((!a[0] || a[0] == b[k]) && (!a[1] || a[1] == b[1 - k]))
            return true;
    return false;
}

/*  Whether each contact that matches `b` matches `a`. */
static bool covers(const scree_scene_rule *a, const scree_scene_rule *b)
{
    return covers_materials(a->material, b->material) && (b->groups & ~a->groups) == 0 &&
           (a->type == SCREE_CONTACT_ANY || a->type == b->type);
}

/*  The first rule that matches is used. */
static void check_rules(const scree_scene_plan *plan, const plan_listener *to)
{
    char text[200];

    for (size_t i = 1; i < plan->rule_count; i++)
        for (size_t k = 0; k < i; k++)
            if (covers(&plan->rules[k], &plan->rules[i])) {
                snprintf(text, sizeof text,
                         "line %d: this rule is never used: that of line %d matches all of its "
                         "contacts and comes first; put the special rule before the general one",
                         plan->rules[i].line, plan->rules[k].line);
                to->note(text, to->user);
                break;
            }
}

static bool is_named(const scree_scene_plan *plan, const scree_law *law)
{
    for (size_t i = 0; i < plan->rule_count; i++)
        if (plan->rules[i].own_law == law)
            return true;
    return false;
}

static void check_laws(const scree_scene_plan *plan, const plan_listener *to)
{
    char text[200];

    for (size_t k = 0; k < plan->own_law_count; k++) {
        const char *name = plan->own_laws[k]->name;
        if (is_named(plan, plan->own_laws[k]))
            continue;
        snprintf(text, sizeof text,
                 "law \"%s\" acts nowhere: no rule names it, as rule { law = \"%s\" }", name, name);
        to->note(text, to->user);
    }
}

/* ---- times ---- */

static void check_start(const scree_scene_plan *plan, int line, const char *what, double start,
                        const plan_listener *to)
{
    char text[200];

    if (!(plan->end_time > 0) || start < plan->end_time)
        return;
    snprintf(text, sizeof text, "line %d: %s would start at %g s, but the run ends at %g s", line,
             what, start, plan->end_time);
    to->note(text, to->user);
}

static void check_motions(const scree_scene_plan *plan, const plan_listener *to)
{
    for (size_t i = 0; i < plan->wall_count; i++) {
        const scree_scene_wall *wall = &plan->walls[i];
        for (size_t k = 0; k < wall->path.part_count; k++)
            check_start(plan, wall->line, "a motion of this wall", wall->path.parts[k].start, to);
        if (wall->has_servo)
            check_start(plan, wall->line, "the servo of this wall", wall->servo.start, to);
    }
}

static void check_times(const scree_scene_plan *plan, const plan_listener *to)
{
    for (size_t i = 0; i < plan->source_count; i++)
        if (plan->sources[i].is_pour && !plan->sources[i].stage)
            check_start(plan, plan->sources[i].line, "this pour", plan->sources[i].start, to);
    for (size_t i = 0; i < plan->sink_count; i++)
        if (!plan->sinks[i].stage)
            check_start(plan, plan->sinks[i].line, "this sink", plan->sinks[i].start, to);
    check_motions(plan, to);
    for (size_t i = 0; i < plan->stage_count && !plan->ends_by_stages; i++)
        check_start(plan, plan->stages[i].line, "this stage", plan->stages[i].earliest, to);
}

/*  The last steps are then shortened. */
static void check_end(const scree_scene_plan *plan, const plan_listener *to)
{
    double dt = plan->world.step.dt, steps = plan->end_time / dt;
    char text[200];

    if (plan->world.step.mode != SCREE_TIME_FIXED || plan->stage_count > 0 ||
        !(plan->end_time > 0) || fabs(steps - floor(steps + 0.5)) < 1e-6 * fmax(1, steps))
        return;
    snprintf(
        text, sizeof text,
        "the step does not divide the time of the run: %g s are %.6g steps of %g s, so that the "
        "last ones are shortened",
        plan->end_time, steps, dt);
    to->note(text, to->user);
}

void scree_check_plan(const scree_scene_plan *plan, scree_plan_note_fn *note, void *user)
{
    const plan_listener listener = {note, user}, *to = &listener;

    check_walls(plan, to);
    check_holes(plan, to);
    check_materials(plan, to);
    check_rules(plan, to);
    check_laws(plan, to);
    check_times(plan, to);
    check_end(plan, to);
}
