/*  VTKHDF files (UnstructuredGrid 1.0, which ParaView reads since 5.9), where scree was built with HDF5. */
#ifndef SCREE_EXPORT_VTKHDF_H
#define SCREE_EXPORT_VTKHDF_H

#include "scree/io.h"

/*  As scree_export of SCREE_EXPORT_VTP_BODIES, with the same fields. Without HDF5: SCREE_BAD_ARGUMENT, in a
    sentence. */
scree_status scree_export_vtkhdf(scree_world *world, const char *path,
                                 const scree_export_def *options, scree_error *error);

#endif
