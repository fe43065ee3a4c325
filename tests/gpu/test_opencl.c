/*  The runtime: lists, choices, buffers, programs, and every call failing in turn. */
#include "device.h"

#include "gpu/arithmetic.h"
#include "gpu/kernel_text.h"

static void check_text(const char *text, const char *part)
{
    if (!strstr(text, part))
        FAIL("\"%s\" does not say \"%s\"", text, part);
}

/* ---- which devices there are ---- */

TEST(devices_are_listed_with_what_they_can_do)
{
    scree_gpu_devices devices;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_gpu_devices_list(NULL, NULL, &devices, &error), SCREE_OK);
    CHECK(devices.count > 0);
    for (size_t k = 0; k < devices.count; k++) {
        const scree_gpu_info *info = &devices.rows[k];
        CHECK(info->name[0] && info->platform[0] && info->driver[0] && info->version[0]);
        CHECK(info->memory > 0 && info->largest_buffer > 0 && info->compute_units > 0);
        CHECK(info->max_local > 0 && info->largest_buffer <= info->memory);
    }
    scree_gpu_devices_free(&devices);
}

static const scree_gpu_info made_up[] = {
    {.name = "Toy one",
     .is_gpu = true,
     .is_available = true,
     .has_compiler = true,
     .has_atomics64 = true},
    {.name = "Slow CPU",
     .is_available = true,
     .has_compiler = true,
     .has_doubles = true,
     .has_atomics64 = true},
    {.name = "Quick two",
     .is_gpu = true,
     .is_available = true,
     .has_compiler = true,
     .has_doubles = true,
     .has_atomics64 = true},
    {.name = "No atomics",
     .is_gpu = true,
     .is_available = true,
     .has_compiler = true,
     .has_doubles = true},
    {.name = "Off",
     .is_gpu = true,
     .has_compiler = true,
     .has_doubles = true,
     .has_atomics64 = true},
    {.name = "Dumb",
     .is_gpu = true,
     .is_available = true,
     .has_doubles = true,
     .has_atomics64 = true},
};

static size_t chosen(size_t count, const char *choice, const char *refusal)
{
    scree_gpu_devices devices = {.count = count};
    scree_error error = {SCREE_OK, ""};
    size_t number = 99;
    scree_status status;
    scree_gpu_info rows[6];

    memcpy(rows, made_up, sizeof rows);
    devices.rows = rows;
    status = scree_gpu_choose(&devices, choice, &number, &error);
    if (refusal) {
        CHECK_EQUAL(status, SCREE_UNSUPPORTED);
        check_text(error.text, refusal);
        CHECK_EQUAL(number, (size_t)99);
    } else
        CHECK_EQUAL(status, SCREE_OK);
    return number;
}

TEST(a_word_chooses_a_device_or_is_refused_with_what_there_is)
{
    CHECK_EQUAL(chosen(6, "gpu", NULL), (size_t)2);
    CHECK_EQUAL(chosen(6, NULL, NULL), (size_t)2);
    CHECK_EQUAL(chosen(2, "gpu", NULL), (size_t)1);
    CHECK_EQUAL(chosen(6, "gpu:1", NULL), (size_t)1);
    CHECK_EQUAL(chosen(6, "QUICK", NULL), (size_t)2);
    CHECK_EQUAL(chosen(6, "cpu", NULL), (size_t)1);
    chosen(6, "gpu:6", "no device \"gpu:6\": there are gpu:0 to gpu:5");
    chosen(6, "gpu:", "no device");
    chosen(6, "gpu:1x", "no device");
    chosen(6, "gpu:99999999999999999999999", "no device");
    chosen(6, "", "no device \"\"");
    chosen(6, "nothing like it", "no device");
    chosen(6, "gpu:0", "it lacks doubles");
    chosen(6, "gpu:3", "it lacks 64-bit atomics");
    chosen(6, "gpu:4", "not available");
    chosen(6, "dumb", "a compiler");
    chosen(1, "gpu", "no device can compute worlds: the first, Toy one, lacks doubles");
    chosen(0, "gpu", "has no device");
}

/* ---- buffers ---- */

TEST(what_is_written_is_read_back)
{
    scree_error error;
    scree_gpu *gpu = open_device(&error);
    scree_gpu_buffer a = {0}, b = {0};
    uint32_t sent[100], got[100];

    for (uint32_t i = 0; i < 100; i++)
        sent[i] = i * i + 7;
    CHECK_EQUAL(scree_gpu_reserve(gpu, &a, sizeof sent, "a"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_reserve(gpu, &b, sizeof sent, "b"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_bytes(gpu), (uint64_t)(2 * sizeof sent));
    CHECK_EQUAL(scree_gpu_write(gpu, &a, 0, sent, sizeof sent), SCREE_OK);
    CHECK_EQUAL(scree_gpu_fill(gpu, &b, 0, sizeof sent, 5), SCREE_OK);
    CHECK_EQUAL(scree_gpu_copy(gpu, &a, 40, &b, 80, 160), SCREE_OK);
    CHECK_EQUAL(scree_gpu_read(gpu, &b, 0, got, sizeof got), SCREE_OK);
    for (uint32_t i = 0; i < 100; i++)
        CHECK_EQUAL(got[i], i >= 20 && i < 60 ? sent[i - 10] : 5);
    /* growing keeps what there is, a smaller wish changes nothing */
    CHECK_EQUAL(scree_gpu_grow(gpu, &a, 4000, "a"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_grow(gpu, &a, 8, "a"), SCREE_OK);
    CHECK_EQUAL(a.bytes, (size_t)4000);
    CHECK_EQUAL(scree_gpu_read(gpu, &a, 0, got, sizeof got), SCREE_OK);
    CHECK(memcmp(got, sent, sizeof got) == 0);
    CHECK_EQUAL(scree_gpu_bytes(gpu), (uint64_t)(4000 + sizeof sent));
    scree_gpu_free(gpu, &a);
    scree_gpu_free(gpu, &b);
    scree_gpu_free(gpu, &b);
    CHECK_EQUAL(scree_gpu_bytes(gpu), (uint64_t)0);
    CHECK_EQUAL(scree_gpu_max_bytes(gpu), (uint64_t)(4000 + 2 * sizeof sent));
    scree_gpu_close(gpu);
}

TEST(bytes_outside_a_buffer_are_refused)
{
    scree_error error;
    scree_gpu *gpu = open_device(&error);
    scree_gpu_buffer a = {0};
    char bytes[64] = {0};

    CHECK_EQUAL(scree_gpu_reserve(gpu, &a, 0, "a"), SCREE_OK);
    CHECK_EQUAL(a.bytes, (size_t)16);
    CHECK_EQUAL(scree_gpu_write(gpu, &a, 0, bytes, 17), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_gpu_read(gpu, &a, 17, bytes, 0), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_gpu_fill(gpu, &a, 12, SIZE_MAX, 0), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_gpu_copy(gpu, &a, 0, &a, 8, 12), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_gpu_write(gpu, &a, 16, bytes, 0), SCREE_OK);
    scree_gpu_free(gpu, &a);
    scree_gpu_close(gpu);
}

TEST(memory_that_is_not_there_is_refused_with_the_number)
{
    scree_error error = {SCREE_OK, ""};
    scree_gpu_def def = {.budget = 1000, .error = &error, .is_unchecked = true};
    scree_gpu_buffer a = {0}, b = {0}, kept;
    scree_gpu *gpu;

    CHECK_EQUAL(scree_gpu_open(&def, &gpu), SCREE_OK);
    CHECK_EQUAL(scree_gpu_reserve(gpu, &a, 600, "places"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_reserve(gpu, &b, 500, "velocities"), SCREE_OUT_OF_MEMORY);
    check_text(error.text, "\"velocities\" needs 500 bytes");
    check_text(error.text, "in addition to 600 allocated");
    check_text(error.text, "1000 of the budget");
    CHECK(!b.memory);
    CHECK_EQUAL(scree_gpu_bytes(gpu), (uint64_t)600);
    /* one that need not keep its content may be larger than half of the budget, one that must may not */
    kept = a;
    CHECK_EQUAL(scree_gpu_grow(gpu, &a, 800, "places"), SCREE_OUT_OF_MEMORY);
    CHECK(a.memory == kept.memory && a.bytes == kept.bytes);
    CHECK_EQUAL(scree_gpu_reserve(gpu, &a, 1000, "places"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_reserve(gpu, &a, SIZE_MAX, "places"), SCREE_OUT_OF_MEMORY);
    check_text(error.text, "in one block");
    CHECK_EQUAL(scree_gpu_reserve(gpu, &a, SIZE_MAX - 5, "places"), SCREE_OUT_OF_MEMORY);
    CHECK_EQUAL(scree_gpu_bytes(gpu), (uint64_t)1000);
    scree_gpu_free(gpu, &a);
    scree_gpu_close(gpu);
}

/* ---- programs ---- */

static const char doubling[] =
    "kernel void doubled(const uint n, global uint *a, const uint more, local uint *work)\n"
    "{\n"
    "    const uint i = get_global_id(0);\n"
    "    work[get_local_id(0)] = i < n ? a[i] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (i < n) a[i] = 2 * work[get_local_id(0)] + more;\n"
    "}\n";

TEST(a_kernel_runs_over_all_items_and_is_measured)
{
    scree_error error = {SCREE_OK, ""};
    scree_gpu_def def = {.has_profile = true, .error = &error, .is_unchecked = true};
    scree_gpu_program program;
    scree_gpu_kernel kernel;
    scree_gpu_buffer a = {0};
    scree_gpu_time time;
    uint32_t got[1000], n = 1000, more = 3;
    scree_gpu *gpu;

    CHECK_EQUAL(scree_gpu_open(&def, &gpu), SCREE_OK);
    CHECK_EQUAL(scree_gpu_build_text(gpu, "doubling", doubling, "-DX=1", &program), SCREE_OK);
    CHECK_EQUAL(scree_gpu_kernel_make(gpu, &program, "doubled", &kernel), SCREE_OK);
    CHECK_EQUAL(scree_gpu_reserve(gpu, &a, sizeof got, "a"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_fill(gpu, &a, 0, sizeof got, 1), SCREE_OK);
    for (int k = 0; k < 600; k++) {
        const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(n), SCREE_GPU_BUFFER(a),
                                                SCREE_GPU_VALUE(more),
                                                SCREE_GPU_LOCAL(64 * sizeof(uint32_t))};
        CHECK_EQUAL(scree_gpu_launch(gpu, &kernel, k < 5 ? n : 1, 64, arguments, 4), SCREE_OK);
        n = k < 4 ? 1000 : 0;
    }
    CHECK_EQUAL(scree_gpu_launch(gpu, &kernel, 0, 64, NULL, 0), SCREE_OK);
    CHECK_EQUAL(scree_gpu_finish(gpu), SCREE_OK);
    CHECK_EQUAL(scree_gpu_read(gpu, &a, 0, got, sizeof got), SCREE_OK);
    for (uint32_t i = 0; i < 1000; i++)
        CHECK_EQUAL(got[i], (uint32_t)(32 + 31 * 3));
    CHECK(scree_gpu_profile(gpu, 0, &time));
    CHECK_TEXT(time.kernel, "doubled");
    CHECK_EQUAL(time.launches, (uint64_t)600);
    CHECK(time.seconds > 0);
    CHECK(!scree_gpu_profile(gpu, 1, &time));
    scree_gpu_profile_clear(gpu);
    CHECK(scree_gpu_profile(gpu, 0, &time) && time.launches == 0);
    CHECK_EQUAL(scree_gpu_launch(gpu, &kernel, 1, kernel.max_local + 1, NULL, 0),
                SCREE_UNSUPPORTED);
    check_text(error.text, "kernel doubled runs in groups of");
    /* arguments that are missing */
    CHECK_EQUAL(scree_gpu_launch(gpu, &kernel, 1, 0, NULL, 0), SCREE_UNSUPPORTED);
    scree_gpu_free(gpu, &a);
    scree_gpu_kernel_free(gpu, &kernel);
    scree_gpu_program_free(gpu, &program);
    scree_gpu_close(gpu);
}

TEST(a_text_that_does_not_compile_is_refused_with_the_line)
{
    scree_error error = {SCREE_OK, ""};
    scree_gpu *gpu = open_device(&error);
    scree_gpu_program program;
    scree_gpu_kernel kernel;

    scree_gpu_say_to(gpu, &error);
    CHECK_TEXT(scree_gpu_build_log(gpu), "");
    CHECK_EQUAL(scree_gpu_build_text(gpu, "wrong",
                                     "kernel void f(global int *a)\n{ a[0] = nowhere; }\n", NULL,
                                     &program),
                SCREE_DEVICE_ERROR);
    CHECK(!program.program);
    check_text(error.text, "cannot compile \"wrong\" (CL_BUILD_PROGRAM_FAILURE)");
    check_text(error.text, "error");
    check_text(scree_gpu_build_log(gpu), "nowhere");
    CHECK_EQUAL(scree_gpu_build_text(gpu, "doubling", doubling, NULL, &program), SCREE_OK);
    CHECK_TEXT(scree_gpu_build_log(gpu), "");
    CHECK_EQUAL(scree_gpu_kernel_make(gpu, &program, "tripled", &kernel), SCREE_DEVICE_ERROR);
    check_text(error.text, "tripled: CL_INVALID_KERNEL_NAME");
    CHECK(!kernel.kernel);
    scree_gpu_program_free(gpu, &program);
    CHECK_EQUAL(scree_gpu_build(gpu, "gpu/none.cl", NULL, &program), SCREE_UNSUPPORTED);
    check_text(error.text, "gpu/none.cl");
    scree_gpu_close(gpu);
}

TEST(texts_are_found_by_name_and_joined)
{
    scree_memory memory;
    char *text;
    size_t bytes;

    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    CHECK(scree_kernel_text("gpu/arithmetic.cl") != NULL);
    CHECK(scree_kernel_text("gpu/arithmetic") == NULL);
    CHECK_EQUAL(scree_kernel_text_whole("gpu/arithmetic.cl", &memory, &text, &bytes, NULL),
                SCREE_OK);
    CHECK_TEXT(text, scree_kernel_text("gpu/arithmetic.cl"));
    scree_memory_give(&memory, &text, bytes, 1);
    CHECK_EQUAL(memory.bytes, (size_t)0);
}

/* ---- arithmetic ---- */

TEST(each_operation_that_differs_is_named_and_the_device_refused)
{
    scree_error error = {SCREE_OK, ""};
    scree_gpu *gpu = open_device(&error);
    char options[64];

    scree_gpu_say_to(gpu, &error);
    CHECK_EQUAL(scree_arithmetic_check(gpu, NULL), SCREE_OK);
    for (uint32_t k = 0; scree_arithmetic_name(k); k++) {
        snprintf(options, sizeof options, "-DPLANTED=%u", k);
        CHECK_EQUAL(scree_arithmetic_check(gpu, options), SCREE_DEVICE_ERROR);
        check_text(error.text, scree_arithmetic_name(k));
        check_text(error.text, "cannot be used: it computes");
    }
    /* the fault that compilers make most often */
    CHECK_EQUAL(scree_arithmetic_check(gpu, "-DPLANTED_FUSED"), SCREE_DEVICE_ERROR);
    check_text(error.text, "a * b + c, rounded twice");
    CHECK_EQUAL(scree_gpu_bytes(gpu), (uint64_t)0);
    scree_gpu_close(gpu);
}

/* ---- every call fails in turn ---- */

/*  Opens, computes and closes; what fails must leave nothing behind, and say a sentence. */
static scree_status whole_life(scree_gpu_fault *fault, scree_error *error, uint64_t *left)
{
    scree_gpu_def def = {.fault = fault, .error = error, .has_profile = true};
    scree_gpu_program program = {NULL};
    scree_gpu_kernel kernel = {0};
    scree_gpu_buffer a = {0};
    uint32_t n = 100, more = 1, got[100];
    scree_gpu *gpu = NULL;
    scree_status status = scree_gpu_open(&def, &gpu);

    if (status)
        return status;
    status = scree_gpu_build_text(gpu, "doubling", doubling, NULL, &program);
    if (!status)
        status = scree_gpu_kernel_make(gpu, &program, "doubled", &kernel);
    if (!status)
        status = scree_gpu_reserve(gpu, &a, 100, "a");
    if (!status)
        status = scree_gpu_fill(gpu, &a, 0, 100, 0);
    if (!status)
        status = scree_gpu_grow(gpu, &a, sizeof got, "a");
    if (!status) {
        const scree_gpu_argument arguments[] = {SCREE_GPU_VALUE(n), SCREE_GPU_BUFFER(a),
                                                SCREE_GPU_VALUE(more),
                                                SCREE_GPU_LOCAL(64 * sizeof(uint32_t))};
        status = scree_gpu_launch(gpu, &kernel, n, 64, arguments, 4);
    }
    if (!status)
        status = scree_gpu_finish(gpu);
    if (!status)
        status = scree_gpu_read(gpu, &a, 0, got, sizeof got);
    scree_gpu_free(gpu, &a);
    *left = scree_gpu_bytes(gpu);
    scree_gpu_kernel_free(gpu, &kernel);
    scree_gpu_program_free(gpu, &program);
    scree_gpu_close(gpu);
    return status;
}

TEST(each_call_that_fails_is_a_status_and_a_sentence)
{
    static const int32_t codes[] = {-5, -4, -6, -2, -36};
    scree_gpu_fault fault = {0, 0, 0};
    scree_error error = {SCREE_OK, ""};
    uint64_t calls, left = 0, forgiven = 0;

    CHECK_EQUAL(whole_life(&fault, &error, &left), SCREE_OK);
    calls = fault.calls;
    CHECK(calls > 60);
    for (uint64_t at = 1; at <= calls; at++) {
        scree_status status;
        fault = (scree_gpu_fault){at, 0, codes[at % (sizeof codes / sizeof *codes)]};
        error.status = SCREE_OK;
        error.text[0] = '\0';
        status = whole_life(&fault, &error, &left);
        CHECK_EQUAL(left, (uint64_t)0);
        if (!status) {
            /* a device that does not know the question has no doubles: the next one is taken, or none is */
            forgiven++;
            continue;
        }
        CHECK_EQUAL(error.status, status);
        CHECK(error.text[0] != '\0');
    }
    CHECK(forgiven <= 2);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(devices_are_listed_with_what_they_can_do),
        CASE(a_word_chooses_a_device_or_is_refused_with_what_there_is),
        CASE(what_is_written_is_read_back),
        CASE(bytes_outside_a_buffer_are_refused),
        CASE(memory_that_is_not_there_is_refused_with_the_number),
        CASE(a_kernel_runs_over_all_items_and_is_measured),
        CASE(a_text_that_does_not_compile_is_refused_with_the_line),
        CASE(texts_are_found_by_name_and_joined),
        CASE(each_operation_that_differs_is_named_and_the_device_refused),
        CASE(each_call_that_fails_is_a_status_and_a_sentence),
    };
    return device_test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
