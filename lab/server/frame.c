/*  Finds the rows of a cloud that a page does not have yet, and encodes them. */
#include "bytes.h"
#include "cloud.h"

#include "base/common.h"

#include <stdlib.h>
#include <string.h>

void scree_lab_film_free(scree_lab_film *film)
{
    scree_lab_cloud_free(&film->cloud);
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        free(film->changed[part]);
    memset(film, 0, sizeof *film);
}

/* ---- changed rows ------------------------------------------------------------------------------------ */

static bool reserve_changed(scree_lab_film *film, size_t slots)
{
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        if (film->room[part] < slots) {
            size_t room = slots + slots / 4 + 64;
            uint32_t *grown = realloc(film->changed[part], room * sizeof *grown);
            if (!grown)
                return false;
            film->changed[part] = grown;
            film->room[part] = room;
        }
    return true;
}

static bool differs(const scree_lab_cloud *a, const scree_lab_cloud *b, scree_lab_part part,
                    size_t slot)
{
    switch (part) {
    case SCREE_LAB_LOOKS:
        return a->number[slot] != b->number[slot] || a->shape[slot] != b->shape[slot] ||
               memcmp(&a->radius[slot], &b->radius[slot], sizeof *a->radius) != 0;
    case SCREE_LAB_PLACES:
        return memcmp(a->place[slot], b->place[slot], sizeof *a->place) != 0;
    case SCREE_LAB_TURNS:
        return a->turn[slot] != b->turn[slot];
    default:
        return a->colour[slot] != b->colour[slot];
    }
}

static bool is_small(const int32_t place[3])
{
    for (int k = 0; k < 3; k++)
        if (place[k] < INT16_MIN || place[k] > INT16_MAX)
            return false;
    return true;
}

scree_status scree_lab_film_take(scree_lab_film *film, scree_lab_cloud *cloud)
{
    const scree_lab_cloud *old = &film->cloud;
    bool is_new = film->frame == 0 || old->epoch != cloud->epoch;

    if (!reserve_changed(film, cloud->slot_count))
        return SCREE_OUT_OF_MEMORY;
    film->frame++;
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        for (size_t slot = 0; slot < cloud->slot_count; slot++)
            if (is_new || slot >= old->slot_count ||
                differs(old, cloud, (scree_lab_part)part, slot))
                film->changed[part][slot] = film->frame;
    film->is_wide = false;
    for (size_t slot = 0; slot < cloud->slot_count && !film->is_wide; slot++)
        film->is_wide = !is_small(cloud->place[slot]);
    scree_lab_cloud spare = film->cloud;
    film->cloud = *cloud;
    *cloud = spare;
    return SCREE_OK;
}

/* ---- bytes ----------------------------------------------------------------------------------------------- */

/*  Bytes of one row of a part. */
static size_t row_bytes(const scree_lab_film *film, scree_lab_part part)
{
    size_t axes = (size_t)film->cloud.dimensions;
    const size_t bytes[] = {12, axes * (film->is_wide ? 4 : 2), 4, 1};
    return bytes[part];
}

static size_t padded(size_t bytes)
{
    return (bytes + 3) & ~(size_t)3;
}

/*  Rows that changed after frame `known`; none if the part is not wanted. *all: sending all rows is cheaper than
    listing these. */
static size_t count_changed(const scree_lab_film *film, scree_lab_part part, uint32_t known,
                            bool *all)
{
    size_t count = 0, slots = film->cloud.slot_count, bytes = row_bytes(film, part);

    for (size_t slot = 0; slot < slots; slot++)
        count += film->changed[part][slot] > known;
    *all = count > 0 && count * (bytes + 4) >= slots * bytes;
    return *all ? slots : count;
}

static size_t section_bytes(const scree_lab_film *film, scree_lab_part part, uint32_t known)
{
    bool all;
    size_t count = count_changed(film, part, known, &all);
    return 4 + (all ? 0 : 4 * count) + padded(count * row_bytes(film, part));
}

size_t scree_lab_frame_bytes(const scree_lab_film *film, const uint32_t known[SCREE_LAB_PARTS])
{
    size_t sum = SCREE_LAB_FRAME_HEAD + film->cloud.pose_count * sizeof(scree_lab_pose);

    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        sum += section_bytes(film, (scree_lab_part)part, known[part]);
    return sum;
}

static uint8_t *put_head(const scree_lab_film *film, uint8_t *at)
{
    const scree_lab_cloud *cloud = &film->cloud;
    uint32_t flags = (cloud->dimensions == 2 ? SCREE_LAB_FRAME_2D : 0) |
                     (film->is_wide ? SCREE_LAB_FRAME_WIDE : 0);

    at = scree_lab_put_whole(at, SCREE_LAB_FRAME_KIND | flags << 8);
    at = scree_lab_put_whole(at, film->frame);
    at = scree_lab_put_real(at, cloud->time);
    at = scree_lab_put_real(at, (double)cloud->steps);
    for (int k = 0; k < 3; k++)
        at = scree_lab_put_real(at, cloud->grain.origin[k]);
    at = scree_lab_put_real(at, cloud->grain.quantum);
    at = scree_lab_put_float(at, cloud->lower);
    at = scree_lab_put_float(at, cloud->upper);
    at = scree_lab_put_whole(at, cloud->epoch);
    at = scree_lab_put_whole(at, (uint32_t)cloud->field);
    at = scree_lab_put_whole(at, (uint32_t)cloud->slot_count);
    at = scree_lab_put_whole(at, (uint32_t)cloud->body_count);
    return scree_lab_put_whole(at, (uint32_t)cloud->pose_count);
}

/*  A column of a row: looks have three, positions one for each axis, the others one. */
static uint8_t *put_cell(const scree_lab_film *film, scree_lab_part part, size_t column,
                         size_t slot, uint8_t *at)
{
    const scree_lab_cloud *cloud = &film->cloud;

    switch (part) {
    case SCREE_LAB_LOOKS:
        if (column == 0)
            return scree_lab_put_float(at, cloud->radius[slot]);
        return scree_lab_put_whole(at, column == 1 ? cloud->number[slot] : cloud->shape[slot]);
    case SCREE_LAB_PLACES:
        if (film->is_wide)
            return scree_lab_put_whole(at, (uint32_t)cloud->place[slot][column]);
        at[0] = (uint8_t)(uint32_t)cloud->place[slot][column];
        at[1] = (uint8_t)((uint32_t)cloud->place[slot][column] >> 8);
        return at + 2;
    case SCREE_LAB_TURNS:
        return scree_lab_put_whole(at, cloud->turn[slot]);
    default:
        at[0] = cloud->colour[slot];
        return at + 1;
    }
}

static uint8_t *put_section(const scree_lab_film *film, scree_lab_part part, uint32_t known,
                            uint8_t *at)
{
    const size_t columns[] = {3, (size_t)film->cloud.dimensions, 1, 1};
    size_t slots = film->cloud.slot_count;
    bool all;
    size_t count = count_changed(film, part, known, &all);

    at = scree_lab_put_whole(at, (uint32_t)count | (all ? SCREE_LAB_SECTION_ALL : 0));
    for (size_t slot = 0; slot < slots && !all; slot++)
        if (film->changed[part][slot] > known)
            at = scree_lab_put_whole(at, (uint32_t)slot);
    for (size_t column = 0; column < columns[part]; column++)
        for (size_t slot = 0; slot < slots; slot++)
            if (all || film->changed[part][slot] > known)
                at = put_cell(film, part, column, slot, at);
    for (size_t k = count * row_bytes(film, part); k < padded(count * row_bytes(film, part)); k++)
        *at++ = 0;
    return at;
}

void scree_lab_frame_write(const scree_lab_film *film, const uint32_t known[SCREE_LAB_PARTS],
                           uint8_t *bytes)
{
    uint8_t *at = put_head(film, bytes);

    for (size_t k = 0; k < film->cloud.pose_count; k++) {
        for (int i = 0; i < 3; i++)
            at = scree_lab_put_float(at, film->cloud.poses[k].position[i]);
        for (int i = 0; i < 4; i++)
            at = scree_lab_put_float(at, film->cloud.poses[k].orientation[i]);
    }
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        at = put_section(film, (scree_lab_part)part, known[part], at);
}
