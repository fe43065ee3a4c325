/*  Fronts: temporal coherence, the first of the paper's suggestions for further work. A search stores the pairs at
    which it ended. Each is a pair of surrogates or facets that are apart, or a pair of facets that may touch. Together
    they represent all pairs of facets, each once. The next search begins there and refines pairs that have come near.

    AHEAD. Pairs are compared with halos enlarged by `ahead` in sum. A pair that is apart even so cannot touch before
    the bodies have approached by that much, and is not compared until then. The approach in a step is at most the
    relative displacement of the two origins plus the largest displacement of any point by rotation: for a point x of a
    body, |R' x - R x| is at most |R' - R| |x|, with the root of the sum of squares for |R' - R| and sqrt(3) c for |x|.
    Positions err by what the halos' slack allows, once when a pair is compared and once later; the latter is added to
    the approach at each step.

    NEAR. A pair that is apart by less is compared at each step, without enlarged halos. When it touches it is replaced
    by its children, which are compared with enlarged halos first.

    Fronts only become finer. After 32 searches a front restarts at the roots, which costs a thirty-second of a full
    search per step and makes it as coarse as possible. Bodies that are new to each other, or approach by more than
    twice their skins in a step, are searched from the roots without a front. */
#include "narrow/mesh_surrogate_parts.h"

#include <math.h>
#include <string.h>

#define MAX_AGE 32u
#define NEAR (-INFINITY) /* value of `until`: compared at each step */
#define TO_OPEN NAN      /* value of `until`: touched, to be replaced by children */

typedef struct front_job
{
    scree_mesh_finder *finder;
    scree_surrogate_search *search;
    scree_surrogate_front *front;
    double until; /* pairs that are apart ahead stay so until then */
} front_job;

void scree_surrogate_front_init(scree_surrogate_front *front)
{
    memset(front, 0, sizeof *front);
}

void scree_surrogate_front_free(scree_surrogate_front *front, scree_memory *memory)
{
    scree_memory_give(memory, &front->ends, front->end_capacity, sizeof *front->ends);
    scree_surrogate_front_init(front);
}

/* ---- motion of the bodies ---- */

static double turning(const scree_mesh_pose *before, const scree_mesh_pose *after)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        double d = after->turn[k / 3][k % 3] - before->turn[k / 3][k % 3];
        sum += d * d;
    }
    return sqrt(sum);
}

double scree_surrogate_way(const scree_surrogate_search *search, const scree_mesh_pose before[2])
{
    const scree_surrogate_side *a = &search->side[0], *b = &search->side[1];
    double sum = 0, way;
    for (int k = 0; k < 3; k++) {
        double d = (b->body->pose.place[k] - before[1].place[k]) -
                   (a->body->pose.place[k] - before[0].place[k]);
        sum += d * d;
    }
    way = sqrt(sum);
    for (int s = 0; s < 2; s++) {
        const scree_surrogate_side *side = &search->side[s];
        way += turning(&before[s], &side->body->pose) * (1.7320508075688774 * side->tree->reach) +
               4 * scree_surrogate_place_error(side->body);
    }
    return way * (1 + 0x1p-40);
}

static bool is_of_these(const scree_surrogate_front *front, const scree_surrogate_search *search)
{
    for (int s = 0; s < 2; s++)
        if (front->tree[s] != search->side[s].tree || front->skin[s] != search->side[s].body->skin)
            return false;
    return true;
}

/* ---- ends of a search ---- */

static void add_end(front_job *job, uint32_t first, uint32_t second, double until)
{
    const scree_surrogate_side *a = &job->search->side[0], *b = &job->search->side[1];
    job->front->ends[job->front->end_count++] = (scree_surrogate_end){
        until, {a->thing[first], b->thing[second]}, {a->level[first], b->level[second]}};
}

/*  Pushes an end onto the stack, as slots. There is room. */
static void push_end(scree_surrogate_search *search, const scree_surrogate_end *end)
{
    for (int s = 0; s < 2; s++)
        search->stack[s][search->stack_count] =
            scree_surrogate_slot(&search->side[s], end->thing[s], end->level[s]);
    search->stack_count++;
}

/*  Pops the topmost pairs of the stack; reserves room for as many ends. */
static scree_status pop_pairs(front_job *job, uint32_t *first, uint32_t *second, size_t *count)
{
    scree_surrogate_search *search = job->search;
    *count = search->stack_count < SURROGATE_AT_ONCE ? search->stack_count : SURROGATE_AT_ONCE;
    search->stack_count -= *count;
    memcpy(first, search->stack[0] + search->stack_count, *count * sizeof *first);
    memcpy(second, search->stack[1] + search->stack_count, *count * sizeof *second);
    return scree_memory_reserve(search->memory, &job->front->ends, &job->front->end_capacity,
                                job->front->end_count + *count, sizeof *job->front->ends);
}

/*  Sorts compared pairs: near ones remain, facets go to the finder, and those to be opened move to the front of the
    arrays. */
static scree_status sort_out(front_job *job, uint32_t *first, uint32_t *second, size_t *count)
{
    scree_surrogate_search *search = job->search;
    scree_status status = SCREE_OK;
    size_t open = 0;
    if (*count > 0)
        scree_surrogate_compare(search, job->finder->simd, 0, first, second, *count);
    for (size_t k = 0; k < *count && !status; k++) {
        bool apart = search->verdicts[k] == SCREE_TRIANGLES_APART;
        if (apart || scree_surrogate_are_facets(search, first[k], second[k])) {
            add_end(job, first[k], second[k], NEAR);
            if (!apart)
                status = scree_surrogate_offer(job->finder, search, first[k], second[k]);
        } else {
            first[open] = first[k];
            second[open++] = second[k];
        }
    }
    *count = open;
    return status;
}

/* ---- near pairs ---- */

/*  Reserves room for so many ends on the stack, and for the children of others. */
static scree_status make_room_for(scree_surrogate_search *search, size_t ends, size_t opened)
{
    scree_status status =
        scree_surrogate_make_room(search, opened + scree_block_count(ends, SURROGATE_CHILD_PAIRS));
    for (int s = 0; s < 2 && !status; s++)
        status = scree_surrogate_reserve(search, s, ends + opened * (1 + SCREE_SURROGATE_WIDTH));
    return status;
}

/*  Moves all near ends to the stack, and compacts the others. */
static scree_status take_near(front_job *job)
{
    scree_surrogate_front *front = job->front;
    size_t kept = 0, near = 0;
    scree_status status;
    for (size_t k = 0; k < front->end_count; k++)
        near += front->ends[k].until == NEAR;
    if ((status = make_room_for(job->search, near, 0)))
        return status;
    for (size_t k = 0; k < front->end_count; k++)
        if (front->ends[k].until == NEAR)
            push_end(job->search, &front->ends[k]);
        else
            front->ends[kept++] = front->ends[k];
    front->end_count = kept;
    return SCREE_OK;
}

static scree_status compare_near(front_job *job)
{
    scree_status status = SCREE_OK;
    while (!status && job->search->stack_count > 0) {
        uint32_t first[SURROGATE_AT_ONCE], second[SURROGATE_AT_ONCE];
        size_t count;
        status = pop_pairs(job, first, second, &count);
        if (!status)
            status = sort_out(job, first, second, &count);
        for (size_t k = 0; k < count && !status; k++)
            add_end(job, first[k], second[k], TO_OPEN);
    }
    return status;
}

/* ---- expired pairs, and children ---- */

static bool is_due(const scree_surrogate_front *front, const scree_surrogate_end *end)
{
    return end->until != NEAR && !(end->until > front->travelled);
}

/*  Pushes the children of those that touch. */
static void replace_end(scree_surrogate_search *search, const scree_surrogate_end *end)
{
    uint32_t slot[2];
    for (int s = 0; s < 2; s++)
        slot[s] = scree_surrogate_slot(&search->side[s], end->thing[s], end->level[s]);
    scree_surrogate_push_children(search, slot[0], slot[1]);
}

static scree_status take_due(front_job *job)
{
    scree_surrogate_search *search = job->search;
    scree_surrogate_front *front = job->front;
    size_t kept = 0, due = 0, open = 0;
    scree_status status;
    for (size_t k = 0; k < front->end_count; k++) {
        due += is_due(front, &front->ends[k]);
        open += isnan(front->ends[k].until) != 0;
    }
    if ((status = make_room_for(search, due - open, open)))
        return status;
    for (size_t k = 0; k < front->end_count; k++) {
        const scree_surrogate_end end = front->ends[k];
        if (isnan(end.until)) {
            replace_end(search, &end);
        } else if (is_due(front, &end)) {
            push_end(search, &end);
        } else {
            front->ends[kept++] = end;
            search->counts.known_apart += end.until != NEAR;
        }
    }
    front->end_count = kept;
    return SCREE_OK;
}

/*  Compares with enlarged halos first; pairs that are not apart then, without. */
static scree_status compare_due(front_job *job)
{
    scree_surrogate_search *search = job->search;
    scree_status status = SCREE_OK;
    while (!status && search->stack_count > 0) {
        uint32_t first[SURROGATE_AT_ONCE], second[SURROGATE_AT_ONCE];
        size_t count, left = 0;
        if ((status = pop_pairs(job, first, second, &count)))
            break;
        scree_surrogate_compare(search, job->finder->simd, 1, first, second, count);
        for (size_t k = 0; k < count; k++) {
            if (search->verdicts[k] == SCREE_TRIANGLES_APART) {
                add_end(job, first[k], second[k], job->until);
            } else {
                first[left] = first[k];
                second[left++] = second[k];
            }
        }
        status = sort_out(job, first, second, &left);
        if (!status)
            status = scree_surrogate_make_room(search, left);
        for (size_t k = 0; k < left && !status; k++)
            scree_surrogate_push_children(search, first[k], second[k]);
    }
    return status;
}

/* ---- a search with a front ---- */

/*  A front of the roots, which has expired. */
static scree_status begin_at_roots(front_job *job)
{
    scree_surrogate_front *front = job->front;
    scree_status status = scree_memory_reserve(job->search->memory, &front->ends,
                                               &front->end_capacity, 1, sizeof *front->ends);
    if (status)
        return status;
    front->ends[0] = (scree_surrogate_end){.until = 0};
    front->end_count = 1;
    front->travelled = 0;
    front->age = 0;
    return SCREE_OK;
}

/*  The addition to halos is rounded, as halos are. And facets have no slack of their own: a distance that the double
    computes as more than the interaction range and `ahead` may be smaller by its error, and has an error again after
    the motion. Both together are less than the slack of one side (mesh_surrogate_parts.c). */
double scree_surrogate_look_ahead(scree_surrogate_search *search, double ahead)
{
    scree_surrogate_side *a = &search->side[0], *b = &search->side[1];
    double skins = a->body->skin + b->body->skin;
    a->wider = b->wider = 0.5 * ahead;
    return ahead - a->slack - 0x1p-45 * (16 * (a->tree->reach + b->tree->reach) + skins);
}

/*  Continues where the last search ended. */
static scree_status go_on(front_job *job, double way)
{
    scree_surrogate_front *front = job->front;
    double skins = job->search->side[0].body->skin + job->search->side[1].body->skin;
    scree_status status = SCREE_OK;
    if (front->age >= MAX_AGE)
        status = begin_at_roots(job);
    else
        front->travelled = (front->travelled + way) * (1 + 0x1p-50);
    front->age++;
    /* for a few steps like the last one; skins are the length scale */
    job->until = front->travelled + scree_surrogate_look_ahead(
                                        job->search, fmax(skins / 32, fmin(6 * way, 2 * skins)));
    if (!status)
        status = take_near(job);
    if (!status)
        status = compare_near(job);
    if (!status)
        status = take_due(job);
    if (!status)
        status = compare_due(job);
    return status;
}

scree_status scree_surrogate_search_front(scree_mesh_finder *finder, scree_surrogate_search *search,
                                          scree_surrogate_front *front)
{
    front_job job = {.finder = finder, .search = search, .front = front};
    double skins = search->side[0].body->skin + search->side[1].body->skin;
    double way = is_of_these(front, search) ? scree_surrogate_way(search, front->pose) : INFINITY;
    scree_status status;
    /* bodies that move so far in a step meet others each time; those that are new to each other may do so */
    if (way <= 2 * skins) {
        status = go_on(&job, way);
    } else {
        status = scree_surrogate_search_roots(finder, search);
        front->end_count = 0;
        front->age = MAX_AGE;
    }
    for (int s = 0; s < 2; s++) {
        front->tree[s] = search->side[s].tree;
        front->pose[s] = search->side[s].body->pose;
        front->skin[s] = search->side[s].body->skin;
    }
    return status;
}
