/*  Meshes of superquadrics, for tests. */
#ifndef SCREE_TESTS_SUPERQUADRIC_MAKER_H
#define SCREE_TESTS_SUPERQUADRIC_MAKER_H

#include "scree/scree.h"
#include "test.h"

/*  In two dimensions c is 0, and m is 2. */
static inline scree_mesh *superquadric(double a, double b, double c, double m, double n)
{
    scree_superquadric_def def = scree_default_superquadric_def();
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh = NULL;

    def.radii[0] = a;
    def.radii[1] = b;
    def.radii[2] = c;
    def.exponents[0] = m;
    def.exponents[1] = n;
    def.dimensions = c > 0 ? 3 : 2;
    def.facets = 100;
    def.error = &error;
    if (scree_mesh_superquadric(&def, &mesh))
        FAIL("%s", error.text);
    return mesh;
}

#endif
