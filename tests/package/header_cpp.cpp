//  Each public header alone is C++17 too, and its functions link. Compiled once for each header, with
//  HEADER its name in quotes.
#include HEADER

int main()
{
#ifdef SCREE_DETECT_H
    auto def = scree_default_detector_def();
    double x = 0;
    auto view = scree_doubles(&x, sizeof x);
    auto table = scree_table_spheres(1, view, view, view, view);
    uint32_t smaller[3] = {0, 1, 2}, larger[3] = {3, 4, 5}, sum = 0;
    scree_pairs pairs = {3, smaller, larger};
    SCREE_FOR_EACH_PAIR(pairs, i, j) {
        if (i == 0)
            continue;
        sum += j;
        if (i == 1)
            break;
    }
    if (def.dimensions != 3 || table.count != 1 || sum != 4)
        return 1;
#endif
    return scree_version() == uint32_t(SCREE_VERSION_NUMBER) ? 0 : 1;
}
