/*  VTKHDF files (UnstructuredGrid 1.0, readable by ParaView since 5.9), if scree was built with HDF5. */
#ifndef SCREE_EXPORT_VTKHDF_H
#define SCREE_EXPORT_VTKHDF_H

#include "scree/io.h"

/*  As scree_export with SCREE_EXPORT_VTP_BODIES, with the same fields. Without HDF5: SCREE_BAD_ARGUMENT, with a
    message. */
scree_status scree_export_vtkhdf(scree_world *world, const char *path,
                                 const scree_export_def *options, scree_error *error);

#endif
