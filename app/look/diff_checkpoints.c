/*  Bodies are matched by global id and compared field by field; contacts are matched by the global ids of both
    bodies. Everything else must be byte-identical. */
#include "app/look/diff_checkpoints.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODY "state.body."
#define PAIR "state.pair."

typedef struct comparison
{
    const scree_checkpoint *a, *b;
    scree_json *json; /* NULL: text */
    bool differs;
    uint64_t first_serial; /* smallest global id of the bodies that differ; 0: none */
    char first_field[40];
} comparison;

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* ---- numbers ---- */

typedef struct number
{
    double real;
    uint64_t count;
    bool is_real;
} number;

static size_t type_bytes(const char *type)
{
    return strcmp(type, "f64") == 0 || strcmp(type, "u64") == 0 ? 8
           : strcmp(type, "u32") == 0                           ? 4
           : strcmp(type, "u16") == 0                           ? 2
           : strcmp(type, "u8") == 0                            ? 1
                                                                : 0;
}

static number number_at(const scree_checkpoint_section *s, uint64_t row, size_t k)
{
    size_t bytes = type_bytes(s->type);
    const unsigned char *at = (const unsigned char *)s->data + row * s->row_bytes + k * bytes;
    number n = {0, 0, strcmp(s->type, "f64") == 0};

    /* little-endian, as in the file */
    memcpy(n.is_real ? (void *)&n.real : (void *)&n.count, at, bytes);
    return n;
}

static double distance(number a, number b)
{
    if (a.is_real)
        return fabs(a.real - b.real);
    return a.count > b.count ? (double)(a.count - b.count) : (double)(b.count - a.count);
}

static void print_number(char *text, size_t size, number n)
{
    if (n.is_real)
        snprintf(text, size, "%.17g", n.real);
    else
        snprintf(text, size, "%" PRIu64, n.count);
}

/* ---- rows in both files, matched by key ---- */

/*  Two sections of rows with keys, ascending in both. */
typedef struct keyed_rows
{
    const uint64_t (*key[2])[2]; /* of each row */
    uint64_t count[2];
} keyed_rows;

/*  The next row in both, or false; counts rows in only one. */
typedef struct row_walk
{
    uint64_t at[2], alone[2];
    uint64_t first_alone[2][2]; /* keys */
} row_walk;

static int compare_keys(const uint64_t a[2], const uint64_t b[2])
{
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return a[1] < b[1] ? -1 : a[1] > b[1];
}

static bool next_common(const keyed_rows *rows, row_walk *walk)
{
    while (walk->at[0] < rows->count[0] || walk->at[1] < rows->count[1]) {
        int order = walk->at[0] == rows->count[0] ? 1
                    : walk->at[1] == rows->count[1]
                        ? -1
                        : compare_keys(rows->key[0][walk->at[0]], rows->key[1][walk->at[1]]);
        if (order == 0)
            return true;
        int side = order < 0 ? 0 : 1;
        if (walk->alone[side]++ == 0)
            memcpy(walk->first_alone[side], rows->key[side][walk->at[side]],
                   sizeof walk->first_alone[side]);
        walk->at[side]++;
    }
    return false;
}

/* ---- one field ---- */

typedef struct field_difference
{
    const char *name;
    uint64_t rows;     /* that differ */
    uint64_t first[2]; /* key */
    size_t component, components;
    number first_a, first_b;
    double largest;
    uint64_t largest_at[2];
} field_difference;

static void note_row(field_difference *d, const uint64_t key[2], const scree_checkpoint_section *a,
                     uint64_t row_a, const scree_checkpoint_section *b, uint64_t row_b)
{
    bool is_first = d->rows == 0;

    d->rows++;
    for (size_t k = 0; k < d->components; k++) {
        number x = number_at(a, row_a, k), y = number_at(b, row_b, k);
        double apart = distance(x, y);
        bool same = x.is_real ? memcmp(&x.real, &y.real, sizeof x.real) == 0 : x.count == y.count;
        if (same)
            continue;
        if (is_first) {
            memcpy(d->first, key, sizeof d->first);
            d->component = k;
            d->first_a = x;
            d->first_b = y;
            is_first = false;
        }
        if (!(apart <= d->largest)) {
            d->largest = apart;
            memcpy(d->largest_at, key, sizeof d->largest_at);
        }
    }
}

static field_difference compare_field(const keyed_rows *rows, const scree_checkpoint_section *a,
                                      const scree_checkpoint_section *b)
{
    size_t bytes = type_bytes(a->type);
    field_difference d = {.name = a->name, .components = bytes ? a->row_bytes / bytes : 0};
    row_walk walk = {{0, 0}, {0, 0}, {{0, 0}, {0, 0}}};

    d.largest = -1;
    for (; next_common(rows, &walk); walk.at[0]++, walk.at[1]++) {
        const unsigned char *x = (const unsigned char *)a->data + walk.at[0] * a->row_bytes;
        const unsigned char *y = (const unsigned char *)b->data + walk.at[1] * b->row_bytes;
        if (memcmp(x, y, a->row_bytes) != 0)
            note_row(&d, rows->key[0][walk.at[0]], a, walk.at[0], b, walk.at[1]);
    }
    return d;
}

/* ---- output ---- */

static void say_key(char *text, size_t size, const char *what, const uint64_t key[2])
{
    if (key[1])
        snprintf(text, size, "%s %" PRIu64 " and %" PRIu64, what, key[0], key[1]);
    else
        snprintf(text, size, "%s %" PRIu64, what, key[0]);
}

static void tell_field(scree_json *json, const field_difference *d, const char *field,
                       const char *first, const char *second)
{
    scree_json_object(json, NULL);
    scree_json_text(json, "field", field);
    scree_json_count(json, "rows", d->rows);
    scree_json_count(json, "serial", d->first[0]);
    if (d->first[1])
        scree_json_count(json, "partner", d->first[1]);
    scree_json_count(json, "component", d->component);
    scree_json_text(json, "a", first);
    scree_json_text(json, "b", second);
    scree_json_real(json, "largest", d->largest);
    scree_json_count(json, "largest_serial", d->largest_at[0]);
    scree_json_end(json);
}

static void say_field(comparison *c, const field_difference *d, const char *what)
{
    const char *field = strrchr(d->name, '.') + 1;
    char first[40] = "", second[40] = "", key[80];

    if (d->rows == 0)
        return;
    c->differs = true;
    if (begins(d->name, BODY) && (c->first_serial == 0 || d->first[0] < c->first_serial)) {
        c->first_serial = d->first[0];
        snprintf(c->first_field, sizeof c->first_field, "%s", field);
    }
    print_number(first, sizeof first, d->first_a);
    print_number(second, sizeof second, d->first_b);
    if (c->json) {
        tell_field(c->json, d, field, first, second);
        return;
    }
    say_key(key, sizeof key, what, d->first);
    if (d->components == 0)
        printf("%-12s %10" PRIu64 " differ\n", field, d->rows);
    else
        printf("%-12s %10" PRIu64 " differ, first %s, component %zu: %s and %s; by %.3g at most\n",
               field, d->rows, key, d->component, first, second, d->largest);
}

static void say_alone(comparison *c, const row_walk *walk, const char *what)
{
    for (int side = 0; side < 2; side++) {
        char key[80];
        if (walk->alone[side] == 0)
            continue;
        c->differs = true;
        say_key(key, sizeof key, what, walk->first_alone[side]);
        if (c->json) {
            scree_json_object(c->json, NULL);
            scree_json_text(c->json, "field", what);
            scree_json_text(c->json, "only_in", side == 0 ? "a" : "b");
            scree_json_count(c->json, "rows", walk->alone[side]);
            scree_json_count(c->json, "serial", walk->first_alone[side][0]);
            scree_json_end(c->json);
        } else {
            printf("%s: %" PRIu64 " only in the %s, first %s\n", what, walk->alone[side],
                   side == 0 ? "first" : "second", key);
        }
    }
}

static void say_section(comparison *c, const scree_checkpoint_section *a,
                        const scree_checkpoint_section *b, uint64_t row)
{
    c->differs = true;
    if (c->json) {
        scree_json_object(c->json, NULL);
        scree_json_text(c->json, "section", a->name);
        scree_json_count(c->json, "rows_a", a->rows);
        scree_json_count(c->json, "rows_b", b->rows);
        scree_json_count(c->json, "row", row);
        scree_json_end(c->json);
    } else if (a->rows != b->rows) {
        printf("%s: %" PRIu64 " and %" PRIu64 " rows\n", a->name, a->rows, b->rows);
    } else {
        printf("%s: differs, first in row %" PRIu64 "\n", a->name, row);
    }
}

/* ---- sections of rows with keys ---- */

/*  Sections that contain keys, or names without influence on the run. */
static bool is_key(const char *name)
{
    return strcmp(name, BODY "serial") == 0 || strcmp(name, BODY "id") == 0 ||
           strcmp(name, PAIR "first") == 0 || strcmp(name, PAIR "second") == 0;
}

static void compare_keyed(comparison *c, const keyed_rows *rows, const char *prefix,
                          const char *what)
{
    scree_checkpoint_section a, b;
    row_walk walk = {{0, 0}, {0, 0}, {{0, 0}, {0, 0}}};

    while (next_common(rows, &walk)) {
        walk.at[0]++;
        walk.at[1]++;
    }
    say_alone(c, &walk, what);
    for (size_t k = 0; scree_checkpoint_section_at(c->a, k, &a); k++) {
        if (!begins(a.name, prefix) || is_key(a.name))
            continue;
        if (!scree_checkpoint_section_of(c->b, a.name, &b) || a.row_bytes != b.row_bytes ||
            (a.rows == 0) != (rows->count[0] == 0) || (b.rows == 0) != (rows->count[1] == 0)) {
            if (a.rows != b.rows)
                say_section(c, &a, &b, 0);
            continue;
        }
        field_difference d = compare_field(rows, &a, &b);
        say_field(c, &d, what);
    }
}

static const void *data_of(const scree_checkpoint *checkpoint, const char *name, uint64_t *rows)
{
    scree_checkpoint_section section = {.rows = 0};

    scree_checkpoint_section_of(checkpoint, name, &section);
    *rows = section.rows;
    return section.data;
}

/*  Global ids of a checkpoint's bodies, and of both bodies of each contact. Returns false if out of memory. */
static bool find_keys(const scree_checkpoint *checkpoint, uint64_t (**bodies)[2],
                      uint64_t (**pairs)[2], uint64_t *body_count, uint64_t *pair_count)
{
    const uint64_t *serial = data_of(checkpoint, BODY "serial", body_count);
    const uint32_t *first = data_of(checkpoint, PAIR "first", pair_count);
    const uint32_t *second = data_of(checkpoint, PAIR "second", pair_count);

    *bodies = calloc((size_t)*body_count + 1, sizeof **bodies);
    *pairs = calloc((size_t)*pair_count + 1, sizeof **pairs);
    if (!*bodies || !*pairs)
        return false;
    for (uint64_t row = 0; row < *body_count; row++)
        (*bodies)[row][0] = serial[row];
    for (uint64_t row = 0; row < *pair_count; row++) {
        /* even a checkpoint that was read may refer to bodies that do not exist */
        (*pairs)[row][0] = first[row] < *body_count ? serial[first[row]] : 0;
        (*pairs)[row][1] = second[row] < *body_count ? serial[second[row]] : 0;
    }
    return true;
}

/* ---- everything else ---- */

static void compare_bytes(comparison *c, const scree_checkpoint_section *a)
{
    scree_checkpoint_section b;
    uint64_t row = 0;

    if (!scree_checkpoint_section_of(c->b, a->name, &b))
        return;
    if (a->rows == b.rows && a->row_bytes == b.row_bytes) {
        while (row < a->rows && memcmp((const char *)a->data + row * a->row_bytes,
                                       (const char *)b.data + row * b.row_bytes, a->row_bytes) == 0)
            row++;
        if (row == a->rows)
            return;
    }
    say_section(c, a, &b, row);
}

/*  Skips counts of rows, offsets and versions, names, and what has been compared by key. */
static bool is_left_out(const char *name)
{
    static const char *const names[] = {"about",       "wall.names",     "mesh.sources", "state",
                                        "state.names", "state.sections", "wall.meshes",  "meshes"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return begins(name, BODY) || begins(name, PAIR) || begins(name, "host.");
}

bool scree_diff_checkpoints(const scree_checkpoint *a, const scree_checkpoint *b, scree_json *json)
{
    comparison c = {a, b, json, false, 0, ""};
    uint64_t(*bodies[2])[2] = {NULL, NULL}, (*pairs[2])[2] = {NULL, NULL};
    keyed_rows body_rows = {{NULL, NULL}, {0, 0}}, pair_rows = body_rows;
    scree_checkpoint_section section;
    bool has_memory =
        find_keys(a, &bodies[0], &pairs[0], &body_rows.count[0], &pair_rows.count[0]) &&
        find_keys(b, &bodies[1], &pairs[1], &body_rows.count[1], &pair_rows.count[1]);

    for (int side = 0; side < 2; side++) {
        body_rows.key[side] = (const uint64_t(*)[2])bodies[side];
        pair_rows.key[side] = (const uint64_t(*)[2])pairs[side];
    }
    if (has_memory) {
        compare_keyed(&c, &body_rows, BODY, "body");
        compare_keyed(&c, &pair_rows, PAIR, "contact of");
    } else {
        printf("no memory to compare bodies\n");
        c.differs = true;
    }
    for (size_t k = 0; scree_checkpoint_section_at(a, k, &section); k++)
        if (!is_left_out(section.name))
            compare_bytes(&c, &section);
    for (int side = 0; side < 2; side++) {
        free(bodies[side]);
        free(pairs[side]);
    }
    if (c.first_serial && !json)
        printf("the first body that differs is %" PRIu64 ", in its %s\n", c.first_serial,
               c.first_field);
    return c.differs;
}
