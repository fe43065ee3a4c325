/*  A table defines the fields of each kind of message, and one parser reads them all. So every kind has the same checks
    of its length. */
#include "message.h"

#include "bytes.h"

#include "base/common.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

#define MAX_TEXT (256u * 1024)
#define MAX_FILE (256u * 1024 * 1024)

/*  layout: a letter per field: w integer of 32 bits, d double, t the rest as text, f the rest as a file. */
typedef struct message_kind
{
    const char *name, *layout;
    size_t most; /* largest number of bytes of the rest */
} message_kind;

static const message_kind kinds[SCREE_LAB_KIND_END] = {
    [SCREE_LAB_READY] = {"ready", "ww", 0},
    [SCREE_LAB_PLAY] = {"play", "w", 0},
    [SCREE_LAB_STEP] = {"step", "w", 0},
    [SCREE_LAB_SPEED] = {"speed", "d", 0},
    [SCREE_LAB_RESET] = {"reset", "", 0},
    [SCREE_LAB_EXAMPLE] = {"example", "w", 0},
    [SCREE_LAB_SCENE] = {"scene", "t", MAX_TEXT},
    [SCREE_LAB_SETTING] = {"setting", "t", 512},
    [SCREE_LAB_GRAVITY] = {"gravity", "ddd", 0},
    [SCREE_LAB_DT] = {"dt", "d", 0},
    [SCREE_LAB_DAMPING] = {"damping", "dd", 0},
    [SCREE_LAB_METHOD] = {"method", "t", 64},
    [SCREE_LAB_FIELD] = {"field", "w", 0},
    [SCREE_LAB_POUR] = {"pour", "wdddddddd", 0},
    [SCREE_LAB_GRAB] = {"grab", "wwddd", 0},
    [SCREE_LAB_PULL] = {"pull", "ddd", 0},
    [SCREE_LAB_RELEASE] = {"release", "", 0},
    [SCREE_LAB_DELETE] = {"delete", "ww", 0},
    [SCREE_LAB_REGION] = {"region", "dddddd", 0},
    [SCREE_LAB_CLEAR] = {"clear", "dddddd", 0},
    [SCREE_LAB_RACE] = {"race", "", 0},
    [SCREE_LAB_SAVE] = {"save", "", 0},
    [SCREE_LAB_LOAD] = {"load", "f", MAX_FILE},
    [SCREE_LAB_MARGIN] = {"margin", "wd", 0},
    [SCREE_LAB_OVERLAY] = {"overlay", "ww", 0},
    [SCREE_LAB_FRICTION] = {"friction", "d", 0},
    [SCREE_LAB_ENERGY_BALANCE] = {"energy_balance", "w", 0},
    [SCREE_LAB_THREADS] = {"threads", "w", 0},
    [SCREE_LAB_UNDO] = {"undo", "", 0},
    [SCREE_LAB_BALL] = {"ball", "dddd", 0},
    [SCREE_LAB_EXPLODE] = {"explode", "ddddd", 0},
    [SCREE_LAB_WALL] = {"wall", "ddddddddd", 0},
    [SCREE_LAB_CUT] = {"cut", "ddddddddd", 0},
    [SCREE_LAB_EDIT] = {"edit", "t", MAX_TEXT},
    [SCREE_LAB_PARTS_OF] = {"parts_of", "f", MAX_FILE},
};

static size_t field_bytes(char field)
{
    return field == 'w' ? 4 : field == 'd' ? 8 : 0;
}

/*  Total size of the fixed fields and the first byte. */
static size_t min_bytes(const message_kind *kind)
{
    size_t sum = 1;

    for (const char *field = kind->layout; *field; field++)
        sum += field_bytes(*field);
    return sum;
}

size_t scree_lab_message_most(uint8_t kind)
{
    if (kind == 0 || kind >= SCREE_LAB_KIND_END)
        return 0;
    return min_bytes(&kinds[kind]) + kinds[kind].most;
}

/*  Length of the UTF-8 character that begins here; 0 if it is invalid. (RFC 3629: the shortest form, no surrogates.) */
static size_t character(const uint8_t *at, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = at[0] < 0x80             ? 1
                    : (at[0] & 0xe0) == 0xc0 ? 2
                    : (at[0] & 0xf0) == 0xe0 ? 3
                    : (at[0] & 0xf8) == 0xf0 ? 4
                                             : 0;
    if (length < 2)
        return at[0] == 0 ? 0 : length;
    uint32_t code = at[0] & (0xffu >> (length + 1));
    if (length > left)
        return 0;
    for (size_t k = 1; k < length; k++) {
        if ((at[k] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[k] & 0x3fu);
    }
    bool is_half = code >= 0xd800 && code < 0xe000;
    return code < least[length] || code > 0x10ffff || is_half ? 0 : length;
}

static bool find_bad_text(const uint8_t *text, size_t size, size_t *bad)
{
    for (size_t at = 0, length; at < size; at += length) {
        length = character(text + at, size - at);
        if (length == 0) {
            *bad = at;
            return true;
        }
    }
    return false;
}

static scree_status read_field(const message_kind *kind, char field, const uint8_t *data,
                               size_t *at, size_t size, int counts[2], scree_lab_message *read,
                               scree_error *error)
{
    size_t bad;

    if (field == 'w') {
        read->whole[counts[0]++] = scree_lab_get_whole(data + *at);
    } else if (field == 'd') {
        double value = scree_lab_get_real(data + *at);
        if (!(fabs(value) <= 1e100))
            return scree_fail(error, SCREE_BAD_VALUE, "%s: byte %zu: an invalid number: %g",
                              kind->name, *at, value);
        read->number[counts[1]++] = value;
    } else {
        read->bytes = data + *at;
        read->byte_count = size - *at;
        if (field == 't' && find_bad_text(read->bytes, read->byte_count, &bad))
            return scree_fail(error, SCREE_BAD_VALUE, "%s: byte %zu is not UTF-8 text", kind->name,
                              *at + bad);
    }
    *at += field_bytes(field);
    return SCREE_OK;
}

scree_status scree_lab_message_read(const uint8_t *data, size_t size, scree_lab_message *message,
                                    scree_error *error)
{
    scree_lab_message read = {0};
    int counts[2] = {0, 0};
    size_t at = 1;

    if (size == 0)
        return scree_fail(error, SCREE_BAD_VALUE, "an empty message");
    size_t most = scree_lab_message_most(data[0]);
    if (most == 0)
        return scree_fail(error, SCREE_BAD_VALUE, "there is no message of kind %u", data[0]);
    const message_kind *kind = &kinds[data[0]];
    size_t least = min_bytes(kind);
    if (size < least || size > most)
        return scree_fail(error, SCREE_BAD_VALUE, "%s: %zu bytes, should be %zu to %zu", kind->name,
                          size, least, most);
    read.kind = (scree_lab_kind)data[0];
    for (const char *field = kind->layout; *field; field++) {
        scree_status status = read_field(kind, *field, data, &at, size, counts, &read, error);
        if (status)
            return status;
    }
    *message = read;
    return SCREE_OK;
}
