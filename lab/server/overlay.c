/*  Overlays: contact forces as lines, the data structure of the detection method, neighbour pairs, and the surrogates of
    meshes that are being compared. Their size is bounded, and their cost is limited to a fifth of the time. */
#include "bytes.h"
#include "lab_internal.h"

#include "base/quaternion.h"
#include "world/measure/neighbour_pairs.h"
#include "world/measure/surrogate_of.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHAINS_MOST 60000u
#define PIECES_MOST 60000u
#define LINES_HEAD 32u
#define CHAIN_BYTES 28u
#define PIECE_BYTES 32u
#define LINES_KIND 4u
#define WORTH 4.0 /* ratio of the interval between updates to the cost of one */

typedef struct lines
{
    uint8_t *bytes;
    size_t count, room; /* bytes */
    double origin[3];
    uint32_t chains, pieces, pieces_left_out, levels, level_most;
    double mean, most;
    bool failed;
} lines;

/* ---- bytes ----------------------------------------------------------------------------------------------- */

static uint8_t *grow(lines *l, size_t more)
{
    if (l->room - l->count < more) {
        size_t room = l->room + l->room / 2 + more + 4096;
        uint8_t *grown = realloc(l->bytes, room);
        l->failed = !grown;
        if (!grown)
            return NULL;
        l->bytes = grown;
        l->room = room;
    }
    l->count += more;
    return l->bytes + l->count - more;
}

static uint8_t *put_point(const lines *l, uint8_t *at, const double point[3])
{
    for (int k = 0; k < 3; k++)
        at = scree_lab_put_float(at, (float)(point[k] - l->origin[k]));
    return at;
}

/* ---- forces ---------------------------------------------------------------------------------------------- */

static double strength(const scree_contact *contact)
{
    return sqrt(contact->force[0] * contact->force[0] + contact->force[1] * contact->force[1] +
                contact->force[2] * contact->force[2]);
}

/*  From centre to centre, or to the wall. The other end is beyond the contact point: in a periodic domain the other
    body itself may be on the other side. */
static void put_chain(scree_lab *lab, lines *l, const scree_contact *contact)
{
    scree_body first, second;
    double end[3];
    uint8_t *at = NULL;

    if (scree_world_get_body(lab->world, contact->first, &first))
        return;
    for (int k = 0; k < 3; k++)
        end[k] = contact->point[k];
    if (contact->second.index1 && !scree_world_get_body(lab->world, contact->second, &second))
        for (int k = 0; k < 3; k++)
            end[k] += contact->normal[k] * (second.shape.radius - contact->overlap / 2);
    at = grow(l, CHAIN_BYTES);
    if (!at)
        return;
    scree_lab_put_float(put_point(l, put_point(l, at, first.position), end),
                        (float)strength(contact));
    l->chains++;
}

/*  All forces, or if there are too many, the largest: those above a multiple of the mean. */
static double weakest_shown(const scree_contact *contacts, size_t count, double mean)
{
    double least = 0;

    for (size_t shown = count; shown > CHAINS_MOST;) {
        least = least > 0 ? 1.4 * least : mean / 2;
        shown = 0;
        for (size_t i = 0; i < count; i++)
            shown += strength(&contacts[i]) > least;
    }
    return least;
}

static void put_chains(scree_lab *lab, lines *l)
{
    const scree_contact *contacts;
    size_t count;
    double sum = 0;

    if (scree_world_contacts(lab->world, NULL, &contacts, &count))
        return;
    for (size_t i = 0; i < count; i++) {
        double force = strength(&contacts[i]);
        sum += force;
        l->most = fmax(l->most, force);
    }
    l->mean = count ? sum / (double)count : 0;
    double least = weakest_shown(contacts, count, l->mean);
    for (size_t i = 0; i < count && !l->failed; i++)
        if (strength(&contacts[i]) > least)
            put_chain(lab, l, &contacts[i]);
}

/* ---- structure ------------------------------------------------------------------------------------------- */

static int put_piece(const scree_outline_piece *piece, void *user)
{
    lines *l = user;

    l->levels = piece->level >= l->levels ? piece->level + 1 : l->levels;
    if (piece->level > l->level_most)
        return 0;
    if (l->pieces == PIECES_MOST) {
        l->pieces_left_out++;
        return 0;
    }
    uint8_t *at = grow(l, PIECE_BYTES);
    if (!at)
        return 1;
    at = scree_lab_put_whole(at, (uint32_t)piece->kind | piece->axis << 8 | piece->level << 16);
    at = scree_lab_put_whole(at, piece->kind == SCREE_OUTLINE_RANGE ? piece->place : piece->count);
    put_point(l, put_point(l, at, piece->lower), piece->upper);
    l->pieces++;
    return 0;
}

/* ---- surrogates ------------------------------------------------------------------------------------------ */

#define SURROGATE_EDGE 5u /* a kind in addition to those of detection: from, to */

typedef struct turned
{
    const double *position, *orientation;
} turned;

static void put_edge(lines *l, const turned *body, const scree_surrogate_node *node, int from,
                     uint32_t level)
{
    if (l->pieces == PIECES_MOST) {
        l->pieces_left_out++;
        return;
    }
    uint8_t *at = grow(l, PIECE_BYTES);
    if (!at)
        return;
    at = scree_lab_put_whole(at, SURROGATE_EDGE | level << 16);
    at = scree_lab_put_whole(at, node->end - node->begin);
    for (int end = 0; end < 2; end++) {
        double point[3];
        scree_quaternion_turn(body->orientation, node->corner[(from + end) % 3], point);
        for (int k = 0; k < 3; k++)
            point[k] += body->position[k];
        at = put_point(l, at, point);
    }
    l->pieces++;
}

/*  The items of one level, and those that end above it: together they represent the whole mesh. */
static void put_surrogate(lines *l, const turned *body, const scree_surrogate *tree)
{
    uint32_t last = tree->level_count - 1;
    uint32_t level = l->level_most < last ? l->level_most : last;

    l->levels = tree->level_count > l->levels ? tree->level_count : l->levels;
    for (uint32_t k = 0; k < tree->level_start[level + 1]; k++)
        if (k >= tree->level_start[level] || tree->nodes[k].children == 0)
            for (int from = 0; from < 3; from++)
                put_edge(l, body, &tree->nodes[k], from, level);
}

static void put_surrogates(scree_lab *lab, lines *l)
{
    scree_bodies_view view = scree_world_bodies(lab->world);

    for (size_t i = 0; i < view.count && !l->failed; i++) {
        size_t slot = scree_body_id_at(view.id, i).index1 - 1;
        uint16_t number = slot < lab->shapes.slot_count ? lab->shapes.number[slot] : 0;
        const scree_surrogate *tree =
            number ? scree_world_surrogate_of(lab->world, &lab->shapes.shape[number - 1]) : NULL;
        if (tree)
            put_surrogate(
                l, &(turned){scree_row_at(view.position, i), scree_row_at(view.orientation, i)},
                tree);
    }
}

/* ---- neighbour pairs ------------------------------------------------------------------------------------- */

#define PAIR_LINE 6u /* another kind: from centre to centre; level 1: the bodies touch */

static uint64_t key_of(scree_body_id first, scree_body_id second)
{
    uint32_t a = first.index1, b = second.index1;
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static int by_key(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/*  The pairs of bodies that touch, sorted; the caller frees them. NULL without memory. */
static uint64_t *touching_pairs(scree_lab *lab, size_t *count)
{
    const scree_contact *contacts;
    size_t all;

    *count = 0;
    if (scree_world_contacts(lab->world, NULL, &contacts, &all))
        return NULL;
    uint64_t *keys = malloc((all + 1) * sizeof *keys);
    for (size_t i = 0; keys && i < all; i++)
        if (contacts[i].second.index1)
            keys[(*count)++] = key_of(contacts[i].first, contacts[i].second);
    if (keys)
        qsort(keys, *count, sizeof *keys, by_key);
    return keys;
}

static void put_pair(lines *l, const scree_neighbour_pair *pair, bool touches)
{
    if (l->pieces == PIECES_MOST) {
        l->pieces_left_out++;
        return;
    }
    uint8_t *at = grow(l, PIECE_BYTES);
    if (!at)
        return;
    at = scree_lab_put_whole(at, PAIR_LINE | (uint32_t)touches << 16);
    at = scree_lab_put_whole(at, 2);
    put_point(l, put_point(l, at, pair->from), pair->to);
    l->pieces++;
}

/*  If there are too many, those that touch are shown first. */
static void put_pairs(scree_lab *lab, lines *l)
{
    size_t touching, count = scree_world_neighbour_count(lab->world);
    uint64_t *keys = touching_pairs(lab, &touching);

    for (int wanted = 1; wanted >= 0 && keys; wanted--)
        for (size_t i = 0; i < count && !l->failed; i++) {
            scree_neighbour_pair pair = scree_world_neighbour_pair(lab->world, i);
            uint64_t key = key_of(pair.first, pair.second);
            bool touches = bsearch(&key, keys, touching, sizeof key, by_key) != NULL;
            if (touches == wanted)
                put_pair(l, &pair, touches);
        }
    free(keys);
}

/* ---- the overlay board ------------------------------------------------------------------------------- */

static void put_head(const scree_lab *lab, const lines *l)
{
    uint8_t *at = scree_lab_put_whole(l->bytes, LINES_KIND | lab->overlay << 8);

    at = scree_lab_put_whole(at, lab->epoch);
    at = scree_lab_put_whole(at, l->chains);
    at = scree_lab_put_whole(at, l->pieces);
    at = scree_lab_put_whole(at, l->levels);
    at = scree_lab_put_whole(at, l->pieces_left_out);
    scree_lab_put_float(scree_lab_put_float(at, (float)l->mean), (float)l->most);
}

void scree_lab_tell_lines(scree_lab *lab)
{
    double begin = scree_lab_now();
    lines l = {.level_most = lab->overlay_level};

    if ((lab->overlay == 0 && !lab->has_lines) || begin < lab->lines_due)
        return;
    memcpy(l.origin, lab->grain.origin, sizeof l.origin);
    if (!grow(&l, LINES_HEAD))
        return;
    if (lab->overlay & SCREE_LAB_SHOW_CHAINS)
        put_chains(lab, &l);
    if (lab->overlay & SCREE_LAB_SHOW_STRUCTURE)
        (void)scree_detector_outline(scree_world_detector(lab->world), put_piece, &l);
    if (lab->overlay & SCREE_LAB_SHOW_PAIRS)
        put_pairs(lab, &l);
    if (lab->overlay & SCREE_LAB_SHOW_SURROGATES)
        put_surrogates(lab, &l);
    put_head(lab, &l);
    scree_lab_post(lab, SCREE_LAB_LINES, SCREE_LAB_EVERYBODY, false, l.bytes, l.count);
    lab->has_lines = lab->overlay != 0;
    lab->lines_due = begin + (1 + WORTH) * (scree_lab_now() - begin);
}
