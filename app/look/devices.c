/*  scree info --devices: a row for each OpenCL device. Each is opened, its arithmetic compared with the host's, and its
    memory bandwidth measured. */
#include "app/look/devices.h"

#include "common/json.h"
#include "common/options.h"

#include "gpu/arithmetic.h"
#include "gpu/bandwidth.h"

#include <stdlib.h>

/*  What opening a device reveals. */
typedef struct device_report
{
    scree_gpu_info info;
    bool is_exact;     /* computes as the host does */
    double bandwidth;  /* bytes per second; 0: not measured */
    scree_error error; /* why it cannot be used; empty if it can */
} device_report;

static void examine(size_t number, const scree_gpu_info *info, device_report *report)
{
    char choice[32];
    scree_gpu_def def = {
        .device = choice, .is_unchecked = true, .has_profile = true, .error = &report->error};
    scree_gpu *gpu;

    *report = (device_report){.info = *info};
    snprintf(choice, sizeof choice, "gpu:%zu", number);
    if (scree_gpu_open(&def, &gpu))
        return;
    report->is_exact = scree_arithmetic_check(gpu, NULL) == SCREE_OK;
    /* a failed measurement is reported in place of the speed, unless the device has a more important defect */
    if (report->is_exact)
        (void)scree_gpu_bandwidth(gpu, &report->bandwidth);
    scree_gpu_close(gpu);
}

/* ---- text ---- */

static const char *yes_or_no(bool value)
{
    return value ? "yes" : "no";
}

static void print_row(size_t number, const device_report *report)
{
    const scree_gpu_info *info = &report->info;
    char name[32], speed[24] = "-";

    snprintf(name, sizeof name, "gpu:%zu", number);
    if (report->bandwidth > 0)
        snprintf(speed, sizeof speed, "%.1f GB/s", 1e-9 * report->bandwidth);
    printf("%-7s %-36.36s %-30.30s %-5s %-8s %8.1f GB %12s  %s\n", name, info->name, info->platform,
           yes_or_no(info->has_doubles), yes_or_no(info->has_atomics64),
           1e-9 * (double)info->memory, speed, report->is_exact ? "as the host" : "see below");
}

static void print_text(const device_report *reports, size_t count)
{
    printf("%-7s %-36s %-30s %-5s %-8s %11s %12s  %s\n", "choice", "device", "platform", "fp64",
           "atomics", "memory", "bandwidth", "arithmetic");
    for (size_t k = 0; k < count; k++)
        print_row(k, &reports[k]);
    for (size_t k = 0; k < count; k++)
        if (reports[k].error.text[0])
            printf("gpu:%zu: %s\n", k, reports[k].error.text);
}

/* ---- JSON ---- */

static void tell_device(scree_json *json, size_t number, const device_report *report)
{
    const scree_gpu_info *info = &report->info;

    scree_json_object(json, NULL);
    scree_json_count(json, "number", number);
    scree_json_text(json, "name", info->name);
    scree_json_text(json, "platform", info->platform);
    scree_json_text(json, "driver", info->driver);
    scree_json_text(json, "version", info->version);
    scree_json_flag(json, "gpu", info->is_gpu);
    scree_json_flag(json, "fp64", info->has_doubles);
    scree_json_flag(json, "atomics64", info->has_atomics64);
    scree_json_count(json, "compute_units", info->compute_units);
    scree_json_count(json, "memory", info->memory);
    scree_json_count(json, "largest_buffer", info->largest_buffer);
    scree_json_real(json, "bandwidth", report->bandwidth);
    scree_json_flag(json, "exact", report->is_exact);
    scree_json_text(json, "error", report->error.text[0] ? report->error.text : NULL);
    scree_json_end(json);
}

static void print_json(const device_report *reports, size_t count, const char *why)
{
    scree_json json = scree_json_begin(stdout, false);

    scree_json_list(&json, "devices");
    for (size_t k = 0; k < count; k++)
        tell_device(&json, k, &reports[k]);
    scree_json_end(&json);
    scree_json_text(&json, "why", why);
    scree_json_finish(&json);
}

int scree_print_devices(bool as_json)
{
    scree_gpu_devices devices = {0};
    scree_error error = {SCREE_OK, ""};
    scree_status status = scree_gpu_devices_list(NULL, NULL, &devices, &error);
    device_report *reports = NULL;
    size_t number;

    if (status && status != SCREE_UNSUPPORTED)
        return scree_status_error(status, error.text);
    if (!status && devices.count == 0)
        (void)scree_gpu_choose(&devices, NULL, &number, &error); /* for its message */
    if (devices.count > 0) {
        reports = malloc(devices.count * sizeof *reports);
        if (!reports) {
            scree_gpu_devices_free(&devices);
            return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
        }
    }
    for (size_t k = 0; k < devices.count; k++)
        examine(k, &devices.rows[k], &reports[k]);
    if (as_json)
        print_json(reports, devices.count, error.text[0] ? error.text : NULL);
    else if (devices.count > 0)
        print_text(reports, devices.count);
    else
        printf("%s\n", error.text);
    free(reports);
    scree_gpu_devices_free(&devices);
    return SCREE_EXIT_OK;
}
