/*  Engines print one figure a line, and those of the last run last. */
#include "engines/engine_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  The number at the beginning of `at`; false for none, and for what is not finite. */
static bool read_number(const char *at, double *value)
{
    char *end;
    double number = strtod(at, &end);

    if (end == at || !isfinite(number))
        return false;
    *value = number;
    return true;
}

bool scree_log_number(const char *text, const char *words, double *value)
{
    bool found = false;
    size_t length = strlen(words);

    for (const char *at = text; (at = strstr(at, words)) != NULL; at += length)
        if (at == text || at[-1] == '\n')
            found = read_number(at + length, value) || found;
    return found;
}

bool scree_log_lammps(const char *text, double *seconds)
{
    const char *loop = NULL, *share, *line;
    double wall, percent;

    for (const char *at = text; (at = strstr(at, "Loop time of ")) != NULL; at++)
        loop = at;
    share = loop ? strstr(loop, "% CPU use") : NULL;
    if (!share || !read_number(loop + strlen("Loop time of "), &wall))
        return false;
    for (line = share; line > loop && line[-1] != '\n'; line--)
        continue;
    if (!read_number(line, &percent) || wall <= 0 || percent <= 0)
        return false;
    *seconds = wall * percent / 100;
    return true;
}

bool scree_log_ran_for(const char *text, double *seconds)
{
    static const char words[] = "ran-for ";
    double value = 0, first = 0;
    int count = 0;

    for (const char *at = text; (at = strstr(at, words)) != NULL; at++) {
        if (!read_number(at + strlen(words), &value))
            return false;
        first = count++ ? first : value;
    }
    if (count < 2 || value <= first)
        return false;
    *seconds = (value - first) * 1e-9;
    return true;
}
