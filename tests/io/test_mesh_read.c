/*  Meshes from files: the same body in every format and form of it, and what comes back from what we write. */
#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"
#include "io_broken.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- one tetrahedron in many words ---- */

#define V0 "0 0 0"
#define V1 "1 0 0"
#define V2 "0 2 0"
#define V3 "0 0 3"
#define FACET(a, b, c)                                                                             \
    "facet normal 0 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet"  \
    "\n"
#define STL_TEXT                                                                                   \
    "solid body of four\n" FACET(V0, V2, V1) FACET(V0, V1, V3) FACET(V0, V3, V2)                   \
        FACET(V1, V2, V3) "endsolid body of four\n"
#define OBJ_VERTICES "v " V0 "\nv " V1 "\nv " V2 "\nv " V3 "\n"
#define PLY_VERTEX "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "element face 4\nproperty list uchar int vertex_indices\n"
#define PLY_ROWS V0 "\n" V1 "\n" V2 "\n" V3 "\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"

static scree_mesh *read_mesh(const void *bytes, size_t count)
{
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh;
    if (scree_mesh_read_bytes(bytes, count, "t", NULL, &mesh, &error))
        FAIL("%s", error.text);
    return mesh;
}

/*  Closed, oriented, of volume 1 with its facets outward, and of these four vertices. */
static void check_tetrahedron(const void *bytes, size_t count)
{
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    scree_mesh *mesh = read_mesh(bytes, count);
    scree_mesh_info info = scree_mesh_describe(mesh);
    double volume = 0;
    int seen = 0;
    CHECK_EQUAL(info.vertex_count, 4);
    CHECK_EQUAL(info.facet_count, 4);
    CHECK(info.open_edges == 0 && info.nonmanifold_edges == 0 && info.flipped_edges == 0);
    for (size_t v = 0; v < 4; v++)
        for (int k = 0; k < 4; k++)
            if (same_bits(info.vertices + 3 * v, corner[k], sizeof corner[k]))
                seen |= 1 << k;
    CHECK_EQUAL(seen, 15);
    for (size_t f = 0; f < 4; f++) {
        const double *a = info.vertices + 3 * (size_t)info.facets[3 * f];
        const double *b = info.vertices + 3 * (size_t)info.facets[3 * f + 1];
        const double *c = info.vertices + 3 * (size_t)info.facets[3 * f + 2];
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                   a[2] * (b[0] * c[1] - b[1] * c[0])) /
                  6;
    }
    CHECK(volume == 1);
    scree_mesh_destroy(mesh);
}

TEST(every_text_form_gives_the_same_body)
{
    static const char *const files[] = {
        STL_TEXT,
        "SOLID x\nFacet NORMAL nan nan NaN OUTER LOOP VERTEX " V0 " VERTEX " V2 " vertex " V1
        "\nEndLoop EndFacet " FACET(V0, V1, V3) FACET(V0, V3, V2) FACET(V1, V2, V3) "ENDSOLID",
        "\n \n  solid\r\n" FACET(V0, V2, V1)
            FACET(V0, V1, V3) "endsolid\nsolid b\n" FACET(V0, V3, V2)
                FACET(V1, V2, V3) "endsolid b",
        "# a comment\nmtllib x.mtl\no body\n" OBJ_VERTICES "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
        OBJ_VERTICES "vt 0 0\nvn 0 0 1\ng all\nusemtl a\ns off\nf 1/1 3/1 2/1\nf 1//1 2//1 4//1\n"
                     "f 1/1/1 4/-1/-1 3/1/-1 # three\nf -3 -2 -1\n",
        "f 1 3 2\nf 1 2 4\n" OBJ_VERTICES "f -4 -1 -2\nf 2 3 \\\n4\n",
        "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 2 \\\n 0\nv 0 0 3 1 .1 .2 .3\r\nf 1 3 2\\\n\n"
        "f 1 2 4\nf\t1  4 3\nf 2 3 4",
        "ply\nformat ascii 1.0\n" PLY_VERTEX PLY_FACE "end_header\n" PLY_ROWS,
        "ply\r\nformat ascii 1.0\r\ncomment x\r\nobj_info y\r\n" PLY_VERTEX
        "property uchar red\n" PLY_FACE "property int8 flag\nelement edge 1\nproperty list uint8 "
        "float32 w\nproperty double q\nend_header\n" V0 " 255\n" V1 " 0\n\n" V2 " 0\n" V3
        " 7\n3 0 2 1 -128\n3 0 1 3 127\n3 0 3 2 0\n3 1 2 3 1\n2 0.5 nan 1e999\n\n",
        "ply\nformat ascii 1.0\nelement face 4\nproperty float a\nproperty list int uint "
        "vertex_index\nelement none 0\nelement vertex 4\nproperty int z\nproperty double y\n"
        "property short x\nend_header\n1 3 0 2 1\n1 3 0 1 3\n1 3 0 3 2\n1 3 1 2 3\n"
        "0 0 0\n0 0 1\n0 2 0\n3 0 0",
    };
    for (size_t i = 0; i < SCREE_COUNT_OF(files); i++)
        check_tetrahedron(files[i], strlen(files[i]));
}

/* ---- binary ---- */

typedef struct writer
{
    unsigned char bytes[4096];
    size_t count;
} writer;

static void put_number(writer *w, uint64_t bits, int bytes, bool big)
{
    for (int k = 0; k < bytes; k++)
        w->bytes[w->count++] = (unsigned char)(bits >> 8 * (big ? bytes - 1 - k : k));
}

static void put_float(writer *w, float value, bool big)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(w, bits, 4, big);
}

static void put_double(writer *w, double value, bool big)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(w, bits, 8, big);
}

static void put_text(writer *w, const char *text)
{
    memcpy(w->bytes + w->count, text, strlen(text));
    w->count += strlen(text);
}

static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
static const uint32_t facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static void make_stl(writer *w, const char *head)
{
    memset(w, 0, sizeof *w);
    put_text(w, head);
    w->count = 80;
    put_number(w, 4, 4, false);
    for (int f = 0; f < 4; f++) {
        for (int k = 0; k < 3; k++)
            put_float(w, (float)NAN, false); /* normals do not matter */
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                put_float(w, (float)corners[facets[f][c]][k], false);
        put_number(w, 0xffff, 2, false);
    }
}

TEST(binary_stl_is_known_by_its_length)
{
    static const char *const heads[] = {"", "solid by a program that says so", "ply of no kind",
                                        "v 1 2 3\nf 1 2 3", "\x80\xff"};
    writer w;
    for (size_t i = 0; i < SCREE_COUNT_OF(heads); i++) {
        make_stl(&w, heads[i]);
        check_tetrahedron(w.bytes, w.count);
    }
}

static const char *const type_names[] = {"char", "uchar", "short", "ushort",
                                         "int",  "uint",  "float", "double"};
static const int type_bytes[] = {1, 1, 2, 2, 4, 4, 4, 8};

static void put_typed(writer *w, int type, double value, bool big)
{
    if (type == 6)
        put_float(w, (float)value, big);
    else if (type == 7)
        put_double(w, value, big);
    else
        put_number(w, (uint64_t)(int64_t)value, type_bytes[type], big);
}

/*  Coordinates, counts and indices of any type, and properties between that are not used. */
static void make_ply(writer *w, int real, int count_type, int index_type, bool big)
{
    char line[200];
    memset(w, 0, sizeof *w);
    snprintf(line, sizeof line, "ply\nformat binary_%s_endian 1.0\n", big ? "big" : "little");
    put_text(w, line);
    snprintf(line, sizeof line,
             "element vertex 4\nproperty uchar a\nproperty %s y\nproperty %s x\nproperty list "
             "ushort double w\nproperty %s z\n",
             type_names[real], type_names[real], type_names[real]);
    put_text(w, line);
    snprintf(line, sizeof line, "element face 4\nproperty list %s %s vertex_indices\nend_header\n",
             type_names[count_type], type_names[index_type]);
    put_text(w, line);
    for (int v = 0; v < 4; v++) {
        put_number(w, 7, 1, big);
        put_typed(w, real, corners[v][1], big);
        put_typed(w, real, corners[v][0], big);
        put_number(w, (uint64_t)v, 2, big);
        for (int i = 0; i < v; i++)
            put_double(w, (double)NAN, big);
        put_typed(w, real, corners[v][2], big);
    }
    for (int f = 0; f < 4; f++) {
        put_typed(w, count_type, 3, big);
        for (int c = 0; c < 3; c++)
            put_typed(w, index_type, facets[f][c], big);
    }
}

TEST(binary_ply_of_all_types_and_both_byte_orders)
{
    writer w;
    for (int big = 0; big < 2; big++)
        for (int real = 0; real < 8; real++)
            for (int count = 0; count < 6; count++)
                for (int index = 0; index < 6; index++) {
                    make_ply(&w, real, count, index, big);
                    check_tetrahedron(w.bytes, w.count);
                }
}

TEST(values_of_binary_types_have_their_sign)
{
    static const double low[] = {-128, 0, -32768, 0, -2147483648.0, 0, -0.5, -1e300};
    static const double high[] = {127, 255, 32767, 65535, 2147483647.0, 4294967295.0, 1.5, 1e-300};
    for (int big = 0; big < 2; big++)
        for (int type = 0; type < 7; type++) {
            writer w = {{0}, 0};
            char line[300];
            snprintf(
                line, sizeof line,
                "ply\nformat binary_%s_endian 1.0\nelement vertex 3\nproperty %s x\nproperty %s "
                "y\nproperty float z\nelement face 1\nproperty list uchar uchar "
                "vertex_indices\nend_header\n",
                big ? "big" : "little", type_names[type], type_names[type]);
            put_text(&w, line);
            for (int v = 0; v < 3; v++) {
                put_typed(&w, type, v == 1 ? high[type] : low[type], big);
                put_typed(&w, type, v == 2 ? high[type] : low[type], big);
                put_float(&w, 0, big);
            }
            put_number(&w, 3, 1, big);
            put_number(&w, 0x000102, 3, true);
            scree_mesh *mesh = read_mesh(w.bytes, w.count);
            scree_mesh_info info = scree_mesh_describe(mesh);
            CHECK(info.lower[0] == low[type] && info.upper[0] == high[type]);
            CHECK(info.lower[1] == low[type] && info.upper[1] == high[type]);
            scree_mesh_destroy(mesh);
        }
}

TEST(polygons_become_fans)
{
    static const char *const files[] = {
        "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5\n",
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty "
        "float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 "
        "0\n"
        "2 1 0\n1 2 0\n0 2 0\n5 0 1 2 3 4\n",
    };
    static const uint32_t fan[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    for (size_t i = 0; i < SCREE_COUNT_OF(files); i++) {
        scree_mesh *mesh = read_mesh(files[i], strlen(files[i]));
        scree_mesh_info info = scree_mesh_describe(mesh);
        CHECK_EQUAL(info.facet_count, 3);
        CHECK(same_bits(info.facets, fan, sizeof fan));
        scree_mesh_destroy(mesh);
    }
}

/* ---- files ---- */

static char folder[] = "/tmp/scree_mesh_XXXXXX", path[64];

static void make_folder(void)
{
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/x.stl", folder);
}

TEST(what_is_written_comes_back)
{
    make_folder();
    maker ball = maker_ball(9);
    scree_mesh *mesh = maker_mesh(&ball), *again;
    scree_mesh_info a = scree_mesh_describe(mesh), b;
    scree_error error = {SCREE_OK, ""};
    struct stat info;
    CHECK(scree_mesh_write_stl(mesh, path, &error) == SCREE_OK);
    CHECK(stat(path, &info) == 0 && info.st_size == 84 + 50 * (off_t)a.facet_count);
    if (scree_mesh_read(path, NULL, &again, &error))
        FAIL("%s", error.text);
    b = scree_mesh_describe(again);
    CHECK_EQUAL(a.facet_count, b.facet_count);
    CHECK_EQUAL(a.vertex_count, b.vertex_count);
    CHECK_EQUAL(b.open_edges, 0);
    for (size_t c = 0; c < 3 * (size_t)a.facet_count; c++)
        for (size_t k = 0; k < 3; k++)
            CHECK((double)(float)a.vertices[3 * (size_t)a.facets[c] + k] ==
                  b.vertices[3 * (size_t)b.facets[c] + k]);
    scree_mesh_destroy(again);
    scree_mesh_destroy(mesh);
    maker_free(&ball);
    unlink(path);
    rmdir(folder);
}

TEST(what_cannot_be_written_is_refused)
{
    scree_error error;
    double line[] = {0, 0, 0, 1, 0, 0}, far[] = {0, 0, 0, 1e39, 0, 0, 0, 1e39, 0};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    def.corners = 2;
    def.vertices = line;
    def.vertex_count = 2;
    def.facet_count = 1;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(scree_mesh_write_stl(mesh, "/tmp/no", &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "segments");
    scree_mesh_destroy(mesh);
    def.corners = 3;
    def.vertices = far;
    def.vertex_count = 3;
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(scree_mesh_write_stl(mesh, "/tmp/no", &error) == SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "1e+39");
    CHECK(access("/tmp/no", F_OK) != 0);
    CHECK(scree_mesh_write_stl(NULL, "/tmp/no", &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_write_stl(mesh, NULL, &error) == SCREE_BAD_ARGUMENT);
    far[3] = far[7] = 1;
    scree_mesh_destroy(mesh);
    CHECK(scree_mesh_create(&def, &mesh) == SCREE_OK);
    CHECK(scree_mesh_write_stl(mesh, "/nonexistent/x.stl", &error) == SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/nonexistent/x.stl");
    scree_mesh_destroy(mesh);
}

TEST(calls_that_make_no_sense_are_refused)
{
    scree_error error;
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = (scree_mesh *)&error;
    double v[9] = {0};
    CHECK(scree_mesh_read(NULL, NULL, &mesh, &error) == SCREE_BAD_ARGUMENT && mesh == NULL);
    CHECK_SAYS(error.text, "path is NULL");
    CHECK(scree_mesh_read("x", NULL, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_read_bytes("x", 1, "t", NULL, NULL, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_read_bytes(NULL, 1, "t", NULL, &mesh, &error) == SCREE_BAD_ARGUMENT);
    CHECK(scree_mesh_read("/nonexistent/a.stl", NULL, &mesh, &error) == SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/nonexistent/a.stl: cannot be opened: No such file");
    CHECK(scree_mesh_read("/tmp", NULL, &mesh, &error) == SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/tmp: cannot be read: Is a directory");
    CHECK(scree_mesh_read("/nonexistent/a.stl", NULL, &mesh, NULL) == SCREE_IO_ERROR);
    def.cookie = 1;
    CHECK(scree_mesh_read("x", &def, &mesh, &error) == SCREE_BAD_DEF);
    CHECK(scree_mesh_read_bytes("x", 1, "t", &def, &mesh, &error) == SCREE_BAD_DEF);
    def = scree_default_mesh_def(), def.vertices = v;
    CHECK(scree_mesh_read("x", &def, &mesh, &error) == SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "vertices and facets must be empty");
    def = scree_default_mesh_def(), def.corners = 2;
    CHECK(scree_mesh_read_bytes("x", 1, "t", &def, &mesh, &error) == SCREE_BAD_ARGUMENT);
    def = scree_default_mesh_def(), def.allocator.allocate = failing_allocator_allocate;
    CHECK(scree_mesh_read("x", &def, &mesh, &error) == SCREE_BAD_DEF);
    CHECK(scree_mesh_read_bytes("x", 1, "t", &def, &mesh, &error) == SCREE_BAD_DEF);
    def = scree_default_mesh_def(), def.weld = 3;
    CHECK(scree_mesh_read_bytes(STL_TEXT, strlen(STL_TEXT), "t", &def, &mesh, &error) ==
          SCREE_BAD_VALUE);
    CHECK_SAYS(error.text, "t: mesh def: weld is 3");
    CHECK(scree_mesh_read_bytes("solid", ((size_t)1 << 34) + 1, "t", NULL, &mesh, &error) ==
          SCREE_TOO_LARGE);
    CHECK_SAYS(error.text, "17179869185 bytes");
}

TEST(the_definition_is_used)
{
    const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1e-3 0 0\nv 0 0 1\nf 1 2 3\nf 4 2 5\n";
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;
    CHECK(scree_mesh_read_bytes(text, strlen(text), NULL, &def, &mesh, NULL) == SCREE_OK);
    CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 5);
    scree_mesh_destroy(mesh);
    def.weld = 0.01;
    CHECK(scree_mesh_read_bytes(text, strlen(text), NULL, &def, &mesh, NULL) == SCREE_OK);
    CHECK_EQUAL(scree_mesh_describe(mesh).vertex_count, 4);
    scree_mesh_destroy(mesh);
}

/* ---- memory ---- */

static void fail_each_request(const void *bytes, size_t count)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_mesh_def def = scree_default_mesh_def();
        scree_error error = {SCREE_OK, ""};
        scree_mesh *mesh = NULL;
        scree_status status;
        def.allocator = failing_allocator_hooks(&memory);
        status = bytes ? scree_mesh_read_bytes(bytes, count, "t", &def, &mesh, &error)
                       : scree_mesh_read(path, &def, &mesh, &error);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK((mesh != NULL) == (status == SCREE_OK));
        if (status)
            CHECK_SAYS(error.text, "memory");
        scree_mesh_destroy(mesh);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
}

TEST(running_out_of_memory_leaves_nothing)
{
    const char ply[] = "ply\nformat ascii 1.0\n" PLY_VERTEX PLY_FACE "end_header\n" PLY_ROWS;
    const char obj[] = OBJ_VERTICES "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    writer w;
    fail_each_request(STL_TEXT, strlen(STL_TEXT));
    fail_each_request(obj, strlen(obj));
    fail_each_request(ply, strlen(ply));
    make_stl(&w, "x");
    fail_each_request(w.bytes, w.count);
    make_ply(&w, 7, 1, 4, true);
    fail_each_request(w.bytes, w.count);
    strcpy(folder, "/tmp/scree_mesh_XXXXXX");
    make_folder();
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(w.bytes, 1, w.count, file) == w.count && fclose(file) == 0);
    fail_each_request(NULL, 0);
    unlink(path);
    rmdir(folder);
}

/*  What is written is whole, or what was there. */
TEST(writing_without_memory_keeps_the_file)
{
    strcpy(folder, "/tmp/scree_mesh_XXXXXX");
    make_folder();
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_mesh_def def = scree_default_mesh_def();
        scree_error error = {SCREE_OK, ""};
        scree_mesh *mesh = NULL;
        struct stat found;
        FILE *file = fopen(path, "wb");
        CHECK(file && fputs("old", file) >= 0 && fclose(file) == 0);
        def.allocator = failing_allocator_hooks(&memory);
        CHECK_EQUAL(scree_mesh_read_bytes(STL_TEXT, strlen(STL_TEXT), "t", &def, &mesh, &error),
                    SCREE_OK);
        size_t before = memory.requests;
        memory.fail_at = before + k;
        scree_status status = scree_mesh_write_stl(mesh, path, &error);
        bool failed = memory.failures > 0;
        memory.fail_at = 0;
        CHECK_EQUAL(status, failed ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        CHECK(stat(path, &found) == 0 && (found.st_size == 3) == failed);
        if (failed)
            CHECK_SAYS(error.text, "out of memory");
        scree_mesh_destroy(mesh);
        CHECK(failing_allocator_is_clean(&memory));
        CHECK(failed || k > 1);
        if (!failed)
            break;
    }
    CHECK(unlink(path) == 0);
    CHECK(rmdir(folder) == 0); /* nothing else was left */
}

/*  Memory taken is a multiple of the file's size, whatever the file claims. */
TEST(claims_are_not_believed)
{
    static const char *const files[] = {
        "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
        "property float z\nelement face 4000000000\nproperty list uchar int "
        "vertex_indices\nend_header\n0 0 0\n",
        "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\n"
        "property float y\nproperty float z\nelement face 1\nproperty list uchar int "
        "vertex_indices\nend_header\nabcdefg",
        "ply\nformat binary_big_endian 1.0\nelement vertex 0\nproperty float x\nproperty float "
        "y\nproperty float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n"
        "\xff\xff\xff\xff",
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty "
        "float z\nelement face 1\nproperty list uint int vertex_indices\nend_header\n0 0 0\n"
        "4000000000 0 0 0\n",
    };
    static const char *const says[] = {"t:9: element vertex: count is 4000000000, but only 6",
                                       "t:9: element vertex: count is 4000000000, but only 7 bytes",
                                       "the file ends in a list", "vertex_indices is missing"};
    for (size_t i = 0; i < SCREE_COUNT_OF(files); i++) {
        failing_allocator memory = {0};
        scree_mesh_def def = scree_default_mesh_def();
        scree_error error;
        scree_mesh *mesh;
        def.allocator = failing_allocator_hooks(&memory);
        CHECK(scree_mesh_read_bytes(files[i], strlen(files[i]), "t", &def, &mesh, &error) ==
              SCREE_BAD_FILE);
        CHECK_SAYS(error.text, says[i]);
        CHECK(memory.requests <= 2);
    }
    writer w;
    make_stl(&w, "x");
    w.bytes[83] = 0xee; /* 4e9 triangles */
    scree_error error;
    scree_mesh *mesh;
    CHECK(scree_mesh_read_bytes(w.bytes, w.count, "t", NULL, &mesh, &error) == SCREE_BAD_FILE);
    CHECK_SAYS(error.text, "t: byte 80: number of triangles is 3992977412, which makes "
                           "199648870684 bytes of a binary STL file, but it has 284");
}

/*  What never ends is not read for ever, and what is too long not at all. */
TEST(endless_and_very_long_files)
{
    scree_error error = {SCREE_OK, ""};
    char place[] = "/tmp/scree-long-XXXXXX";
    int file = mkstemp(place);
    scree_mesh *mesh;

    CHECK_EQUAL(scree_mesh_read("/dev/zero", NULL, &mesh, &error), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/dev/zero: is a pipe or a device; write its content to a file first");
    CHECK(file >= 0 && ftruncate(file, ((off_t)1 << 34) + 1) == 0);
    CHECK_EQUAL(scree_mesh_read(place, NULL, &mesh, &error), SCREE_TOO_LARGE);
    CHECK(strstr(error.text, "has 17179869185 bytes, mesh files of at most 17179869184"));
    CHECK(!mesh);
    close(file);
    remove(place);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(endless_and_very_long_files),
        CASE(every_text_form_gives_the_same_body),
        CASE(binary_stl_is_known_by_its_length),
        CASE(binary_ply_of_all_types_and_both_byte_orders),
        CASE(values_of_binary_types_have_their_sign),
        CASE(polygons_become_fans),
        CASE(what_is_written_comes_back),
        CASE(what_cannot_be_written_is_refused),
        CASE(calls_that_make_no_sense_are_refused),
        CASE(the_definition_is_used),
        CASE(running_out_of_memory_leaves_nothing),
        CASE(writing_without_memory_keeps_the_file),
        CASE(claims_are_not_believed),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
