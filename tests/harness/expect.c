/*  Runs the reference over a scene and keeps what it says of each step. */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

void expectation_init(expectation *expected, const test_scene *scene, reference_lie lie)
{
    reference_model model;
    reference_init(&model, scene, lie);
    expected->scene = scene;
    expected->lie = lie;
    expected->steps = scene_memory(scene->step_count * sizeof *expected->steps);
    for (uint32_t s = 0; s < scene->step_count; s++) {
        const scene_step *step = &scene->steps[s];
        expected_step *e = &expected->steps[s];
        e->ids = scene_memory((step->count + 1) * sizeof *e->ids);
        e->statuses = reference_step(&model, step, e->ids);
        e->body_count = reference_body_count(&model);
        e->id_bound = reference_id_bound(&model);
        e->rejected = model.rejected;
        if (step->checks)
            reference_pairs(&model, false, &e->pairs);
        if (step->checks && scene->coarse)
            reference_pairs(&model, true, &e->candidates);
        if (step->kind != SCENE_QUERY)
            continue;
        e->hits = scene_memory((e->id_bound + 1) * sizeof *e->hits);
        if (!(e->statuses & 1u))
            continue;
        for (uint32_t id = 0; id < e->id_bound; id++)
            e->hits[id].verdict = reference_hit(&model, &step->query, id, &e->hits[id].distance,
                                                &e->hits[id].tolerance);
    }
    reference_free(&model);
}

void expectation_free(expectation *expected)
{
    for (uint32_t s = 0; s < expected->scene->step_count; s++) {
        expected_step *e = &expected->steps[s];
        free(e->ids);
        pair_list_free(&e->pairs);
        pair_list_free(&e->candidates);
        free(e->hits);
        free(e->first_answer);
    }
    free(expected->steps);
    memset(expected, 0, sizeof *expected);
}

/*  FNV-1a, a number at a time. */
static void mix(uint64_t *digest, uint64_t value)
{
    for (int k = 0; k < 8; k++) {
        *digest ^= (value >> (8 * k)) & 0xff;
        *digest *= 0x100000001b3u;
    }
}

uint64_t expectation_digest(const expectation *expected)
{
    uint64_t digest = 0xcbf29ce484222325u;
    for (uint32_t s = 0; s < expected->scene->step_count; s++) {
        const expected_step *e = &expected->steps[s];
        mix(&digest, s);
        mix(&digest, e->statuses);
        mix(&digest, e->body_count);
        for (size_t k = 0; k < e->pairs.count; k++) {
            mix(&digest, e->pairs.pair[k][0]);
            mix(&digest, e->pairs.pair[k][1]);
        }
        for (size_t k = 0; k < e->first_count; k++)
            mix(&digest, e->first_answer[k].id);
    }
    return digest;
}
