/*  Ranks as processes that MPI connects. The library has no MPI in it: what does is a module, libscree_mpi.so, that is opened when it is
    asked for, and nothing but this table is known of it. */
#ifndef SCREE_DIST_COMM_MODULE_H
#define SCREE_DIST_COMM_MODULE_H

#include "dist/comm.h"

/*  Goes up with every change of this table or of scree_comm. */
#define SCREE_COMM_ABI 1u
/*  The function that the module exports, and its type. */
#define SCREE_COMM_ENTRY "scree_comm_module_entry"

typedef struct scree_comm_module
{
    uint32_t abi, comm_bytes; /* SCREE_COMM_ABI, sizeof(scree_comm) */
    /* begins MPI where it has not begun; `why`: of a failure */
    scree_status (*open)(scree_comm *comm, char *why, size_t why_bytes);
    /* ends it if `open` began it */
    void (*close)(scree_comm *comm);
} scree_comm_module;

typedef const scree_comm_module *scree_comm_entry(void);

/*  The name of the module's file; SCREE_MPI_MODULE in the environment may name another one. */
#define SCREE_COMM_FILE "libscree_mpi.so"

typedef struct scree_mpi
{
    scree_comm comm;
    const scree_comm_module *module; /* NULL: not open */
} scree_mpi;

/*  Opens the module and MPI. A process that was not started by mpirun is the only rank. SCREE_UNSUPPORTED: the module is not there, or of
    another version; what the module returns. */
scree_status scree_mpi_open(scree_mpi *mpi, scree_error *error);
/*  All ranks, when nothing is under way any more. */
void scree_mpi_close(scree_mpi *mpi);

/*  Whether this process is one of several that mpirun, or what stands for it, has started. SCREE_RANKS=0 in the environment: they are
    to know nothing of each other. */
bool scree_mpi_is_launched(void);

#endif
