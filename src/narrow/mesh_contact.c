/*  The finder brings candidates into the world, each triangle once, decides them in batches, and sorts the contacts. */
#include "narrow/mesh_contact.h"

#include "base/quaternion.h"

#include <math.h>

scree_mesh_pose scree_mesh_pose_of(const double position[3], const double orientation[4])
{
    double q[4] = {orientation[0], orientation[1], orientation[2], orientation[3]};
    scree_mesh_pose pose;
    scree_quaternion_normalise(q);
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0, 0, 0}, turned[3];
        axis[k] = 1;
        scree_quaternion_turn(q, axis, turned);
        for (int j = 0; j < 3; j++)
            pose.turn[j][k] = turned[j];
        pose.place[k] = position[k];
    }
    return pose;
}

/* ---- memory ---- */

scree_status scree_mesh_finder_init(scree_mesh_finder *finder, scree_memory *memory,
                                    scree_simd simd)
{
    scree_status status;
    *finder = (scree_mesh_finder){.memory = memory, .simd = scree_simd_resolve(simd)};
    for (int s = 0; s < 2; s++)
        if ((status = scree_memory_take(memory, SCREE_MESH_CANDIDATES, sizeof(uint32_t),
                                        &finder->candidate[s])))
            goto failed;
    if ((status = scree_memory_take(memory, SCREE_MESH_CANDIDATES, sizeof *finder->touches,
                                    &finder->touches)))
        goto failed;
    return SCREE_OK;
failed:
    scree_mesh_finder_free(finder);
    return status;
}

void scree_mesh_finder_free(scree_mesh_finder *finder)
{
    scree_memory *memory = finder->memory;
    for (int s = 0; s < 2; s++) {
        scree_mesh_placed *side = &finder->side[s];
        scree_memory_give(memory, &side->slot, side->slot_capacity, sizeof *side->slot);
        scree_memory_give(memory, &side->facet, side->facet_capacity, sizeof *side->facet);
        scree_memory_give(memory, &side->corners, side->corner_capacity, 9 * sizeof(double));
        scree_memory_give(memory, &finder->candidate[s], SCREE_MESH_CANDIDATES, sizeof(uint32_t));
    }
    scree_memory_give(memory, &finder->touches, SCREE_MESH_CANDIDATES, sizeof *finder->touches);
    scree_memory_give(memory, &finder->contacts, finder->contact_capacity,
                      sizeof *finder->contacts);
    scree_memory_give(memory, &finder->found, finder->found_capacity, sizeof *finder->found);
    scree_memory_give(memory, &finder->key, finder->key_capacity, sizeof *finder->key);
    scree_memory_give(memory, &finder->order, finder->order_capacity, sizeof *finder->order);
    scree_memory_give(memory, &finder->list, finder->list_capacity, sizeof *finder->list);
    scree_sorter_free(&finder->sorter, memory);
}

/*  Slots that were never written may contain any index, so new ones are set to zero, a valid index. */
static scree_status begin_side(scree_mesh_finder *finder, int s, const scree_mesh_body *body)
{
    scree_mesh_placed *side = &finder->side[s];
    size_t before = side->slot_capacity;
    scree_status status = scree_memory_reserve(finder->memory, &side->slot, &side->slot_capacity,
                                               body->mesh->facet_count, sizeof *side->slot);
    if (status)
        return status;
    if (side->slot_capacity > before)
        memset(side->slot + before, 0, (side->slot_capacity - before) * sizeof *side->slot);
    side->body = body;
    side->count = 0;
    return SCREE_OK;
}

scree_status scree_mesh_finder_begin(scree_mesh_finder *finder, const scree_mesh_body *a,
                                     const scree_mesh_body *b)
{
    scree_status status;
    finder->contact_count = 0;
    finder->candidate_count = 0;
    if ((status = begin_side(finder, 0, a)))
        return status;
    return begin_side(finder, 1, b);
}

/* ---- exact decisions ---- */

/*  Returns the slot of a facet, and brings it into the world if it is not there yet. */
static uint32_t slot_of_facet(scree_mesh_placed *side, uint32_t facet)
{
    uint32_t slot = side->slot[facet];
    if (slot < side->count && side->facet[slot] == facet)
        return slot;
    const scree_mesh *mesh = side->body->mesh;
    double *to = side->corners + 9 * (size_t)side->count;
    for (size_t c = 0; c < 3; c++)
        scree_mesh_place(&side->body->pose,
                         mesh->vertices + 3 * (size_t)mesh->facets[3 * (size_t)facet + c],
                         to + 3 * c);
    side->facet[side->count] = facet;
    side->slot[facet] = side->count;
    return side->count++;
}

/*  Brings the facets of all candidates into the world; from then on candidates are slots. */
static scree_status place_candidates(scree_mesh_finder *finder, int s)
{
    scree_mesh_placed *side = &finder->side[s];
    size_t most = (size_t)side->count + finder->candidate_count;
    uint32_t before = side->count;
    scree_status status;
    if ((status = scree_memory_reserve(finder->memory, &side->facet, &side->facet_capacity, most,
                                       sizeof *side->facet)) ||
        (status = scree_memory_reserve(finder->memory, &side->corners, &side->corner_capacity, most,
                                       9 * sizeof(double))))
        return status;
    for (uint32_t k = 0; k < finder->candidate_count; k++)
        finder->candidate[s][k] = slot_of_facet(side, finder->candidate[s][k]);
    finder->counts.placed += side->count - before;
    return SCREE_OK;
}

scree_status scree_mesh_finder_flush(scree_mesh_finder *finder)
{
    scree_triangle_settings settings = scree_triangle_default_settings();
    scree_mesh_placed *a = &finder->side[0], *b = &finder->side[1];
    scree_status status;
    size_t touching;
    if ((status = place_candidates(finder, 0)) || (status = place_candidates(finder, 1)) ||
        (status = scree_memory_reserve(finder->memory, &finder->found, &finder->found_capacity,
                                       finder->contact_count + finder->candidate_count,
                                       sizeof *finder->found)))
        return status;
    /* pairs left over by trees are near: iterations would be wasted */
    settings.method = SCREE_TRIANGLES_COMPARISON;
    settings.simd = finder->simd;
    const scree_triangle_pairs pairs = {
        .side = {{a->corners, NULL, NULL, a->body->skin, NULL},
                 {b->corners, NULL, NULL, b->body->skin, NULL}},
        .first = finder->candidate[0],
        .second = finder->candidate[1],
        .count = finder->candidate_count,
    };
    touching = scree_triangle_batch(&pairs, &settings, finder->touches, NULL, NULL, NULL);
    for (size_t k = 0; k < touching; k++) {
        const scree_triangle_touch *touch = &finder->touches[k];
        scree_mesh_touch *to = &finder->found[finder->contact_count++];
        to->facet[0] = a->facet[finder->candidate[0][touch->pair]];
        to->facet[1] = b->facet[finder->candidate[1][touch->pair]];
        to->distance = sqrt(touch->distance_sq);
        memcpy(to->point, touch->point, sizeof to->point);
    }
    finder->counts.candidates += finder->candidate_count;
    finder->candidate_count = 0;
    return SCREE_OK;
}

/* ---- order ---- */

static scree_status sort_contacts(scree_mesh_finder *finder)
{
    static const scree_workers alone = {.count = 1};
    scree_memory *memory = finder->memory;
    size_t count = finder->contact_count;
    scree_status status;
    if ((status = scree_memory_reserve(memory, &finder->contacts, &finder->contact_capacity, count,
                                       sizeof *finder->contacts)) ||
        (status = scree_memory_reserve(memory, &finder->key, &finder->key_capacity, count,
                                       sizeof *finder->key)) ||
        (status = scree_memory_reserve(memory, &finder->order, &finder->order_capacity, count,
                                       sizeof *finder->order)))
        return status;
    for (size_t k = 0; k < count; k++) {
        finder->key[k] = (uint64_t)finder->found[k].facet[0] << 32 | finder->found[k].facet[1];
        finder->order[k] = (uint32_t)k;
    }
    if ((status =
             scree_sort_u64(&finder->sorter, memory, &alone, finder->key, finder->order, count)))
        return status;
    for (size_t k = 0; k < count; k++)
        finder->contacts[k] = finder->found[finder->order[k]];
    return SCREE_OK;
}

scree_status scree_mesh_finder_end(scree_mesh_finder *finder, scree_status so_far)
{
    scree_status status = so_far;
    if (!status && finder->candidate_count > 0)
        status = scree_mesh_finder_flush(finder);
    if (!status && finder->contact_count > 0)
        status = sort_contacts(finder);
    if (status)
        finder->contact_count = 0;
    finder->counts.contacts += finder->contact_count;
    return status;
}

/* ---- all pairs ---- */

scree_status scree_mesh_finder_offer_all(scree_mesh_finder *finder)
{
    scree_status status = SCREE_OK;
    for (uint32_t i = 0; !status && i < finder->side[0].body->mesh->facet_count; i++)
        for (uint32_t j = 0; !status && j < finder->side[1].body->mesh->facet_count; j++)
            status = scree_mesh_finder_offer(finder, i, j);
    return status;
}

scree_status scree_mesh_find_all(scree_mesh_finder *finder, const scree_mesh_body *a,
                                 const scree_mesh_body *b)
{
    scree_status status = scree_mesh_finder_begin(finder, a, b);
    if (!status)
        status = scree_mesh_finder_offer_all(finder);
    return scree_mesh_finder_end(finder, status);
}
