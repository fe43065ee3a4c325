/*  metrics.csv: a row at each due time, of figures that follow from the state
   alone. So a run that was killed and goes on ends with the same file, byte for
   byte, as one that was not. */
#include "run.h"

#include "base/decimal.h"
#include "base/error.h"
#include "scree/bond.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  The columns, once. Some are only there where energies are accounted for, bodies are glued, or quarantined. */
typedef struct metrics_row
{
    scree_clock clock;
    scree_totals totals;
    scree_certificate seen;
    scree_energy energy;
    scree_scene_tally tally;
    scree_heat_totals heat;
    scree_bond_counts bonds;
    uint32_t stage;
} metrics_row;

/* clang-format off */
#define METRICS_COLUMNS(X) /* name, value, whether it is there */ \
    X("step", (double)row->clock.steps, true) \
    X("time", row->clock.time, true) \
    X("dt", row->clock.dt, true) \
    X("stage", (double)row->stage, run->plan->stage_count > 0) \
    X("bodies", (double)row->totals.bodies, true) \
    X("added", (double)row->totals.added, true) \
    X("destroyed", (double)row->totals.destroyed, true) \
    X("sunk", (double)row->tally.sunk, true) \
    X("quarantined", (double)row->tally.quarantined, run->plan->quarantines) \
    X("contacts", (double)row->seen.contacts, true) \
    X("coordination", row->totals.coordination, true) \
    X("bonds", (double)row->bonds.intact, run->plan->bond_count > 0) \
    X("broken", (double)row->bonds.broken, run->plan->bond_count > 0) \
    X("broken_by_tension", (double)row->bonds.by_tension, run->plan->bond_count > 0) \
    X("broken_by_shear", (double)row->bonds.by_shear, run->plan->bond_count > 0) \
    X("mass", row->totals.mass, true) \
    X("centre_x", row->totals.centre[0], true) \
    X("centre_y", row->totals.centre[1], true) \
    X("centre_z", row->totals.centre[2], true) \
    X("momentum_x", row->totals.momentum[0], true) \
    X("momentum_y", row->totals.momentum[1], true) \
    X("momentum_z", row->totals.momentum[2], true) \
    X("kinetic", row->energy.kinetic, true) \
    X("rotational", row->energy.rotational, true) \
    X("potential", row->energy.potential, true) \
    X("elastic", row->energy.elastic, run->plan->world.ledger) \
    X("damping", row->energy.damping, run->plan->world.ledger) \
    X("friction", row->energy.friction, run->plan->world.ledger) \
    X("rolling", row->energy.rolling, run->plan->world.ledger) \
    X("body_damping", row->energy.body_damping, run->plan->world.ledger) \
    X("by_walls", row->energy.walls, run->plan->world.ledger) \
    X("by_loads", row->energy.loads, run->plan->world.ledger) \
    X("by_border", row->energy.border, run->plan->world.ledger) \
    X("entered", row->energy.entered, run->plan->world.ledger) \
    X("left", row->energy.removed, run->plan->world.ledger) \
    X("heat", row->heat.content, run->plan->has_heat) \
    X("heat_by_walls", row->heat.walls, run->plan->has_heat) \
    X("heat_by_sources", row->heat.sources, run->plan->has_heat) \
    X("heat_of_losses", row->heat.losses, run->plan->has_heat) \
    X("heat_entered", row->heat.entered, run->plan->has_heat) \
    X("heat_left", row->heat.removed, run->plan->has_heat) \
    X("temperature", row->heat.mean, run->plan->has_heat) \
    X("coldest", row->heat.lowest, run->plan->has_heat) \
    X("hottest", row->heat.highest, run->plan->has_heat)
/* clang-format on */

static const char *real_text(double value, char text[SCREE_REAL_TEXT])
{
    scree_real_to_text(value, text);
    return text;
}

/*  A line of all columns, to be freed; NULL without memory. `row` NULL: their
 * names. */
static char *make_line(const scree_run *run, const metrics_row *row)
{
    size_t bytes = 0;
    char *line = NULL, text[SCREE_REAL_TEXT];
    const char *comma = "";
    FILE *out = open_memstream(&line, &bytes);

    if (!out)
        return NULL;
#define X(name, value, is_there)                                                                   \
    if (is_there) {                                                                                \
        fprintf(out, "%s%s", comma, row ? real_text(value, text) : name);                          \
        comma = ",";                                                                               \
    }
    METRICS_COLUMNS(X)
#undef X
    for (size_t k = 0; k < scree_scene_column_count(run->scene); k++)
        fprintf(out, ",%s",
                row ? real_text(run->measured[k], text) : scree_scene_column_name(run->scene, k));
    if (fclose(out) != 0) {
        free(line);
        return NULL;
    }
    return line;
}

bool scree_run_metrics_open(scree_run *run, bool is_resumed)
{
    scree_clock clock = scree_world_clock(run->world);
    scree_scene_every every = run->plan->metrics;
    char *path = scree_folder_path(&run->folder, "metrics.csv"), *header = make_line(run, NULL);
    bool good = path && header && scree_lines_open(&run->metrics, path);

    good = good && scree_lines_begin_rows(&run->metrics, header, is_resumed, clock.steps);
    if (!good)
        scree_notes_error(&run->notes, "%s: cannot write: %s", path ? path : "metrics.csv",
                          strerror(errno));
    free(path);
    free(header);

    /* nothing said: a hundred rows */
    if (!every.steps && !(every.time > 0) && run->end_steps)
        every.steps = run->end_steps < 100 ? 1 : run->end_steps / 100;
    else if (!every.steps && !(every.time > 0))
        every.time = run->end_time / 100;
    run->metrics_due = scree_schedule_begin(every.steps, every.time, clock, !is_resumed);
    run->sample_due =
        scree_schedule_begin(run->plan->sample.steps, run->plan->sample.time, clock, !is_resumed);
    return good;
}

scree_status scree_run_metrics_row(scree_run *run, char **line, scree_error *error)
{
    metrics_row row = {scree_world_clock(run->world),       scree_world_totals(run->world),
                       scree_world_certificate(run->world), scree_world_energy(run->world),
                       scree_scene_count(run->scene),       scree_world_heat(run->world),
                       scree_world_bond_counts(run->world), scree_scene_stage_number(run->scene)};
    scree_status status;

    *line = NULL;
    if (!run->measured)
        run->measured = calloc(scree_scene_column_count(run->scene) + 1, sizeof *run->measured);
    if (!run->measured)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    status = scree_scene_measure(run->scene, run->world, run->measured, error);
    if (status)
        return status;
    *line = make_line(run, &row);
    return *line ? SCREE_OK : scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
}

static void write_row(scree_run *run)
{
    scree_error error = {SCREE_OK, ""};
    char *line;

    if (scree_run_metrics_row(run, &line, &error) || !line) {
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "a row of metrics is missing: %s",
                         error.text);
        return;
    }
    run->row_bytes = (double)strlen(line) + 1;
    scree_lines_put(&run->metrics, line);
    free(line);
    scree_run_detection_write(run);
}

static void take_sample(scree_run *run, scree_clock clock)
{
    scree_error error = {SCREE_OK, ""};
    uint64_t number;

    if (!scree_schedule_is_due(&run->sample_due, clock, &number))
        return;
    scree_schedule_pass(&run->sample_due, clock);
    if (scree_scene_sample(run->scene, run->world, &error))
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "a sample of metrics is missing: %s",
                         error.text);
}

void scree_run_metrics_write(scree_run *run)
{
    scree_clock clock = scree_world_clock(run->world);
    uint64_t number, dropped = run->metrics.dropped;

    take_sample(run, clock);
    if (!scree_schedule_is_due(&run->metrics_due, clock, &number) && !run->stage_row)
        return;
    run->stage_row = false;
    scree_schedule_pass(&run->metrics_due, clock);
    write_row(run);
    if (!scree_lines_flush(&run->metrics, true))
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: cannot write: %s; rows wait",
                         run->metrics.path, strerror(errno));
    if (run->metrics.dropped > dropped)
        scree_notes_warn(&run->notes, SCREE_NOTE_METRICS, "%s: a row is lost: too many wait",
                         run->metrics.path);
}
