/*  Values are compared as text: equal runs print equal text. */
#include "app/look/diff_metrics.h"

#include "common/options.h"
#include "common/out_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct text_file
{
    char *data;
    size_t size, at;
} text_file;

typedef struct text_piece
{
    const char *text;
    size_t length;
} text_piece;

static bool next_line(text_file *file, text_piece *line)
{
    const char *end;

    if (file->at >= file->size)
        return false;
    line->text = file->data + file->at;
    end = memchr(line->text, '\n', file->size - file->at);
    line->length = end ? (size_t)(end - line->text) : file->size - file->at;
    file->at += line->length + 1;
    return true;
}

static bool next_cell(text_piece *line, text_piece *cell)
{
    const char *end;

    if (!line->text)
        return false;
    end = memchr(line->text, ',', line->length);
    cell->text = line->text;
    cell->length = end ? (size_t)(end - line->text) : line->length;
    line->length -= end ? cell->length + 1 : cell->length;
    line->text = end ? end + 1 : NULL;
    return true;
}

static void copy_piece(text_piece piece, char text[64])
{
    size_t length = piece.length < 63 ? piece.length : 63;

    memcpy(text, piece.text, length);
    text[length] = '\0';
}

static bool is_of_machine(text_piece column)
{
    static const char *const beginnings[] = {"wall_", "ns_", "steps_per_"};

    for (size_t k = 0; k < sizeof beginnings / sizeof *beginnings; k++) {
        size_t length = strlen(beginnings[k]);
        if (column.length >= length && memcmp(column.text, beginnings[k], length) == 0)
            return true;
    }
    return false;
}

/*  Whether two rows differ in a column that counts; records the first. */
static bool compare_rows(text_piece names, text_piece a, text_piece b,
                         scree_metrics_difference *difference)
{
    text_piece name = {"", 0}, cell[2], row = a;
    bool differs = false;

    for (;;) {
        bool has_name = next_cell(&names, &name);
        bool has_a = next_cell(&a, &cell[0]), has_b = next_cell(&b, &cell[1]);
        if (!has_a && !has_b)
            return differs;
        if (has_a && has_b &&
            ((cell[0].length == cell[1].length &&
              memcmp(cell[0].text, cell[1].text, cell[0].length) == 0) ||
             (has_name && is_of_machine(name))))
            continue;
        differs = true;
        if (difference->column[0])
            return true;
        copy_piece(has_name ? name : (text_piece){"an extra cell", 11}, difference->column);
        for (int side = 0; side < 2; side++)
            copy_piece((side ? has_b : has_a) ? cell[side] : (text_piece){"nothing", 7},
                       difference->first[side]);
        if (next_cell(&row, &cell[0]))
            copy_piece(cell[0], difference->step);
    }
}

static void compare(text_file *a, text_file *b, scree_metrics_difference *difference)
{
    text_piece names[2] = {{NULL, 0}, {NULL, 0}}, line[2];
    bool has[2];

    next_line(a, &names[0]);
    next_line(b, &names[1]);
    if (compare_rows(names[0], names[0], names[1], difference))
        difference->differing++;
    for (;;) {
        has[0] = next_line(a, &line[0]);
        has[1] = next_line(b, &line[1]);
        if (has[0] && has[1]) {
            difference->rows++;
            difference->differing += compare_rows(names[0], line[0], line[1], difference);
        } else if (has[0] || has[1]) {
            difference->more[has[1] ? 1 : 0]++;
        } else {
            return;
        }
    }
}

int scree_diff_metrics(const char *a, const char *b, scree_metrics_difference *difference)
{
    text_file first = {0}, second = {0};
    int code;

    memset(difference, 0, sizeof *difference);
    code = scree_read_file(a, &first.data, &first.size);
    if (code == SCREE_EXIT_OK)
        code = scree_read_file(b, &second.data, &second.size);
    if (code == SCREE_EXIT_OK)
        compare(&first, &second, difference);
    free(first.data);
    free(second.data);
    return code;
}
