# For tests that link a program with the library of a build.
# shellcheck shell=sh

# build_flags FOLDER: what the compiler must be told as well, where the library was built with a sanitizer or for coverage
build_flags() {
    grep -E '^CMAKE_C_FLAGS(_[A-Z]+)?:|^SCREE_SANITIZE:' "$1/CMakeCache.txt" |
        sed -E 's/^SCREE_SANITIZE:[A-Z]*=(.+)/-fsanitize=\1/' | grep -oE '[-]fsanitize=[^ ;]*|--coverage' | sort -u | tr '\n' ' '
}
