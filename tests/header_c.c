/*  Each public header alone is C17, and its functions link. Compiled once for each header, with HEADER
    its name in quotes. */
#include HEADER

int main(void)
{
#ifdef SCREE_DETECT_H
    scree_detector_def def = scree_default_detector_def();
    return def.dimensions == 3 && scree_version() == SCREE_VERSION_NUMBER ? 0 : 1;
#else
    return scree_version() == SCREE_VERSION_NUMBER ? 0 : 1;
#endif
}
