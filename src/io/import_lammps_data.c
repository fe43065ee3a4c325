/*  LAMMPS data files, as read_data reads them: a title line, a head of counts and bounds, then sections. Atoms (style
    sphere) and Velocities are used. */
#include "io/import_list.h"

#include <inttypes.h>
#include <string.h>

/*  How a section is handled. */
typedef enum data_section
{
    DATA_HEAD,
    DATA_ATOMS,
    DATA_VELOCITIES,
    DATA_PASSED_OVER,
} data_section;

typedef struct data_file
{
    scree_import *import;
    scree_text *text;
    data_section section;
    uint64_t atoms, velocities; /* atoms: as the head states */
    bool has_atoms, has_section, has_axis[3];
    uint64_t *ids; /* ascending, from the start of Velocities */
    uint32_t *places;
} data_file;

/*  Removes a comment after # and blanks. */
static bool next_data_line(scree_text *text, scree_span *line)
{
    while (scree_next_line(text, line)) {
        const char *hash = memchr(line->at, '#', scree_span_length(*line));
        scree_span content = *line, word;
        if (hash)
            content.end = hash;
        if (scree_next_word(&content, &word))
            return true;
    }
    return false;
}

static int cut_words(scree_span line, scree_span word[], int most)
{
    int count = 0;
    while (count < most && scree_next_word(&line, &word[count]) && *word[count].at != '#')
        count++;
    return count;
}

bool scree_is_lammps_data(scree_text text)
{
    scree_span line, word[3];
    uint64_t count;
    scree_next_line(&text, &line); /* the title */
    for (int i = 0; i < 50 && next_data_line(&text, &line); i++)
        if (cut_words(line, word, 3) == 2 && scree_span_is(word[1], "atoms"))
            return scree_text_to_whole(word[0].at, scree_span_length(word[0]), UINT64_MAX, &count);
    return false;
}

/* ---- head ---- */

static scree_status read_bounds(data_file *file, const scree_span *word, int axis)
{
    static const char *const names[3][2] = {{"xlo", "xhi"}, {"ylo", "yhi"}, {"zlo", "zhi"}};
    double lower = 0, upper = 0;
    scree_status status;
    if ((status = scree_read_real(file->text, names[axis][0], word[0], 1e60, &lower)) ||
        (status = scree_read_real(file->text, names[axis][1], word[1], 1e60, &upper)))
        return status;
    if (lower > upper)
        return scree_text_fail(file->text, "%s: %g is above %s, %g", names[axis][0], lower,
                               names[axis][1], upper);
    file->has_axis[axis] = true;
    file->import->list->lower[axis] = lower;
    file->import->list->upper[axis] = upper;
    return SCREE_OK;
}

/*  "20 atoms", "2 atom types", "0 1 xlo xhi", "0 0 0 xy xz yz", and counts that are not used. */
static scree_status read_head_line(data_file *file, scree_span line)
{
    static const char *const axes[] = {"xlo", "ylo", "zlo"};
    scree_span word[7];
    int count = cut_words(line, word, 7);
    char shown[SCREE_SHOWN];
    double tilt = 0;
    uint64_t number;
    scree_status status = SCREE_OK;
    if (count == 2 && scree_span_is(word[1], "atoms")) {
        file->has_atoms = true;
        return scree_read_whole(file->text, "atoms", word[0], 0, UINT32_MAX, &file->atoms);
    }
    for (int k = 0; k < 3; k++)
        if (count == 4 && scree_span_is(word[2], axes[k]))
            return read_bounds(file, word, k);
    if (count == 6 && scree_span_is(word[3], "xy")) {
        for (int k = 0; k < 3 && !status && tilt == 0; k++)
            status = scree_read_real(file->text, "tilt", word[k], 1e60, &tilt);
        if (!status && tilt != 0)
            return scree_text_fail(file->text, "tilt: %g, tilted boxes cannot be read", tilt);
        return status;
    }
    if (count >= 2 && count <= 5 &&
        scree_text_to_whole(word[0].at, scree_span_length(word[0]), UINT64_MAX, &number) &&
        !(*word[1].at >= '0' && *word[1].at <= '9'))
        return SCREE_OK;
    return scree_text_fail(file->text, "\"%s\" is not a line of the head", scree_show(line, shown));
}

/* ---- sections ---- */

static bool begins_section(scree_span line)
{
    return (*line.at >= 'A' && *line.at <= 'Z') || (*line.at >= 'a' && *line.at <= 'z');
}

static scree_status end_section(const data_file *file)
{
    if (file->section == DATA_ATOMS && file->import->count != file->atoms)
        return scree_text_fail(file->text, "Atoms: %zu rows, but the head says %" PRIu64,
                               file->import->count, file->atoms);
    if (file->section == DATA_VELOCITIES && file->velocities != file->atoms)
        return scree_text_fail(file->text, "Velocities: %" PRIu64 " rows, must be %" PRIu64,
                               file->velocities, file->atoms);
    return SCREE_OK;
}

static scree_status begin_atoms(data_file *file, scree_span line)
{
    scree_span style;
    char shown[SCREE_SHOWN];
    const char *hash = memchr(line.at, '#', scree_span_length(line));
    if (file->has_section)
        return scree_text_fail(file->text, "Atoms appears twice");
    if (!file->has_atoms)
        return scree_text_fail(file->text, "Atoms, but no number of atoms before");
    line.at = hash ? hash + 1 : line.end;
    if (scree_next_word(&line, &style) && !scree_span_is(style, "sphere"))
        return scree_text_fail(file->text, "atom_style %s: must be sphere",
                               scree_show(style, shown));
    file->has_section = true;
    file->section = DATA_ATOMS;
    return SCREE_OK;
}

static scree_status begin_section(data_file *file, scree_span line)
{
    static const char *const passed[] = {"Masses",    "Bonds",    "Angles", "Dihedrals",
                                         "Impropers", "Pair",     "Bond",   "PairIJ",
                                         "Angle",     "Dihedral", "Atom",   "Improper"};
    scree_span word[1];
    char shown[SCREE_SHOWN];
    scree_status status = end_section(file);
    cut_words(line, word, 1);
    if (status)
        return status;
    if (scree_span_is(word[0], "Atoms"))
        return begin_atoms(file, line);
    if (scree_span_is(word[0], "Velocities")) {
        if (!file->has_section || file->ids)
            return scree_text_fail(file->text, "Velocities %s",
                                   file->ids ? "appears twice" : "before Atoms");
        file->section = DATA_VELOCITIES;
        return scree_import_sort_ids(file->import, file->text, &file->ids, &file->places);
    }
    file->section = DATA_PASSED_OVER;
    for (size_t i = 0; i < SCREE_COUNT_OF(passed); i++)
        if (scree_span_is(word[0], passed[i]))
            return SCREE_OK;
    return scree_text_fail(file->text, "\"%s\" is not a section for spheres",
                           scree_show(line, shown));
}

/* ---- rows ---- */

/*  id type diameter density x y z, then optional image flags. */
static scree_status read_data_atom(data_file *file, scree_span line)
{
    static const scree_import_column order[] = {
        SCREE_COLUMN_BODY_ID,
        SCREE_COLUMN_TYPE,
        SCREE_COLUMN_DIAMETER,
        SCREE_COLUMN_DENSITY,
        SCREE_COLUMN_PLAIN,
        (scree_import_column)(SCREE_COLUMN_PLAIN + 1),
        (scree_import_column)(SCREE_COLUMN_PLAIN + 2),
    };
    scree_import_columns columns = {.count = 7};
    scree_import_row row;
    scree_span word[11];
    int count = cut_words(line, word, 11);
    int64_t turns;
    scree_status status;
    if (count != 7 && count != 10)
        return scree_text_fail(file->text,
                               "Atoms: %d columns; atom_style sphere has 7, or 10 with image flags",
                               count);
    if (file->import->count == file->atoms)
        return scree_text_fail(file->text, "Atoms: more than the %" PRIu64 " that the head says",
                               file->atoms);
    for (int c = 0; c < 7; c++) {
        columns.present[order[c]] = true;
        if ((status = scree_import_read(file->text, order[c], word[c], &row)))
            return status;
    }
    for (int c = 7; c < count; c++)
        if ((status = scree_read_integer(file->text, "image flag", word[c], INT32_MIN, INT32_MAX,
                                         &turns)))
            return status;
    return scree_import_add(file->import, file->text, &columns, &row);
}

/*  The index of an id, or the number of bodies if there is none. */
static size_t find_id(const data_file *file, uint64_t id)
{
    size_t low = 0, high = file->import->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (file->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < file->import->count && file->ids[low] == id ? file->places[low]
                                                             : file->import->count;
}

/*  id vx vy vz, then optional angular velocity. */
static scree_status read_data_velocity(data_file *file, scree_span line)
{
    static const char *const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    scree_span word[8];
    int count = cut_words(line, word, 8);
    double value[6] = {0};
    uint64_t id;
    size_t place;
    scree_status status;
    if (count != 4 && count != 7)
        return scree_text_fail(file->text, "Velocities: %d columns, must be 4 or 7", count);
    if ((status = scree_read_whole(file->text, "id", word[0], 1, UINT64_MAX, &id)))
        return status;
    place = find_id(file, id);
    if (place == file->import->count)
        return scree_text_fail(file->text, "id: there is no atom %" PRIu64, id);
    for (int k = 0; k + 1 < count; k++)
        if ((status = scree_read_real(file->text, names[k], word[k + 1], 1e60, &value[k])))
            return status;
    memcpy(file->import->bodies[place].velocity, value, 3 * sizeof *value);
    memcpy(file->import->bodies[place].spin, value + 3, 3 * sizeof *value);
    file->velocities++;
    return SCREE_OK;
}

static scree_status read_data_line(data_file *file, scree_span line)
{
    if (begins_section(line))
        return begin_section(file, line);
    switch (file->section) {
    case DATA_HEAD:
        return read_head_line(file, line);
    case DATA_ATOMS:
        return read_data_atom(file, line);
    case DATA_VELOCITIES:
        return read_data_velocity(file, line);
    default:
        return SCREE_OK;
    }
}

scree_status scree_import_lammps_data(scree_import *import, scree_text *text)
{
    data_file file = {.import = import, .text = text};
    scree_span line;
    scree_status status = SCREE_OK;
    scree_next_line(text, &line); /* the title, with any content */
    while (!status && next_data_line(text, &line))
        status = read_data_line(&file, line);
    if (!status)
        status = end_section(&file);
    if (!status && !file.has_section)
        status = scree_text_fail(text, "the file ends without a section Atoms");
    import->list->has_box = file.has_axis[0] && file.has_axis[1] && file.has_axis[2];
    scree_memory_give(import->memory, &file.ids, import->count, sizeof *file.ids);
    scree_memory_give(import->memory, &file.places, import->count, sizeof *file.places);
    return status;
}
