/*  Any bytes as a file of PLY: what does not begin as one gets its first line. */
#include "io_fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char head[] = "ply\n";
    fuzz_mesh(data, size);
    fuzz_with_head(head, sizeof head - 1, data, size);
    return 0;
}
