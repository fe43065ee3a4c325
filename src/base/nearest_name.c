/*  Compares names by the number of typing errors between them: a letter missing, added or wrong, or two neighbours
    swapped. */
#include "base/nearest_name.h"

#include <string.h>

#define LONGEST 32u

/*  Optimal string alignment distance. Names longer than the limit count as far away. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b), row[3][LONGEST + 1];

    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (size_t j = 0; j <= n; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[m % 3][n];
}

/*  A third of the letters, and one more, may be wrong. */
const char *scree_nearest_name(const char *word,
                               const char *(*next)(const void *list, size_t index),
                               const void *list)
{
    const char *nearest = NULL;
    size_t least = strlen(word) / 3 + 2;

    for (size_t i = 0;; i++) {
        const char *candidate = next(list, i);
        size_t distance;
        if (!candidate)
            return nearest;
        distance = edit_distance(word, candidate);
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
}

static const char *next_of_array(const void *list, size_t index)
{
    return ((const char *const *)list)[index];
}

const char *scree_nearest_of(const char *word, const char *const *names)
{
    return scree_nearest_name(word, next_of_array, names);
}
