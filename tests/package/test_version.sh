#!/bin/sh
# The version is the same wherever it is written. usage: test_version.sh PROGRAM BUILD-FOLDER
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
same debian/changelog "$(sed -n '1s/^scree (\([0-9.]*\)-[0-9]*).*/\1/p' debian/changelog)"

# the package of the shared library has its number in its name, wherever it is named
major=${version%%.*}
for file in debian/control tests/package/try_packages.sh tools/do/package_try.sh docs/guide/install.md; do
    named=$(grep -oE 'libscree[0-9]+' "$file" | sort -u)
    if [ "$named" = "libscree$major" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED: $file names '$named', the library is libscree$major"
    fi
done
if [ -e "debian/libscree$major.install" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: there is no debian/libscree$major.install"
fi

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
