/*  Meshes and clumps: made once, shared by bodies and walls. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *Mesh_type, *Clump_type;

/* ---- meshes ------------------------------------------------------------------------------------------- */

PyObject *mesh_object(PyTypeObject *type, scree_mesh *mesh)
{
    Mesh *self = (Mesh *)object_new(type);

    if (self)
        self->mesh = mesh;
    else
        scree_mesh_destroy(mesh);
    return (PyObject *)self;
}

static void mesh_dealloc(PyObject *self)
{
    scree_mesh_destroy(((Mesh *)self)->mesh);
    object_free(self);
}

static PyObject *mesh_finish(PyObject *type, scree_status status, scree_mesh *mesh,
                             const scree_error *error)
{
    if (status)
        return raise_status(status, error->text);
    return mesh_object((PyTypeObject *)type, mesh);
}

/*  _make(vertices (n, 3) doubles, facets uint32 or None, corners, weld) */
static PyObject *mesh_make(PyObject *type, PyObject *args)
{
    PyObject *vertices, *facets;
    Py_buffer points = {0}, corners = {0};
    scree_error error = {0};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;

    if (!PyArg_ParseTuple(args, "OOid", &vertices, &facets, &def.corners, &def.weld))
        return NULL;
    if (def.corners != 2 && def.corners != 3) {
        PyErr_SetString(PyExc_ValueError, "facets must have 2 or 3 corners");
        return NULL;
    }
    if (array_get(vertices, 'd', -1, "vertices", &points) ||
        array_get(facets, 'I', -1, "facets", &corners)) {
        array_done(&points);
        return NULL;
    }
    def.vertices = points.buf;
    def.vertex_count = (uint32_t)(points.len / 24);
    def.facets = corners.buf;
    def.facet_count = corners.buf ? (uint32_t)(corners.len / (4 * def.corners))
                                  : def.vertex_count / (uint32_t)def.corners;
    def.error = &error;
    scree_status status = SCREE_TOO_LARGE;
    if (points.len / 24 <= UINT32_MAX && corners.len / 8 <= UINT32_MAX) {
        Py_BEGIN_ALLOW_THREADS;
        status = scree_mesh_create(&def, &mesh);
        Py_END_ALLOW_THREADS;
    }
    array_done(&points);
    array_done(&corners);
    return mesh_finish(type, status, mesh, &error);
}

/*  _read(path as str or content as bytes, weld) */
static PyObject *mesh_read(PyObject *type, PyObject *args)
{
    PyObject *source;
    const char *path = NULL;
    char *bytes = NULL;
    Py_ssize_t count = 0;
    scree_mesh_def def = scree_default_mesh_def();
    scree_error error = {0};
    scree_mesh *mesh = NULL;
    scree_status status;

    if (!PyArg_ParseTuple(args, "Od", &source, &def.weld) ||
        path_or_bytes(source, &path, &bytes, &count))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = path ? scree_mesh_read(path, &def, &mesh, &error)
                  : scree_mesh_read_bytes(bytes, (size_t)count, NULL, &def, &mesh, &error);
    Py_END_ALLOW_THREADS;
    return mesh_finish(type, status, mesh, &error);
}

static PyObject *mesh_globe(PyObject *type, PyObject *args, PyObject *keywords)
{
    scree_globe_def def = scree_default_globe_def();
    scree_error error = {0};
    scree_mesh *mesh = NULL;

    if (!PyArg_ParseTuple(args, "") || field_fill(globe_fields, &def, keywords, "Mesh.globe"))
        return NULL;
    def.error = &error;
    scree_status status = scree_mesh_globe(&def, &mesh);
    return mesh_finish(type, status, mesh, &error);
}

/*  _hull(points, tolerance, corners) */
static PyObject *mesh_hull(PyObject *type, PyObject *args)
{
    PyObject *given;
    Py_buffer points;
    scree_hull_def def = scree_default_hull_def();
    scree_error error = {0};
    scree_mesh *mesh = NULL;
    scree_status status;

    if (!PyArg_ParseTuple(args, "Odi", &given, &def.tolerance, &def.corners) ||
        array_get(given, 'd', -1, "points", &points))
        return NULL;
    def.points = points.buf;
    def.point_count = (uint32_t)(points.len / 24);
    def.error = &error;
    Py_BEGIN_ALLOW_THREADS;
    status = scree_mesh_hull(&def, &mesh);
    Py_END_ALLOW_THREADS;
    array_done(&points);
    return mesh_finish(type, status, mesh, &error);
}

/*  _superquadric([a, b, c], [m, n], dimensions, facets) */
static PyObject *mesh_superquadric(PyObject *type, PyObject *args)
{
    scree_superquadric_def def = scree_default_superquadric_def();
    scree_error error = {0};
    scree_mesh *mesh = NULL;
    PyObject *radii, *exponents;

    if (!PyArg_ParseTuple(args, "OOiI", &radii, &exponents, &def.dimensions, &def.facets))
        return NULL;
    for (int k = 0; k < 5; k++) {
        PyObject *item = k < 3 ? PyList_GetItem(radii, k) : PyList_GetItem(exponents, k - 3);
        const double number = item ? PyFloat_AsDouble(item) : 0;
        if (PyErr_Occurred())
            return NULL;
        *(k < 3 ? &def.radii[k] : &def.exponents[k - 3]) = number;
    }
    def.error = &error;
    scree_status status = scree_mesh_superquadric(&def, &mesh);
    return mesh_finish(type, status, mesh, &error);
}

static PyObject *mesh_info(PyObject *self, PyObject *unused)
{
    scree_mesh_info info = scree_mesh_describe(((Mesh *)self)->mesh);

    (void)unused;
    return field_dict(mesh_info_fields, &info);
}

static PyObject *mesh_vertices(PyObject *self, void *unused)
{
    scree_mesh_info info = scree_mesh_describe(((Mesh *)self)->mesh);

    (void)unused;
    return array_copy("f8", info.vertices, info.vertex_count, 3, 8);
}

static PyObject *mesh_facets(PyObject *self, void *unused)
{
    scree_mesh_info info = scree_mesh_describe(((Mesh *)self)->mesh);

    (void)unused;
    return array_copy("u4", info.facets, info.facet_count, (size_t)info.corners, 4);
}

static PyObject *mesh_check(PyObject *self, PyObject *unused)
{
    scree_mesh_report report;
    scree_error error = {0};
    scree_status status;

    (void)unused;
    Py_BEGIN_ALLOW_THREADS;
    status = scree_mesh_check(((Mesh *)self)->mesh, &report, &error);
    Py_END_ALLOW_THREADS;
    return status ? raise_status(status, error.text) : field_dict(mesh_report_fields, &report);
}

static PyObject *mesh_solid(PyObject *self, PyObject *args)
{
    double density = 1;
    scree_mesh_solid solid;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "|d", &density))
        return NULL;
    scree_status status = scree_mesh_solid_of(((Mesh *)self)->mesh, density, &solid, &error);
    return status ? raise_status(status, error.text) : field_dict(solid_fields, &solid);
}

static PyObject *mesh_write(PyObject *self, PyObject *args)
{
    const char *path;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "s", &path))
        return NULL;
    scree_status status = scree_mesh_write_stl(((Mesh *)self)->mesh, path, &error);
    if (status)
        return raise_status(status, error.text);
    Py_RETURN_NONE;
}

static PyMethodDef mesh_methods[] = {
    {"_make", mesh_make, METH_VARARGS | METH_CLASS, NULL},
    {"_read", mesh_read, METH_VARARGS | METH_CLASS, NULL},
    {"_hull", mesh_hull, METH_VARARGS | METH_CLASS, NULL},
    {"_superquadric", mesh_superquadric, METH_VARARGS | METH_CLASS, NULL},
    {"globe", KEYWORDS(mesh_globe), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "A bumpy or long globe: a body to try things with. Fields of scree_globe_def."},
    {"info", mesh_info, METH_NOARGS, "Counts of vertices, facets and edges, and what was dropped."},
    {"check", mesh_check, METH_NOARGS, "What is wrong with the surface as a body."},
    {"solid", mesh_solid, METH_VARARGS, "solid(density=1): what the surface encloses."},
    {"write_stl", mesh_write, METH_VARARGS, "write_stl(path): as binary STL."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef mesh_getset[] = {
    {"vertices", mesh_vertices, NULL, "Array (n, 3), a copy.", NULL},
    {"facets", mesh_facets, NULL, "Array (m, 3) of vertices, a copy; of segments (m, 2).", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- clumps ------------------------------------------------------------------------------------------- */

static PyObject *clump_object(PyObject *type, scree_status status, scree_clump *clump,
                              const scree_error *error)
{
    if (status)
        return raise_status(status, error->text);
    Clump *self = (Clump *)object_new((PyTypeObject *)type);
    if (self)
        self->clump = clump;
    else
        scree_clump_destroy(clump);
    return (PyObject *)self;
}

static void clump_dealloc(PyObject *self)
{
    scree_clump_destroy(((Clump *)self)->clump);
    object_free(self);
}

/*  _make(pebbles (n, 4) doubles, dimensions, mass: (volume, centre 3, inertia 9) as 13 doubles or None) */
static PyObject *clump_make(PyObject *type, PyObject *args)
{
    PyObject *given, *weight;
    Py_buffer pebbles, numbers = {0};
    scree_clump_def def = scree_default_clump_def();
    scree_clump_mass mass;
    scree_error error = {0};
    scree_clump *clump = NULL;
    scree_status status;

    if (!PyArg_ParseTuple(args, "OiO", &given, &def.dimensions, &weight) ||
        array_get(given, 'd', -1, "pebbles", &pebbles))
        return NULL;
    if (array_get(weight, 'd', 13, "mass", &numbers)) {
        array_done(&pebbles);
        return NULL;
    }
    if (numbers.buf) {
        memcpy(&mass, numbers.buf, sizeof mass);
        def.mass = &mass;
    }
    def.pebbles = pebbles.buf;
    def.pebble_count = pebbles.len / 32 <= UINT32_MAX ? (uint32_t)(pebbles.len / 32) : UINT32_MAX;
    def.error = &error;
    Py_BEGIN_ALLOW_THREADS;
    status = scree_clump_create(&def, &clump);
    Py_END_ALLOW_THREADS;
    array_done(&pebbles);
    array_done(&numbers);
    return clump_object(type, status, clump, &error);
}

static PyObject *clump_fill(PyObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *mesh;
    scree_clump_fill_def def = scree_default_clump_fill_def();
    scree_error error = {0};
    scree_clump *clump = NULL;
    scree_status status;

    if (!PyArg_ParseTuple(args, "O!", Mesh_type, &mesh) ||
        field_fill(fill_fields, &def, keywords, "Clump.fill"))
        return NULL;
    def.mesh = ((Mesh *)mesh)->mesh;
    def.error = &error;
    Py_BEGIN_ALLOW_THREADS;
    status = scree_clump_fill(&def, &clump, NULL);
    Py_END_ALLOW_THREADS;
    return clump_object(type, status, clump, &error);
}

static PyObject *clump_info(PyObject *self, PyObject *unused)
{
    scree_clump_info info = scree_clump_describe(((Clump *)self)->clump);

    (void)unused;
    return field_dict(clump_info_fields, &info);
}

static PyObject *clump_pebbles(PyObject *self, void *unused)
{
    scree_clump_info info = scree_clump_describe(((Clump *)self)->clump);

    (void)unused;
    return array_copy("f8", info.pebbles, info.pebble_count, 4, 8);
}

static PyMethodDef clump_methods[] = {
    {"_make", clump_make, METH_VARARGS | METH_CLASS, NULL},
    {"fill", KEYWORDS(clump_fill), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "fill(mesh, ...): pebbles that fill a closed mesh. Fields of scree_clump_fill_def."},
    {"info", clump_info, METH_NOARGS, "Mass, centre and principal axes, of density 1."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef clump_getset[] = {
    {"pebbles", clump_pebbles, NULL, "Array (n, 4): x, y, z, radius; a copy.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int shapes_ready(PyObject *module)
{
    static PyType_Slot mesh_slots[] = {{Py_tp_dealloc, mesh_dealloc},
                                       {Py_tp_methods, mesh_methods},
                                       {Py_tp_getset, mesh_getset},
                                       {0, NULL}};
    static PyType_Spec mesh_spec = {
        "scree._scree.Mesh", sizeof(Mesh), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, mesh_slots};
    static PyType_Slot clump_slots[] = {{Py_tp_dealloc, clump_dealloc},
                                        {Py_tp_methods, clump_methods},
                                        {Py_tp_getset, clump_getset},
                                        {0, NULL}};
    static PyType_Spec clump_spec = {
        "scree._scree.Clump", sizeof(Clump), 0,
        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION, clump_slots};
    return add_type(module, "Mesh", &mesh_spec, &Mesh_type) ||
           add_type(module, "Clump", &clump_spec, &Clump_type);
}
