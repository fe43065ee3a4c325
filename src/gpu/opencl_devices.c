/*  Lists devices and their capabilities, and finds the one that a user names. */
#include "gpu/opencl_internal.h"

#include <inttypes.h>
#include <string.h>

/* ---- iteration over all devices ---- */

static scree_status refuse_listing(int32_t code, scree_error *error)
{
    return scree_fail(error, SCREE_DEVICE_ERROR, "cannot list the OpenCL devices: %s (error %d)",
                      scree_opencl_error_name(code), (int)code);
}

#define MAX_PLATFORMS 32u
#define MAX_DEVICES 64u

static scree_status each_of_platform(scree_opencl_system *system, scree_cl_platform_id platform,
                                     scree_gpu_seen_fn *seen, void *user, scree_error *error)
{
    scree_cl_device_id devices[MAX_DEVICES];
    uint32_t count = 0;
    int32_t code;
    scree_status status = SCREE_OK;

    SCREE_GPU_CALL(code, system, clGetDeviceIDs, platform, SCREE_CL_DEVICE_TYPE_ALL, MAX_DEVICES,
                   devices, &count);
    if (code == SCREE_CL_DEVICE_NOT_FOUND)
        return SCREE_OK;
    if (code)
        return refuse_listing(code, error);
    for (uint32_t k = 0; k < count && k < MAX_DEVICES && !status; k++)
        status = seen(user, platform, devices[k]);
    return status;
}

scree_status scree_gpu_each_device(scree_opencl_system *system, scree_gpu_seen_fn *seen, void *user,
                                   scree_error *error)
{
    scree_cl_platform_id platforms[MAX_PLATFORMS];
    uint32_t count = 0;
    int32_t code;
    scree_status status = SCREE_OK;

    SCREE_GPU_CALL(code, system, clGetPlatformIDs, MAX_PLATFORMS, platforms, &count);
    if (code == SCREE_CL_PLATFORM_NOT_FOUND_KHR)
        return SCREE_OK;
    if (code)
        return refuse_listing(code, error);
    for (uint32_t k = 0; k < count && k < MAX_PLATFORMS && !status; k++)
        status = each_of_platform(system, platforms[k], seen, user, error);
    return status;
}

/* ---- capabilities of a device ---- */

/*  Text that is too long is truncated. */
static void keep_text(const char *text, size_t length, char *to, size_t bytes)
{
    size_t kept = length < bytes ? length : bytes - 1;

    memcpy(to, text, kept);
    to[kept] = '\0';
}

#define MAX_TEXT 1024u

static int32_t read_text(scree_opencl_system *system, scree_cl_device_id device, uint32_t what,
                         char *to, size_t bytes)
{
    char text[MAX_TEXT];
    size_t length = 0;
    int32_t code;

    SCREE_GPU_CALL(code, system, clGetDeviceInfo, device, what, sizeof text, text, &length);
    if (!code)
        keep_text(text, length, to, bytes);
    return code;
}

static int32_t read_platform(scree_opencl_system *system, scree_cl_platform_id platform, char *to,
                             size_t bytes)
{
    char text[MAX_TEXT];
    size_t length = 0;
    int32_t code;

    SCREE_GPU_CALL(code, system, clGetPlatformInfo, platform, SCREE_CL_PLATFORM_NAME, sizeof text,
                   text, &length);
    if (!code)
        keep_text(text, length, to, bytes);
    return code;
}

static int32_t read_number(scree_opencl_system *system, scree_cl_device_id device, uint32_t what,
                           void *to, size_t bytes)
{
    int32_t code;

    SCREE_GPU_CALL(code, system, clGetDeviceInfo, device, what, bytes, to, NULL);
    return code;
}

/*  Whether a list of words contains this one. */
static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/*  The list of extensions may be of any length: several kilobytes with some drivers. */
static int32_t read_extensions(scree_opencl_system *system, scree_cl_device_id device,
                               scree_memory *memory, scree_gpu_info *info)
{
    size_t bytes = 0;
    char *words = NULL;
    int32_t code;

    SCREE_GPU_CALL(code, system, clGetDeviceInfo, device, SCREE_CL_DEVICE_EXTENSIONS, 0, NULL,
                   &bytes);
    if (code || bytes == 0)
        return code;
    if (scree_memory_take(memory, bytes, 1, &words))
        return SCREE_CL_OUT_OF_HOST_MEMORY;
    SCREE_GPU_CALL(code, system, clGetDeviceInfo, device, SCREE_CL_DEVICE_EXTENSIONS, bytes, words,
                   NULL);
    if (!code) {
        words[bytes - 1] = '\0';
        info->has_atomics64 = has_word(words, "cl_khr_int64_base_atomics");
    }
    scree_memory_give(memory, &words, bytes, 1);
    return code;
}

static int32_t read_info(scree_opencl_system *system, scree_cl_platform_id platform,
                         scree_cl_device_id device, scree_memory *memory, scree_gpu_info *info)
{
    const uint64_t wanted = SCREE_CL_FP_DENORM | SCREE_CL_FP_ROUND_TO_NEAREST;
    uint64_t type = 0, doubles = 0;
    uint32_t available = 0, compiler = 0;
    const struct
    {
        uint32_t what;
        void *to;
        size_t bytes;
    } numbers[] = {
        {SCREE_CL_DEVICE_TYPE, &type, sizeof type},
        {SCREE_CL_DEVICE_AVAILABLE, &available, sizeof available},
        {SCREE_CL_DEVICE_COMPILER_AVAILABLE, &compiler, sizeof compiler},
        {SCREE_CL_DEVICE_MAX_COMPUTE_UNITS, &info->compute_units, sizeof info->compute_units},
        {SCREE_CL_DEVICE_MAX_WORK_GROUP_SIZE, &info->max_local, sizeof info->max_local},
        {SCREE_CL_DEVICE_GLOBAL_MEM_SIZE, &info->memory, sizeof info->memory},
        {SCREE_CL_DEVICE_LOCAL_MEM_SIZE, &info->local_memory, sizeof info->local_memory},
        {SCREE_CL_DEVICE_MAX_MEM_ALLOC_SIZE, &info->largest_buffer, sizeof info->largest_buffer}};
    int32_t code;

    memset(info, 0, sizeof *info);
    code = read_platform(system, platform, info->platform, sizeof info->platform);
    for (size_t k = 0; !code && k < SCREE_COUNT_OF(numbers); k++)
        code = read_number(system, device, numbers[k].what, numbers[k].to, numbers[k].bytes);
    if (!code)
        code = read_text(system, device, SCREE_CL_DEVICE_NAME, info->name, sizeof info->name);
    if (!code)
        code =
            read_text(system, device, SCREE_CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    if (!code)
        code =
            read_text(system, device, SCREE_CL_DEVICE_VERSION, info->version, sizeof info->version);
    if (!code)
        code = read_extensions(system, device, memory, info);
    /* devices of OpenCL 1.1 without doubles do not know this query */
    if (!code &&
        read_number(system, device, SCREE_CL_DEVICE_DOUBLE_FP_CONFIG, &doubles, sizeof doubles))
        doubles = 0;
    info->is_gpu = (type & SCREE_CL_DEVICE_TYPE_GPU) != 0;
    info->is_available = available != 0;
    info->has_compiler = compiler != 0;
    info->has_doubles = (doubles & wanted) == wanted;
    return code;
}

/* ---- the list ---- */

typedef struct listing
{
    scree_opencl_system *system;
    scree_memory *memory;
    scree_gpu_devices *devices;
    size_t capacity;
    scree_error *error;
} listing;

static scree_status add_device(void *user, scree_cl_platform_id platform, scree_cl_device_id device)
{
    listing *list = user;
    scree_gpu_devices *devices = list->devices;
    int32_t code;

    if (scree_memory_reserve(list->memory, &devices->rows, &list->capacity, devices->count + 1,
                             sizeof *devices->rows))
        return scree_fail(list->error, SCREE_OUT_OF_MEMORY, "no memory for the list of devices");
    code = read_info(list->system, platform, device, list->memory, &devices->rows[devices->count]);
    if (code)
        return refuse_listing(code, list->error);
    devices->count++;
    return SCREE_OK;
}

/*  An array of exactly `count` rows, since the allocator needs the size when it is freed. */
static scree_status fit_rows(listing *list)
{
    scree_gpu_devices *devices = list->devices;
    scree_gpu_info *rows = NULL;

    if (scree_memory_take(list->memory, devices->count, sizeof *rows, &rows))
        return scree_fail(list->error, SCREE_OUT_OF_MEMORY, "no memory for the list of devices");
    if (rows)
        memcpy(rows, devices->rows, devices->count * sizeof *rows);
    scree_memory_give(list->memory, &devices->rows, list->capacity, sizeof *rows);
    devices->rows = rows;
    list->capacity = devices->count;
    return SCREE_OK;
}

scree_status scree_gpu_devices_list(const scree_allocator *allocator, scree_gpu_fault *fault,
                                    scree_gpu_devices *devices, scree_error *error)
{
    scree_opencl_system system = {.fault = fault};
    scree_memory memory;
    listing list = {&system, &memory, devices, 0, error};
    scree_status status;

    memset(devices, 0, sizeof *devices);
    if (scree_memory_init(&memory, allocator))
        return scree_fail(error, SCREE_BAD_DEF, "allocator has some functions, not all");
    devices->allocator = memory.allocator;
    status = scree_opencl_load(&system.api, error);
    if (!status)
        status = scree_gpu_each_device(&system, add_device, &list, error);
    if (!status)
        status = fit_rows(&list);
    if (status) {
        scree_memory_give(&memory, &devices->rows, list.capacity, sizeof *devices->rows);
        devices->count = 0;
    }
    return status;
}

void scree_gpu_devices_free(scree_gpu_devices *devices)
{
    if (devices->rows)
        devices->allocator.release(devices->rows, devices->count * sizeof *devices->rows,
                                   devices->allocator.user);
    devices->rows = NULL;
    devices->count = 0;
}

/* ---- choosing ---- */

const char *scree_gpu_lacks(const scree_gpu_info *info)
{
    if (!info->is_available)
        return "the driver says that it is not available";
    if (!info->has_compiler)
        return "a compiler of kernels";
    if (!info->has_doubles)
        return "doubles (fp64) with denormals";
    if (!info->has_atomics64)
        return "64-bit atomics (cl_khr_int64_base_atomics)";
    return NULL;
}

static char small_letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool contains(const char *name, const char *part)
{
    for (; *name; name++) {
        size_t k = 0;
        while (part[k] && small_letter(name[k]) == small_letter(part[k]))
            k++;
        if (!part[k])
            return true;
    }
    return false;
}

/*  "gpu:12" to 12; SIZE_MAX if it is not a number. */
static size_t number_of(const char *digits)
{
    size_t number = 0;

    if (!*digits)
        return SIZE_MAX;
    for (; *digits; digits++) {
        if (*digits < '0' || *digits > '9' || number > 100000)
            return SIZE_MAX;
        number = number * 10 + (size_t)(*digits - '0');
    }
    return number;
}

/*  The first device with all capabilities, a GPU if there is one. */
static size_t first_usable(const scree_gpu_devices *devices)
{
    for (int want_gpu = 1; want_gpu >= 0; want_gpu--)
        for (size_t k = 0; k < devices->count; k++)
            if ((devices->rows[k].is_gpu || !want_gpu) && !scree_gpu_lacks(&devices->rows[k]))
                return k;
    return SIZE_MAX;
}

static scree_status refuse_all(const scree_gpu_devices *devices, scree_error *error)
{
    if (devices->count == 0)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "OpenCL is there but has no device: install a driver (Debian: "
                          "pocl-opencl-icd, or that of your GPU)");
    return scree_fail(error, SCREE_UNSUPPORTED,
                      "no device can compute worlds: the first, %.60s, lacks %s",
                      devices->rows[0].name, scree_gpu_lacks(&devices->rows[0]));
}

static size_t find_name(const scree_gpu_devices *devices, const char *part)
{
    for (size_t k = 0; k < devices->count; k++)
        if (contains(devices->rows[k].name, part))
            return k;
    return SIZE_MAX;
}

scree_status scree_gpu_choose(const scree_gpu_devices *devices, const char *choice, size_t *number,
                              scree_error *error)
{
    const char *word = choice ? choice : "gpu", *lacking;
    bool is_numbered = strncmp(word, "gpu:", 4) == 0, is_any = strcmp(word, "gpu") == 0;
    size_t found;

    if (devices->count == 0)
        return refuse_all(devices, error);
    if (is_any)
        found = first_usable(devices);
    else
        found = is_numbered ? number_of(word + 4) : find_name(devices, word);
    if (is_any && found == SIZE_MAX)
        return refuse_all(devices, error);
    if (!*word || found >= devices->count)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "no device \"%.60s\": there are gpu:0 to gpu:%zu, the first is %.60s; "
                          "see scree info --devices",
                          word, devices->count - 1, devices->rows[0].name);
    lacking = scree_gpu_lacks(&devices->rows[found]);
    if (lacking)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "device gpu:%zu, %.60s, cannot compute worlds: it lacks %s", found,
                          devices->rows[found].name, lacking);
    *number = found;
    return SCREE_OK;
}
