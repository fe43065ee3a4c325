/*  Cube root in plain C and plain OpenCL C. The includer provides scree_bits_of and scree_number_of, which reinterpret
    a double as an integer and back. */

/*  A third of the bits of x is within a twentieth of the root (W. Kahan). A Halley step turns an error e into about
    e^3. */
double scree_cube_root(double x)
{
    double size = fabs(x), scale = 1.0, root;
    uint64_t bits;

    if (!(size > 0.0 && size < INFINITY))
        return x;
    if (size < 0x1p-1000) {
        size *= 0x1p+900;
        scale = 0x1p-300;
    } else if (size > 0x1p+1000) {
        size *= 0x1p-900;
        scale = 0x1p+300;
    }
    bits = scree_bits_of(size) / 3 + (UINT64_C(0x2a9f7893) << 32);
    root = scree_number_of(bits);
    for (int turn = 0; turn < 3; turn++) {
        double cube = root * root * root;
        root += root * ((size - cube) / (2.0 * cube + size));
    }
    return copysign(root * scale, x);
}
