/*  breaks.csv: a row for each broken bond, in scenes with bonds. It follows from the state alone, as metrics.csv
    does: a run continued from a checkpoint removes later rows and writes them again. */
#include "app/run/run.h"

#include "base/decimal.h"
#include "scree/bond.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BREAK_COLUMNS "step,time,first,second,cause,x,y,z,normal_x,normal_y,normal_z"

static const char *const causes[] = {
    [SCREE_BREAK_NONE] = "none",
    [SCREE_BREAK_TENSION] = "tension",
    [SCREE_BREAK_SHEAR] = "shear",
    [SCREE_BREAK_DISTANCE] = "distance",
};

bool scree_run_breaks_open(scree_run *run, bool is_resumed)
{
    if (!run->plan->bond_count)
        return true;
    char *path = scree_folder_path(&run->folder, "breaks.csv");
    bool good = path && scree_lines_open(&run->breaks, path) &&
                scree_lines_begin_rows(&run->breaks, BREAK_COLUMNS, is_resumed,
                                       scree_world_clock(run->world).steps, &run->breaks_mark);
    if (!good)
        scree_notes_error(&run->notes, "%s: cannot write: %s", path ? path : "breaks.csv",
                          strerror(errno));
    free(path);
    return good;
}

static void put_row(scree_lines *lines, const scree_break *row)
{
    char number[7][SCREE_REAL_TEXT], line[8 * SCREE_REAL_TEXT + 100];
    const double reals[7] = {row->time,      row->point[0],  row->point[1], row->point[2],
                             row->normal[0], row->normal[1], row->normal[2]};

    for (int k = 0; k < 7; k++)
        scree_real_to_text(reals[k], number[k]);
    snprintf(line, sizeof line, "%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%s,%s,%s,%s,%s,%s,%s",
             row->step, number[0], row->first_serial, row->second_serial, causes[row->cause],
             number[1], number[2], number[3], number[4], number[5], number[6]);
    scree_lines_put(lines, line);
}

void scree_run_breaks_note(scree_run *run)
{
    const scree_break *list;
    uint64_t dropped = run->breaks.dropped;
    size_t count;

    if (!run->plan->bond_count || scree_world_breaks(run->world, &list, &count) || count == 0)
        return;
    for (size_t k = 0; k < count; k++) {
        put_row(&run->breaks, &list[k]);
        if (k % 1000 == 999)
            (void)scree_lines_flush(&run->breaks, false);
    }
    scree_world_forget_breaks(run->world);
    (void)scree_run_breaks_flush(run, false);
    if (run->breaks.dropped > dropped)
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: rows are lost: too many are waiting",
                         run->breaks.path);
}

bool scree_run_breaks_flush(scree_run *run, bool to_disk)
{
    if (!run->plan->bond_count || scree_lines_flush(&run->breaks, to_disk))
        return true;
    scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: cannot write: %s; rows wait in memory",
                     run->breaks.path, strerror(errno));
    return false;
}
