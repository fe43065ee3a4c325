/*  Records of bodies and of contacts, from the data of a world. */
#include "dist/pack_records.h"

#define X_PACK(type, name, n, when)                                                                \
    if (bodies->name)                                                                              \
        memcpy(record->name, bodies->name[slot], sizeof record->name);

void scree_pack_body_record(const scree_world *world, uint32_t slot, scree_body_record *record)
{
    const scree_body_arrays *bodies = &world->bodies;

    memset(record, 0, sizeof *record);
    SCREE_BODY_FIELDS(X_PACK)
    if (bodies->keeps[SCREE_KEEP_HEAT])
        memcpy(record->heat, bodies->heat[slot], sizeof record->heat);
    if (bodies->keeps[SCREE_KEEP_AMBIENT])
        memcpy(record->ambient, bodies->ambient[slot], sizeof record->ambient);
    if (bodies->keeps[SCREE_KEEP_SLEEP])
        memcpy(record->sleep, bodies->sleep[slot], sizeof record->sleep);
    if (!scree_is_not_sphere(bodies, slot))
        return;
    record->geometry = scree_shape_table_find(&world->shape_finder.meshes,
                                              scree_shape_geometry(&bodies->shape[slot][0]))
                           ->digest;
    record->shape[0].mesh = NULL;
}

static void pack_span(const scree_world *world, const scree_span_name *name,
                      scree_span_record *record)
{
    const scree_contact_span *span =
        world->def.events ? scree_spans_find(&world->events.spans, name) : NULL;

    if (!span)
        return;
    record->is_known = 1;
    record->begin = span->begin;
    memcpy(record->impulse, span->impulse, sizeof record->impulse);
}

void scree_pack_pair_record(const scree_world *world, size_t c, bool goes_with_second,
                            uint32_t other_rank, scree_pair_record *record)
{
    const scree_contact_list *list = &world->pairs;
    const scree_contact_sets *exerted = &world->contacts;

    memset(record, 0, sizeof *record);
    record->first = world->bodies.serial[list->first[c][0]][0];
    record->second = world->bodies.serial[list->second[c][0]][0];
    record->law = scree_packed_law_of(&world->rules, list->slot[c][0]);
    record->goes_with_second = goes_with_second;
    record->other_rank = other_rank;
    pack_span(world,
              &(scree_span_name){.first = world->bodies.id[list->first[c][0]][0],
                                 .second = world->bodies.id[list->second[c][0]][0]},
              &record->span);
    for (uint32_t m = 0; m < list->planes; m++)
        record->history[m] = list->history[m][c];
    if (!exerted->has_rows || world->rows_are_stale)
        return;
    memcpy(record->row, exerted->row[c], sizeof record->row);
    if (exerted->has_moments)
        memcpy(record->moment, exerted->moment[c], sizeof record->moment);
    if (exerted->has_account)
        memcpy(record->account, exerted->account[c], sizeof record->account);
}

#define X_PACK_WALL(type, name, n)                                                                 \
    if (list->name)                                                                                \
        memcpy(record->name, list->name[c], sizeof record->name);

void scree_pack_wall_record(const scree_world *world, uint32_t slot, size_t c,
                            scree_wall_contact_record *record)
{
    const scree_wall_contact_list *list = &world->wall_contacts.now;

    memset(record, 0, sizeof *record);
    record->serial = world->bodies.serial[slot][0];
    record->law = scree_packed_law_of(&world->rules, list->slot[c][0]);
    if (list->wall[c][0] != UINT32_MAX)
        pack_span(world,
                  &(scree_span_name){.first = world->bodies.id[slot][0],
                                     .wall = world->walls.wall[list->wall[c][0]].id,
                                     .facet = list->memory[c][0].facet},
                  &record->span);
    SCREE_SURFACE_FIELDS(X_PACK_WALL)
    for (uint32_t m = 0; m < list->planes; m++)
        record->history[m] = list->history[m][c];
}

/* ---- contacts of non-spherical bodies ---- */

#define X_PACK_SHAPE(name, n) memcpy(record->name, list->name[c], sizeof record->name);

void scree_pack_shape_record(const scree_world *world, size_t c, uint32_t second, uint32_t wall,
                             bool goes_with_second, uint32_t other_rank,
                             scree_shape_contact_record *record)
{
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    const size_t first = scree_bodies_slot(&world->bodies, list->pair[c]->first);

    memset(record, 0, sizeof *record);
    record->first = world->bodies.serial[first][0];
    record->second = second == UINT32_MAX ? 0 : world->bodies.serial[second][0];
    record->wall = wall;
    record->facet = list->facet[c][0];
    record->law = scree_packed_law_of(&world->rules, list->slot[c][0]);
    record->goes_with_second = goes_with_second;
    record->other_rank = other_rank;
    record->memory = list->memory[c][0];
    pack_span(world,
              &(scree_span_name){.first = list->pair[c]->first,
                                 .second = list->pair[c]->second,
                                 .wall = list->pair[c]->wall},
              &record->span);
    SCREE_SHAPE_CONTACT_COLUMNS(X_PACK_SHAPE)
    for (uint32_t m = 0; m < list->planes; m++)
        record->history[m] = list->history[m][c];
}
