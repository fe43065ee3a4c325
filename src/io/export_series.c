/*  A ParaView collection: the file of each time. */
#include "base/decimal.h"
#include "io/write_file.h"

#include "base/error.h"
#include "scree/io.h"

#include <math.h>

/*  Escapes characters with a meaning in XML. */
static void put_attribute(scree_file *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            scree_file_put_text(file, "&amp;");
            break;
        case '<':
            scree_file_put_text(file, "&lt;");
            break;
        case '"':
            scree_file_put_text(file, "&quot;");
            break;
        default:
            scree_file_put(file, text, 1);
        }
}

static scree_status check_frames(const char *const *files, const double *times, size_t count,
                                 scree_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!files[i])
            return scree_fail(error, SCREE_BAD_ARGUMENT, "series: file %zu is NULL", i);
        if (!isfinite(times[i]))
            return scree_fail(error, SCREE_BAD_VALUE, "series: time %zu is %g, must be finite", i,
                              times[i]);
    }
    return SCREE_OK;
}

scree_status scree_export_series(const char *path, const char *const *files, const double *times,
                                 size_t count, scree_error *error)
{
    scree_file file;
    scree_status status;
    if (!path || ((!files || !times) && count > 0))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "series: %s is NULL",
                          !path   ? "path"
                          : files ? "times"
                                  : "files");
    if ((status = check_frames(files, times, count, error)) ||
        (status = scree_file_begin(&file, path, NULL, error)))
        return status;
    scree_file_put_text(&file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" "
                               "version=\"0.1\">\n<Collection>\n");
    for (size_t i = 0; i < count && !file.status; i++) {
        char text[SCREE_REAL_TEXT];
        scree_real_to_text(times[i], text);
        scree_file_print(&file, "<DataSet timestep=\"%s\" part=\"0\" file=\"", text);
        put_attribute(&file, files[i]);
        scree_file_put_text(&file, "\"/>\n");
    }
    scree_file_put_text(&file, "</Collection>\n</VTKFile>\n");
    return scree_file_commit(&file);
}
