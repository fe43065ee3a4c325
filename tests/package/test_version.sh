#!/bin/sh
# The version is the same wherever it stands. usage: test_version.sh PROGRAM BUILD-FOLDER
set -u

scree=$1
cd "$(dirname "$0")/../.." || exit 1
passed=0
failed=0
version=$(sed -n 's/^project(scree VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)

# same WHERE VALUE
same() {
    if [ "$2" = "$version" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED: $1 says version '$2', CMakeLists.txt '$version'"
    fi
}

number() { sed -n "s/^#define SCREE_VERSION_$1 \([0-9]*\).*/\1/p" include/scree/base.h; }

same include/scree/base.h "$(number MAJOR).$(number MINOR).$(number PATCH)"
same CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)"
same CHANGELOG.md "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)"
same "scree --version" "$("$scree" --version | sed -n '1s/^scree \([0-9.]*\).*/\1/p')"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
