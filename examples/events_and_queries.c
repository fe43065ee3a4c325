/*  How do I learn what hits what and how hard, and what is where?
    Balls fall on a plate that the program moves; then a ray looks for the first ball in its way. */
#include "scree/scree.h"

#include <math.h>
#include <stdio.h>

/*  A plate of one flat clump of pebbles: nothing but this program moves it. */
static scree_status add_plate(scree_world *world, scree_material_id material,
                              const scree_clump *clump, scree_body_id *plate)
{
    scree_body_def def = scree_default_body_def();

    def.type = SCREE_BODY_KINEMATIC;
    def.shape = scree_shape_clump(clump);
    def.material = material;
    def.velocity[2] = 0.05;
    return scree_world_add_body(world, &def, plate);
}

static scree_status fill(scree_world *world, const scree_clump *clump, scree_body_id *plate)
{
    scree_material_def steel = scree_default_material_def();
    scree_body_def ball = scree_default_body_def();
    scree_status status = scree_world_add_material(world, &steel, &ball.material);

    if (!status)
        status = add_plate(world, ball.material, clump, plate);
    ball.shape = scree_shape_sphere(0.004);
    for (int i = 0; i < 5 && !status; i++) {
        ball.position[0] = 0.01 * (i - 2);
        ball.position[2] = 0.03 + 0.01 * i;
        status = scree_world_add_body(world, &ball, NULL);
    }
    return status;
}

int main(void)
{
    scree_pebble pebbles[25];
    scree_clump_def flat = scree_default_clump_def();
    scree_world_def def = scree_default_world_def();
    scree_clump *clump = NULL;
    scree_world *world = NULL;
    scree_body_id plate;
    const scree_event *events;
    size_t count = 0, hits = 0;
    double hardest = 0;

    for (int i = 0; i < 25; i++)
        pebbles[i] = (scree_pebble){{0.01 * (i % 5 - 2), 0.01 * (i / 5 - 2), 0}, 0.008};
    flat.pebbles = pebbles;
    flat.pebble_count = 25;
    def.gravity[2] = -9.81;
    def.step.dt = 1e-5;
    def.events = true;
    if (scree_clump_create(&flat, &clump) || scree_world_create(&def, &world) ||
        fill(world, clump, &plate) || scree_world_advance(world, 0.15) ||
        scree_world_events(world, &events, &count))
        puts(scree_world_message(world));
    for (size_t k = 0; k < count; k++)
        if (events[k].kind == SCREE_EVENT_CONTACT_BEGIN &&
            scree_body_id_equal(events[k].first, plate))
            hardest = fmax(hardest, events[k].speed);

    /* from the side, through the middle of the lowest ball that may lie there */
    double height[3] = {0};
    scree_body_get_position(world, plate, height);
    scree_query query =
        scree_query_ray((double[3]){-1, 0, height[2] + 0.01}, (double[3]){1, 0, 0}, INFINITY);
    scree_world_hits(world, &query, NULL, 0, &hits, NULL);
    printf("the hardest blow on the plate came with %.2f m/s; %zu bodies lie across it\n", hardest,
           hits);
    scree_world_destroy(world);
    scree_clump_destroy(clump);
    return hardest > 0.3 && hits > 0 ? 0 : 1;
}
