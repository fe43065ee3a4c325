/*  Each public header alone is C17, and its functions link. Compiled once for each header, with HEADER
    its name in quotes. */
#include HEADER

int main(void)
{
#ifdef SCREE_DETECT_H
    scree_detector_def def = scree_default_detector_def();
    uint32_t smaller[3] = {0, 1, 2}, larger[3] = {3, 4, 5}, sum = 0;
    scree_pairs pairs = {3, smaller, larger};
    SCREE_FOR_EACH_PAIR(pairs, i, j) {
        if (i == 0)
            continue;
        sum += j;
        if (i == 1)
            break;
    }
    return def.dimensions == 3 && sum == 4 && scree_version() == SCREE_VERSION_NUMBER ? 0 : 1;
#else
    return scree_version() == SCREE_VERSION_NUMBER ? 0 : 1;
#endif
}
