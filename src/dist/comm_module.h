/*  Ranks as processes connected by MPI. The library does not link to MPI. A module, libscree_mpi.so, does, and is
    opened on request; this table is its whole interface. */
#ifndef SCREE_DIST_COMM_MODULE_H
#define SCREE_DIST_COMM_MODULE_H

#include "dist/comm.h"

/*  Incremented with every change of this table or of scree_comm. */
#define SCREE_COMM_ABI 1u
/*  The function that the module exports, and its type. */
#define SCREE_COMM_ENTRY "scree_comm_module_entry"

typedef struct scree_comm_module
{
    uint32_t abi, comm_bytes; /* SCREE_COMM_ABI, sizeof(scree_comm) */
    /* initialises MPI if necessary; `why`: reason of a failure */
    scree_status (*open)(scree_comm *comm, char *why, size_t why_bytes);
    /* finalises MPI if `open` has initialised it */
    void (*close)(scree_comm *comm);
} scree_comm_module;

typedef const scree_comm_module *scree_comm_entry(void);

/*  File name of the module; SCREE_MPI_MODULE in the environment may name another one. */
#define SCREE_COMM_FILE "libscree_mpi.so"

typedef struct scree_mpi
{
    scree_comm comm;
    const scree_comm_module *module; /* NULL: not open */
} scree_mpi;

/*  Opens the module and MPI. A process that was not started by mpirun is the only rank. SCREE_UNSUPPORTED: the
    module is missing, or has another version; statuses of the module. */
scree_status scree_mpi_open(scree_mpi *mpi, scree_error *error);
/*  Called on all ranks after the last communication. */
void scree_mpi_close(scree_mpi *mpi);

/*  Whether this process is one of several started by mpirun or an equivalent. SCREE_RANKS=0 in the environment: they
    are to run independently. */
bool scree_mpi_is_launched(void);

#endif
