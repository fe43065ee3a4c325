/*  Detectors of discs on a line, and their pairs as text. */
#ifndef LINE_DETECTOR_H
#define LINE_DETECTOR_H

#include "scree/scree.h"

#include "test.h"

static inline scree_detector *create(const char *method, int dimensions, scree_volume volume)
{
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.method = method;
    def.dimensions = dimensions;
    def.volume = volume;
    CHECK(scree_detector_create(&def, &detector) == SCREE_OK);
    return detector;
}

/*  Unit discs on a line: x is the only thing that varies. */
static inline scree_table line(const double *x, size_t count)
{
    static const double zeros[64], ones[64] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return scree_table_spheres(count, scree_doubles(x, sizeof *x), scree_doubles(zeros, 8),
                               (scree_view){NULL, 0, SCREE_FLOAT64}, scree_doubles(ones, 8));
}

static inline scree_detector *line_detector(const double *x, size_t count)
{
    scree_detector *d = create("dess2", 2, SCREE_SPHERES);
    scree_table table = line(x, count);
    CHECK_EQUAL(scree_detector_update(d, &table, NULL), SCREE_OK);
    return d;
}

/*  All pairs as text, canonical: "0-1 1-2". */
static inline const char *pairs_of(scree_detector *d)
{
    static char text[1024];
    scree_pairs_options options = {.canonical = true};
    scree_pairs pairs;
    size_t used = 0;
    CHECK_EQUAL(scree_detector_pairs(d, &options, &pairs), SCREE_OK);
    text[0] = 0;
    for (uint64_t k = 0; k < pairs.count; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, k ? " %u-%u" : "%u-%u",
                                 pairs.first[k], pairs.second[k]);
    return text;
}

#endif
