/*  Any bytes as a file of bodies. What the reader refuses it must refuse with a place and a reason;
    what it accepts must fit together and be accepted by a detector. The first byte chooses options. */
#include "../../app/detect/read_binary.c"
#include "../../app/detect/read_columns.c"
#include "../../app/detect/read_csv.c"
#include "../../app/detect/read_table.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*  For what must never be, in every build. */
static void insist(bool holds)
{
    if (!holds)
        abort();
}

static void insist_rows(const scree_body_table *table)
{
    insist(table->dimensions == 2 || table->dimensions == 3);
    for (uint32_t row = 1; row < table->count; row++)
        insist(scree_row_id(table, row - 1) < scree_row_id(table, row));
    for (int column = 0; column < SCREE_COLUMN_COUNT; column++)
        insist(!table->present[column] || !table->count || table->column[column]);
}

static void insist_detector_takes(const scree_body_table *body_table)
{
    scree_detector_def def = scree_default_detector_def();
    scree_table table = scree_body_table_view(body_table);
    scree_detector *detector;
    scree_pairs pairs;
    def.dimensions = body_table->dimensions;
    def.volume = body_table->volume;
    insist(scree_detector_create(&def, &detector) == SCREE_OK);
    insist(scree_detector_update(detector, &table, NULL) == SCREE_OK);
    if (table.count <= 1000)
        insist(scree_detector_pairs(detector, NULL, &pairs) == SCREE_OK);
    scree_detector_destroy(detector);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scree_read_options options = {0};
    scree_body_table table;
    scree_read_error error = {0};
    uint8_t way = size ? data[0] : 0;
    if (size) {
        data++;
        size--;
    }
    options.any_number = way % 4 == 1;
    options.ignore = way % 4 == 2 ? "all" : NULL;
    options.columns = way % 4 == 3 ? "x,y,r" : NULL;
    scree_status status = scree_read_table(data, size, &options, &table, &error);
    if (status) {
        insist(status == SCREE_BAD_FILE || status == SCREE_TOO_LARGE ||
               status == SCREE_OUT_OF_MEMORY);
        insist(error.text[0] != 0);
        return 0;
    }
    insist_rows(&table);
    if (!options.any_number)
        insist_detector_takes(&table);
    scree_body_table_free(&table);
    return 0;
}
