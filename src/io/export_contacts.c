/*  Contacts as lines from the centre of the first body to that of the second, or to the point on the wall. For a
    contact across a periodic boundary the line leads to the image of the second body. */
#include "io/export_vtk.h"

#include <math.h>

const char *const scree_contact_field_names[] = {
    "force",   "normal_force", "tangential_force",
    "overlap", "first",        "second",
    "wall",    "facet",        "rule",
    "bond",    NULL,
};

enum
{
    CONTACT_FORCE,
    CONTACT_NORMAL,
    CONTACT_TANGENTIAL,
    CONTACT_OVERLAP,
    CONTACT_FIRST,
    CONTACT_SECOND,
    CONTACT_WALL,
    CONTACT_FACET,
    CONTACT_RULE,
    CONTACT_BOND,
    CONTACT_FIELDS,
    CONTACT_POINTS = CONTACT_FIELDS, /* two rows per contact, as for CONTACT_CORNERS */
    CONTACT_CORNERS,
    CONTACT_END,
};

typedef struct contact_rows
{
    const scree_body_arrays *bodies;
    const scree_contact *contact;
    const scree_domain *domain;
    const scree_world *world;
} contact_rows;

static uint64_t serial_of(const contact_rows *rows, scree_body_id id)
{
    return rows->bodies->serial[scree_bodies_slot(rows->bodies, id)][0];
}

/*  Normal force on the first body, away from the partner; negative if attractive. */
static double normal_force(const scree_contact *contact)
{
    return -(contact->force[0] * contact->normal[0] + contact->force[1] * contact->normal[1] +
             contact->force[2] * contact->normal[2]);
}

static double tangential_force(const scree_contact *contact)
{
    double normal = normal_force(contact), sum = 0;
    for (int k = 0; k < 3; k++) {
        double part = contact->force[k] + normal * contact->normal[k];
        sum += part * part;
    }
    return sqrt(sum);
}

/*  The vector from the centre of the first body to that of the second, or of its image. For spheres it is along the
    normal; for others it is that of the nearest image, as in contact detection. */
static void line_to_second(const contact_rows *rows, const scree_contact *contact, double line[3])
{
    uint32_t slot[2] = {(uint32_t)scree_bodies_slot(rows->bodies, contact->first),
                        (uint32_t)scree_bodies_slot(rows->bodies, contact->second)};
    const double *first = rows->bodies->position[slot[0]],
                 *second = rows->bodies->position[slot[1]];
    bool is_solid =
        scree_is_not_sphere(rows->bodies, slot[0]) || scree_is_not_sphere(rows->bodies, slot[1]);

    for (int k = 0; k < 3; k++)
        line[k] = is_solid ? second[k] - first[k]
                           : (first[3] - contact->overlap + second[3]) * contact->normal[k];
    for (int k = 2; is_solid && k >= 0; k--)
        if (rows->domain->period[k] > 0)
            scree_domain_take(rows->domain, k, floor(line[k] / rows->domain->period[k] + 0.5),
                              line);
}

/*  End 0 or 1 of the line. */
static void line_end(const contact_rows *rows, const scree_contact *contact, size_t end,
                     scree_export_word *words)
{
    const double *first = rows->bodies->position[scree_bodies_slot(rows->bodies, contact->first)];
    double line[3] = {0, 0, 0};

    if (end == 1 && contact->second.index1)
        line_to_second(rows, contact, line);
    for (int k = 0; k < 3; k++)
        words[k].real =
            end == 1 && !contact->second.index1 ? contact->point[k] : first[k] + line[k];
}

static void fill_contact(const contact_rows *rows, int what, size_t row, scree_export_word *words)
{
    const scree_contact *contact = &rows->contact[what == CONTACT_POINTS ? row / 2 : row];
    switch (what) {
    case CONTACT_FORCE:
        for (int k = 0; k < 3; k++)
            words[k].real = contact->force[k];
        return;
    case CONTACT_NORMAL:
        words->real = normal_force(contact);
        return;
    case CONTACT_TANGENTIAL:
        words->real = tangential_force(contact);
        return;
    case CONTACT_OVERLAP:
        words->real = contact->overlap;
        return;
    case CONTACT_FIRST:
        words->whole = serial_of(rows, contact->first);
        return;
    case CONTACT_SECOND:
        words->whole = contact->second.index1 ? serial_of(rows, contact->second) : 0;
        return;
    case CONTACT_WALL:
        words->whole = contact->wall.index1;
        return;
    case CONTACT_FACET:
        words->whole = contact->facet;
        return;
    case CONTACT_RULE:
        words->whole = contact->rule;
        return;
    case CONTACT_BOND:
        words->whole = (uint64_t)scree_contact_bond_state(&rows->world->rules, contact);
        return;
    default:
        line_end(rows, contact, row % 2, words);
    }
}

static void fill_contacts(const void *context, int what, size_t first, size_t count,
                          scree_export_word *words)
{
    int width = what == CONTACT_FORCE || what == CONTACT_POINTS ? 3 : 1;
    for (size_t row = first; row < first + count; row++, words += width)
        if (what == CONTACT_CORNERS)
            words->whole = row;
        else if (what == CONTACT_END)
            words->whole = 2 * row + 2;
        else
            fill_contact(context, what, row, words);
}

scree_status scree_export_contacts_vtp(scree_export_job *job)
{
    contact_rows rows = {
        .bodies = &job->world->bodies, .domain = &job->world->cell.now, .world = job->world};
    size_t n;
    scree_status status = scree_world_contacts(job->world, NULL, &rows.contact, &n);
    scree_vtk vtk = {.points = 2 * n, .lines = n, .fill = fill_contacts, .context = &rows};
    if (status)
        return scree_fail(job->error, status, "%.120s: %.120s", job->file.path,
                          scree_world_message(job->world));
    for (int f = 0; f < CONTACT_FIELDS; f++)
        if (job->wanted[f])
            scree_vtk_add(&vtk, "CellData", scree_contact_field_names[f],
                          f < CONTACT_FIRST ? SCREE_VTK_REAL : SCREE_VTK_WHOLE,
                          f == CONTACT_FORCE ? 3 : 1, n, f);
    scree_vtk_add(&vtk, "Points", "Points", SCREE_VTK_REAL, 3, 2 * n, CONTACT_POINTS);
    scree_vtk_add(&vtk, "Lines", "connectivity", SCREE_VTK_INTEGER, 1, 2 * n, CONTACT_CORNERS);
    scree_vtk_add(&vtk, "Lines", "offsets", SCREE_VTK_INTEGER, 1, n, CONTACT_END);
    scree_vtk_write(&vtk, &job->file, scree_world_clock(job->world).time);
    return job->file.status;
}
