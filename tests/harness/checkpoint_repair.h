/*  Makes the checksums of a checkpoint right after its bytes were changed, as an attacker would:
    what stands behind the checksums has to hold by itself. */
#ifndef CHECKPOINT_REPAIR_H
#define CHECKPOINT_REPAIR_H

#include "io/checkpoint_format.h"
#include "io/checksum.h"

/*  Of every section that lies in the bytes, and of the table if it does. The bytes may be anything. */
static inline void repair_checksums(unsigned char *bytes, size_t count)
{
    scree_checkpoint_head head;
    uint64_t table_bytes, checksum;

    if (count < sizeof head)
        return;
    memcpy(&head, bytes, sizeof head);
    if (head.section_count > count / sizeof(scree_checkpoint_row))
        return;
    table_bytes = scree_checkpoint_table_bytes(head.section_count);
    if (table_bytes > count)
        return;
    for (uint64_t k = 0; k < head.section_count; k++) {
        unsigned char *at = bytes + sizeof head + k * sizeof(scree_checkpoint_row);
        scree_checkpoint_row row;
        memcpy(&row, at, sizeof row);
        if (row.offset > count || (row.row_bytes && row.rows > count / row.row_bytes) ||
            row.row_bytes * row.rows > count - row.offset)
            continue;
        row.checksum = scree_checksum(bytes + row.offset, (size_t)(row.row_bytes * row.rows));
        memcpy(at, &row, sizeof row);
    }
    checksum = scree_checksum(bytes, (size_t)table_bytes - sizeof checksum);
    memcpy(bytes + table_bytes - sizeof checksum, &checksum, sizeof checksum);
}

#endif
