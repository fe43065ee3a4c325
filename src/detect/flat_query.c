/*  Queries: visits the cells of each level that overlap the box of the probe, and tests their bodies with the box or
    the ray. Rays skip the rows that they miss. */
#include "detect/flat.h"

/*  By how much the box of a body may be larger than its size, in the frame: boxes of spheres are rounded outward in the
    caller's numbers, which may be far from the origin of the frame. */
static float room_of_boxes(const scree_flat_frame *frame, const scree_flat_level *level)
{
    double farthest = 0;
    for (int k = 0; k < 3; k++)
        farthest = fmax(farthest, fabs(frame->origin[k]));
    double room = farthest * frame->scale * 0x1p-48;
    return level->slack + (float)fmin(room, (double)SCREE_FLAT_FARTHEST) + 0x1p-100f;
}

/*  Returns the cells [first, last] of a level with all bodies that may overlap the box of the probe. */
static void find_cells(const scree_flat *self, const scree_flat_frame *frame,
                       const scree_flat_level *level, const scree_probe *probe, uint32_t first[3],
                       uint32_t last[3])
{
    float room = room_of_boxes(frame, level);
    for (int k = 0; k < 3; k++) {
        float lower = scree_flat_to_frame(frame, k, probe->box.lower[k]) - level->size[k] - room;
        float upper = scree_flat_to_frame(frame, k, probe->box.upper[k]) + room;
        upper += self->volume == SCREE_SPHERES ? level->size[k] : 0;
        first[k] = k < self->dimensions ? scree_flat_cell(level, k, lower) : 0;
        last[k] = k < self->dimensions ? scree_flat_cell(level, k, upper) : 0;
    }
}

/*  Returns bounds, on one axis, of the boxes of all bodies in such a cell. The outermost cells are unbounded. */
static void bound_cell(const scree_flat *self, const scree_flat_frame *frame,
                       const scree_flat_level *level, int axis, uint32_t cell, scree_box *box)
{
    double edge = (double)level->edge[axis],
           room = (double)room_of_boxes(frame, level) + edge / 256;
    double low = ((double)cell - (double)level->shift[axis]) * edge - room;
    double high = low + edge + 2 * room + (double)level->size[axis];
    if (self->volume == SCREE_SPHERES)
        low -= (double)level->size[axis];
    low = low / frame->scale + frame->origin[axis];
    high = high / frame->scale + frame->origin[axis];
    box->lower[axis] = cell > 0 ? low : -DBL_MAX;
    box->upper[axis] = cell + 1 < level->cells[axis] ? high : DBL_MAX;
}

static void hit_bodies(const scree_flat *self, const scree_bodies *bodies, const scree_probe *probe,
                       uint32_t begin, uint32_t end, scree_hit_sink *sink)
{
    for (uint32_t i = begin; i < end; i++) {
        if (self->keep.is_used && scree_flat_is_moved(self, self->id[i]))
            continue;
        scree_box box = scree_flat_box(bodies, self->id[i]);
        if (scree_probe_meets(probe, &box))
            scree_sink_hit(sink, self->id[i]);
    }
    /* a hit found now shortens the ray */
    if (probe->is_ray && sink->fill > 0)
        sink->flush(sink);
}

static void query_level(const scree_flat *self, const scree_flat_level *level,
                        const scree_bodies *bodies, const scree_probe *probe, scree_hit_sink *sink)
{
    const scree_flat_frame *frame = &self->island[level->island].frame;
    uint32_t first[3], last[3];
    scree_box box = {{-DBL_MAX, -DBL_MAX, -DBL_MAX}, {DBL_MAX, DBL_MAX, DBL_MAX}};
    double t;
    find_cells(self, frame, level, probe, first, last);
    for (uint32_t z = first[2]; z <= last[2]; z++) {
        if (self->dimensions == 3)
            bound_cell(self, frame, level, 2, z, &box);
        for (uint32_t y = first[1]; y <= last[1] && !sink->stopped; y++) {
            bound_cell(self, frame, level, 1, y, &box);
            if (probe->is_ray && !level->is_far && !scree_probe_enters(probe, &box, &t))
                continue;
            const uint32_t *start =
                self->start + level->first_cell +
                (size_t)level->cells[0] * scree_flat_row(level, y, z, self->dimensions);
            hit_bodies(self, bodies, probe, start[first[0]], start[last[0] + 1], sink);
        }
    }
}

static void query_island(const scree_flat *self, const scree_flat_island *island,
                         const scree_bodies *bodies, const scree_probe *probe, scree_hit_sink *sink)
{
    for (uint32_t l = 0; l < island->level_count && !sink->stopped; l++) {
        const scree_flat_level *level = &self->level[island->first_level + l];
        if (level->count && !level->is_islets)
            query_level(self, level, bodies, probe, sink);
    }
}

void scree_flat_query_islets(const scree_flat *self, const scree_bodies *bodies,
                             const scree_probe *probe, scree_hit_sink *sink)
{
    if (self->islet_count == 0)
        return;
    for (uint32_t k = 0; k < self->hull_count && !sink->stopped; k++) {
        const scree_flat_hull *hull = &self->hull[k];
        const scree_flat_islet *last = &self->islet[hull->end - 1];
        if (scree_probe_meets(probe, &hull->box))
            hit_bodies(self, bodies, probe, self->islet[hull->first].first,
                       last->first + last->count, sink);
    }
}

void scree_flat_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                      scree_hit_sink *sink)
{
    const scree_flat *self = state;
    if (self->is_crowded) {
        scree_bvh8_query(&self->tree, bodies, probe, sink);
        return;
    }
    scree_flat_query_cells(self, bodies, probe, sink);
    if (self->keep.is_used && !sink->stopped)
        scree_flat_query(self->keep.others, bodies, probe, sink);
}

void scree_flat_query_cells(const scree_flat *self, const scree_bodies *bodies,
                            const scree_probe *probe, scree_hit_sink *sink)
{
    for (uint32_t k = 0; k < self->island_count; k++)
        if (!self->is_split || scree_probe_meets(probe, &self->island[k].box))
            query_island(self, &self->island[k], bodies, probe, sink);
    scree_flat_query_islets(self, bodies, probe, sink);
}
