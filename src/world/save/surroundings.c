/*  Layout: bytes of the snapshot, counts of the definitions, the snapshot, rows of the definitions. */
#include "world/save/surroundings.h"

#include "base/hash.h"
#include "law/formula_law.h"
#include "law/law_table_row.h"
#include "world/collide/geometry_digest.h"
#include "world/save/definitions.h"

#include <string.h>

#define COUNT_BYTES offsetof(scree_definitions, materials)
#define HEAD_WORDS (1 + COUNT_BYTES / sizeof(uint64_t))
_Static_assert(COUNT_BYTES % sizeof(uint64_t) == 0, "counts are words");

scree_status scree_surroundings_reserve(scree_surroundings *packed, scree_memory *memory,
                                        size_t count)
{
    packed->memory = memory;
    if (scree_memory_take(memory, count, sizeof *packed->words, &packed->words))
        return SCREE_OUT_OF_MEMORY;
    packed->count = count;
    memset(packed->words, 0, count * sizeof *packed->words);
    return SCREE_OK;
}

void scree_surroundings_free(scree_surroundings *packed)
{
    if (packed->memory)
        scree_memory_give(packed->memory, &packed->words, packed->count, sizeof *packed->words);
    packed->count = 0;
}

static unsigned char *bytes_at(const scree_surroundings *packed, size_t word)
{
    return (unsigned char *)(packed->words + word);
}

scree_status scree_surroundings_pack(scree_world *world, bool with_definitions,
                                     scree_memory *memory, scree_surroundings *packed)
{
    scree_definitions definitions = {0};
    scree_snapshot *snapshot;
    scree_status status = scree_world_snapshot_surroundings(world, &snapshot);

    if (status)
        return status;
    if (with_definitions)
        scree_definitions_count(&world->rules, &world->walls, &world->shape_finder.meshes,
                                &definitions);
    const size_t state = snapshot->bytes / sizeof(uint64_t);
    status = scree_surroundings_reserve(
        packed, memory,
        HEAD_WORDS + state + scree_definitions_bytes(&definitions) / sizeof(uint64_t));
    if (!status) {
        packed->words[0] = snapshot->bytes;
        memcpy(bytes_at(packed, 1), &definitions, COUNT_BYTES);
        memcpy(bytes_at(packed, HEAD_WORDS), snapshot->data, snapshot->bytes);
        scree_definitions_place(&definitions, bytes_at(packed, HEAD_WORDS + state));
        if (with_definitions)
            scree_definitions_write(&world->rules, &world->walls, &world->shape_finder.meshes,
                                    &definitions);
    }
    scree_snapshot_destroy(snapshot);
    return status;
}

/*  Leaves no materials, contact models or walls, and no contacts, which name them. */
static scree_status drop_definitions(scree_world *world)
{
    world->pairs.count = 0;
    world->wall_contacts.now.count = 0;
    world->shape_contacts.now.count = 0;
    scree_walls_free(&world->walls);
    scree_walls_init(&world->walls, &world->memory, world->def.dimensions);
    scree_rules_free(&world->rules);
    return scree_rules_init(&world->rules, &world->memory, world->simd, world->def.dimensions);
}

scree_status scree_surroundings_apply(const scree_surroundings *packed, bool takes_definitions,
                                      scree_world *world)
{
    const size_t state = (size_t)packed->words[0] / sizeof(uint64_t);
    const scree_snapshot snapshot = {.data = bytes_at(packed, HEAD_WORDS),
                                     .bytes = (size_t)packed->words[0]};
    scree_definitions definitions = {0};
    scree_error why = {SCREE_OK, ""};
    scree_status status = SCREE_OK;

    memcpy(&definitions, packed->words + 1, COUNT_BYTES);
    scree_definitions_place(&definitions, bytes_at(packed, HEAD_WORDS + state));
    if (takes_definitions)
        status = drop_definitions(world);
    if (takes_definitions && !status)
        status = scree_definitions_apply(&definitions, &snapshot, world, &why);
    return status ? scree_fail(&world->error, status, "%s", why.text)
                  : scree_world_restore(world, &snapshot);
}

uint64_t scree_world_digest_of_definitions(const scree_world *world)
{
    uint64_t hash = SCREE_HASH_START;

    for (size_t w = 0; w < world->walls.count; w++) {
        const scree_wall_record *wall = &world->walls.wall[w];
        const uint64_t words[] = {wall->id.index1,
                                  wall->id.generation,
                                  (uint64_t)wall->def.kind,
                                  wall->def.material.index1,
                                  wall->def.groups,
                                  wall->def.mask,
                                  scree_mesh_digest(wall->def.mesh),
                                  wall->def.path.function != NULL};
        hash = scree_hash_words(hash, words, sizeof words);
    }
    return scree_hash_word(hash, scree_rules_digest(&world->rules));
}

bool scree_world_has_host_functions(const scree_world *world)
{
    bool has_any = false;

    for (size_t w = 0; w < world->walls.count; w++)
        has_any |= world->walls.wall[w].def.path.function != NULL;
    for (size_t k = 1; k < world->rules.rule_count; k++) {
        const scree_rule *rule = world->rules.rules[k];
        has_any |= rule->acts && rule->is_own && !scree_formula_law_of(&rule->law);
    }
    return has_any;
}
