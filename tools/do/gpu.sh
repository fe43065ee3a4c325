# Verbs of ./do, which reads this file and has its variables: what computes on a device.
# shellcheck shell=sh disable=SC2154

# A device for the tests of tests/gpu: POCL computes on the processor, where there is no driver of a GPU. Where none can be
# had, nothing is tried, and the status is that of a test that was skipped.
need_device() {
    loader=$(ldconfig -p 2>/dev/null | grep 'libOpenCL[.]so[.]1' || true)
    driver=$(find /etc/OpenCL/vendors -name '*.icd' 2>/dev/null || true)
    [ "$loader" ] || lack ocl-icd-libopencl1 "the loader of OpenCL is needed to compute on a device"
    [ "$driver" ] || lack pocl-opencl-icd "a driver of OpenCL is needed to compute on a device"
    # with these a test compares what scree declares of OpenCL
    [ -e /usr/include/CL/cl.h ] || lack opencl-headers "the headers of OpenCL are needed by a test"
    # what cannot be installed ends the subshell only
    # shellcheck disable=SC2310
    (provide) || skip "the tests of devices need:$missing"
    missing=
}

# only what they run is built; a test that finds no device fails
do_test_gpu() {
    need_build
    need_device
    ready
    configure release
    programs=
    for source in tests/gpu/test_*.c; do
        programs="$programs gpu_$(basename "$source" .c)"
    done
    # $programs is a list of words
    # shellcheck disable=SC2086
    build release --target scree_program --target $programs
    SCREE_TEST_DEVICE=${SCREE_TEST_DEVICE:-gpu} suite release gpu
}
