/*  Any bytes as a file of STL, text and binary. The file is taken as it is; one that is neither goes to the other formats. */
#include "io_fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(data, size);
    return 0;
}
