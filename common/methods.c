#include "common/methods.h"

#include "scree/detect.h"

const char *const scree_simd_words[] = {"auto", "scalar", "simd128", "avx2", "avx512", NULL};

static const char *next_method(const void *list, size_t index)
{
    (void)list;
    const scree_method_info *info = scree_method_at(index);
    return info ? info->name : NULL;
}

bool scree_check_method(const scree_verb *verb, const char *name)
{
    if (scree_method_by_name(name))
        return true;
    const char *closest = scree_closest_word(name, next_method, NULL);
    if (closest)
        scree_usage_error("%s: --method: there is no \"%.60s\"; did you mean \"%s\"?", verb->name,
                          name, closest);
    else
        scree_usage_error("%s: --method: there is no \"%.60s\"; see scree methods", verb->name,
                          name);
    return false;
}
