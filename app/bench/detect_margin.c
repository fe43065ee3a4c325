/*  --margin: a kind, and fields of scree_margin_def by their names. Which values are possible is said
    by the library, when a detector is made with them. */
#include "app/bench/detect.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*  Indexes are those of scree_margin_kind. */
static const char *const kinds[] = {"none",     "skin", "tolerance", "stride",
                                    "distance", "bins", "per-body"};

enum field_type
{
    REAL,
    REAL_OF_ALL_KINDS, /* of pieces: all get the same */
    COUNT,
    TRUTH,
};

static const struct
{
    const char *name;
    enum field_type type;
    size_t offset;
} fields[] = {
#define X(type, name) {#name, type, offsetof(scree_margin_def, name)},
    X(REAL, length) X(REAL, speed_factor) X(REAL_OF_ALL_KINDS, velocity)
        X(REAL_OF_ALL_KINDS, extent) X(REAL, constant) X(REAL, interaction) X(REAL, reach)
            X(COUNT, bin_count) X(REAL, bin_ratio) X(REAL, bin_overlap) X(REAL, bin_max_change)
                X(REAL, target_steps) X(REAL, min_fraction) X(TRUTH, trust_velocities)
#undef X
};

static const char *next_kind(const void *list, size_t index)
{
    (void)list;
    return index < SCREE_COUNT_OF(kinds) ? kinds[index] : NULL;
}

static const char *next_field(const void *list, size_t index)
{
    (void)list;
    return index < SCREE_COUNT_OF(fields) ? fields[index].name : NULL;
}

static bool refuse(const char *what, const char *word, const char *(*next)(const void *, size_t))
{
    const char *closest = scree_closest_word(word, next, NULL);
    if (closest)
        scree_usage_error("detect: --margin: there is no %s \"%.60s\"; did you mean \"%s\"?", what,
                          word, closest);
    else
        scree_usage_error("detect: --margin: there is no %s \"%.60s\"; there are %s, %s and "
                          "others, see scree help bench detect",
                          what, word, next(NULL, 0), next(NULL, 1));
    return false;
}

/*  Converts the text of a value and stores it in the field; false if it does not fit the field's type. */
static bool store_value(char *at, enum field_type type, const char *text)
{
    char *end = NULL;
    double real = strtod(text, &end);
    uint64_t count;
    uint32_t small;
    bool truth = strcmp(text, "true") == 0;
    switch (type) {
    case REAL:
        memcpy(at, &real, sizeof real);
        return end != text && *end == 0;
    case REAL_OF_ALL_KINDS:
        for (size_t kind = 0; kind < SCREE_PIECE_KINDS; kind++)
            memcpy(at + kind * sizeof real, &real, sizeof real);
        return end != text && *end == 0;
    case COUNT:
        if (!scree_text_to_count(text, &count) || count > UINT32_MAX)
            return false;
        small = (uint32_t)count;
        memcpy(at, &small, sizeof small);
        return true;
    case TRUTH:
        memcpy(at, &truth, sizeof truth);
        return truth || strcmp(text, "false") == 0;
    }
    return false;
}

/*  "extent=0.05" */
static bool parse_field(const char *word, scree_margin_def *margin)
{
    char name[64];
    const char *equals = strchr(word, '=');
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word) : 60, word);
    for (size_t k = 0; k < SCREE_COUNT_OF(fields); k++) {
        if (strcmp(fields[k].name, name) != 0)
            continue;
        if (equals && store_value((char *)margin + fields[k].offset, fields[k].type, equals + 1))
            return true;
        scree_usage_error("detect: --margin: \"%.60s\" should be %s=%s", word, name,
                          fields[k].type == TRUTH   ? "true or =false"
                          : fields[k].type == COUNT ? "NUMBER, a whole one"
                                                    : "NUMBER");
        return false;
    }
    return refuse("field", name, next_field);
}

static bool parse_kind(const char *word, scree_margin_def *margin)
{
    for (size_t k = 0; k < SCREE_COUNT_OF(kinds); k++)
        if (strcmp(kinds[k], word) == 0) {
            margin->kind = (scree_margin_kind)k;
            return true;
        }
    return refuse("kind", word, next_kind);
}

bool scree_margin_parse(const char *text, scree_margin_def *margin)
{
    char word[96];
    size_t length = strcspn(text, ":");
    snprintf(word, sizeof word, "%.*s", length < 90 ? (int)length : 90, text);
    if (!parse_kind(word, margin))
        return false;
    if (text[length] == 0)
        return true;
    for (;;) {
        text += length + 1;
        length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", length < 90 ? (int)length : 90, text);
        if (!parse_field(word, margin))
            return false;
        if (text[length] == 0)
            return true;
    }
}
