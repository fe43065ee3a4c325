#include "dist/whole_intake.h"

#include "base/hash.h"
#include "dist/unpack.h"
#include "world/step/room_data.h"

uint64_t scree_sum_of_ids(const scree_body_arrays *bodies, uint32_t count)
{
    uint64_t sum = 0;

    for (uint32_t slot = 0; slot < count; slot++)
        sum += scree_hash_word(SCREE_HASH_START, bodies->serial[slot][0]);
    return sum;
}

scree_status scree_whole_intake_begin(scree_whole_intake *intake, scree_world *whole,
                                      const size_t incoming[SCREE_RECORDS], uint64_t ids)
{
    const uint32_t count = whole->bodies.count;

    *intake = (scree_whole_intake){.whole = whole, .had_rows = whole->contacts.has_rows};
    intake->contacts.world = intake->contacts.shapes.world = whole;
    if (incoming[SCREE_RECORD_BODY] != count || ids != scree_sum_of_ids(&whole->bodies, count))
        return SCREE_BAD_VALUE;
    return scree_contact_intake_begin(&intake->contacts, whole, count, incoming);
}

scree_status scree_whole_intake_add(scree_whole_intake *intake, const scree_received *received)
{
    scree_body_arrays *bodies = &intake->whole->bodies;

    for (size_t k = 0; k < received->body_count; k++) {
        const uint32_t slot =
            scree_slot_of_serial(&intake->contacts.table, received->body[k].serial[0]);
        if (slot == UINT32_MAX)
            return SCREE_BAD_VALUE;
        scree_unpack_body_record(&received->body[k], bodies, slot, bodies->shape[slot][0]);
    }
    return scree_contact_intake_add(&intake->contacts, received);
}

scree_status scree_whole_intake_accept(scree_whole_intake *intake)
{
    scree_world *whole = intake->whole;
    const scree_status status = scree_contact_intake_accept(&intake->contacts);

    /* the search for walls has used other positions */
    if (!status)
        scree_wall_contacts_renew_all(&whole->wall_contacts, whole->bodies.count);
    return status;
}

void scree_whole_intake_end(scree_whole_intake *intake, bool is_accepted)
{
    scree_contact_intake_end(&intake->contacts);
    if (!is_accepted)
        intake->whole->contacts.has_rows = intake->had_rows;
}
