/*  scree info: the content of a checkpoint, without creating a world from it; and the available devices. */
#include "app/look/devices.h"
#include "app/look/kept_states.h"
#include "app/look/verbs.h"
#include "common/json.h"
#include "common/out_file.h"

#include "scree/checkpoint.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows of definitions, as docs/checkpoint.md has them ---- */

/*  Prints the texts of a section's rows, consecutive repetitions once. */
static void print_names(const scree_checkpoint *checkpoint, const char *name, size_t offset,
                        const char *otherwise)
{
    scree_checkpoint_section section;
    const char *before = NULL;

    if (!scree_checkpoint_section_of(checkpoint, name, &section))
        return;
    for (uint64_t row = 0; row < section.rows; row++) {
        const char *text = (const char *)section.data + row * section.row_bytes + offset;
        if (before && strcmp(before, text) == 0)
            continue;
        printf("%s %s", before ? "," : ":", *text ? text : otherwise);
        before = text;
    }
}

/* ---- text ---- */

static void print_energies(const scree_energy *e)
{
    const struct
    {
        const char *name;
        double value;
    } all[] = {{"kinetic", e->kinetic},
               {"rotational", e->rotational},
               {"potential", e->potential},
               {"elastic", e->elastic},
               {"lost to damping", e->damping},
               {"lost to friction", e->friction},
               {"lost to rolling", e->rolling},
               {"lost to body damping", e->body_damping},
               {"from walls", e->walls},
               {"from loads", e->loads},
               {"from the boundary", e->boundary},
               {"entered", e->entered},
               {"removed", e->removed}};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (k < 3 || all[k].value != 0)
            printf("%s  %-21s %.6g J\n", k == 0 ? "energies\n" : "", all[k].name, all[k].value);
}

static void print_sections(const scree_checkpoint *checkpoint)
{
    scree_checkpoint_section section;

    printf("sections%15s %12s %12s\n", "", "rows", "bytes");
    for (size_t k = 0; scree_checkpoint_section_at(checkpoint, k, &section); k++)
        if (section.rows > 0 && section.row_bytes > 0)
            printf("  %-20s %12" PRIu64 " %12" PRIu64 "\n", section.name, section.rows,
                   section.rows * section.row_bytes);
}

static void print_contents(const scree_checkpoint *checkpoint, const scree_checkpoint_info *info)
{
    scree_checkpoint_part part;

    printf("bodies       %" PRIu64, info->bodies);
    if (info->bodies > 0)
        printf(", radius %.6g to %.6g m, %.6g %s", info->smallest, info->largest, info->mass, "kg");
    printf("\n             %" PRIu64 " added, %" PRIu64 " removed, %" PRIu64
           " of these at the boundary\n",
           info->added, info->removed, info->destroyed);
    printf("contacts     %" PRIu64 " of bodies, %" PRIu64 " with walls\n", info->contacts,
           info->wall_contacts);
    printf("materials    %" PRIu64, info->materials);
    print_names(checkpoint, "materials", 0, "(no name)");
    printf("\nrules        %" PRIu64, info->rules);
    print_names(checkpoint, "rules", 48, "(no force)");
    printf("\nwalls        %" PRIu64 ", %" PRIu64 " meshes\n", info->walls, info->meshes);
    for (size_t k = 0; scree_checkpoint_part_at(checkpoint, k, &part); k++)
        printf("%s%s (%zu bytes)%s", k ? ", " : "parts        ", part.name, part.bytes,
               k + 1 < info->part_count ? "" : "\n");
}

static void print_text(const char *path, const scree_checkpoint *checkpoint)
{
    scree_checkpoint_info info = scree_checkpoint_describe(checkpoint);

    printf("%s: checkpoint of version %u, by scree %u.%u.%u, %" PRIu64 " bytes\n", path,
           info.version, info.scree_version / 1000000, info.scree_version / 1000 % 1000,
           info.scree_version % 1000, info.file_bytes);
    printf("step         %" PRIu64 "\n", info.steps);
    printf("time         %.9g s, last step %.6g s\n", info.time, info.dt);
    printf("dimensions   %d\n", info.dimensions);
    print_contents(checkpoint, &info);
    printf("digest       %016" PRIx64 "\n", info.digest);
    print_energies(&info.energy);
    print_sections(checkpoint);
}

/* ---- JSON ---- */

static void tell_energies(scree_json *json, const scree_energy *e)
{
    scree_json_object(json, "energy");
    scree_json_real(json, "kinetic", e->kinetic);
    scree_json_real(json, "rotational", e->rotational);
    scree_json_real(json, "potential", e->potential);
    scree_json_real(json, "elastic", e->elastic);
    scree_json_real(json, "damping", e->damping);
    scree_json_real(json, "friction", e->friction);
    scree_json_real(json, "rolling", e->rolling);
    scree_json_real(json, "body_damping", e->body_damping);
    scree_json_real(json, "walls", e->walls);
    scree_json_real(json, "loads", e->loads);
    scree_json_real(json, "boundary", e->boundary);
    scree_json_real(json, "entered", e->entered);
    scree_json_real(json, "removed", e->removed);
    scree_json_end(json);
}

static void tell_sections(scree_json *json, const scree_checkpoint *checkpoint)
{
    scree_checkpoint_section section;
    scree_checkpoint_part part;

    scree_json_list(json, "parts");
    for (size_t k = 0; scree_checkpoint_part_at(checkpoint, k, &part); k++) {
        scree_json_object(json, NULL);
        scree_json_text(json, "name", part.name);
        scree_json_count(json, "bytes", part.bytes);
        scree_json_end(json);
    }
    scree_json_end(json);
    scree_json_list(json, "sections");
    for (size_t k = 0; scree_checkpoint_section_at(checkpoint, k, &section); k++) {
        scree_json_object(json, NULL);
        scree_json_text(json, "name", section.name);
        scree_json_text(json, "type", section.type);
        scree_json_count(json, "row_bytes", section.row_bytes);
        scree_json_count(json, "rows", section.rows);
        scree_json_count(json, "offset", section.offset);
        scree_json_end(json);
    }
    scree_json_end(json);
}

static void print_json(const char *path, const scree_checkpoint *checkpoint)
{
    scree_checkpoint_info info = scree_checkpoint_describe(checkpoint);
    scree_json json = scree_json_begin(stdout, false);
    char digest[17];

    snprintf(digest, sizeof digest, "%016" PRIx64, info.digest);
    scree_json_text(&json, "file", path);
    scree_json_count(&json, "version", info.version);
    scree_json_count(&json, "scree_version", info.scree_version);
    scree_json_count(&json, "bytes", info.file_bytes);
    scree_json_count(&json, "dimensions", (uint64_t)info.dimensions);
    scree_json_count(&json, "step", info.steps);
    scree_json_real(&json, "time", info.time);
    scree_json_real(&json, "dt", info.dt);
    scree_json_count(&json, "bodies", info.bodies);
    scree_json_count(&json, "added", info.added);
    scree_json_count(&json, "removed", info.removed);
    scree_json_count(&json, "destroyed", info.destroyed);
    scree_json_real(&json, "mass", info.mass);
    scree_json_real(&json, "smallest", info.smallest);
    scree_json_real(&json, "largest", info.largest);
    scree_json_count(&json, "materials", info.materials);
    scree_json_count(&json, "rules", info.rules);
    scree_json_count(&json, "walls", info.walls);
    scree_json_count(&json, "meshes", info.meshes);
    scree_json_count(&json, "contacts", info.contacts);
    scree_json_count(&json, "wall_contacts", info.wall_contacts);
    scree_json_text(&json, "digest", digest);
    tell_energies(&json, &info.energy);
    tell_sections(&json, checkpoint);
    scree_json_finish(&json);
}

static int print_part(const char *path, const scree_checkpoint *checkpoint, const char *name)
{
    scree_checkpoint_part part;

    if (!scree_checkpoint_part_of(checkpoint, name, &part))
        return scree_usage_error("info: --part: %.100s has no part \"%.40s\"", path, name);
    if (part.bytes > 0)
        fwrite(part.data, 1, part.bytes, stdout); /* errors are checked when the program ends */
    return SCREE_EXIT_OK;
}

static int describe(const scree_arguments *arguments, const char *path)
{
    const scree_verb *verb = &scree_verb_info;
    const char *part = scree_argument(verb, arguments, "part");
    scree_checkpoint *checkpoint;
    int code = scree_read_checkpoint(strcmp(path, "-") == 0 ? "/dev/stdin" : path, &checkpoint);

    if (code != SCREE_EXIT_OK)
        return code;
    if (part)
        code = print_part(path, checkpoint, part);
    else if (scree_argument(verb, arguments, "json"))
        print_json(path, checkpoint);
    else
        print_text(path, checkpoint);
    scree_checkpoint_destroy(checkpoint);
    return code;
}

/*  Of a run its last state. */
static int describe_run(const scree_arguments *arguments, const char *folder)
{
    scree_kept_states kept = {0};
    int code = scree_kept_states_list(folder, &kept);

    if (code == SCREE_EXIT_OK && kept.count == 0) {
        fprintf(stderr,
                "scree: %s: there are no checkpoints in this folder; give the folder of a run, or "
                "a checkpoint\n",
                folder);
        code = SCREE_EXIT_INPUT;
    } else if (code == SCREE_EXIT_OK) {
        code = describe(arguments, kept.state[kept.count - 1].path);
    }
    scree_kept_states_free(&kept);
    return code;
}

static int run_info(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_info;
    const char *path = arguments->operand, *part = scree_argument(verb, arguments, "part");

    if (scree_argument(verb, arguments, "devices")) {
        if (path || part)
            return scree_usage_error("info: --devices takes no file and no part");
        return scree_print_devices(scree_argument(verb, arguments, "json") != NULL);
    }
    if (!path)
        return scree_usage_error("info: which file? see scree help info");
    return scree_is_folder(path) ? describe_run(arguments, path) : describe(arguments, path);
}

static const scree_option options[] = {
    {"json", NULL, "As one JSON object."},
    {"part", "NAME", "Print only this part of the host, unchanged: scree info FILE --part scene"},
    {"devices", NULL,
     "No file: list the GPUs and other OpenCL devices, with fp64, 64-bit atomics, "
     "memory,\nmeasured bandwidth, and whether each computes as the host does."},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_info = {
    .name = "info",
    .operand = "FILE|RUN",
    .summary = "Describes a checkpoint, or the last one of a run: bodies, contacts, energies.",
    .text = "Every byte of the file is verified first. A damaged or truncated file is refused; the "
            "message\n"
            "names the section and the byte.",
    .example = "scree info out/hopper\n"
               "scree info out/hopper/checkpoints/checkpoint-000000001000.scree",
    .options = options,
    .run = run_info,
};
