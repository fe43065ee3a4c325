/*  Status reports of the lab as JSON, for a page. docs/lab.md describes every key. */
#include "lab_internal.h"

#include "common/json.h"
#include "measure/measure.h"

#include "scree/bond.h"

#include <math.h>
#include <stdlib.h>

/*  A growing text, and the JSON object in it. */
typedef struct page_text
{
    FILE *out;
    char *text;
    size_t count;
    scree_json json;
} page_text;

static bool begin(page_text *page, const char *kind)
{
    page->text = NULL;
    page->out = open_memstream(&page->text, &page->count);
    if (!page->out)
        return false;
    page->json = scree_json_begin(page->out, true);
    scree_json_text(&page->json, "kind", kind);
    return true;
}

static void finish(page_text *page, scree_lab *lab, scree_lab_board board)
{
    scree_json_finish(&page->json);
    fclose(page->out);
    scree_lab_post(lab, board, SCREE_LAB_EVERYBODY, true, (uint8_t *)page->text, page->count);
}

static void vector(scree_json *json, const char *key, const double v[3])
{
    scree_json_list(json, key);
    for (int k = 0; k < 3; k++)
        scree_json_real(json, NULL, v[k]);
    scree_json_end(json);
}

static void gather(const char *text, void *user)
{
    fputs(text, user);
}

/*  The reference of scenes, from which the page's editor knows its words. */
static void tell_reference(scree_json *json)
{
    char *text = NULL;
    size_t count;
    FILE *out = open_memstream(&text, &count);

    if (!out)
        return;
    scree_scene_write_reference(gather, out);
    fclose(out);
    scree_json_text(json, "reference", text ? text : "");
    free(text);
}

void scree_lab_tell_hello(scree_lab *lab)
{
    const scree_scene_example *example;
    const scree_method_info *method;
    page_text page;

    if (!begin(&page, "hello"))
        return;
    scree_json *json = &page.json;
    scree_json_text(json, "version", SCREE_VERSION_TEXT);
    scree_json_flag(json, "starts", lab->def.starts);
    scree_json_count(json, "max_bodies", lab->def.max_bodies);
    scree_json_count(json, "max_threads", lab->crew.all.worker_count);
    scree_json_list(json, "examples");
    for (size_t i = 0; (example = scree_scene_example_at(i)) != NULL; i++) {
        scree_json_object(json, NULL);
        scree_json_text(json, "name", example->name);
        scree_json_text(json, "group", example->group);
        scree_json_text(json, "summary", example->summary);
        scree_json_end(json);
    }
    scree_json_end(json);
    scree_json_list(json, "methods");
    for (size_t i = 0; (method = scree_method_at(i)) != NULL; i++) {
        scree_json_object(json, NULL);
        scree_json_text(json, "name", method->name);
        scree_json_text(json, "summary", method->summary);
        scree_json_text(json, "cost", method->cost);
        scree_json_end(json);
    }
    scree_json_end(json);
    tell_reference(json);
    finish(&page, lab, SCREE_LAB_HELLO);
}

static void tell_parameters(scree_json *json, const scree_scene_plan *plan)
{
    scree_json_list(json, "parameters");
    for (size_t k = 0; k < plan->parameter_count; k++) {
        scree_json_object(json, NULL);
        scree_json_text(json, "name", plan->parameters[k].name);
        scree_json_text(json, "unit", plan->parameters[k].unit);
        scree_json_text(json, "value", plan->parameters[k].value);
        scree_json_flag(json, "text", plan->parameters[k].is_text);
        scree_json_end(json);
    }
    scree_json_end(json);
}

static double usual_radius(scree_lab *lab)
{
    scree_bodies_view bodies = scree_world_bodies(lab->world);
    double sum = 0;

    for (size_t i = 0; i < bodies.count; i++)
        sum += scree_double_at(bodies.radius, i);
    return bodies.count ? sum / (double)bodies.count : 0;
}

/*  Current values of the parameters that may be changed while bodies move, since any page may have changed them. `dt`
    is 0 if it is the scene's, which is `scene_dt` in the current stage. */
static void tell_physics(scree_lab *lab, scree_json *json)
{
    const scree_scene_plan *plan = scree_scene_plan_of(lab->scene);
    const scree_material_id first = {1};
    double gravity[3], dt, global_damping, local_damping;
    scree_time_mode mode;

    scree_world_get_dt(lab->world, &mode, &dt);
    double scene_dt = scree_scene_dt(lab->scene);
    bool is_given = mode == plan->world.step.mode && dt == scene_dt;

    scree_world_get_gravity(lab->world, gravity);
    scree_world_get_damping(lab->world, &global_damping, &local_damping);
    scree_json_object(json, "physics");
    vector(json, "gravity", gravity);
    if (plan->material_count)
        scree_json_real(json, "friction", scree_world_get_friction(lab->world, first));
    scree_json_real(json, "dt", is_given ? 0 : dt);
    scree_json_real(json, "global_damping", global_damping);
    scree_json_real(json, "local_damping", local_damping);
    scree_json_real(json, "scene_dt", scene_dt);
    scree_json_end(json);
}

/*  The scene's value; if it leaves it to the world, the current one. */
static double given_dt(scree_lab *lab)
{
    bool is_automatic = scree_scene_plan_of(lab->scene)->world.step.mode == SCREE_TIME_AUTOMATIC;
    return is_automatic ? scree_world_clock(lab->world).dt : scree_scene_dt(lab->scene);
}

void scree_lab_tell_stage(scree_lab *lab)
{
    const scree_scene_plan *plan = scree_scene_plan_of(lab->scene);
    page_text page;

    if (!begin(&page, "stage"))
        return;
    scree_json *json = &page.json;
    scree_json_count(json, "epoch", lab->epoch);
    scree_json_text(json, "title", plan->title);
    scree_json_text(json, "text", lab->source.text);
    scree_json_flag(json, "file", lab->source.is_file);
    scree_json_flag(json, "edited", lab->is_edited);
    scree_json_text(json, "example", lab->source.example ? lab->source.example : "");
    scree_json_count(json, "dimensions", (uint64_t)plan->world.dimensions);
    scree_json_flag(json, "automatic", plan->world.step.mode == SCREE_TIME_AUTOMATIC);
    scree_json_real(json, "dt", given_dt(lab));
    tell_physics(lab, json);
    scree_json_real(json, "end", plan->end_time);
    scree_json_flag(json, "energy_balance",
                    plan->world.energy_balance || lab->keeps_energy_balance);
    scree_json_flag(json, "scene_energy_balance", plan->world.energy_balance);
    vector(json, "lower", lab->lower_corner);
    vector(json, "upper", lab->upper_corner);
    scree_json_real(json, "radius", usual_radius(lab));
    tell_parameters(json, plan);
    finish(&page, lab, SCREE_LAB_STAGE);
}

/*  A checksum of the contacts, as pairs of indices in the list of bodies, which does not depend on the detection
    method. Contacts with walls are pairs with the wall's index with the first bit set. */
static uint64_t checksum_contacts(const scree_contact *contacts, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t first = contacts[i].first.index1;
        uint32_t second = contacts[i].second.index1 ? contacts[i].second.index1
                                                    : 0x80000000u | contacts[i].wall.index1;
        scree_pairs pair = {1, &first, &second};
        sum += scree_pairs_checksum(&pair);
    }
    return sum;
}

/*  Limited to a twentieth of the time, since it is expensive with many bodies. Returns false if it is too soon. */
static bool update_checksum(scree_lab *lab, double now)
{
    const scree_contact *contacts;
    size_t count;

    if (now < lab->checksum_due)
        return false;
    if (!scree_world_contacts(lab->world, NULL, &contacts, &count)) {
        lab->checksum = checksum_contacts(contacts, count);
        lab->checksum_steps = scree_world_clock(lab->world).steps;
    }
    lab->checksum_due = now + 20 * (scree_lab_now() - now);
    return true;
}

/*  The stable step, for a scene that is slower than wanted, where a longer step would help; 0 otherwise. Limited to a
    twentieth of the time. */
static void tell_stable(scree_lab *lab, scree_json *json, double now, double reached)
{
    scree_stable_step stable;

    if (!lab->plays || lab->rate == 0 || reached > 0.9 * lab->rate) {
        lab->stable_dt = 0;
    } else if (now >= lab->stable_due) {
        lab->stable_dt =
            scree_world_stable_step(lab->world, &stable) || !(stable.dt < INFINITY) ? 0 : stable.dt;
        lab->stable_due = now + 20 * (scree_lab_now() - now);
    }
    scree_json_real(json, "stable_dt", lab->stable_dt);
}

/*  Returns false if the checksum is of another step and must be sent again. */
static bool tell_contacts(scree_lab *lab, scree_json *json, double now)
{
    bool is_of_now = update_checksum(lab, now);
    char text[24];

    snprintf(text, sizeof text, "%016llx", (unsigned long long)lab->checksum);
    scree_json_text(json, "checksum", text);
    scree_json_count(json, "checksum_steps", lab->checksum_steps);
    return is_of_now;
}

static const char *const margin_names[] = {
    [SCREE_MARGIN_NONE] = "none",           [SCREE_MARGIN_SKIN] = "skin",
    [SCREE_MARGIN_TOLERANCE] = "tolerance", [SCREE_MARGIN_STRIDE] = "stride",
    [SCREE_MARGIN_DISTANCE] = "distance",   [SCREE_MARGIN_BINS] = "bins",
    [SCREE_MARGIN_PER_BODY] = "per body",
};

/*  Detection statistics: `tested` and `reported` are of the last rebuild. */
static void tell_detection(scree_lab *lab, scree_json *json)
{
    const scree_detector *detector = scree_world_detector(lab->world);
    scree_stats stats = scree_detector_stats(detector);
    scree_explanation why = scree_detector_explain(detector);
    scree_margin_def margin =
        lab->has_margin ? lab->margin : scree_scene_plan_of(lab->scene)->world.detection.margin;

    scree_json_text(json, "method", lab->method);
    scree_json_text(json, "at_work", why.method);
    scree_json_text(json, "reason", why.reason);
    scree_json_text(json, "margin", margin_names[margin.kind]);
    scree_json_real(json, "margin_size",
                    margin.kind == SCREE_MARGIN_TOLERANCE ? margin.extent[0] : -margin.length);
    scree_json_count(json, "tested", stats.tested);
    scree_json_count(json, "reported", stats.reported);
    scree_json_count(json, "structure_bytes", stats.bytes);
    scree_json_count(json, "overlay", lab->overlay);
}

/*  Profile since the last status, as fractions of the time. The remainder of a step is what scenes do between steps,
    such as sources and measurements. */
static void tell_phases(scree_lab *lab, scree_json *json, double seconds)
{
    scree_timings timings = scree_world_timings(lab->world);
    double world = timings.search + timings.pairs + timings.walls + timings.sums + timings.other;

    scree_json_object(json, "phases");
    scree_json_real(json, "search", timings.search / seconds);
    scree_json_real(json, "pairs", timings.pairs / seconds);
    scree_json_real(json, "walls", timings.walls / seconds);
    scree_json_real(json, "sums", timings.sums / seconds);
    scree_json_real(json, "rest", timings.other / seconds);
    scree_json_real(json, "scene", fmax(lab->busy - world, 0) / seconds);
    scree_json_real(json, "shown", lab->shown / seconds);
    scree_json_end(json);
    scree_world_enable_timings(lab->world, true);
    lab->shown = 0;
}

static void tell_energy(scree_json *json, const scree_energy *e, const scree_ambient_work *ambient)
{
    scree_json_real(json, "kinetic", e->kinetic);
    scree_json_real(json, "rotational", e->rotational);
    scree_json_real(json, "potential", e->potential);
    scree_json_real(json, "elastic", e->elastic);
    scree_json_real(json, "lost", e->damping + e->friction + e->rolling + e->body_damping);
    scree_json_real(json, "given",
                    e->walls + e->loads + e->boundary + e->entered - e->removed + ambient->fluid +
                        ambient->fields);
}

void scree_lab_tell_status(scree_lab *lab, double now)
{
    scree_energy energy = scree_world_energy(lab->world);
    const scree_ambient_work ambient = scree_world_ambient_work(lab->world);
    scree_detection_stats detection_stats = scree_world_detection_stats(lab->world);
    scree_clock clock = scree_world_clock(lab->world);
    double seconds = now - lab->told, spent = scree_lab_spent();
    double reached = (clock.time - lab->told_time) / seconds;
    page_text page;

    if (!begin(&page, "status"))
        return;
    scree_json *json = &page.json;
    scree_json_count(json, "epoch", lab->epoch);
    scree_json_flag(json, "plays", lab->plays);
    scree_json_real(json, "rate", lab->rate);
    scree_json_real(json, "reached", reached);
    tell_stable(lab, json, now, reached);
    scree_json_count(json, "threads", lab->crew.at_work);
    scree_json_real(json, "busy", fmin(lab->busy / seconds, 1));
    scree_json_real(json, "devoted",
                    lab->busy_spent > 0 ? lab->busy_spent / (spent - lab->told_spent) : 0);
    scree_json_real(json, "step_seconds", lab->cost);
    scree_json_real(json, "steps_per_second", (double)(clock.steps - lab->told_steps) / seconds);
    scree_json_real(json, "time", clock.time);
    scree_json_count(json, "steps", clock.steps);
    scree_json_real(json, "dt", clock.dt);
    tell_physics(lab, json);
    scree_json_count(json, "undos", lab->undo.count);
    scree_json_count(json, "bonds", scree_world_bond_counts(lab->world).intact);
    scree_json_count(json, "bodies", scree_world_body_count(lab->world));
    tell_detection(lab, json);
    tell_phases(lab, json, seconds);
    scree_json_count(json, "field", (uint64_t)lab->field);
    tell_energy(json, &energy, &ambient);
    scree_json_count(json, "candidates", detection_stats.potential_contacts);
    scree_json_count(json, "searches", detection_stats.rebuilds);
    scree_json_count(json, "late", detection_stats.late_contacts);
    scree_json_count(json, "bytes", atomic_load(&lab->memory.held));
    scree_json_count(json, "contacts", detection_stats.contacts);
    lab->is_untold = !tell_contacts(lab, json, now);
    finish(&page, lab, SCREE_LAB_STATUS);
    lab->told = now;
    lab->told_time = clock.time;
    lab->told_steps = clock.steps;
    lab->busy = lab->busy_spent = 0;
    lab->told_spent = spent;
}
