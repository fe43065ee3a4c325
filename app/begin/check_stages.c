/*  When a condition will hold cannot be predicted. The report shows the condition, its bound, and when it held in the
    trial, some of whose steps are longer than the run's. */
#include "app/begin/check_stages.h"

#include <math.h>
#include <stdio.h>

static void print_changes(const scree_scene_stage *stage)
{
    static const char *const names[] = {
        [SCREE_CHANGE_TAKE_WALL] = "a wall is removed",
        [SCREE_CHANGE_TAKE_BODIES] = "bodies of a region are removed",
        [SCREE_CHANGE_PUT_WALL] = "a wall is added",
        [SCREE_CHANGE_DRIVE] = "a wall moves differently",
        [SCREE_CHANGE_GRAVITY] = "gravity",
        [SCREE_CHANGE_DAMPING] = "damping",
        [SCREE_CHANGE_FLUID] = "the fluid",
        [SCREE_CHANGE_STEP] = "the time step",
        [SCREE_CHANGE_FRICTION] = "friction",
        [SCREE_CHANGE_MATERIAL] = "values of a material",
        [SCREE_CHANGE_RULE] = "values of a rule",
        [SCREE_CHANGE_FILL] = "a fill",
        [SCREE_CHANGE_BOND] = "bonds",
        [SCREE_CHANGE_HOLD] = "bodies are held",
        [SCREE_CHANGE_RELEASE] = "bodies are released",
    };

    for (uint32_t k = 0; k < stage->change_count; k++)
        printf("%s%s",
               k ? ", " : "\n                 at its beginning: ", names[stage->changes[k].kind]);
}

static void print_stage(const scree_scene *scene, const scree_scene_stage *stage, uint32_t number)
{
    scree_scene_stage_report report = scree_scene_report_stage(scene, number);
    char text[400];

    printf("  %-12s \"%s\", line %d", number == 1 ? "stages" : "", stage->name, stage->line);
    if (stage->ends) {
        scree_scene_say_end(scene, stage->ends, text, sizeof text);
        printf(": until %s", text);
    } else {
        printf(": until the run ends");
    }
    if (isfinite(stage->longest))
        printf("; at most %.6g s%s", stage->longest,
               stage->at_most > 0 && !stage->continues ? ", or the run fails" : "");
    else if (stage->ends)
        printf("; it may last as long as the run");
    print_changes(stage);
    if (report.has_ended)
        printf("\n                 in the trial from %.4g to about %.4g s%s", report.began_time,
               report.ended_time, report.is_by_limit ? ", before its condition held" : "");
    else if (report.has_begun)
        printf("\n                 in the trial from %.4g s on: it did not see its end",
               report.began_time);
    putchar('\n');
}

void scree_check_stages(const scree_scene *scene)
{
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    char text[400];

    for (uint32_t k = 0; k < plan->stage_count; k++)
        print_stage(scene, &plan->stages[k], k + 1);
    if (plan->stop) {
        scree_scene_say_end(scene, plan->stop, text, sizeof text);
        printf("  %-12s %s, or at its time\n", "the run ends", text);
    }
}
