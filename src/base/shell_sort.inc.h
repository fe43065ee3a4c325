/*  A Shell sort with Knuth's gaps (The Art of Computer Programming 3, 5.2.1), for short lists that are nearly in order.
    Before it is included, SORT_NAME is the name of the function, SORT_ROW the type of a row, and SORT_BEFORE(a, b) says of
    two pointers to rows whether the first must come before the second. All three are undefined afterwards. */
/* no include guard */

static void SORT_NAME(SORT_ROW *row, size_t count)
{
    size_t gap = 1;

    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            if (!SORT_BEFORE(&row[i], &row[i - gap]))
                continue;
            const SORT_ROW moving = row[i];
            size_t j = i;
            for (; j >= gap && SORT_BEFORE(&moving, &row[j - gap]); j -= gap)
                row[j] = row[j - gap];
            row[j] = moving;
        }
}

#undef SORT_NAME
#undef SORT_ROW
#undef SORT_BEFORE
