/*  Mesh files that must be refused, each with what must be said: at least a hundred of each format; every
    prefix of small files; and every single byte of them changed, which must not upset the reader. */
#include "io_broken.h"

#include <math.h>
#include <stdbool.h>

static scree_status read_mesh(const void *bytes, size_t count, scree_error *error)
{
    scree_mesh *mesh;
    scree_status status = scree_mesh_read_bytes(bytes, count, "t", NULL, &mesh, error);
    scree_mesh_destroy(mesh);
    return status;
}

/* clang-format off */
static const char *const no_numbers[] = {"abc", "1.2.3", "1,5", "--1", "1e", "0x", "e7", "1f", "#1", NULL};
static const char *const no_floats[] = {"abc", "1.2.3", "1,5", "--1", "1e", "nan", "inf", "-inf", "1e999", "1e61", NULL};
static const char *const no_indices[] = {"abc", "1.5", "1e0", "--1", "99999999999999999999", "-99", "99", "0", "4294967296", NULL};
static const char *const no_words[] = {"wrong", "facets", "12", "x", "end", NULL};

/* ---- STL, text ---- */

#define FACET_OF(a, b, c) "facet normal 0 0 1\n outer loop\n  vertex " a "\n  vertex " b "\n  vertex " c "\n endloop\nendfacet\n"
static const char stl[] = "solid\n" FACET_OF("0 0 0", "1 0 0", "0 1 0") FACET_OF("0 0 0", "1 0 0", "0 0 1") "endsolid\n";

static const broken_file stl_files[] = {
    {"solid", "t:1: the file ends in a solid, \"endsolid\" must follow"},
    {"solid x\n", "t:1: the file ends in a solid"},
    {"solid x\nendsolid\n", "t: there are no triangles"},
    {"solid\nendsolid\nendsolid\n", "t:3: \"endsolid\" must be \"solid\""},
    {"solid\nendsolid\nmore\n", "t:3: \"more\" must be \"solid\""},
    {"solid\nsolid\n", "t:2: \"solid\" must be \"facet\" or \"endsolid\""},
    {"solid\nfacet", "t:2: the file ends after facet, \"normal\" must follow"},
    {"solid\nfacet normal 0 0", "t:2: the file ends in a normal"},
    {"solid\nfacet normal 0 0 0", "t:2: the file ends after the normal, \"outer\" must follow"},
    {"solid\nfacet normal 0 0 0 outer", "t:2: the file ends after outer, \"loop\" must follow"},
    {"solid\nfacet normal 0 0 0 outer loop\n", "t:2: the file ends after outer loop, \"vertex\" must follow"},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2", "t:3: the file ends in a vertex"},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 vertex", "t:3: vertex z: \"vertex\" is not a number"},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 3 4", "t:3: \"4\" after the first vertex, must be \"vertex\""},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 3\nendloop", "t:4: \"endloop\" after the first vertex"},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 3\nvertex 1 2 3\nendloop", "t:5: \"endloop\" after the second vertex"},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 3\nvertex 1 2 3\nvertex 1 2 3\nvertex 1 2 3\nendloop", "t:6: \"vertex\" after the third vertex, must be \"endloop\""},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 3\nvertex 1 2 3\nvertex 1 2 3\nendloop", "t:6: the file ends after endloop, \"endfacet\" must follow"},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 3\nvertex 1 2 3\nvertex 1 2 3\nendloop endsolid", "t:6: \"endsolid\" after endloop, must be \"endfacet\""},
    {"solid\nfacet normal 0 0 0 outer loop\nvertex 1 2 \xff\nvertex", "t:3: vertex z: \"?\" is not a number"},
    {"solid\nfacet normal 0 0 abc outer loop\n", "t:2: normal z: \"abc\" is not a number"},
    {"solid\nfacet normal 0 0 thisisaverylongwordthatisnotanumberatall", "normal z: \"thisisaverylongwordthatisnotanum...\" is not a number"},
};

/*  Without "solid", the file is of another format. */
static bool is_stl_keyword(const char *word, size_t length)
{
    return word > stl && !is_number_word(word, length);
}

TEST(broken_stl_text)
{
    size_t made = check_broken_files(read_mesh, stl_files, sizeof stl_files / sizeof *stl_files);
    check_accepted(read_mesh, stl, strlen(stl));
    made += check_broken_words(read_mesh, stl, is_stl_keyword, no_words);
    CHECK(made >= 100);
}

static bool is_vertex_number(const char *word, size_t length)
{
    const char *line = word;
    while (line > stl && line[-1] != '\n')
        line--;
    return is_number_word(word, length) && line[2] == 'v';
}

TEST(broken_stl_numbers)
{
    size_t made = check_broken_words(read_mesh, stl, is_number_word, no_numbers);
    made += check_broken_words(read_mesh, stl, is_vertex_number, no_floats);
    CHECK(made >= 300);
    /* a normal may be any number: it is not used */
    const char good[] = "solid\nfacet normal nan inf -1e999 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid";
    check_accepted(read_mesh, good, strlen(good));
}

/* ---- STL, binary ---- */

static size_t make_binary_stl(unsigned char *bytes)
{
    static const float corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    memset(bytes, 0, 184);
    bytes[80] = 2;
    for (int f = 0; f < 2; f++)
        memcpy(bytes + 84 + 50 * f + 12, corner, sizeof corner);
    bytes[84 + 50 + 12 + 35] = 0x40; /* the second is another one */
    return 184;
}

TEST(broken_stl_bytes)
{
    unsigned char bytes[200] = {0};
    size_t count = make_binary_stl(bytes), made = 0;
    char says[120];
    check_accepted(read_mesh, bytes, count);
    for (size_t n = 1; n < 200; n++, made++) {
        snprintf(says, sizeof says, n < 84 ? "t: byte %zu: the file ends; a binary STL" : "makes 184 bytes of a binary STL file, but it has %zu", n);
        if (n != count)
            check_refused_bytes(read_mesh, bytes, n, says);
    }
    for (size_t f = 0; f < 2; f++)
        for (size_t i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++, made++) {
                static const uint32_t bad[] = {0x7fc00000, 0x7f800000, 0xff800000};
                size_t at = 84 + 50 * f + 12 + 4 * i;
                make_binary_stl(bytes);
                memcpy(bytes + at, &bad[k], 4);
                snprintf(says, sizeof says, "t: byte %zu: triangle %zu, vertex %zu: %c is %s", at, f, i / 3, "xyz"[i % 3], k == 0 ? "nan, must" : k == 1 ? "inf, must" : "-inf, must");
                check_refused_bytes(read_mesh, bytes, count, says);
            }
    CHECK(made >= 100);
    memset(bytes, 0, sizeof bytes);
    check_refused_bytes(read_mesh, bytes, 84, "t: there are no triangles in it");
}

/* ---- OBJ ---- */

static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1 1\nv 5 5 5 .1 .2 .3\nf 1 2 3\nf 1 2 4\n";

static const broken_file obj_files[] = {
    {"v 0 0 0\n", "t: there are no triangles"},
    {"v\n", "t:1: v has 0 numbers, must have 3, 4, 6 or 7"},
    {"v 1\n", "t:1: v has 1 numbers"}, {"v 1 2\n", "t:1: v has 2 numbers"},
    {"v 1 2 3 4 5\n", "t:1: v has 5 numbers"},
    {"v 1 2 3 4 5 6 7 8\n", "t:1: v has more than 7 numbers"},
    {"#\n\nv 1 2 abc\n", "t:3: z: \"abc\" is not a number"},
    {"v 1 2 3 abc\n", "t:1: w: \"abc\" is not a number"},
    {"v 1 2 3 1 1 abc\n", "t:1: colour: \"abc\" is not a number"},
    {"v 1 2 nan\n", "t:1: z: nan must be finite and at most 1e+60"},
    {"v 1 2 \\\n \\\n", "v has 2 numbers"}, {"v 1 2 \\", "v has 2 numbers"}, {"v 1 2 # 3\n", "v has 2 numbers"},
    {"vx 1 2 3\n", "t:1: \"vx\" does not begin an STL, OBJ or PLY file"},
    {"v 0 0 0\nvx 1 2 3\n", "t:2: \"vx\" is not a statement of an OBJ file"},
    {"v 0 0 0\n1 2 3\n", "t:2: \"1\" is not a statement"}, {"v 0 0 0\nV 1 2 3\n", "t:2: \"V\" is not a statement"},
    {"v 0 0 0\nf\n", "t:2: f has 0 vertices, must have at least 3"},
    {"v 0 0 0\nf 1\n", "t:2: f has 1 vertices"}, {"v 0 0 0\nf 1 1\n", "t:2: f has 2 vertices"},
    {"v 0 0 0\nf 1 1 2\n", "t:2: vertex: 2, but there are 1"},
    {"f 1 2 3\nv 0 0 0\nf 1 1 9\nf 1 1 8\nv 0 0 0\n", "t:3: vertex: 9, but there are 2"},
    {"v 0 0 0\nf 1 1 -2\n", "t:2: vertex: -2, but only 1 came before"},
    {"f -1 -1 -1\nv 0 0 0\n", "t:1: vertex: -1, but only 0 came before"},
    {"v 0 0 0\nf 1 1 0\n", "t:2: vertex: \"0\": indices begin with 1"},
    {"v 0 0 0\nf 1 1 -0\n", "t:2: vertex: \"-0\": indices begin with 1"},
    {"v 0 0 0\nf 1/ 1 1\n", "t:2: texture vertex: \"\" is not a whole number"},
    {"v 0 0 0\nf 1// 1 1\n", "t:2: normal: \"\" is not a whole number"},
    {"v 0 0 0\nf /1 1 1\n", "t:2: vertex: \"\" is not a whole number"},
    {"v 0 0 0\nf // 1 1\n", "t:2: vertex: \"\" is not a whole number"},
    {"v 0 0 0\nvt 0 0\nvn 0 0 1\nf 1/1/1/1 1 1\n", "t:4: vertex: \"1/1/1/1\" has more than two slashes"},
    {"v 0 0 0\nf 1/1 1/1 1/1\n", "t:2: texture vertex: 1, but there are 0"},
    {"v 0 0 0\nvt 0 0\nf 1/2 1/1 1/1\n", "t:3: texture vertex: 2, but there are 1"},
    {"v 0 0 0\nvt 0 0\nf 1/-2 1/1 1/1\n", "t:3: texture vertex: -2, but only 1 came"},
    {"v 0 0 0\nvn 0 0 1\nf 1//2 1//1 1//1\n", "t:3: normal: 2, but there are 1"},
    {"v 0 0 0\nvn 0 0 1\nf 1//0 1//1 1//1\n", "t:3: normal: \"0\": indices begin"},
    {"v 0 0 0\nf 1 1 4294967296\n", "\"4294967296\" is not a whole number from -2147483648 to 4294967295"},
    {"v 0 0 0\nf 1 1 4294967295\n", "vertex: 4294967295, but there are 1"},
    {"v 0 0 0\nf 1 1 -2147483649\n", "\"-2147483649\" is not a whole number"},
    {"v 0 0 0\nf 1 1 1.0\n", "\"1.0\" is not a whole number"}, {"v 0 0 0\nf 1 1 +\n", "\"+\" is not a whole number"},
    {"v 0 0 0\nf 1 1 -\n", "\"-\" is not a whole number"}, {"o x\nf 1 2 3\n", "t:2: vertex: 3, but there are 0"},
};

static bool is_face_index(const char *word, size_t length)
{
    return word >= strchr(obj, 'f') && is_number_word(word, length);
}

static bool is_coordinate(const char *word, size_t length)
{
    return word < strchr(obj, 'f') && is_number_word(word, length);
}

static bool is_not_first(const char *word, size_t length)
{
    return word > obj && !is_number_word(word, length);
}

TEST(broken_obj)
{
    size_t made = check_broken_files(read_mesh, obj_files, sizeof obj_files / sizeof *obj_files);
    check_accepted(read_mesh, obj, strlen(obj));
    made += check_broken_words(read_mesh, obj, is_coordinate, no_floats);
    made += check_broken_words(read_mesh, obj, is_face_index, no_indices);
    made += check_broken_words(read_mesh, obj, is_not_first, (const char *const[]){"wrong", "vv", "face", NULL});
    CHECK(made >= 200);
    check_refused_bytes(read_mesh, "v 0 0 0\nv 1 0 0\nv 0 1\0000\nf 1 2 3\n", 33, "t: byte 33: the file ends; a binary STL");
    check_refused_text(read_mesh, "", "t: the file is empty");
    check_refused_text(read_mesh, "\n\n  \n", "t: the file is empty");
    check_refused_text(read_mesh, "PK and so on", "t:1: \"PK\" does not begin an STL, OBJ or PLY file");
    check_refused_text(read_mesh, "\n\n<xml>", "t:3: \"<xml>\" does not begin an STL");
}

/* ---- PLY ---- */

#define HEAD "ply\nformat ascii 1.0\n"
#define VERTEX "element vertex 3\nproperty float x\nproperty float y\nproperty double z\n"
#define FACE "element face 1\nproperty list uchar int vertex_indices\n"
#define BODY "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
static const char ply[] = HEAD VERTEX FACE "end_header\n" BODY;

static const broken_file ply_files[] = {
    {"ply\n", "t:1: the file ends before end_header"},
    {"ply\nend_header\n", "t:2: there is no format before end_header"},
    {"ply\n\nformat ascii 1.0\n", "t:2: an empty line in the header"},
    {"ply\nformat\n", "t:2: format is missing at the end of the line"},
    {"ply\nformat ascii\n", "t:2: version is missing"},
    {"ply\nformat ascii 1.1\n", "t:2: version: \"1.1\" must be 1.0"},
    {"ply\nformat ascii 1.0 x\n", "t:2: \"x\" is one word too many"},
    {"ply\nformat binary 1.0\n", "t:2: format: \"binary\" must be ascii, binary_little_endian or binary_big_endian"},
    {HEAD "format ascii 1.0\n", "t:3: format appears twice"},
    {HEAD "element\n", "t:3: element: name is missing"}, {HEAD "element vertex\n", "t:3: element: count is missing"},
    {HEAD "element vertex -1\n", "t:3: element: count: \"-1\" is not a whole number"},
    {HEAD "element vertex 1e3\n", "t:3: element: count: \"1e3\" is not"},
    {HEAD "element vertex 99999999999999999999\n", "count: \"99999999999999999999\" is not a whole number"},
    {HEAD "element vertex 1 2\n", "t:3: \"2\" is one word too many"},
    {HEAD "element vertex 1\nelement vertex 1\n", "t:4: element: \"vertex\" appears twice"},
    {HEAD "property float x\n", "t:3: property before any element"},
    {HEAD "element vertex 1\nproperty\n", "t:4: property: type is missing"},
    {HEAD "element vertex 1\nproperty float\n", "t:4: property: name is missing"},
    {HEAD "element vertex 1\nproperty half x\n", "t:4: property: there is no type \"half\""},
    {HEAD "element vertex 1\nproperty float x y\n", "t:4: \"y\" is one word too many"},
    {HEAD "element vertex 1\nproperty float x\nproperty float x\n", "t:5: property: \"x\" appears twice"},
    {HEAD "element vertex 1\nproperty list uchar float x\n", "t:4: property: \"x\" must not be a list"},
    {HEAD "element vertex 1\nproperty list\n", "t:4: property: type is missing"},
    {HEAD "element vertex 1\nproperty list uchar\n", "t:4: property: type is missing"},
    {HEAD "element vertex 1\nproperty list float int a\n", "t:4: property: a list's count must be a whole number"},
    {HEAD "element vertex 1\nproperty list list int a\n", "t:4: property: there is no type \"list\""},
    {HEAD "element face 1\nproperty int vertex_indices\n", "t:4: property: \"vertex_indices\" must be a list"},
    {HEAD "element face 1\nproperty list uchar float vertex_index\n", "t:4: property: \"vertex_index\" must be of whole numbers"},
    {HEAD "element face 1\nproperty list uchar int vertex_index\nproperty list uchar int vertex_indices\n", "t:5: property: \"vertex_indices\" appears twice"},
    {HEAD "end_header\n", "t:3: there is no element vertex"}, {HEAD VERTEX "end_header\n" BODY, "t:7: there is no element face"},
    {HEAD FACE "end_header\n" BODY, "t:5: there is no element vertex"},
    {HEAD "element vertex 3\nproperty float x\nproperty float y\n" FACE "end_header\n" BODY, "element vertex: must have properties x, y and z"},
    {HEAD VERTEX "element face 1\nproperty int a\nend_header\n" BODY, "element face: must have a list vertex_indices or vertex_index"},
    {HEAD VERTEX "element face 1\nend_header\n" BODY, "element face: has no properties"},
    {HEAD "element dust 5\nend_header\n", "element dust: has no properties"},
    {HEAD "wrong\n", "t:3: \"wrong\" does not begin a line of a header"}, {HEAD "end_header x\n", "t:3: \"x\" is one word too many"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n", "t:12: the file ends: element face has 0 of 1 rows"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n           ", "t:12: the file ends: element vertex has 2 of 3 rows"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0\n0 1 0\n3 0 1 2\n", "t:11: z is missing at the end of the line"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0 5\n0 1 0\n3 0 1 2\n", "t:11: \"5\" is one value too many"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n7\n", "t:14: \"7\" follows the last row"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2 2\n", "t:13: \"2\" is one value too many"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1\n", "t:13: vertex_indices is missing at the end of the line"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n", "t:13: vertex_indices: a list of 2, must be at least 3"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n0      \n", "t:13: vertex_indices: a list of 0"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n", "t:13: vertex_indices: -3 must be a whole number from 0 to 255"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n256 0 1 2\n", "t:13: vertex_indices: 256 must be a whole number from 0 to 255"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "t:13: vertex_indices: 3, must be from 0 to 2"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", "t:13: vertex_indices: -1, must be from 0 to 2"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n", "t:13: vertex_indices: 1.5 must be a whole number from -2147483648 to 2147483647"},
    {HEAD VERTEX FACE "end_header\n0 0 0\n1 0 0\n0 1 1e61\n3 0 1 2\n", "t:12: z: 1e+61 must be finite"},
    {HEAD VERTEX "element face 0\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n", "t: there are no triangles"},
};
/* clang-format on */

static bool is_header_word(const char *word, size_t length)
{
    return word > ply && word < strstr(ply, "end_header") &&
           !(length == 14 && memcmp(word, "vertex_indices", 14) == 0) &&
           !(length == 1 && strchr("xyz", *word)) && !(length == 6 && word[0] == 'v') &&
           !(length == 4 && word[0] == 'f');
}

static bool is_ply_coordinate(const char *word, size_t length)
{
    (void)length;
    return word > strstr(ply, "end_header") + 9 && word < strstr(ply, "3 0 1 2");
}

static bool is_ply_index(const char *word, size_t length)
{
    (void)length;
    return word > strstr(ply, "3 0 1 2");
}

TEST(broken_ply)
{
    static const char *const no_header[] = {"wrong", "-5", "1.5", "9.9.9", "vertices", NULL};
    static const char *const no_reals[] = {"abc", "1.2.3", "1,5", "--1", "1e", "nan",
                                           "inf", "-inf",  "0x",  "x",   NULL};
    static const char *const no_wholes[] = {"abc", "1.5", "99", "-1", "nan", NULL};
    size_t made = check_broken_files(read_mesh, ply_files, sizeof ply_files / sizeof *ply_files);
    check_accepted(read_mesh, ply, strlen(ply));
    made += check_broken_words(read_mesh, ply, is_header_word, no_header);
    made += check_broken_words(read_mesh, ply, is_ply_coordinate, no_reals);
    made += check_broken_words(read_mesh, ply, is_ply_index, no_wholes);
    CHECK(made >= 200);
}

TEST(too_many_elements_and_properties)
{
    char text[20000] = HEAD;
    for (int e = 0; e < 33; e++)
        sprintf(text + strlen(text), "element e%d 0\n", e);
    check_refused_text(read_mesh, text, "t:35: more than 32 elements");
    strcpy(text, HEAD "element vertex 0\n");
    for (int p = 0; p < 257; p++)
        sprintf(text + strlen(text), "property int p%d\n", p);
    check_refused_text(read_mesh, text, "t:260: more than 256 properties");
}

/*  Header and rows of a binary file: a vertex with a list beside it, an unused element, a face. */
static size_t make_binary_ply(unsigned char *bytes, size_t *body)
{
    static const unsigned char head[] =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty double "
        "y\nproperty float z\nproperty list char uchar l\nelement face 1\nproperty list char short "
        "vertex_indices\nend_header\n";
    static const float x[3] = {0, 1, 0}, z = 0;
    static const double y[3] = {0, 0, 1};
    static const int16_t index[3] = {0, 1, 2};
    static const unsigned char list[3] = {2, 'a', 'b'};
    size_t at = sizeof head - 1;
    memcpy(bytes, head, at);
    *body = at;
    for (int v = 0; v < 3; v++) {
        memcpy(bytes + at, &x[v], 4);
        memcpy(bytes + at + 4, &y[v], 8);
        memcpy(bytes + at + 12, &z, 4);
        memcpy(bytes + at + 16, list, 3);
        at += 19;
    }
    bytes[at] = 3;
    memcpy(bytes + at + 1, index, 6);
    return at + 7;
}

TEST(broken_ply_bytes)
{
    unsigned char bytes[512];
    size_t body, count = make_binary_ply(bytes, &body), made = 0;
    char says[160];
    check_accepted(read_mesh, bytes, count);
    for (size_t n = body; n < count; n++, made++)
        check_refused_bytes(read_mesh, bytes, n,
                            n < body + 50 ? "t:10: element vertex: count is 3, but only"
                                          : "t: byte");
    check_refused_bytes(read_mesh, bytes, count + 1, "1 bytes follow the last row");
    for (size_t v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++)
            for (int sign = 0; sign < 2; sign++, made++) {
                static const size_t place[] = {0, 4, 12};
                double wide = sign ? (double)-INFINITY : 1e61;
                float narrow = sign ? -INFINITY : (float)NAN;
                size_t at = body + 19 * v + place[k];
                make_binary_ply(bytes, &body);
                memcpy(bytes + at, k == 1 ? (void *)&wide : (void *)&narrow, k == 1 ? 8 : 4);
                snprintf(says, sizeof says, "t: byte %zu: element vertex, row %zu: %c is %s, must",
                         at, v, "xyz"[k],
                         sign     ? "-inf"
                         : k == 1 ? "1e+61"
                                  : "nan");
                check_refused_bytes(read_mesh, bytes, count, says);
            }
    for (size_t i = 0; i < 3; i++)
        for (int bad = 3; bad < 256; bad += 25, made++) {
            size_t at = body + 57 + 1 + 2 * i;
            make_binary_ply(bytes, &body);
            bytes[at + 1] = (unsigned char)bad;
            snprintf(says, sizeof says, "t: byte %zu: element face, row 0: vertex_indices: %d", at,
                     (int)(int16_t)(bad << 8) + (int)i);
            check_refused_bytes(read_mesh, bytes, count, says);
        }
    for (int bad = -128; bad < 3; bad += 10, made++) {
        make_binary_ply(bytes, &body);
        bytes[body + 57] = (unsigned char)bad;
        snprintf(says, sizeof says, "vertex_indices: a list of %d, must be at least 3", bad);
        check_refused_bytes(read_mesh, bytes, count, says);
    }
    make_binary_ply(bytes, &body);
    bytes[body + 16] = 0xff;
    check_refused_bytes(read_mesh, bytes, count, "row 0: l: a list of -1, must be at least 0");
    bytes[body + 16] = 0x7f;
    check_refused_bytes(read_mesh, bytes, count, "row 0: l: the file ends in a list");
    CHECK(made >= 100);
}

/* ---- every prefix, every byte ---- */

/*  How many prefixes are accepted; all others must be refused with a sentence about the file. */
static size_t count_good_prefixes(const void *bytes, size_t count)
{
    size_t good = 0;
    for (size_t n = 0; n < count; n++) {
        scree_error error;
        scree_status status = read_exact(read_mesh, bytes, n, &error);
        CHECK(status == SCREE_OK || status == SCREE_BAD_FILE || status == SCREE_BAD_VALUE);
        if (status && strncmp(error.text, "t:", 2) != 0)
            FAIL("prefix of %zu: %s", n, error.text);
        good += status == SCREE_OK;
    }
    return good;
}

TEST(every_prefix_is_handled)
{
    unsigned char bytes[512];
    size_t body, count;
    CHECK_EQUAL(count_good_prefixes(stl, strlen(stl)), 1); /* without the last line's end */
    CHECK_EQUAL(count_good_prefixes(ply, strlen(ply)), 1); /* the same */
    CHECK_EQUAL(count_good_prefixes(obj, strlen(obj)),
                3); /* with one face, its line ended or not, or with two */
    count = make_binary_stl(bytes);
    CHECK_EQUAL(count_good_prefixes(bytes, count), 0);
    count = make_binary_ply(bytes, &body);
    CHECK_EQUAL(count_good_prefixes(bytes, count), 0);
}

static void change_every_byte(const void *bytes, size_t count)
{
    unsigned char changed[2048];
    for (size_t i = 0; i < count; i++)
        for (int bit = 0; bit < 8; bit++) {
            scree_error error;
            scree_status status;
            memcpy(changed, bytes, count);
            changed[i] = (unsigned char)(changed[i] ^ 1 << bit);
            status = read_exact(read_mesh, changed, count, &error);
            CHECK(status == SCREE_OK || status == SCREE_BAD_FILE || status == SCREE_BAD_VALUE);
            CHECK(status == SCREE_OK || strncmp(error.text, "t:", 2) == 0);
        }
}

TEST(every_bit_may_be_flipped)
{
    unsigned char bytes[512];
    size_t body, count;
    change_every_byte(stl, strlen(stl));
    change_every_byte(obj, strlen(obj));
    change_every_byte(ply, strlen(ply));
    count = make_binary_stl(bytes);
    change_every_byte(bytes, count);
    count = make_binary_ply(bytes, &body);
    change_every_byte(bytes, count);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(broken_stl_text),
        CASE(broken_stl_numbers),
        CASE(broken_stl_bytes),
        CASE(broken_obj),
        CASE(broken_ply),
        CASE(too_many_elements_and_properties),
        CASE(broken_ply_bytes),
        CASE(every_prefix_is_handled),
        CASE(every_bit_may_be_flipped),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
