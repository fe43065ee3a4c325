/*  For test programs: a case in its short form is one test, that fails with the rows that fail. */
#ifndef SCREE_VALIDATION_SHORT_H
#define SCREE_VALIDATION_SHORT_H

#include "cases.h"
#include "test.h"

static void check_short_form(void (*run)(validation *v))
{
    static validation v;
    v.full = false;
    validation_free(&v); /* of the test before, if that failed */
    run(&v);
    for (size_t s = 0; s < v.section_count; s++)
        for (size_t k = 0; k < v.section[s].row_count; k++)
            if (!v.section[s].row[k].passed)
                validation_print_row(&v.section[s].row[k], stdout);
    CHECK(validation_rows(&v, false) > 0);
    CHECK_EQUAL(validation_rows(&v, true), 0);
    validation_free(&v);
}

#endif
