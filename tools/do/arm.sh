# Verbs of ./do, which reads this file and has its variables: tests as an ARM processor runs them.
# shellcheck shell=sh disable=SC2154

# ./do arm [digest | PART]: its vectors are NEON's; a machine that has none of them runs the tests through qemu, ten times slower
do_arm() {
    need_test
    need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu "compile for ARM"
    [ -e /usr/aarch64-linux-gnu/include/stdio.h ] ||
        lack libc6-dev-arm64-cross "the headers of C for ARM are needed"
    need qemu-aarch64 qemu-user "run programs of ARM processors"
    ready
    configure arm -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc
    if [ "${1:-}" = digest ]; then
        arm_digest
        return
    fi
    status=0
    [ $# -gt 0 ] || arm_digest || status=1
    build_tests arm "$@"
    suite arm "$@" || status=1
    return $status
}

# a drum as this machine computes it, and as an ARM processor does, without vectors and with those of NEON: one digest
arm_digest() {
    configure release
    build release --target campaign_world_digest
    build arm --target campaign_world_digest
    drum="tests/campaign/world_digest --small --one --steps 1000"
    # $drum is a list of words
    # shellcheck disable=SC2086
    wanted=$(build/release/$drum) || die "the drum does not run here"
    echo "$wanted  a drum of 1,000 steps, $(uname -m)"
    passed=0 failed=0
    for simd in scalar simd128; do
        # shellcheck disable=SC2086
        found=$(SCREE_SIMD=$simd qemu-aarch64 -L /usr/aarch64-linux-gnu build/arm/$drum) || found="no digest"
        echo "$found  aarch64, $simd"
        if [ "$found" = "$wanted" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}
