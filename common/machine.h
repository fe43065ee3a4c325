/*  The machine and the date, for pages of measurements. */
#ifndef SCREE_MACHINE_H
#define SCREE_MACHINE_H

#include <stdint.h>

/*  "AMD EPYC", or "unknown processor". */
void scree_machine_processor(char name[128]);

/*  "2026-11-21" */
void scree_machine_date(char date[32]);

/*  "load 0.1 on 2 cores": the number of runnable processes, averaged over the last minute, so that measurements on a busy
    machine can be recognised. */
void scree_machine_load(char text[64]);

/*  Memory available without swapping, in bytes; UINT64_MAX if unknown. */
uint64_t scree_machine_free_bytes(void);

/*  Peak memory of this process since its start, or since the last call of scree_machine_forget_peak; 0 if unknown. */
double scree_machine_peak_bytes(void);
void scree_machine_forget_peak(void);

/*  Free space on the disk of a file or folder, which need not exist yet; infinite if unknown. */
double scree_machine_disk_bytes(const char *path);
/*  0 if the file does not exist. */
double scree_machine_file_bytes(const char *path);

/*  Number of processors that are online, at least 1. */
uint32_t scree_machine_cores(void);

#endif
