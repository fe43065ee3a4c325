/*  What tests of src/gpu share: a device, or a reason to skip. */
#ifndef SCREE_TESTS_DEVICE_H
#define SCREE_TESTS_DEVICE_H

#include "test.h"

#include "gpu/opencl.h"

/*  The device that SCREE_TEST_DEVICE names, as "gpu:1", else "gpu". Its arithmetic is not checked again for each test. */
static inline scree_gpu *open_device(scree_error *error)
{
    scree_gpu_def def = {
        .device = getenv("SCREE_TEST_DEVICE"), .error = error, .is_unchecked = true};
    scree_gpu *gpu;

    if (scree_gpu_open(&def, &gpu))
        FAIL("%s", error->text);
    return gpu;
}

/*  Runs the tests, or skips them all where no device can be had: `./do test gpu` installs one. Where
    SCREE_TEST_DEVICE is set there must be one. */
static inline int device_test_main(int argc, char **argv, const test_case *tests, size_t count)
{
    scree_error error = {SCREE_OK, ""};
    scree_gpu_def def = {
        .device = getenv("SCREE_TEST_DEVICE"), .error = &error, .is_unchecked = true};
    scree_gpu *gpu;
    scree_status status = scree_gpu_open(&def, &gpu);

    if (status && (def.device || status != SCREE_UNSUPPORTED)) {
        printf("%s\n", error.text);
        return 1;
    }
    if (status) {
        printf("skipped: %s\n", error.text);
        return 77;
    }
    scree_gpu_close(gpu);
    return test_main(argc, argv, tests, count);
}

#endif
