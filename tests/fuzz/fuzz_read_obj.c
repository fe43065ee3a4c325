/*  Any bytes as a file of Wavefront OBJ: what begins with no statement of the format gets one. */
#include "io_fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char head[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    fuzz_mesh(data, size);
    fuzz_with_head(head, sizeof head - 1, data, size);
    return 0;
}
