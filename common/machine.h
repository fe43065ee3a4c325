/*  What a page of figures says of where and when they were measured. */
#ifndef SCREE_MACHINE_H
#define SCREE_MACHINE_H

#include <stdint.h>

/*  "AMD EPYC", or "unknown processor". */
void scree_machine_processor(char name[128]);

/*  "2026-11-21" */
void scree_machine_date(char date[32]);

/*  "load 0.1 on 2 cores": how many processes want to run, over the last minute. Figures from a busy
    machine are to be told from others. */
void scree_machine_load(char text[64]);

/*  Memory that can be had without pushing others out; UINT64_MAX if nobody knows. */
uint64_t scree_machine_free_bytes(void);

/*  The most memory that this process has had at once, since its start or since the second was called; 0 if
    nobody knows. */
double scree_machine_peak_bytes(void);
void scree_machine_forget_peak(void);

/*  What may still be written to the disk that a file or folder is on, or will be; infinite if nobody knows. */
double scree_machine_disk_bytes(const char *path);
/*  0 if it is not there. */
double scree_machine_file_bytes(const char *path);

/*  Processors that are on line, at least 1. */
uint32_t scree_machine_cores(void);

#endif
