/*  HDF5 writes a temporary file next to the target, which is renamed when everything has reached the disk, because a
    crash can corrupt an open HDF5 file. Columns are written in blocks of rows, shuffled and lightly compressed. */
#include "app/convert/export_vtkhdf.h"

#include "base/error.h"
#include "base/nearest_name.h"

#include "scree/chains.h"
#include "scree/heat.h"

#include <string.h>

#ifndef SCREE_HDF5

scree_status scree_export_vtkhdf(scree_world *world, const char *path,
                                 const scree_export_def *options, scree_error *error)
{
    (void)world;
    (void)options;
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "%.100s: this scree was built without HDF5 (libhdf5-dev): vtp is read by the "
                      "same programs",
                      path);
}

#else

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_ROWS 65536u

/*  A field, and its offset in scree_body. */
typedef struct hdf_field
{
    const char *name;
    size_t offset;
    hsize_t width;
    enum
    {
        HDF_HEAT, /* a temperature, read by the body's handle */
        HDF_REAL,
        HDF_CHAIN, /* by row; computed only if requested by name */
        HDF_U64,
        HDF_U32
    } type;
} hdf_field;

static const hdf_field hdf_fields[] = {
    {"serial", offsetof(scree_body, serial), 1, HDF_U64},
    {"id", offsetof(scree_body, id.index1), 1, HDF_U32},
    {"material", offsetof(scree_body, material.index1), 1, HDF_U32},
    {"user", offsetof(scree_body, user), 1, HDF_U64},
    {"chain", 0, 1, HDF_CHAIN},
    {"mass", offsetof(scree_body, mass), 1, HDF_REAL},
    {"radius", offsetof(scree_body, shape.radius), 1, HDF_REAL},
    {"velocity", offsetof(scree_body, velocity), 3, HDF_REAL},
    {"spin", offsetof(scree_body, spin), 3, HDF_REAL},
    {"orientation", offsetof(scree_body, orientation), 4, HDF_REAL},
    {"force", offsetof(scree_body, force), 3, HDF_REAL},
    {"torque", offsetof(scree_body, torque), 3, HDF_REAL},
    {"temperature", 0, 1, HDF_HEAT},
    {NULL, offsetof(scree_body, position), 3, HDF_REAL}, /* Points */
};
#define POINTS (sizeof hdf_fields / sizeof *hdf_fields - 1)

typedef struct hdf_export
{
    const scree_world *world;
    scree_body_id *id; /* ascending by global id */
    uint64_t *chain;   /* chain of each body; NULL: not requested */
    hsize_t count;
    unsigned char *block;
    hid_t root;
} hdf_export;

/*  Whether a field is requested; *unknown is a name that does not exist. */
static bool is_wanted(const scree_export_def *options, const char *field)
{
    if (!options || !options->fields)
        return strcmp(field, "chain") != 0;
    for (size_t i = 0; i < options->field_count; i++)
        if (strcmp(options->fields[i], field) == 0)
            return true;
    return false;
}

static bool is_of_heat(const char *field)
{
    return strcmp(field, "temperature") == 0;
}

static scree_status check_names(const scree_world *world, const scree_export_def *options,
                                scree_error *error)
{
    const char *names[POINTS + 1];
    for (size_t f = 0; f <= POINTS; f++)
        names[f] = hdf_fields[f].name;
    for (size_t i = 0; options && options->fields && i < options->field_count; i++) {
        const char *nearest = scree_nearest_of(options->fields[i], names);
        size_t f = 0;
        while (names[f] && strcmp(names[f], options->fields[i]) != 0)
            f++;
        if (!names[f])
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "export: vtkhdf has no field \"%.40s\"%s%s%s", options->fields[i],
                              nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                              nearest ? "\"?" : "");
        if (is_of_heat(names[f]) && !scree_world_heat(world).is_on)
            return scree_fail(error, SCREE_BAD_ARGUMENT,
                              "export: field \"temperature\": the world has no heat");
    }
    return SCREE_OK;
}

/* ---- helpers ---- */

static bool put_attribute_type(hid_t group)
{
    static const char type[] = "UnstructuredGrid";
    hid_t text = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool good = H5Tset_size(text, strlen(type)) >= 0 && H5Tset_strpad(text, H5T_STR_NULLPAD) >= 0;
    hid_t attribute = H5Acreate2(group, "Type", text, space, H5P_DEFAULT, H5P_DEFAULT);
    good = good && attribute >= 0 && H5Awrite(attribute, text, type) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(text);
    return good;
}

static bool put_attribute_version(hid_t group)
{
    static const int64_t version[2] = {1, 0};
    hsize_t size = 2;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t attribute = H5Acreate2(group, "Version", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, version) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return good;
}

/*  A data set of rows, in compressed blocks; without rows it has no blocks. */
static hid_t make_set(hid_t group, const char *name, hid_t type, hsize_t rows, hsize_t width)
{
    hsize_t size[2] = {rows, width}, chunk[2] = {rows < BLOCK_ROWS ? rows : BLOCK_ROWS, width};
    int rank = width > 1 ? 2 : 1;
    hid_t space = H5Screate_simple(rank, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE), set;
    if (rows > 0) {
        H5Pset_chunk(how, rank, chunk);
        H5Pset_shuffle(how);
        H5Pset_deflate(how, 1);
    }
    set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    return set;
}

/*  Writes rows first .. first + count - 1 from the block. */
static bool put_rows(hid_t set, hid_t type, hsize_t first, hsize_t count, hsize_t width,
                     const void *block)
{
    hsize_t start[2] = {first, 0}, size[2] = {count, width};
    int rank = width > 1 ? 2 : 1;
    hid_t memory = H5Screate_simple(rank, size, NULL), file = H5Dget_space(set);
    bool good = H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dwrite(set, type, memory, file, H5P_DEFAULT, block) >= 0;
    H5Sclose(file);
    H5Sclose(memory);
    return good;
}

/* ---- columns ---- */

static bool put_field(const hdf_export *e, hid_t group, const hdf_field *field, const char *name)
{
    bool is_real = field->type <= HDF_REAL;
    hid_t set =
        make_set(group, name, is_real ? H5T_IEEE_F64LE : H5T_STD_U64LE, e->count, field->width);
    size_t bytes = 8 * (size_t)field->width;
    bool good = set >= 0;
    for (hsize_t first = 0; first < e->count && good; first += BLOCK_ROWS) {
        hsize_t rows = e->count - first < BLOCK_ROWS ? e->count - first : BLOCK_ROWS;
        for (hsize_t i = 0; i < rows; i++) {
            scree_body body;
            uint32_t narrow;
            uint64_t wide;
            if (field->type == HDF_HEAT) {
                double kelvin = scree_world_temperature(e->world, e->id[first + i]);
                memcpy(e->block + i * bytes, &kelvin, sizeof kelvin);
                continue;
            }
            if (field->type == HDF_CHAIN && e->chain) {
                memcpy(e->block + i * bytes, &e->chain[first + i], sizeof *e->chain);
                continue;
            }
            scree_world_get_body(e->world, e->id[first + i], &body);
            memcpy(e->block + i * bytes, (const char *)&body + field->offset,
                   field->type == HDF_U32 ? sizeof narrow : bytes);
            if (field->type == HDF_U32) {
                memcpy(&narrow, e->block + i * bytes, sizeof narrow);
                wide = narrow;
                memcpy(e->block + i * bytes, &wide, sizeof wide);
            }
        }
        good = put_rows(set, is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_UINT64, first, rows,
                        field->width, e->block);
    }
    H5Dclose(set);
    return good;
}

/*  0, 1, 2, ... */
static bool put_numbers(const hdf_export *e, const char *name, hsize_t count)
{
    hid_t set = make_set(e->root, name, H5T_STD_I64LE, count, 1);
    int64_t *block = (int64_t *)(void *)e->block;
    bool good = set >= 0;
    for (hsize_t first = 0; first < count && good; first += BLOCK_ROWS) {
        hsize_t rows = count - first < BLOCK_ROWS ? count - first : BLOCK_ROWS;
        for (hsize_t i = 0; i < rows; i++)
            block[i] = (int64_t)(first + i);
        good = put_rows(set, H5T_NATIVE_INT64, first, rows, 1, block);
    }
    H5Dclose(set);
    return good;
}

static bool put_count(const hdf_export *e, const char *name)
{
    hid_t set = make_set(e->root, name, H5T_STD_I64LE, 1, 1);
    int64_t count = (int64_t)e->count;
    bool good = set >= 0 && put_rows(set, H5T_NATIVE_INT64, 0, 1, 1, &count);
    H5Dclose(set);
    return good;
}

/*  Cell types: VTK_VERTEX is 1. */
static bool put_types(const hdf_export *e)
{
    hid_t set = make_set(e->root, "Types", H5T_STD_U8LE, e->count, 1);
    bool good = set >= 0;
    memset(e->block, 1, BLOCK_ROWS);
    for (hsize_t first = 0; first < e->count && good; first += BLOCK_ROWS) {
        hsize_t rows = e->count - first < BLOCK_ROWS ? e->count - first : BLOCK_ROWS;
        good = put_rows(set, H5T_NATIVE_UINT8, first, rows, 1, e->block);
    }
    H5Dclose(set);
    return good;
}

static bool put_all(hdf_export *e, hid_t file, const scree_export_def *options)
{
    hid_t data;
    bool good;
    e->root = H5Gcreate2(file, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    data = H5Gcreate2(e->root, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    good = e->root >= 0 && data >= 0 && put_attribute_type(e->root) &&
           put_attribute_version(e->root) && put_count(e, "NumberOfPoints") &&
           put_count(e, "NumberOfCells") && put_count(e, "NumberOfConnectivityIds") &&
           put_field(e, e->root, &hdf_fields[POINTS], "Points") &&
           put_numbers(e, "Connectivity", e->count) && put_numbers(e, "Offsets", e->count + 1) &&
           put_types(e);
    for (size_t f = 0; f < POINTS && good; f++)
        if (is_wanted(options, hdf_fields[f].name) &&
            (!is_of_heat(hdf_fields[f].name) || scree_world_heat(e->world).is_on))
            good = put_field(e, data, &hdf_fields[f], hdf_fields[f].name);
    H5Gclose(data);
    H5Gclose(e->root);
    return good;
}

/* ---- rows and files ---- */

typedef struct hdf_key
{
    uint64_t serial;
    scree_body_id id;
    size_t row;
} hdf_key;

static int by_serial(const void *a, const void *b)
{
    uint64_t x = ((const hdf_key *)a)->serial, y = ((const hdf_key *)b)->serial;
    return (x > y) - (x < y);
}

/*  Force chains, in the order of the ids. */
static bool find_chains(hdf_export *e, scree_world *world, const hdf_key *key)
{
    const scree_chains_def def = scree_default_chains_def();
    scree_chain_body *bodies = malloc((e->count + 1) * sizeof *bodies);
    scree_chains chains;
    e->chain = malloc((e->count + 1) * sizeof *e->chain);
    bool good = bodies && e->chain &&
                !scree_world_chains(world, &def, bodies, NULL, (size_t)e->count, &chains);
    for (size_t i = 0; i < e->count && good; i++)
        e->chain[i] = bodies[key[i].row].chain;
    free(bodies);
    return good;
}

static bool order_bodies(hdf_export *e, scree_world *world, bool with_chains)
{
    bool good;
    scree_bodies_view view = scree_world_bodies(world);
    hdf_key *key = malloc((view.count + 1) * sizeof *key);
    e->id = malloc((view.count + 1) * sizeof *e->id);
    e->block = malloc((size_t)BLOCK_ROWS * 4 * 8);
    e->count = view.count;
    for (size_t i = 0; i < view.count && key; i++)
        key[i] = (hdf_key){scree_uint64_at(view.serial, i), scree_body_id_at(view.id, i), i};
    if (key && view.count > 0)
        qsort(key, view.count, sizeof *key, by_serial);
    for (size_t i = 0; i < view.count && key && e->id; i++)
        e->id[i] = key[i].id;
    good = key && e->id && e->block && (!with_chains || find_chains(e, world, key));
    free(key);
    return good;
}

static scree_status fail_file(const char *path, const char *what, scree_error *error)
{
    return scree_fail(error, SCREE_IO_ERROR, "%.150s: %s: %s", path, what,
                      errno ? strerror(errno) : "HDF5 gives no reason");
}

/*  Renames the temporary file to the target. */
static bool give_name(const char *temporary, const char *path)
{
    mode_t mask = umask(0);
    int descriptor;
    bool good;
    umask(mask);
    descriptor = open(temporary, O_RDWR);
    good = descriptor >= 0 && fchmod(descriptor, 0666 & ~mask) == 0 && fsync(descriptor) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return good && rename(temporary, path) == 0;
}

static scree_status write_hdf(hdf_export *e, const char *temporary, const char *path,
                              const scree_export_def *options, scree_error *error)
{
    hid_t file;
    bool good;
    errno = 0;
    file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0)
        return fail_file(path, "cannot create", error);
    good = put_all(e, file, options);
    good = H5Fclose(file) >= 0 && good;
    if (!good || !give_name(temporary, path))
        return fail_file(path, "cannot write", error);
    return SCREE_OK;
}

scree_status scree_export_vtkhdf(scree_world *world, const char *path,
                                 const scree_export_def *options, scree_error *error)
{
    hdf_export e = {.world = world};
    char *temporary = malloc(strlen(path) + sizeof ".XXXXXX");
    scree_status status = check_names(world, options, error);
    int descriptor;
    if (!status && (!temporary || !order_bodies(&e, world, is_wanted(options, "chain")))) {
        status = scree_fail(error, SCREE_OUT_OF_MEMORY, "%.150s: out of memory", path);
    } else if (!status) {
        sprintf(temporary, "%s.XXXXXX", path);
        descriptor = mkstemp(temporary);
        if (descriptor < 0) {
            status = fail_file(path, "cannot create", error);
        } else {
            close(descriptor);
            H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* we print our own messages */
            status = write_hdf(&e, temporary, path, options, error);
            if (status)
                unlink(temporary);
        }
    }
    free(temporary);
    free(e.id);
    free(e.chain);
    free(e.block);
    return status;
}

#endif
