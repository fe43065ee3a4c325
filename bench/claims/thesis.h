/*  The results of E. D. Perkins' thesis (1999), GC-H1 to GC-H12 of the specification, measured
again: Test 1 and Test 2, with the methods of this library. A claim that fails is a finding,
   not an error: nature may disagree. */
#ifndef SCREE_THESIS_H
#define SCREE_THESIS_H

#include "claims/study.h"
#include "measure/contest.h"

typedef struct scree_thesis_options
{
    bool quick; /* smaller sizes and fewer runs: half a minute instead of minutes */
    uint32_t seed;
    FILE *progress; /* a line for each part; NULL: silent */
} scree_thesis_options;

/*  One curve: a method over sizes (Test 1) or size ratios (Test 2). Figures are of one step. */
#define SCREE_THESIS_MAX_POINTS 8
typedef struct scree_thesis_series
{
    const char *name, *method;
    bool naive;   /* stripe-sort as published */
    size_t limit; /* not measured above this many bodies */
    size_t count;
    double x[SCREE_THESIS_MAX_POINTS]; /* bodies, or ratio */
    double ms[SCREE_THESIS_MAX_POINTS], ms_update[SCREE_THESIS_MAX_POINTS];
    double ms_rest[SCREE_THESIS_MAX_POINTS];
    double tested[SCREE_THESIS_MAX_POINTS], pairs[SCREE_THESIS_MAX_POINTS];
    double inversions[SCREE_THESIS_MAX_POINTS];
    double spread[SCREE_THESIS_MAX_POINTS]; /* widest over narrowest run */
} scree_thesis_series;

#define SCREE_THESIS_MAX_SERIES SCREE_CONTEST_ENTRIES
typedef struct scree_thesis_set
{
    const char *title, *x_label;
    size_t series_count;
    scree_thesis_series series[SCREE_THESIS_MAX_SERIES];
} scree_thesis_set;

#define SCREE_THESIS_CLAIMS 12
typedef struct scree_thesis
{
    scree_thesis_set test1;         /* lattice of equal discs over the number of bodies */
    scree_thesis_set test2;         /* 800 discs on the lattice over the size ratio */
    scree_thesis_set even;          /* 800 discs, always about 6 neighbours, over the size ratio */
    scree_thesis_set accuracy;      /* 2000 discs of ratio 4, one point */
    uint32_t left_domain, survived; /* methods tried, and right, when bodies leave the domain */
    scree_claim claim[SCREE_THESIS_CLAIMS];
} scree_thesis;

/*  Measures all, then judges. SCREE_BAD_VALUE if methods disagree about the pairs. */
scree_status scree_thesis_run(const scree_thesis_options *options, scree_thesis *thesis,
                              scree_error *error);

/*  Fills thesis->claim from the figures; called by scree_thesis_run. */
void scree_thesis_judge(scree_thesis *thesis);

/*  NULL if the set has none of this name. */
const scree_thesis_series *scree_thesis_find(const scree_thesis_set *set, const char *name);

#endif
