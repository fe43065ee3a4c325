/*  Queries: how Python asks, and which bodies of a world are found. Those of detectors are in detector.c. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

int read_query(PyObject *args, scree_query *query)
{
    const char *kind;
    double a[3], b[3], number;
    unsigned long long groups;

    if (!PyArg_ParseTuple(args, "s(ddd)(ddd)dK", &kind, a, a + 1, a + 2, b, b + 1, b + 2, &number,
                          &groups))
        return -1;
    if (!strcmp(kind, "box"))
        *query = scree_query_box(a, b);
    else if (!strcmp(kind, "sphere"))
        *query = scree_query_sphere(a, number);
    else if (!strcmp(kind, "ray"))
        *query = scree_query_ray(a, b, number);
    else if (!strcmp(kind, "ray-first"))
        *query = scree_query_ray_first(a, b, number);
    else
        *query = scree_query_nearest(a, number > 0 && number < 4e9 ? (uint32_t)number : 0);
    query->groups = groups;
    return 0;
}

/* ---- on a world ---------------------------------------------------------------------------------------- */

/*  Hits of a query; the array of malloc grows as they come. */
typedef struct hit_list
{
    scree_body_hit *hits;
    size_t count, capacity;
    bool is_full; /* no memory for more */
} hit_list;

static int add_hit(const scree_body_hit *hit, void *user)
{
    hit_list *list = user;

    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        scree_body_hit *more = realloc(list->hits, capacity * sizeof *more);
        if (!more) {
            list->is_full = true;
            return 1;
        }
        list->hits = more;
        list->capacity = capacity;
    }
    list->hits[list->count++] = *hit;
    return 0;
}

/*  Three arrays: ids, distances, points. */
static PyObject *hit_arrays(const hit_list *list)
{
    Py_ssize_t shape[2] = {(Py_ssize_t)list->count, 3};
    Py_buffer to = {0}, far = {0}, at = {0};
    PyObject *ids = array_new("u8", 1, shape, &to);
    PyObject *distances = ids ? array_new("f8", 1, shape, &far) : NULL;
    PyObject *points = distances ? array_new("f8", 2, shape, &at) : NULL;

    for (size_t i = 0; points && i < list->count; i++) {
        const scree_body_hit *hit = &list->hits[i];
        memcpy((uint64_t *)to.buf + i, &hit->id, sizeof hit->id);
        ((double *)far.buf)[i] = hit->distance;
        memcpy((double *)at.buf + 3 * i, hit->point, sizeof hit->point);
    }
    array_done(&to);
    array_done(&far);
    array_done(&at);
    if (points)
        return Py_BuildValue("NNN", ids, distances, points);
    Py_XDECREF(ids);
    Py_XDECREF(distances);
    return NULL;
}

/*  _query(kind, a, b, number, groups): ids, distances, points. The GIL is kept: a query takes less time than most
    steps, and other threads may then wait instead of finding the world busy. */
static PyObject *world_query(PyObject *self, PyObject *args)
{
    scree_query query;
    scree_error error = {0};
    hit_list list = {0};
    PyObject *arrays = NULL;

    if (read_query(args, &query) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_query(((World *)self)->world, &query, add_hit, &list, &error);
    if (status)
        raise_status(status, error.text);
    else if (list.is_full)
        PyErr_NoMemory();
    else
        arrays = hit_arrays(&list);
    free(list.hits);
    return arrays;
}

PyMethodDef query_methods[] = {{"_query", world_query, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
