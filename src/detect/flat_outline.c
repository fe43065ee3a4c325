/*  The pieces of flat for drawings: cells of its levels, boxes of islands and of groups of islets; or a tree, if bodies
    are too crowded for cells. */
#include "detect/flat.h"

static void put_box(scree_outline_sink *sink, const scree_box *box, uint32_t count)
{
    scree_outline_piece piece = {.kind = SCREE_OUTLINE_NODE, .count = count};

    memcpy(piece.lower, box->lower, sizeof piece.lower);
    memcpy(piece.upper, box->upper, sizeof piece.upper);
    scree_outline_put(sink, &piece);
}

/*  From cells to the frame, and from there to the caller's numbers. */
static void place_cell(const scree_flat_level *level, const scree_flat_frame *frame, int axis,
                       uint32_t cell, scree_outline_piece *piece)
{
    double low = ((double)cell - (double)level->shift[axis]) * (double)level->edge[axis];
    double high = low + (double)level->edge[axis];

    piece->lower[axis] = frame->origin[axis] + low / frame->scale;
    piece->upper[axis] = frame->origin[axis] + high / frame->scale;
}

static void put_row(const scree_flat *self, const scree_flat_level *level, uint32_t row,
                    scree_outline_piece *piece, scree_outline_sink *sink)
{
    const scree_flat_frame *frame = &self->island[level->island].frame;
    const uint32_t *start = self->start + level->first_cell + (size_t)level->cells[0] * row;

    for (uint32_t x = 0; x < level->cells[0]; x++) {
        if (start[x + 1] == start[x])
            continue;
        piece->count = start[x + 1] - start[x];
        place_cell(level, frame, 0, x, piece);
        scree_outline_put(sink, piece);
    }
}

static void put_level(const scree_flat *self, const scree_flat_level *level,
                      scree_outline_sink *sink)
{
    const scree_flat_island *island = &self->island[level->island];
    uint32_t number = (uint32_t)(level - self->level) - island->first_level;
    scree_outline_piece piece = {.kind = SCREE_OUTLINE_CELL,
                                 .level = island->level_count - 1 - number};
    uint32_t layers = self->dimensions == 3 ? level->cells[2] : 1;

    for (uint32_t z = 0; z < layers; z++)
        for (uint32_t y = 0; y < level->cells[1] && !sink->stopped; y++) {
            place_cell(level, &island->frame, 1, y, &piece);
            if (self->dimensions == 3)
                place_cell(level, &island->frame, 2, z, &piece);
            put_row(self, level, scree_flat_row(level, y, z, self->dimensions), &piece, sink);
        }
}

void scree_flat_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                        scree_outline_sink *sink)
{
    const scree_flat *self = state;
    (void)bodies;
    (void)scratch;
    if (self->is_crowded) {
        scree_bvh8_outline(&self->tree, sink);
        return;
    }
    for (uint32_t i = 0; i < self->island_count && self->is_split; i++)
        if (!self->level[self->island[i].first_level].is_islets)
            put_box(sink, &self->island[i].box, self->island[i].count);
    for (uint32_t h = 0; h < self->hull_count; h++)
        put_box(sink, &self->hull[h].box, self->hull[h].end - self->hull[h].first);
    /* floats of far bodies are not their positions */
    for (uint32_t l = 0; l < self->level_count; l++)
        if (!self->level[l].is_islets && !self->level[l].is_far)
            put_level(self, &self->level[l], sink);
}
