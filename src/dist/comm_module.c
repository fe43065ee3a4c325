/*  The module stays loaded, since threads and handlers of MPI may run until the process ends. */
#include "dist/comm_module.h"

#include "base/error.h"

#include <stdlib.h>

/*  0 if the variable is not set. */
static long number_of(const char *name)
{
    const char *text = getenv(name);

    return text ? strtol(text, NULL, 10) : 0;
}

bool scree_mpi_is_launched(void)
{
    const char *wanted = getenv("SCREE_RANKS");

    if (wanted && strcmp(wanted, "0") == 0)
        return false;
    /* Open MPI; MPICH and its derivatives; Slurm with PMIx, which also sets the number. A single process needs no
       MPI. */
    return number_of("OMPI_COMM_WORLD_SIZE") > 1 || number_of("PMI_SIZE") > 1 ||
           (getenv("PMIX_RANK") && number_of("SLURM_STEP_NUM_TASKS") > 1);
}

#ifdef SCREE_RANKS

#include <dlfcn.h>

static scree_status load(scree_mpi *mpi, scree_error *error)
{
    const char *named = getenv("SCREE_MPI_MODULE");
    const char *file = named && named[0] ? named : SCREE_COMM_FILE;
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    scree_comm_entry *entry = NULL;
    const scree_comm_module *module;

    if (!library)
        return scree_fail(
            error, SCREE_UNSUPPORTED,
            "ranks: the module for MPI cannot be opened (%.120s); build scree where MPI "
            "is installed (Debian: libopenmpi-dev), or set SCREE_RANKS=0 for runs of one process "
            "each",
            dlerror());
    void *found = dlsym(library, SCREE_COMM_ENTRY);
    /* C has no conversion from an object pointer to a function pointer */
    memcpy(&entry, &found, sizeof entry);
    module = entry ? entry() : NULL;
    if (!module || module->abi != SCREE_COMM_ABI || module->comm_bytes != sizeof(scree_comm))
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "ranks: %.120s is of another version of scree; install both from one",
                          file);
    mpi->module = module;
    return SCREE_OK;
}

#else

static scree_status load(scree_mpi *mpi, scree_error *error)
{
    (void)mpi;
    return scree_fail(error, SCREE_UNSUPPORTED,
                      "ranks: this build of scree cannot open modules, so it has no MPI");
}

#endif

scree_status scree_mpi_open(scree_mpi *mpi, scree_error *error)
{
    char why[160] = "";
    scree_status status;

    memset(mpi, 0, sizeof *mpi);
    status = load(mpi, error);
    if (status)
        return status;
    status = mpi->module->open(&mpi->comm, why, sizeof why);
    if (status) {
        mpi->module = NULL;
        return scree_fail(error, status, "ranks: MPI: %s", why);
    }
    return SCREE_OK;
}

void scree_mpi_close(scree_mpi *mpi)
{
    if (mpi->module)
        mpi->module->close(&mpi->comm);
    mpi->module = NULL;
}
