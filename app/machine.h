/*  What a page of figures says of where and when they were measured. */
#ifndef SCREE_MACHINE_H
#define SCREE_MACHINE_H

#include <stdint.h>

/*  "AMD EPYC", or "unknown processor". */
void scree_machine_processor(char name[128]);

/*  "2026-11-21" */
void scree_machine_date(char date[32]);

/*  Memory that can be had without pushing others out; UINT64_MAX if nobody knows. */
uint64_t scree_machine_free_bytes(void);

/*  Processors that are on line, at least 1. */
uint32_t scree_machine_cores(void);

#endif
