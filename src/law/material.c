#include "law/material.h"

#include "base/error.h"
#include "base/sized_definition.h"

#include <math.h>
#include <string.h>

#define MATERIAL_COOKIE 0x3a7e41a1u
#define MATERIAL_NAME_BYTES 31
/*  Products of two such numbers are finite. */
#define LARGEST 1e100

void scree_init_material_def(scree_material_def *def, size_t size)
{
    static const scree_material_def own = {
        .cookie = MATERIAL_COOKIE,
        .size = sizeof(scree_material_def),
        .name = "",
        .density = 2500,
        .young = 1e7,
        .poisson = 0.3,
        .restitution = 0.5,
        .friction = 0.5,
        .stiffness = 1e5,
        .stiffness_ratio = 2.0 / 7.0,
    };

    scree_definition_write(def, size, &own, sizeof own);
}

static scree_status refuse(const scree_material_def *def, const char *field, double value,
                           const char *right, scree_error *error)
{
    const char *name = def->name ? def->name : "";
    return scree_fail(error, SCREE_BAD_VALUE, "material def%s%s: %s is %g, must be %s",
                      *name ? " of " : "", name, field, value, right);
}

scree_status scree_material_check(const scree_material_def *def, scree_error *error)
{
    scree_material_def own = scree_default_material_def();

    if (!scree_definition_read(&own, def))
        return scree_fail(error, SCREE_BAD_DEF,
                          "material def: it was not made by scree_default_material_def");
    def = &own;
    if (def->name && strlen(def->name) > MATERIAL_NAME_BYTES)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "material def: name \"%.40s\" has %zu bytes, must have at most %d",
                          def->name, strlen(def->name), MATERIAL_NAME_BYTES);

    const struct
    {
        const char *field;
        double value;
        bool positive;
    } numbers[] = {
        {"density", def->density, true},
        {"friction", def->friction, false},
        {"rolling_friction", def->rolling_friction, false},
        {"twisting_friction", def->twisting_friction, false},
        {"stiffness", def->stiffness, true},
        {"stiffness_ratio", def->stiffness_ratio, true},
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(numbers); i++) {
        double value = numbers[i].value;
        bool above = numbers[i].positive ? value > 0 : value >= 0;
        if (!above || !(value <= LARGEST))
            return refuse(def, numbers[i].field, value,
                          numbers[i].positive ? "above 0 and at most 1e100" : "0 to 1e100", error);
    }
    if (!(def->young > 0 && (def->young <= LARGEST || def->young == INFINITY)))
        return refuse(def, "young", def->young,
                      "above 0 and at most 1e100, or infinite for a rigid one", error);
    if (!(def->poisson > -1 && def->poisson <= 0.5))
        return refuse(def, "poisson", def->poisson, "above -1 and at most 0.5", error);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return refuse(def, "restitution", def->restitution, "0 to 1", error);
    return SCREE_OK;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/*  Compliances of the two sides under the same normal and tangential force. */
static double normal_compliance(const scree_material_def *m)
{
    return (1 - m->poisson * m->poisson) / m->young;
}

static double shear_compliance(const scree_material_def *m)
{
    return (2 - m->poisson) * (2 * (1 + m->poisson)) / m->young;
}

scree_material_mix scree_material_mixed(const scree_material_def *a, const scree_material_def *b)
{
    double sum = a->stiffness + b->stiffness;
    scree_material_mix mix = {
        .young = 1 / (normal_compliance(a) + normal_compliance(b)),
        .shear = 1 / (shear_compliance(a) + shear_compliance(b)),
        .restitution = smaller(a->restitution, b->restitution),
        .friction = smaller(a->friction, b->friction),
        .rolling_friction = smaller(a->rolling_friction, b->rolling_friction),
        .twisting_friction = smaller(a->twisting_friction, b->twisting_friction),
        .stiffness = a->stiffness * b->stiffness / sum,
        .stiffness_ratio = 0.5 * (a->stiffness_ratio + b->stiffness_ratio),
    };
    return mix;
}
