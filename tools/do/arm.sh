# shellcheck shell=sh
# Tests as an ARM processor runs them. Sourced by ../../do.

# its vectors are NEON's; a machine that has none of them runs the tests through qemu, ten times slower
do_arm() {
    need_test
    need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu "compile for ARM"
    [ -e /usr/aarch64-linux-gnu/include/stdio.h ] ||
        lack libc6-dev-arm64-cross "the headers of C for ARM are needed"
    need qemu-aarch64 qemu-user "run programs of ARM processors"
    ready
    configure arm -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc
    build_tests arm "$@"
    suite arm "$@"
}
