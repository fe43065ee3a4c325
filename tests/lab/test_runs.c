/*  The films of runs as the server hands them out: what is there, what is damaged, and what no client may have. */
#include "common/film_format.h"
#include "stand.h"

#include "scree/checkpoint.h"

#include <sys/stat.h>

#define BODIES 2

static char run_folder[40];

static bool is_going_now(const char *path)
{
    (void)path;
    return true;
}

static void path_in(char path[200], const char *name)
{
    snprintf(path, 200, "%s/%s", run_folder, name);
}

static void write_file(const char *name, const void *bytes, size_t count)
{
    char path[200];

    path_in(path, name);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(bytes, 1, count, file) == count);
    CHECK(fclose(file) == 0);
}

static void make_pipe(const char *name)
{
    char path[200];

    path_in(path, name);
    unlink(path);
    CHECK(mkfifo(path, 0600) == 0);
}

static size_t put(unsigned char *at, const void *value, size_t bytes)
{
    memcpy(at, value, bytes); /* machines of these tests are little-endian */
    return bytes;
}

/*  A frame without walls, of two bodies; returns its bytes. */
static size_t make_frame(unsigned char frame[400], double time)
{
    const uint64_t steps = 7, bodies = BODIES;
    const uint32_t walls = 0, dimensions = 3;
    const double box[8] = {0, 0, 0, 1, 1, 1, 0.1, 2};
    size_t at = SCREE_FILM_MAGIC_BYTES;

    memset(frame, 0, 400);
    memcpy(frame, SCREE_FILM_MAGIC, SCREE_FILM_MAGIC_BYTES);
    at += put(frame + at, &steps, 8);
    at += put(frame + at, &bodies, 8);
    at += put(frame + at, &time, 8);
    at += put(frame + at, &walls, 4);
    at += put(frame + at, &dimensions, 4);
    at += put(frame + at, box, sizeof box);
    CHECK_EQUAL(at, SCREE_FILM_HEAD_BYTES);
    return at + BODIES * (1 + SCREE_FILM_BODY_BYTES);
}

static void make_run(void)
{
    unsigned char frame[400];
    char path[200];

    strcpy(run_folder, "/tmp/scree-runs-XXXXXX");
    CHECK(mkdtemp(run_folder) != NULL);
    path_in(path, "film");
    CHECK(mkdir(path, 0700) == 0);
    path_in(path, "checkpoints");
    CHECK(mkdir(path, 0700) == 0);
    size_t count = make_frame(frame, 0.5);
    write_file("film/frame-000001.film", frame, count);
    make_frame(frame, 0.25);
    write_file("film/frame-000000.film", frame, count);
}

static void remove_run(void)
{
    char command[80];

    snprintf(command, sizeof command, "rm -rf '%s'", run_folder);
    CHECK(system(command) == 0);
}

/*  A request; the answer's code and its whole content, which the caller frees. */
static int ask(const stand *s, const char *path, uint8_t **bytes, size_t *count)
{
    char text[4096];
    int handle = client_connect(s->port);

    CHECK(handle >= 0);
    int length =
        snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n",
                 path, s->host);
    CHECK(client_write(handle, text, (size_t)length));
    int code = client_answer(handle, text, sizeof text);
    const char *said = strstr(text, "ontent-length: ");
    *count = said ? strtoul(said + 15, NULL, 10) : 0;
    *bytes = malloc(*count + 1);
    CHECK(*bytes && client_read(handle, *bytes, *count));
    (*bytes)[*count] = 0;
    close(handle);
    return code;
}

static void says(const stand *s, const char *path, const char *words)
{
    uint8_t *bytes;
    size_t count;

    CHECK_EQUAL(ask(s, path, &bytes, &count), 200);
    CHECK_SAYS((char *)bytes, words);
    free(bytes);
}

static void has_code(const stand *s, const char *path, int code)
{
    uint8_t *bytes;
    size_t count;

    CHECK_EQUAL(ask(s, path, &bytes, &count), code);
    free(bytes);
}

static void open_runs(stand *s, bool has_token)
{
    static const char *const paths[1] = {run_folder};

    open_stand_of_runs(s, has_token, 8, (scree_lab_runs){paths, 1, is_going_now, 1 << 26});
}

TEST(lists_frames_in_order_and_hands_them_out)
{
    unsigned char frame[400];
    uint8_t *bytes;
    size_t count, made;
    stand s;

    make_run();
    open_runs(&s, false);
    says(&s, "/runs", strrchr(run_folder, '/') + 1);
    says(&s, "/runs/0/list", "\"going\": true, \"damaged\": 0, \"frames\": [{\"number\": 0, ");
    says(&s, "/runs/0/list", "\"time\": 0.25");
    says(&s, "/runs/0/list", "{\"number\": 1, \"steps\": 7, \"time\": 0.5");
    CHECK_EQUAL(ask(&s, "/runs/0/frame/1", &bytes, &count), 200);
    made = make_frame(frame, 0.5);
    CHECK_EQUAL(count, made);
    CHECK(memcmp(bytes, frame, made) == 0);
    free(bytes);
    /* no measurements yet, then some */
    CHECK_EQUAL(ask(&s, "/runs/0/metrics", &bytes, &count), 200);
    CHECK_EQUAL(count, 0);
    free(bytes);
    write_file("metrics.csv", "time,x\n0,1\n", 11);
    says(&s, "/runs/0/metrics", "time,x\n0,1\n");
    close_stand(&s);
    remove_run();
}

TEST(leaves_out_frames_that_are_damaged)
{
    unsigned char frame[400], huge[400];
    const uint64_t many = UINT64_MAX;
    uint32_t walls = UINT32_MAX;
    stand s;

    make_run();
    size_t count = make_frame(frame, 1);
    memcpy(huge, frame, sizeof huge);
    memcpy(huge + 24, &many, 8);
    write_file("film/frame-000002.film", frame, count - 1);
    write_file("film/frame-000003.film", frame, 0);
    write_file("film/frame-000004.film", frame, 50);
    write_file("film/frame-000005.film", "no frame", 8);
    write_file("film/frame-000006.film", huge, count);
    memcpy(huge + 40, &walls, 4);
    write_file("film/frame-000007.film", huge, count);
    frame[44] = 4; /* dimensions */
    write_file("film/frame-000008.film", frame, count);
    /* another program's, and one that is being written */
    write_file("film/notes.txt", "x", 1);
    write_file("film/frame-000009.film.AbCdEf", frame, count);
    /* pipes, into which nothing writes */
    make_pipe("film/frame-000010.film");
    make_pipe("metrics.csv");
    open_runs(&s, false);
    has_code(&s, "/runs/0/frame/10", 404);
    has_code(&s, "/runs/0/metrics", 404);
    says(&s, "/runs/0/list", "\"damaged\": 8, \"frames\": [{\"number\": 0, ");
    says(&s, "/runs/0/list", "\"number\": 1, ");
    close_stand(&s);
    remove_run();
}

TEST(hands_out_nothing_else)
{
    stand s;

    make_run();
    write_file("film/secret", "x", 1);
    open_runs(&s, false);
    has_code(&s, "/runs/0/frame/2", 404);
    has_code(&s, "/runs/1/list", 404);
    has_code(&s, "/runs/0/frame/", 404);
    has_code(&s, "/runs/0/frame/1x", 404);
    has_code(&s, "/runs/0/frame/../film/secret", 404);
    has_code(&s, "/runs/0/frame/-1", 404);
    has_code(&s, "/runs/0/frame/99999999999999999999", 404);
    has_code(&s, "/runs/0/film/secret", 404);
    has_code(&s, "/runs/", 404);
    has_code(&s, "/runs/x", 404);
    /* and serves as before */
    has_code(&s, "/", 200);
    close_stand(&s);
    open_runs(&s, true);
    has_code(&s, "/runs/0/list", 403);
    has_code(&s, "/runs?token=0123456789abcdef0123456789abcdef", 403);
    char path[200];
    snprintf(path, sizeof path, "/runs/0/list%s",
             strstr(scree_lab_server_url(s.server), "?token="));
    has_code(&s, path, 200);
    close_stand(&s);
    remove_run();
}

/*  A world with a mesh, a plane, a ball and a clump, as the checkpoint of the run. */
static void write_checkpoint(const char *name)
{
    static const double vertices[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t facets[] = {0, 1, 2};
    static const scree_pebble pebbles[] = {{{0, 0, 0}, 0.1}, {{0.15, 0, 0}, 0.1}};
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_mesh_def mesh_def = scree_default_mesh_def();
    scree_clump_def clump_def = scree_default_clump_def();
    scree_wall_def wall = scree_default_wall_def();
    scree_body_def body = scree_default_body_def();
    scree_error error = {SCREE_OK, ""};
    scree_world *world;
    scree_mesh *mesh;
    scree_clump *clump;
    char path[200];

    path_in(path, name);
    material.density = 1000;
    def.step.dt = 1e-4;
    mesh_def.vertices = vertices;
    mesh_def.vertex_count = 3;
    mesh_def.facets = facets;
    mesh_def.facet_count = 1;
    clump_def.pebbles = pebbles;
    clump_def.pebble_count = 2;
    CHECK(!scree_world_create(&def, &world));
    CHECK(!scree_world_add_material(world, &material, &wall.material));
    CHECK(!scree_mesh_create(&mesh_def, &mesh));
    CHECK(!scree_clump_create(&clump_def, &clump));
    CHECK(!scree_world_add_wall(world, &wall, NULL));
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    CHECK(!scree_world_add_wall(world, &wall, NULL));
    body.material = wall.material;
    body.shape = scree_shape_sphere(0.1);
    body.position[2] = 3;
    CHECK(!scree_world_add_body(world, &body, NULL));
    body.shape = scree_shape_clump(clump);
    body.position[0] = 1;
    CHECK(!scree_world_add_body(world, &body, NULL));
    if (scree_checkpoint_write(world, path, NULL, 0, &error))
        FAIL("%s", error.text);
    scree_world_destroy(world);
    scree_mesh_destroy(mesh);
    scree_clump_destroy(clump);
}

static uint32_t whole_at(const uint8_t *bytes, size_t at)
{
    uint32_t value;

    memcpy(&value, bytes + at, 4);
    return value;
}

TEST(tells_the_shapes_of_the_newest_checkpoint)
{
    uint8_t *bytes;
    size_t count;
    stand s;

    make_run();
    open_runs(&s, false);
    CHECK_EQUAL(ask(&s, "/runs/0/parts", &bytes, &count), 200);
    CHECK_EQUAL(whole_at(bytes, 4), 0);
    CHECK_SAYS((char *)bytes + 20, "the run has no checkpoint yet");
    free(bytes);
    write_file("checkpoints/checkpoint-000000000001.scree", "damaged", 7);
    CHECK_EQUAL(ask(&s, "/runs/0/parts", &bytes, &count), 200);
    CHECK_EQUAL(whole_at(bytes, 4), 0);
    CHECK_SAYS((char *)bytes + 20, "cannot be read");
    /* no path of this machine */
    CHECK(strstr((char *)bytes + 20, run_folder) == NULL);
    free(bytes);
    write_checkpoint("checkpoints/checkpoint-000000000002.scree");
    CHECK_EQUAL(ask(&s, "/runs/0/parts", &bytes, &count), 200);
    CHECK_EQUAL(whole_at(bytes, 0), 0);
    CHECK_EQUAL(whole_at(bytes, 4), 2);
    CHECK_EQUAL(whole_at(bytes, 16), 1);
    /* handle and kind of the second wall, a mesh */
    CHECK_EQUAL(whole_at(bytes, 20 + 12), 2);
    CHECK_EQUAL(whole_at(bytes, 20 + 12 + 8), SCREE_WALL_MESH);
    size_t walls = 20 + 2 * 12, shapes = walls + whole_at(bytes, 8),
           rows = shapes + whole_at(bytes, 12);
    CHECK_EQUAL(whole_at(bytes, walls), 2);
    CHECK_EQUAL(whole_at(bytes, shapes), 5);
    /* one shape, of pebbles, is that of the second body */
    CHECK_EQUAL(whole_at(bytes, shapes + 8), 1);
    CHECK_EQUAL(whole_at(bytes, shapes + 16), 2);
    CHECK_EQUAL(whole_at(bytes, rows + 4), 1);
    CHECK_EQUAL(rows + 8, count);
    free(bytes);
    close_stand(&s);
    remove_run();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(lists_frames_in_order_and_hands_them_out),
        CASE(leaves_out_frames_that_are_damaged),
        CASE(hands_out_nothing_else),
        CASE(tells_the_shapes_of_the_newest_checkpoint),
    };
    if (!scree_lab_server_available() || !scree_scene_available()) {
        printf("test_runs: skipped: no libwebsockets, or no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
