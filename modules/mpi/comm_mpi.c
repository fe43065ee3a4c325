/*  The functions of scree_comm by MPI. All goes through a duplicate of the communicator, so that nothing of a host's own messages is
    taken; errors come back as statuses. Messages are cut into pieces that MPI's int can count. */
#include "dist/comm_module.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_WORDS ((size_t)1 << 27)
#define MAX_BYTES ((size_t)1 << 30)

typedef struct mpi_link
{
    MPI_Comm comm;
    bool has_begun; /* MPI was begun here */
    MPI_Request *
        requests; /* of one round of an exchange: there is room from the beginning, since a rank that
                              had none would leave the others waiting */
    size_t capacity;
} mpi_link;

static scree_status status_of(int code)
{
    int class = MPI_SUCCESS;

    if (code == MPI_SUCCESS)
        return SCREE_OK;
    MPI_Error_class(code, &class);
    return class == MPI_ERR_NO_MEM ? SCREE_OUT_OF_MEMORY : SCREE_IO_ERROR;
}

/* ---- words ---- */

static scree_status reduce(void *user, scree_reduction how, uint64_t *values, size_t count)
{
    const mpi_link *to = user;
    const MPI_Op op = how == SCREE_REDUCE_SUM   ? MPI_SUM
                      : how == SCREE_REDUCE_MIN ? MPI_MIN
                                                : MPI_MAX;
    scree_status status = SCREE_OK;

    for (size_t at = 0; at < count && !status; at += MAX_WORDS) {
        const size_t many = count - at < MAX_WORDS ? count - at : MAX_WORDS;
        status = status_of(
            MPI_Allreduce(MPI_IN_PLACE, values + at, (int)many, MPI_UINT64_T, op, to->comm));
    }
    return status;
}

static scree_status all_to_all(void *user, const uint64_t *to, uint64_t *from, size_t words)
{
    const mpi_link *with = user;

    return status_of(
        MPI_Alltoall(to, (int)words, MPI_UINT64_T, from, (int)words, MPI_UINT64_T, with->comm));
}

/* ---- messages ---- */

static size_t count_rounds(const scree_rank_message *messages, size_t count)
{
    size_t most = 0;

    for (size_t k = 0; k < count; k++) {
        const size_t pieces = (messages[k].bytes + MAX_BYTES - 1) / MAX_BYTES;
        most = pieces > most ? pieces : most;
    }
    return most;
}

/*  Begins to send or to receive the piece of a round, if the message has so many. */
static int begin(const mpi_link *with, const scree_rank_message *message, bool is_sent,
                 size_t round, int *at)
{
    const size_t from = round * MAX_BYTES;

    if (from >= message->bytes)
        return MPI_SUCCESS;
    const size_t left = message->bytes - from;
    const int many = (int)(left < MAX_BYTES ? left : MAX_BYTES), rank = (int)message->rank;
    unsigned char *data = (unsigned char *)message->data + from;
    MPI_Request *request = &with->requests[*at];
    const int code = is_sent ? MPI_Isend(data, many, MPI_BYTE, rank, 0, with->comm, request)
                             : MPI_Irecv(data, many, MPI_BYTE, rank, 0, with->comm, request);
    *at += code == MPI_SUCCESS;
    return code;
}

/*  Pieces go in rounds: both ends of a message know how many it has. Where MPI itself cannot send, nothing that has begun is waited
    for: it might never come. */
static scree_status exchange(void *user, const scree_rank_message *out, size_t out_count,
                             const scree_rank_message *in, size_t in_count)
{
    const mpi_link *with = user;
    const size_t sent = count_rounds(out, out_count), received = count_rounds(in, in_count);
    const size_t rounds = sent > received ? sent : received;
    int code = MPI_SUCCESS;

    if (out_count + in_count > with->capacity)
        return SCREE_BAD_ARGUMENT;
    for (size_t round = 0; round < rounds && code == MPI_SUCCESS; round++) {
        int at = 0;
        for (size_t k = 0; k < in_count && code == MPI_SUCCESS; k++)
            code = begin(with, &in[k], false, round, &at);
        for (size_t k = 0; k < out_count && code == MPI_SUCCESS; k++)
            code = begin(with, &out[k], true, round, &at);
        if (code == MPI_SUCCESS)
            code = MPI_Waitall(at, with->requests, MPI_STATUSES_IGNORE);
    }
    return status_of(code);
}

/* ---- beginning and end ---- */

static scree_status begin_mpi(mpi_link *with, char *why, size_t why_bytes)
{
    int is_there = 0, is_over = 0, level;

    MPI_Finalized(&is_over);
    if (is_over) {
        snprintf(why, why_bytes, "it has been ended in this process, and cannot begin again");
        return SCREE_UNSUPPORTED;
    }
    MPI_Initialized(&is_there);
    if (!is_there && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        snprintf(why, why_bytes, "MPI_Init_thread failed");
        return SCREE_IO_ERROR;
    }
    with->has_begun = !is_there;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &with->comm) != MPI_SUCCESS) {
        snprintf(why, why_bytes, "the communicator could not be duplicated");
        return SCREE_IO_ERROR;
    }
    MPI_Comm_set_errhandler(with->comm, MPI_ERRORS_RETURN);
    return SCREE_OK;
}

/*  One message to each rank and one from each. All ranks have it, or none continues. */
static scree_status reserve(mpi_link *with, size_t size, char *why, size_t why_bytes)
{
    int is_there, on_all = 0;

    with->requests = calloc(2 * size, sizeof *with->requests);
    with->capacity = 2 * size;
    is_there = with->requests != NULL;
    if (MPI_Allreduce(&is_there, &on_all, 1, MPI_INT, MPI_MIN, with->comm) == MPI_SUCCESS && on_all)
        return SCREE_OK;
    snprintf(why, why_bytes, "out of memory");
    MPI_Comm_free(&with->comm);
    if (with->has_begun)
        MPI_Finalize();
    free(with->requests);
    free(with);
    return SCREE_OUT_OF_MEMORY;
}

static scree_status open_comm(scree_comm *comm, char *why, size_t why_bytes)
{
    mpi_link *with = calloc(1, sizeof *with);
    int rank = 0, size = 1;
    scree_status status;

    if (!with) {
        snprintf(why, why_bytes, "out of memory");
        return SCREE_OUT_OF_MEMORY;
    }
    status = begin_mpi(with, why, why_bytes);
    if (status) {
        free(with);
        return status;
    }
    MPI_Comm_rank(with->comm, &rank);
    MPI_Comm_size(with->comm, &size);
    status = reserve(with, (size_t)size, why, why_bytes);
    if (status)
        return status;
    *comm = (scree_comm){.user = with,
                         .rank = (uint32_t)rank,
                         .size = (uint32_t)size,
                         .reduce = reduce,
                         .all_to_all = all_to_all,
                         .exchange = exchange};
    return SCREE_OK;
}

static void close_comm(scree_comm *comm)
{
    mpi_link *with = comm->user;
    const bool has_begun = with->has_begun;

    MPI_Comm_free(&with->comm);
    free(with->requests);
    free(with);
    if (has_begun)
        MPI_Finalize();
}

__attribute__((visibility("default"))) const scree_comm_module *scree_comm_module_entry(void);

const scree_comm_module *scree_comm_module_entry(void)
{
    static const scree_comm_module module = {.abi = SCREE_COMM_ABI,
                                             .comm_bytes = sizeof(scree_comm),
                                             .open = open_comm,
                                             .close = close_comm};

    return &module;
}
