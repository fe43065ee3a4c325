#include "funnel.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"
#include "scree/wall.h"

#include <math.h>

#define STONE 0.005 /* m, of the ball with the volume of the middle one */
#define PITCH (3.4 * STONE)
#define SKIN (0.2 * STONE)
#define BUMPS 1.5
#define SIDES 24
#define OPENING 0.38 /* of the radius above */
#define TWO_PI 6.28318530717958647692

/*  The larger, the more stones: a pile as high as wide lies over the cone. */
static double funnel_radius(const funnel_scene *scene)
{
    return 0.62 * PITCH * scree_pow(scene->stones, 1.0 / 3) + PITCH;
}

/* ---- the funnel: a cone below a tube ---- */

static scree_status make_funnel(double radius, scree_mesh **mesh)
{
    const double ring[3][2] = {{OPENING * radius, 0}, {radius, radius}, {radius, 5 * radius}};
    double vertices[3 * SIDES][3];
    uint32_t facets[4 * SIDES][3], count = 0;
    scree_mesh_def def = scree_default_mesh_def();

    for (uint32_t i = 0; i < SIDES; i++) {
        uint32_t next = (i + 1) % SIDES;
        double sine, cosine;
        scree_sin_cos(TWO_PI * i / SIDES, &sine, &cosine);
        for (uint32_t r = 0; r < 3; r++) {
            double *vertex = vertices[r * SIDES + i];
            vertex[0] = ring[r][0] * cosine;
            vertex[1] = ring[r][0] * sine;
            vertex[2] = ring[r][1];
        }
        for (uint32_t r = 0; r < 2; r++) {
            uint32_t a = r * SIDES + i, b = r * SIDES + next;
            const uint32_t pair[2][3] = {{a, b, b + SIDES}, {a, b + SIDES, a + SIDES}};
            for (int t = 0; t < 2; t++, count++)
                for (int k = 0; k < 3; k++)
                    facets[count][k] = pair[t][k];
        }
    }
    def.vertices = vertices[0];
    def.vertex_count = 3 * SIDES;
    def.facets = facets[0];
    def.facet_count = count;
    return scree_mesh_create(&def, mesh);
}

static scree_status add_walls(const funnel_scene *scene, scree_world *world,
                              scree_material_id material)
{
    scree_wall_def floor = scree_default_wall_def(), wall = floor;
    scree_mesh *mesh = NULL;
    scree_status status = make_funnel(funnel_radius(scene), &mesh);

    floor.material = wall.material = material;
    floor.point[2] = -4 * PITCH;
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    if (!status)
        status = scree_world_add_wall(world, &floor, NULL);
    if (!status)
        status = scree_world_add_wall(world, &wall, NULL);
    scree_mesh_destroy(mesh);
    return status;
}

/* ---- stones ---- */

/*  Sizes differ by half. */
static scree_status make_form(const funnel_scene *scene, uint32_t form, scree_mesh **mesh)
{
    scree_globe_def def = scree_default_globe_def();

    def.facets = scene->facets;
    /* bumps go outward: about a quarter of them on the whole */
    def.radius = STONE / 1.25 * (0.8 + 0.4 * form / scene->forms);
    def.bumps = BUMPS;
    def.seed = form + 1;
    return scree_mesh_globe(&def, mesh);
}

/*  Whether the ball around a stone clears the funnel there. */
static bool is_inside(const double place[3], double radius)
{
    double away = sqrt(place[0] * place[0] + place[1] * place[1]), room = radius;

    if (place[2] < radius)
        room = OPENING * radius + (1 - OPENING) * place[2];
    return away + 0.75 * PITCH < room;
}

typedef struct lattice
{
    uint32_t at[3], side;
    double radius;
} lattice;

/*  The next place above the last that lies in the funnel. */
static void next_place(lattice *l, double place[3])
{
    do {
        for (int k = 0; k < 3; k++)
            place[k] = PITCH * (l->at[k] + (k < 2 ? 0.5 - 0.5 * l->side : 1.0));
        l->at[0] = (l->at[0] + 1) % l->side;
        l->at[1] = (l->at[1] + (l->at[0] == 0)) % l->side;
        l->at[2] += l->at[0] == 0 && l->at[1] == 0;
    } while (!is_inside(place, l->radius));
}

static scree_status add_stones(const funnel_scene *scene, scree_world *world,
                               scree_material_id material)
{
    scree_random random = scree_random_stream(77, scene->stones);
    lattice l = {.radius = funnel_radius(scene)};
    scree_body_def body = scree_default_body_def();
    scree_status status = SCREE_OK;

    l.side = (uint32_t)(2 * l.radius / PITCH) + 1;
    body.material = material;
    for (uint32_t form = 0; form < scene->forms && !status; form++) {
        scree_mesh *mesh = NULL;
        status = make_form(scene, form, &mesh);
        body.shape = scree_shape_mesh(mesh, SKIN);
        for (uint32_t i = form; i < scene->stones && !status; i += scene->forms) {
            next_place(&l, body.position);
            for (int k = 0; k < 4; k++)
                body.orientation[k] = scree_random_normal(&random);
            body.velocity[2] = -1;
            status = scree_world_add_body(world, &body, NULL);
        }
        scree_mesh_destroy(mesh);
    }
    return status;
}

/* ---- the world ---- */

scree_world *funnel_scene_open(const funnel_scene *scene, const drum_way *way,
                               scree_mesh_engine engine, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def rock = scree_default_material_def();
    scree_material_id material;
    scree_world *world;

    def.gravity[2] = -9.81;
    def.step.dt = 2e-5;
    def.energy_balance = true;
    def.detection.mesh_engine = engine;
    def.hooks.error = error;
    drum_way_apply(way, &def);
    rock.young = 2e7;
    rock.restitution = 0.5;
    rock.friction = 0.5;
    if (scree_world_create(&def, &world))
        return NULL;
    scree_status status = scree_world_add_material(world, &rock, &material);
    if (!status)
        status = add_walls(scene, world, material);
    if (!status)
        status = add_stones(scene, world, material);
    if (!status)
        return world;
    scree_fail(error, status, "%s", scree_world_message(world));
    scree_world_destroy(world);
    return NULL;
}

double funnel_scene_gap(scree_world *world)
{
    scree_energy e = scree_world_energy(world);
    double lost = e.damping + e.friction + e.rolling + e.body_damping;
    double gap = e.kinetic + e.rotational + e.potential + e.elastic + lost - e.walls - e.loads -
                 e.boundary - e.entered + e.removed;

    return gap / (lost + e.kinetic + e.rotational + e.elastic);
}
