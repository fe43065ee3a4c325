/*  scree-bench peers in four parts: what is asked for, calling one peer under limits, measuring all of
    them case by case, and what is printed and written. */
#ifndef SCREE_BENCH_PEERS_H
#define SCREE_BENCH_PEERS_H

#include "app/bench/verbs.h"
#include "measure/measure.h"

#define SCREE_PEER_NAME 40
#define SCREE_PEER_NOTE 120
#define SCREE_PEER_ENTRIES 64
#define SCREE_PEER_CASES 256
#define SCREE_PEER_STEPS 1000

/* ---- calling ---- */

/*  Most peers have no reason to write a file. */
#define SCREE_PEER_FILE_BYTES ((uint64_t)1 << 20)

typedef struct scree_peer_limits
{
    double seconds;
    uint64_t bytes;      /* of address space */
    uint64_t file_bytes; /* of each file it writes */
} scree_peer_limits;

/*  Room for the longest answer: a checksum a step. */
#define SCREE_PEER_TEXT (SCREE_PEER_STEPS * 17 + 1024)

/*  Runs a program and keeps what it prints. False if it did not end by itself with 0, or printed more
    than there is room for; then `why` says what happened. argv[0] is the program. */
bool scree_peer_call(char *const *argv, const scree_peer_limits *limits, char text[SCREE_PEER_TEXT],
                     char why[SCREE_PEER_NOTE]);

/* ---- measuring ---- */

/*  One way to use a library, or a method of scree. */
typedef struct scree_peer_entry
{
    char package[SCREE_PEER_NAME], name[SCREE_PEER_NAME], settings[SCREE_PEER_NOTE];
    bool is_scree, only_moving;
} scree_peer_entry;

/*  What one entry did in one case. Times are seconds: of a build and search, the median of the
    repeats; or of a step, the mean. */
typedef struct scree_peer_figures
{
    bool measured;
    char note[SCREE_PEER_NOTE]; /* why it was not */
    double sec, build, find, filter, median, worst, bytes, pairs;
    uint32_t runs; /* repeats or steps */
} scree_peer_figures;

typedef struct scree_peer_case
{
    char scene[SCREE_PEER_NAME], motion[SCREE_PEER_NAME];
    uint64_t n;
    scree_peer_figures figures[SCREE_PEER_ENTRIES];
} scree_peer_case;

typedef struct scree_peer_job
{
    const char *programs, *out;
    const char *wanted; /* names of libraries and variants with commas; NULL: all */
    scree_peer_limits limits;
    uint64_t seed, repeats, steps;
    int format;
    scree_peer_entry entry[SCREE_PEER_ENTRIES]; /* the first is what all are compared with */
    size_t entry_count;
    scree_peer_case *cases; /* in order of size within a scene and motion */
    size_t case_count;
    char missing[512]; /* libraries that are not there */
    char versions[512];
    char load[64]; /* of the machine, before */
} scree_peer_job;

/*  Asks each program what it offers; those that are not there are named on stderr. An exit code. */
int scree_peers_find(scree_peer_job *job);

/*  All entries on one case. SCREE_EXIT_CHECK if one finds other pairs. */
int scree_peers_measure(scree_peer_job *job, size_t index);

/* ---- showing ---- */

/*  One case as a table on stdout; all cases as CSV or JSON. Exit codes. */
int scree_peers_print_case(const scree_peer_job *job, size_t index);
int scree_peers_print_all(const scree_peer_job *job, int format, FILE *out);

/*  peers.md, peers.csv and a chart for each number of bodies, into a folder. An exit code. */
int scree_peers_write(const scree_peer_job *job, const char *folder);

/*  Ends with NULL. */
extern const char *const scree_peer_libraries[];

#endif
