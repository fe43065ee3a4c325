/*  Lines of numbers in a text, separated by commas, semicolons, tabs or blanks. */
#ifndef SCREE_SCENE_NUMBER_LINES_H
#define SCREE_SCENE_NUMBER_LINES_H

#include "scree/base.h"

#define SCENE_MAX_COLUMNS 8

typedef struct scene_number_lines
{
    const char *path; /* for messages */
    const char *at, *end;
    size_t line;
    int columns; /* of the first row; 0: none yet */
} scene_number_lines;

/*  Number of lines, at most. */
size_t scene_count_lines(const char *text, size_t bytes);
/*  Reads the numbers of the next line and returns how many; -1: the line has a word, or a number that is not finite.
    Numbers after a # are left out. */
int scene_next_numbers(scene_number_lines *lines, double row[SCENE_MAX_COLUMNS]);
/*  Whether the line that was read last, with `count` numbers, is no row: empty, or a heading. */
bool scene_is_no_row(const scene_number_lines *lines, int count);
/*  SCREE_BAD_FILE, with file and line, where a word is, or rows differ. */
scree_status scene_check_row(scene_number_lines *lines, int count, scree_error *error);

#endif
