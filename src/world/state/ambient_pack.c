/*  Definitions of the fluid and of force fields as bytes: counts, then each as words of eight bytes and its texts, with
    zeros up to a multiple of eight. Bytes from a file are checked as definitions of a host are. */
#include "world/state/ambient.h"

#include "base/hash.h"

#include <string.h>

typedef struct packed_counts
{
    uint64_t fluids, fields;
} packed_counts;

/*  Words of eight bytes, no padding. */
typedef struct packed_fluid
{
    uint64_t drag, has_buoyancy, has_rotational_drag;
    double density, viscosity, cell, lower[3], upper[3];
    uint64_t groups, text_bytes;
    uint64_t flow_count[3]; /* of a grid, whose nodes follow the texts; zeros: there is none */
    double flow_lower[3], flow_spacing[3];
} packed_fluid;

typedef struct packed_field
{
    double lower[3], upper[3];
    uint64_t groups, text_bytes;
} packed_field;

static size_t padded(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static size_t flow_bytes(const scree_fluid *fluid)
{
    return fluid->flow ? scree_flow_nodes(fluid->flow) * sizeof *fluid->flow->velocity : 0;
}

size_t scree_ambient_packed_bytes(const scree_ambient *ambient)
{
    size_t bytes = sizeof(packed_counts);

    if (!scree_ambient_is_on(ambient))
        return 0;
    if (ambient->has_fluid)
        bytes += sizeof(packed_fluid) + padded(ambient->fluid.formulas.bytes) +
                 flow_bytes(&ambient->fluid);
    for (uint32_t k = 0; k < ambient->field_count; k++)
        bytes += sizeof(packed_field) + padded(ambient->field[k].formulas.bytes);
    return bytes;
}

/* ---- to bytes ---- */

static unsigned char *put(unsigned char *at, const void *from, size_t bytes)
{
    memset(at, 0, padded(bytes));
    memcpy(at, from, bytes);
    return at + padded(bytes);
}

static packed_fluid pack_fluid(const scree_fluid *fluid)
{
    const scree_fluid_def *def = &fluid->def;
    packed_fluid packed = {.drag = (uint64_t)def->drag,
                           .has_buoyancy = def->has_buoyancy,
                           .has_rotational_drag = def->has_rotational_drag,
                           .density = def->density,
                           .viscosity = def->viscosity,
                           .cell = def->cell,
                           .groups = def->groups,
                           .text_bytes = fluid->formulas.bytes};

    memcpy(packed.lower, def->lower, sizeof packed.lower);
    memcpy(packed.upper, def->upper, sizeof packed.upper);
    for (int k = 0; k < 3 && fluid->flow; k++) {
        packed.flow_count[k] = fluid->flow->count[k];
        packed.flow_lower[k] = fluid->flow->lower[k];
        packed.flow_spacing[k] = fluid->flow->spacing[k];
    }
    return packed;
}

static packed_field pack_field(const scree_force_field *field)
{
    packed_field packed = {.groups = field->def.groups, .text_bytes = field->formulas.bytes};

    memcpy(packed.lower, field->def.lower, sizeof packed.lower);
    memcpy(packed.upper, field->def.upper, sizeof packed.upper);
    return packed;
}

static unsigned char *put_fluid(unsigned char *at, const scree_fluid *fluid)
{
    const packed_fluid packed = pack_fluid(fluid);

    at = put(put(at, &packed, sizeof packed), fluid->formulas.text, fluid->formulas.bytes);
    return fluid->flow ? put(at, fluid->flow->velocity, flow_bytes(fluid)) : at;
}

static unsigned char *put_field(unsigned char *at, const scree_force_field *field)
{
    const packed_field packed = pack_field(field);

    return put(put(at, &packed, sizeof packed), field->formulas.text, field->formulas.bytes);
}

void scree_ambient_pack(const scree_ambient *ambient, unsigned char *bytes)
{
    const packed_counts counts = {ambient->has_fluid, ambient->field_count};

    if (!scree_ambient_is_on(ambient))
        return;
    bytes = put(bytes, &counts, sizeof counts);
    if (ambient->has_fluid)
        bytes = put_fluid(bytes, &ambient->fluid);
    for (uint32_t k = 0; k < ambient->field_count; k++)
        bytes = put_field(bytes, &ambient->field[k]);
}

/* ---- hash ---- */

static uint64_t hash_formulas(uint64_t hash, const scree_ambient_formulas *formulas)
{
    for (uint32_t k = 0; k < SCREE_FLUID_FORMULAS; k++)
        hash = scree_hash_text(hash, formulas->of[k]);
    return hash;
}

uint64_t scree_ambient_hash(uint64_t hash, const scree_ambient *ambient)
{
    const packed_counts counts = {ambient->has_fluid, ambient->field_count};

    hash = scree_hash_words(hash, &counts, sizeof counts);
    if (ambient->has_fluid) {
        const packed_fluid packed = pack_fluid(&ambient->fluid);
        hash = scree_hash_words(hash, &packed, sizeof packed);
        hash = hash_formulas(hash, &ambient->fluid.formulas);
        if (ambient->fluid.flow)
            hash =
                scree_hash_words(hash, ambient->fluid.flow->velocity, flow_bytes(&ambient->fluid));
    }
    for (uint32_t k = 0; k < ambient->field_count; k++) {
        const packed_field packed = pack_field(&ambient->field[k]);
        hash = scree_hash_words(hash, &packed, sizeof packed);
        hash = hash_formulas(hash, &ambient->field[k].formulas);
    }
    return hash;
}

/* ---- from bytes ---- */

typedef struct reader
{
    const unsigned char *at;
    size_t left;
    int dimensions;
    scree_memory *memory;
    scree_error *error;
} reader;

static bool take(reader *r, void *to, size_t bytes)
{
    if (r->left < bytes)
        return false;
    memcpy(to, r->at, bytes);
    r->at += bytes;
    r->left -= bytes;
    return true;
}

/*  `count` texts, each with its 0, in exactly `bytes`. */
static bool take_texts(reader *r, uint64_t bytes, uint32_t count, const char **texts)
{
    const char *at = (const char *)r->at, *end;

    if (bytes > r->left || padded((size_t)bytes) > r->left)
        return false;
    end = at + bytes;
    for (uint32_t k = 0; k < count; k++) {
        const char *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
        if (!stop)
            return false;
        texts[k] = at;
        at = stop + 1;
    }
    r->at += padded((size_t)bytes);
    r->left -= padded((size_t)bytes);
    return at == end;
}

/*  The nodes are used where they are: rows of a snapshot are aligned. */
static bool take_flow(reader *r, const packed_fluid *packed, scree_flow_grid *flow)
{
    double nodes = 1;

    for (int k = 0; k < 3; k++) {
        if (packed->flow_count[k] > UINT32_MAX)
            return false;
        flow->count[k] = (uint32_t)packed->flow_count[k];
        flow->lower[k] = packed->flow_lower[k];
        flow->spacing[k] = packed->flow_spacing[k];
        nodes *= flow->count[k];
    }
    if (nodes * sizeof *flow->velocity > (double)r->left)
        return false;
    flow->velocity = (const double(*)[3])(const void *)r->at;
    r->at += scree_flow_nodes(flow) * sizeof *flow->velocity;
    r->left -= scree_flow_nodes(flow) * sizeof *flow->velocity;
    return true;
}

static scree_status refuse(const reader *r)
{
    return scree_fail(r->error, SCREE_BAD_ARGUMENT,
                      "snapshot: its fluid or force fields cannot be");
}

static scree_status take_fluid(reader *r, scree_fluid *fluid)
{
    scree_fluid_def def = scree_default_fluid_def();
    const char *texts[SCREE_FLUID_FORMULAS];
    packed_fluid packed;
    scree_flow_grid flow;

    if (!take(r, &packed, sizeof packed) || packed.drag > SCREE_DRAG_GIDASPOW ||
        packed.has_buoyancy > 1 || packed.has_rotational_drag > 1 ||
        !take_texts(r, packed.text_bytes, SCREE_FLUID_FORMULAS, texts) ||
        !take_flow(r, &packed, &flow))
        return refuse(r);
    def.flow = scree_flow_nodes(&flow) ? &flow : NULL;
    def.drag = (scree_drag)packed.drag;
    def.has_buoyancy = packed.has_buoyancy != 0;
    def.has_rotational_drag = packed.has_rotational_drag != 0;
    def.density = packed.density;
    def.viscosity = packed.viscosity;
    def.cell = packed.cell;
    def.groups = packed.groups;
    memcpy(def.lower, packed.lower, sizeof def.lower);
    memcpy(def.upper, packed.upper, sizeof def.upper);
    for (int k = 0; k < 3; k++) {
        def.velocity[k] = texts[SCREE_FLUID_VELOCITY + k];
        def.angular_velocity[k] = texts[SCREE_FLUID_ANGULAR_VELOCITY + k];
        def.pressure_gradient[k] = texts[SCREE_FLUID_PRESSURE_GRADIENT + k];
    }
    def.void_fraction = texts[SCREE_FLUID_VOID_FRACTION];
    return scree_fluid_make(&def, r->dimensions, r->memory, fluid, r->error);
}

static scree_status take_field(reader *r, scree_force_field *field)
{
    scree_force_field_def def = scree_default_force_field_def();
    const char *texts[SCREE_FIELD_FORMULAS];
    packed_field packed;

    if (!take(r, &packed, sizeof packed) ||
        !take_texts(r, packed.text_bytes, SCREE_FIELD_FORMULAS, texts))
        return refuse(r);
    def.groups = packed.groups;
    memcpy(def.lower, packed.lower, sizeof def.lower);
    memcpy(def.upper, packed.upper, sizeof def.upper);
    for (int k = 0; k < 3; k++) {
        def.acceleration[k] = texts[SCREE_FIELD_ACCELERATION + k];
        def.force[k] = texts[SCREE_FIELD_FORCE + k];
    }
    return scree_force_field_make(&def, r->memory, field, r->error);
}

scree_status scree_ambient_unpack(const unsigned char *bytes, size_t count, int dimensions,
                                  scree_memory *memory, scree_ambient *ambient, scree_error *error)
{
    reader r = {bytes, count, dimensions, memory, error};
    packed_counts counts = {0};
    scree_status status = SCREE_OK;

    memset(ambient, 0, sizeof *ambient);
    if (count == 0)
        return SCREE_OK;
    if (!take(&r, &counts, sizeof counts) || counts.fluids > 1 ||
        counts.fields > SCREE_MAX_FORCE_FIELDS || counts.fluids + counts.fields == 0)
        return refuse(&r);
    if (counts.fluids) {
        status = take_fluid(&r, &ambient->fluid);
        ambient->has_fluid = !status;
    }
    for (uint64_t k = 0; k < counts.fields && !status; k++) {
        status = take_field(&r, &ambient->field[k]);
        ambient->field_count += !status;
    }
    if (!status && r.left)
        status = refuse(&r);
    if (status)
        scree_ambient_free(ambient, memory);
    return status;
}
