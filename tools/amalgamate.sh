#!/bin/sh
# Makes the library two files: scree.h, all public headers, and scree.c, all sources. Wants sh and awk.
# usage: tools/amalgamate.sh [FOLDER]   (build/amalgamated)
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/amalgamated}
mkdir -p "$folder"

# made aside and then moved: what is there is always whole
awk -v mode=header -f tools/amalgamate.awk include/scree/scree.h >"$folder/scree.h.new"
# names of sources have no blanks
# shellcheck disable=SC2046
awk -v mode=source -f tools/amalgamate.awk $(find src -name "*.c" | LC_ALL=C sort) >"$folder/scree.c.new"
mv "$folder/scree.h.new" "$folder/scree.h"
mv "$folder/scree.c.new" "$folder/scree.c"
echo "amalgamated: $folder/scree.c $folder/scree.h"
