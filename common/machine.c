/*  Linux provides text files for this; elsewhere the answers are "unknown". */
#include "common/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/*  The text after "KEY", blanks and a colon, of the first such line. Returns false if there is none. */
static bool find_line(const char *path, const char *key, char value[128])
{
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        found = strncmp(line, key, strlen(key)) == 0 && colon;
        if (found) {
            colon += 1 + strspn(colon + 1, " \t");
            snprintf(value, 128, "%.*s", (int)strcspn(colon, "\n"), colon);
        }
    }
    if (file)
        fclose(file);
    return found;
}

void scree_machine_processor(char name[128])
{
    if (!find_line("/proc/cpuinfo", "model name", name))
        snprintf(name, 128, "unknown processor");
}

void scree_machine_date(char date[32])
{
    time_t now = time(NULL);
    struct tm day;
    if (!gmtime_r(&now, &day) || strftime(date, 32, "%Y-%m-%d", &day) == 0)
        snprintf(date, 32, "unknown day");
}

void scree_machine_load(char text[64])
{
    double load = 0;
    FILE *file = fopen("/proc/loadavg", "r");
    if (file && fscanf(file, "%lf", &load) == 1)
        snprintf(text, 64, "load %.1f on %u cores", load, scree_machine_cores());
    else
        snprintf(text, 64, "%u cores, load unknown", scree_machine_cores());
    if (file)
        fclose(file);
}

uint64_t scree_machine_free_bytes(void)
{
    char value[128];
    uint64_t kilobytes;
    if (!find_line("/proc/meminfo", "MemAvailable", value) ||
        sscanf(value, "%" SCNu64, &kilobytes) != 1)
        return UINT64_MAX;
    return kilobytes * 1024;
}

double scree_machine_peak_bytes(void)
{
    char value[128];
    uint64_t kilobytes;
    if (!find_line("/proc/self/status", "VmHWM", value) ||
        sscanf(value, "%" SCNu64, &kilobytes) != 1)
        return 0;
    return 1024.0 * (double)kilobytes;
}

void scree_machine_forget_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file)
        return;
    /* if the kernel refuses, the peak includes all that came before */
    fputs("5", file);
    fclose(file);
}

double scree_machine_disk_bytes(const char *path)
{
    struct statvfs disk;
    char place[4096];

    if (snprintf(place, sizeof place, "%s", path) >= (int)sizeof place)
        return INFINITY;
    while (statvfs(place, &disk) != 0) {
        char *cut = strrchr(place, '/');
        if (errno != ENOENT || strcmp(place, ".") == 0)
            return INFINITY;
        /* the nearest parent folder that exists */
        if (!cut)
            strcpy(place, ".");
        else
            cut[cut == place] = 0;
    }
    return (double)disk.f_bavail * (double)disk.f_frsize;
}

double scree_machine_file_bytes(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (double)found.st_size : 0;
}

uint32_t scree_machine_cores(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (uint32_t)cores;
}
