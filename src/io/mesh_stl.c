/*  STL. A binary file is recognised by its length, 84 bytes plus 50 for each triangle, not by its first word: many
    programs begin binary files with "solid" too. Normals are ignored, so they may be wrong. */
#include "io/mesh_soup.h"

#include <math.h>

/* ---- binary ---- */

#define STL_ROW 50

uint64_t scree_stl_bytes(const unsigned char *bytes)
{
    return SCREE_STL_HEAD + STL_ROW * (uint64_t)scree_load_u32(bytes + 80, false);
}

bool scree_is_stl_binary(const unsigned char *bytes, size_t count)
{
    return count >= SCREE_STL_HEAD && count == scree_stl_bytes(bytes);
}

scree_status scree_read_stl_binary(const unsigned char *bytes, size_t count, const char *name,
                                   scree_soup *soup, scree_error *error)
{
    size_t facets = (count - SCREE_STL_HEAD) / STL_ROW;
    if (scree_memory_reserve(soup->memory, &soup->vertices, &soup->vertex_capacity, 9 * facets,
                             sizeof(double)))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.100s: out of memory", name);
    for (size_t f = 0; f < facets; f++)
        for (size_t i = 0; i < 9; i++) {
            size_t at = SCREE_STL_HEAD + STL_ROW * f + 12 + 4 * i;
            float value = scree_load_float(bytes + at, false);
            if (!isfinite(value))
                return scree_fail(error, SCREE_BAD_FILE,
                                  "%.100s: byte %zu: triangle %zu, vertex %zu: %c is %g, must be "
                                  "finite",
                                  name, at, f, i / 3, "xyz"[i % 3], (double)value);
            soup->vertices[9 * f + i] = (double)value;
        }
    soup->vertex_count = 3 * facets;
    soup->facet_count = facets;
    return SCREE_OK;
}

/* ---- text ---- */

/*  The next word of the text, on any line. */
typedef struct stl_words
{
    scree_text text;
    scree_span line;
} stl_words;

static bool next_stl_word(stl_words *words, scree_span *word)
{
    while (!scree_next_word(&words->line, word))
        if (!scree_next_line(&words->text, &words->line))
            return false;
    return true;
}

static scree_status expect(stl_words *words, const char *wanted, const char *where)
{
    scree_span word;
    char shown[SCREE_SHOWN];
    if (!next_stl_word(words, &word))
        return scree_text_fail(&words->text, "the file ends %s, \"%s\" must follow", where, wanted);
    if (!scree_span_is_any_case(word, wanted))
        return scree_text_fail(&words->text, "\"%s\" %s, must be \"%s\"", scree_show(word, shown),
                               where, wanted);
    return SCREE_OK;
}

/*  Three numbers. Those of a normal may be any number, since many programs write nan for a triangle without area. */
static scree_status read_three(stl_words *words, bool any, const char *what, double value[3])
{
    static const char *const names[2][3] = {{"vertex x", "vertex y", "vertex z"},
                                            {"normal x", "normal y", "normal z"}};
    for (int k = 0; k < 3; k++) {
        scree_span word;
        char shown[SCREE_SHOWN];
        scree_status status = SCREE_OK;
        if (!next_stl_word(words, &word))
            return scree_text_fail(&words->text, "the file ends in a %s", what);
        if (!any)
            status =
                scree_read_real(&words->text, names[0][k], word, SCREE_MESH_LARGEST, &value[k]);
        else if (!scree_text_to_real(word.at, scree_span_length(word), &value[k]))
            status = scree_text_fail(&words->text, "%s: \"%s\" is not a number", names[1][k],
                                     scree_show(word, shown));
        if (status)
            return status;
    }
    return SCREE_OK;
}

/*  All words but the first of

        facet normal nx ny nz  outer loop  vertex x y z (three times)  endloop  endfacet */
static scree_status read_stl_facet(stl_words *words, scree_soup *soup)
{
    double value[3];
    scree_status status;
    if ((status = expect(words, "normal", "after facet")) ||
        (status = read_three(words, true, "normal", value)) ||
        (status = expect(words, "outer", "after the normal")) ||
        (status = expect(words, "loop", "after outer")))
        return status;
    for (int i = 0; i < 3; i++) {
        static const char *const where[] = {"after outer loop", "after the first vertex",
                                            "after the second vertex"};
        if ((status = expect(words, "vertex", where[i])) ||
            (status = read_three(words, false, "vertex", value)))
            return status;
        if ((status = scree_soup_vertex(soup, value)))
            return scree_soup_fail(&words->text, status);
    }
    soup->facet_count++;
    if ((status = expect(words, "endloop", "after the third vertex")))
        return status;
    return expect(words, "endfacet", "after endloop");
}

/*  A file may contain several solids. A name extends to the end of its line. */
scree_status scree_read_stl_text(scree_text text, scree_soup *soup)
{
    stl_words words = {text, {NULL, NULL}};
    scree_span word;
    char shown[SCREE_SHOWN];
    bool inside = false;
    while (next_stl_word(&words, &word)) {
        scree_status status = SCREE_OK;
        if (inside && scree_span_is_any_case(word, "facet"))
            status = read_stl_facet(&words, soup);
        else if (scree_span_is_any_case(word, inside ? "endsolid" : "solid")) {
            inside = !inside;
            words.line.at = words.line.end;
        } else
            status = scree_text_fail(&words.text, "\"%s\" must be %s", scree_show(word, shown),
                                     inside ? "\"facet\" or \"endsolid\"" : "\"solid\"");
        if (status)
            return status;
    }
    if (inside)
        return scree_text_fail(&words.text, "the file ends in a solid, \"endsolid\" must follow");
    return SCREE_OK;
}
