/*  Verifies from the outside inward: the head, the table, the offsets of sections, their checksums, the set of
    sections. Each number is used only after everything before it has been verified. */
#include "io/checkpoint_verify.h"

#include "base/error.h"
#include "io/checksum.h"

#include <inttypes.h>

/* ---- head and table ---- */

static const scree_checkpoint_head *head_of(const scree_checkpoint *c)
{
    return (const scree_checkpoint_head *)(const void *)c->file.bytes;
}

static bool has_magic(const unsigned char *bytes, size_t count)
{
    return count >= 8 && memcmp(bytes, SCREE_CHECKPOINT_MAGIC, 8) == 0;
}

size_t scree_checkpoint_length(const unsigned char *first, size_t count)
{
    scree_checkpoint_head head;

    if (count < sizeof head || !has_magic(first, count))
        return 0;
    memcpy(&head, first, sizeof head);
    /* no section has so many: as a length it means unknown */
    return head.bytes < SIZE_MAX ? (size_t)head.bytes : 0;
}

static scree_status check_head(const scree_checkpoint *c, scree_error *error)
{
    const scree_checkpoint_head *head;

    if (!has_magic(c->file.bytes, c->file.count))
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: it is not a checkpoint: its first 8 bytes are not those of one",
                          c->name);
    if (c->file.count < sizeof *head)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: it is cut off in the head, at byte %zu of %zu", c->name,
                          c->file.count, sizeof *head);
    head = head_of(c);
    if (head->endian != SCREE_CHECKPOINT_ENDIAN)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: head, byte 8: the mark of little-endian files is 0x%08" PRIx32
                          ", must be 0x%08" PRIx32,
                          c->name, head->endian, SCREE_CHECKPOINT_ENDIAN);
    if (head->version > SCREE_CHECKPOINT_VERSION)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: it is of version %" PRIu32
                          " of the format, and this program knows versions up to %d: use a newer "
                          "one",
                          c->name, head->version, SCREE_CHECKPOINT_VERSION);
    if (head->version == 0)
        return scree_fail(error, SCREE_BAD_FILE, "%s: head, byte 12: there is no version 0",
                          c->name);
    return SCREE_OK;
}

static scree_status check_table(scree_checkpoint *c, scree_error *error)
{
    const scree_checkpoint_head *head = head_of(c);
    uint64_t table_bytes, checksum;

    if (head->section_count > head->bytes / sizeof *c->rows ||
        head->section_count <= SCREE_CHECKPOINT_FIRST_STATE)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: head, byte 24: %" PRIu64 " sections in %" PRIu64 " bytes cannot be",
                          c->name, head->section_count, head->bytes);
    table_bytes = scree_checkpoint_table_bytes(head->section_count);
    if (c->file.count / sizeof *c->rows < head->section_count || c->file.count < table_bytes)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: it is cut off in the table of sections, at byte %zu of %" PRIu64,
                          c->name, c->file.count, head->bytes);
    memcpy(&checksum, c->file.bytes + table_bytes - sizeof checksum, sizeof checksum);
    if (scree_checksum(c->file.bytes, (size_t)table_bytes - sizeof checksum) != checksum)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: head and table of sections (bytes 0 to %" PRIu64
                          ") are damaged: their checksum does not match",
                          c->name, table_bytes - 1);
    c->section_count = (size_t)head->section_count;
    c->rows = (const scree_checkpoint_row *)(const void *)(head + 1);
    return SCREE_OK;
}

/* ---- offsets of sections ---- */

static bool is_filled_up(const char *text, size_t room)
{
    size_t length = 0;

    while (length < room && text[length])
        length++;
    if (length == 0 || length == room)
        return false;
    while (length < room && !text[length])
        length++;
    return length == room;
}

static scree_status check_row(const scree_checkpoint *c, size_t k, uint64_t end, scree_error *error)
{
    const scree_checkpoint_row *row = &c->rows[k];
    uint64_t bytes = head_of(c)->bytes;

    if (!is_filled_up(row->name, sizeof row->name) || !is_filled_up(row->type, sizeof row->type))
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: table, byte %zu: section %zu has an invalid name or type", c->name,
                          sizeof(scree_checkpoint_head) + k * sizeof *row, k + 1);
    if (row->offset != scree_checkpoint_align(end) || row->offset > bytes ||
        (row->row_bytes > 0 && row->rows > (bytes - row->offset) / row->row_bytes))
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: table, byte %zu: section \"%s\" (%" PRIu64 " rows of %" PRIu64
                          " bytes from byte %" PRIu64
                          ") does not follow the one before, or exceeds "
                          "the file",
                          c->name, sizeof(scree_checkpoint_head) + k * sizeof *row, row->name,
                          row->rows, row->row_bytes, row->offset);
    return SCREE_OK;
}

static uint64_t end_of(const scree_checkpoint_row *row)
{
    return row->offset + row->row_bytes * row->rows;
}

/*  The section that contains a byte, or follows it. */
static const char *section_at(const scree_checkpoint *c, uint64_t byte)
{
    size_t k = 0;

    while (k + 1 < c->section_count && end_of(&c->rows[k]) <= byte)
        k++;
    return c->rows[k].name;
}

static scree_status check_layout(const scree_checkpoint *c, scree_error *error)
{
    uint64_t end = scree_checkpoint_table_bytes(c->section_count), bytes = head_of(c)->bytes;
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < c->section_count && !status; k++) {
        status = check_row(c, k, end, error);
        end = end_of(&c->rows[k]);
    }
    if (status)
        return status;
    if (bytes != scree_checkpoint_align(end))
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: head, byte 16: the file should have %" PRIu64
                          " bytes, its sections end at %" PRIu64,
                          c->name, bytes, end);
    if (c->file.count < bytes)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: it is cut off in section \"%s\", at byte %zu of %" PRIu64, c->name,
                          section_at(c, c->file.count), c->file.count, bytes);
    if (c->file.count > bytes)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: the file continues after its end, from byte %" PRIu64 " on", c->name,
                          bytes);
    return SCREE_OK;
}

/* ---- checksums ---- */

static scree_status check_bytes(const scree_checkpoint *c, scree_error *error)
{
    for (size_t k = 0; k < c->section_count; k++) {
        const scree_checkpoint_row *row = &c->rows[k];
        uint64_t end = end_of(row);
        if (scree_checksum(c->file.bytes + row->offset, (size_t)(end - row->offset)) !=
            row->checksum)
            return scree_fail(error, SCREE_BAD_FILE,
                              "%s: section \"%s\" (bytes %" PRIu64 " to %" PRIu64
                              ") is damaged: its checksum does not match",
                              c->name, row->name, row->offset, end - 1);
        for (; end < scree_checkpoint_align(end); end++)
            if (c->file.bytes[end] != 0)
                return scree_fail(error, SCREE_BAD_FILE,
                                  "%s: byte %" PRIu64 ", after section \"%s\", is %u, must be 0",
                                  c->name, end, row->name, c->file.bytes[end]);
    }
    return SCREE_OK;
}

/* ---- the set of sections ---- */

/*  Whether section k is this one; UINT64_MAX rows: any number. */
static bool is_section(const scree_checkpoint *c, size_t k, const char *prefix, const char *name,
                       const char *type, uint64_t row_bytes, uint64_t rows)
{
    const scree_checkpoint_row *row = &c->rows[k];
    size_t length = strlen(prefix);

    return strncmp(row->name, prefix, length) == 0 && strcmp(row->name + length, name) == 0 &&
           strcmp(row->type, type) == 0 && row->row_bytes == row_bytes &&
           (rows == UINT64_MAX || row->rows == rows);
}

static scree_status refuse_section(const scree_checkpoint *c, size_t k, const char *name,
                                   scree_error *error)
{
    return scree_fail(error, SCREE_BAD_FILE,
                      "%s: table, byte %zu: section \"%s\" (%s, rows of %" PRIu64
                      " bytes) is in the place of \"%s\", or has another layout",
                      c->name, sizeof(scree_checkpoint_head) + k * sizeof *c->rows, c->rows[k].name,
                      c->rows[k].type, c->rows[k].row_bytes, name);
}

#define X_FIND(section, kind, field, number)                                                       \
    if (!status && !is_section(c, k, "", section, kind, sizeof *d->field, UINT64_MAX))             \
        status = refuse_section(c, k, section, error);                                             \
    d->field = (void *)(c->file.bytes + c->rows[k].offset);                                        \
    d->number = c->rows[k++].rows;

static scree_status find_definitions(scree_checkpoint *c, scree_error *error)
{
    scree_definitions *d = &c->definitions;
    size_t k = SCREE_CHECKPOINT_FIRST_DEFINITION;
    scree_status status = SCREE_OK;

    if (!is_section(c, SCREE_CHECKPOINT_ABOUT, "", "about", "mixed", sizeof *c->about, 1))
        return refuse_section(c, SCREE_CHECKPOINT_ABOUT, "about", error);
    c->about =
        (const scree_checkpoint_about *)(const void *)(c->file.bytes +
                                                       c->rows[SCREE_CHECKPOINT_ABOUT].offset);
    SCREE_CHECKPOINT_DEFINITIONS(X_FIND)
    d->free_wall_name = c->about->free_wall_name;
    return status;
}

/*  Refuses numbers so large that the layout of a snapshot would overflow. */
static bool state_is_too_large(const scree_checkpoint *c, const scree_snapshot_head *head)
{
    const uint64_t numbers[] = {head->bodies, head->names,      head->pairs,  head->wall_contacts,
                                head->walls,  head->table_rows, head->planes, head->section_count};

    for (size_t k = 0; k < SCREE_COUNT_OF(numbers); k++)
        if (numbers[k] > c->file.count)
            return true;
    return head->planes > SCREE_MAX_MEMORY || head->section_count > SCREE_SNAPSHOT_SECTIONS;
}

/*  The sections of the state must be those that its head implies, and its own table must agree. Then
    scree_snapshot_check may read the block. */
static scree_status find_state(scree_checkpoint *c, scree_error *error)
{
    const scree_snapshot_head *head;
    scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS];
    scree_snapshot_tail tail;
    uint64_t bytes;
    size_t count, k = SCREE_CHECKPOINT_STATE_HEAD;

    if (!is_section(c, k, "", "state", "mixed", sizeof *head, 1))
        return refuse_section(c, k, "state", error);
    c->snapshot.data = c->file.bytes + c->rows[k].offset;
    head = scree_snapshot_head_of(&c->snapshot);
    if (state_is_too_large(c, head))
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: section \"state\" (from byte %" PRIu64
                          "): its numbers are too large for the file",
                          c->name, c->rows[k].offset);
    if (!is_section(c, ++k, SCREE_CHECKPOINT_STATE, "sections", "mixed", sizeof *sections,
                    head->section_count))
        return refuse_section(c, k, "state.sections", error);
    tail = scree_snapshot_tail_of(head);
    if (tail.meshes > c->file.count || tail.contacts > c->file.count ||
        tail.materials > c->file.count)
        return refuse_section(c, k, "state.sections", error);
    count = scree_snapshot_lay_out(head, &tail, sections, &bytes);
    if (count != head->section_count)
        return refuse_section(c, k, "state.sections", error);
    c->first_part = SCREE_CHECKPOINT_FIRST_STATE + count;
    if (c->first_part > c->section_count)
        return scree_fail(error, SCREE_BAD_FILE, "%s: sections of the state are missing", c->name);
    for (size_t s = 0; s < count; s++)
        if (!is_section(c, ++k, SCREE_CHECKPOINT_STATE, sections[s].name,
                        scree_snapshot_type_of(sections[s].name), sections[s].row_bytes,
                        sections[s].rows))
            return refuse_section(c, k, sections[s].name, error);
    c->snapshot.bytes = (size_t)bytes;
    return SCREE_OK;
}

static scree_status check_parts(const scree_checkpoint *c, scree_error *error)
{
    const size_t length = sizeof SCREE_CHECKPOINT_HOST - 1;

    if (c->section_count - c->first_part > SCREE_CHECKPOINT_MAX_PARTS)
        return scree_fail(error, SCREE_BAD_FILE, "%s: it has %zu parts of a host, at most %d",
                          c->name, c->section_count - c->first_part, SCREE_CHECKPOINT_MAX_PARTS);
    for (size_t k = c->first_part; k < c->section_count; k++) {
        const char *name = c->rows[k].name;
        if (strncmp(name, SCREE_CHECKPOINT_HOST, length) != 0 ||
            !scree_checkpoint_name_fits(name + length) || c->rows[k].row_bytes != 1 ||
            strcmp(c->rows[k].type, "bytes") != 0)
            return refuse_section(c, k, SCREE_CHECKPOINT_HOST "...", error);
        for (size_t before = c->first_part; before < k; before++)
            if (strcmp(c->rows[before].name, name) == 0)
                return scree_fail(error, SCREE_BAD_FILE, "%s: section \"%s\" appears twice",
                                  c->name, name);
    }
    return SCREE_OK;
}

/*  Values that are stored twice must be equal. */
static scree_status compare_about(const scree_checkpoint *c, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(&c->snapshot);
    const scree_snapshot_tally *tally = scree_snapshot_rows(&c->snapshot, "tally");
    const scree_course *course = scree_snapshot_rows(&c->snapshot, "course");
    const scree_checkpoint_about *about = c->about;

    if (about->bodies == head->bodies && about->contacts == head->pairs &&
        about->wall_contacts == head->wall_contacts && about->steps == course->steps &&
        memcmp(&about->time, &course->time, sizeof about->time) == 0 &&
        memcmp(&about->dt, &course->dt, sizeof about->dt) == 0 && about->added == tally->added &&
        about->removed == tally->removed && about->destroyed == tally->destroyed &&
        c->definitions.wall_count == head->walls)
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_FILE,
                      "%s: section \"about\" (from byte %" PRIu64 ") does not match the state",
                      c->name, c->rows[SCREE_CHECKPOINT_ABOUT].offset);
}

/*  Checked separately: scree_snapshot_rows finds sections by this table. */
static scree_status check_state_table(const scree_checkpoint *c, scree_error *error)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(&c->snapshot);
    scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS];
    const scree_snapshot_tail tail = scree_snapshot_tail_of(head);
    uint64_t bytes;
    size_t count = scree_snapshot_lay_out(head, &tail, sections, &bytes);

    if (head->bytes == bytes && head->section_count == count &&
        memcmp(head + 1, sections, count * sizeof *sections) == 0)
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_FILE,
                      "%s: section \"state.sections\" (from byte %" PRIu64
                      ") is not the table that section \"state\" leads to",
                      c->name, c->rows[SCREE_CHECKPOINT_STATE_TABLE].offset);
}

scree_status scree_checkpoint_verify(scree_checkpoint *checkpoint, scree_error *error)
{
    scree_status status;

    if ((status = check_head(checkpoint, error)) || (status = check_table(checkpoint, error)) ||
        (status = check_layout(checkpoint, error)) || (status = check_bytes(checkpoint, error)) ||
        (status = find_definitions(checkpoint, error)) ||
        (status = find_state(checkpoint, error)) || (status = check_parts(checkpoint, error)) ||
        (status = check_state_table(checkpoint, error)))
        return status;
    return compare_about(checkpoint, error);
}
