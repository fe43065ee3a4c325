/*  A bed in a file. */
#include "scenes/bed.h"

#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void scree_bed_write(const scree_bed *bed, FILE *out)
{
    /* grains may rise above where the box ended when they were poured */
    double top = bed->facets ? bed->upper[2] : 1.3 * bed->upper[2];

    fprintf(out, "scree-bed %d facets %" PRIu32 " drum %.17g %.17g %.17g height %.17g\n\n",
            (int)bed->kind, bed->facets, bed->drum_radius, bed->drum_length, bed->drum_rate,
            bed->upper[2]);
    fprintf(out, "%" PRIu32 " atoms\n1 atom types\n\n", bed->count);
    fprintf(out, "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms\n\n",
            bed->lower[0], bed->upper[0], bed->lower[1], bed->upper[1], bed->lower[2], top);
    for (uint32_t i = 0; i < bed->count; i++)
        fprintf(out, "%" PRIu32 " 1 %.17g %.17g %.17g %.17g %.17g\n", i + 1, 2 * bed->radius[i],
                SCREE_BED_DENSITY, bed->centre[i][0], bed->centre[i][1], bed->centre[i][2]);
    fputs("\nVelocities\n\n", out);
    for (uint32_t i = 0; i < bed->count; i++)
        fprintf(out, "%" PRIu32 " %.17g %.17g %.17g %.17g %.17g %.17g\n", i + 1,
                bed->velocity[i][0], bed->velocity[i][1], bed->velocity[i][2], bed->spin[i][0],
                bed->spin[i][1], bed->spin[i][2]);
}

/* ---- reading: only what was written above ---- */

static scree_status refuse(scree_error *error, const char *what)
{
    return scree_fail(error, SCREE_BAD_VALUE, "bed: this is not a bed: %s", what);
}

static scree_status read_head(FILE *in, scree_bed *bed, scree_error *error)
{
    int kind;

    if (fscanf(in, "scree-bed %d facets %" SCNu32 " drum %lf %lf %lf height %lf", &kind,
               &bed->facets, &bed->drum_radius, &bed->drum_length, &bed->drum_rate,
               &bed->upper[2]) != 6 ||
        !scree_bed_name((scree_bed_kind)kind) || bed->facets > 1000000)
        return refuse(error, "its first line");
    bed->kind = (scree_bed_kind)kind;
    if (fscanf(in, "%" SCNu32 " atoms 1 atom types", &bed->count) != 1 ||
        fscanf(in, " %lf %lf xlo xhi %lf %lf ylo yhi %lf %*f zlo zhi Atoms", &bed->lower[0],
               &bed->upper[0], &bed->lower[1], &bed->upper[1], &bed->lower[2]) != 5 ||
        bed->count < 1 || bed->count > SCREE_MAX_BODIES)
        return refuse(error, "its head");
    return SCREE_OK;
}

static scree_status read_grains(FILE *in, scree_bed *bed, scree_error *error)
{
    char word[16];
    uint32_t id;

    for (uint32_t i = 0; i < bed->count; i++) {
        double diameter, *x = bed->centre[i];
        if (fscanf(in, "%" SCNu32 " 1 %lf %*f %lf %lf %lf", &id, &diameter, &x[0], &x[1], &x[2]) !=
                5 ||
            id != i + 1)
            return refuse(error, "an atom");
        bed->radius[i] = diameter / 2;
    }
    if (fscanf(in, "%15s", word) != 1 || strcmp(word, "Velocities") != 0)
        return refuse(error, "no velocities");
    for (uint32_t i = 0; i < bed->count; i++) {
        double *v = bed->velocity[i], *w = bed->spin[i];
        if (fscanf(in, "%" SCNu32 " %lf %lf %lf %lf %lf %lf", &id, &v[0], &v[1], &v[2], &w[0],
                   &w[1], &w[2]) != 7 ||
            id != i + 1)
            return refuse(error, "a velocity");
    }
    return SCREE_OK;
}

scree_status scree_bed_read(FILE *in, scree_bed *bed, scree_error *error)
{
    memset(bed, 0, sizeof *bed);
    scree_status status = read_head(in, bed, error);
    if (!status)
        status = scree_bed_allocate(bed, error);
    if (!status)
        status = read_grains(in, bed, error);
    if (status)
        scree_bed_free(bed);
    return status;
}

/* ---- the drum ---- */

static void write_facet(const double *a, const double *b, const double *c, FILE *out)
{
    double u[3], v[3], n[3], length;

    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    fprintf(out, "facet normal %.9g %.9g %.9g\nouter loop\n", n[0] / length, n[1] / length,
            n[2] / length);
    fprintf(out, "vertex %.9g %.9g %.9g\nvertex %.9g %.9g %.9g\nvertex %.9g %.9g %.9g\n", a[0],
            a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]);
    fputs("endloop\nendfacet\n", out);
}

void scree_bed_write_drum(const scree_bed *bed, FILE *out)
{
    scree_mesh_info mesh = scree_mesh_describe(bed->drum);

    fputs("solid drum\n", out);
    for (size_t f = 0; f < mesh.facet_count; f++) {
        const uint32_t *corner = mesh.facets + 3 * f;
        write_facet(mesh.vertices + (size_t)3 * corner[0], mesh.vertices + (size_t)3 * corner[1],
                    mesh.vertices + (size_t)3 * corner[2], out);
    }
    fputs("endsolid drum\n", out);
}
