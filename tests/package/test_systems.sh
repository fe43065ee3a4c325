#!/bin/sh
# Where there is no apt-get, ./do names the command of the system with the system's names of packages; and its table knows every package
# that ./do asks for. usage: test_systems.sh PROGRAM BUILD-FOLDER
set -u

cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $1"
}

# a PATH with what ./do itself runs, and nothing that it could build with
mkdir "$work/bin"
for tool in sh awk sort tr sed grep cat mktemp rm dirname getconf id mkdir uname git; do
    place=$(command -v "$tool") && ln -s "$place" "$work/bin/$tool"
done

# on MANAGER WORDS: ./do build on a system with that manager says these words
on() {
    manager=$1
    [ "$manager" = none ] || { printf '#!/bin/sh\n' >"$work/bin/$manager" && chmod +x "$work/bin/$manager"; }
    if PATH=$work/bin ./do build >"$work/said" 2>&1; then bad "$manager: ./do build begins without a compiler"; else good; fi
    if grep -qF -- "$2" "$work/said"; then good; else bad "$manager: '$2' is not in: $(cat "$work/said")"; fi
    [ "$manager" = none ] || rm "$work/bin/$manager"
}

on dnf "dnf install cmake"
on dnf "lua-devel"
on pacman "pacman -S --needed cmake"
on apk "apk add cmake"
on apk "lua5.4-dev"
on brew "brew install cmake"
on none "Debian's names are:"

# what ./do needs by name, without the tools that make packages of Debian
known() { grep -q "^$1 " tools/do/packages.txt; }
sed -nE 's/^ *(\(provide\) \|\| )?(need|lack) ("[^"]*"|[^ ]+) ([a-z0-9.+-]+) ".*/\4/p; s/.*\<lack ([a-z0-9.+-]+) ".*/\1/p' ./do tools/do/*.sh |
    sort -u >"$work/packages"
while read -r package; do
    case $package in clang-format-14 | build-essential | debhelper | debootstrap | dh-python | dpkg-dev | fakeroot | lintian) continue ;; esac
    if known "$package"; then good; else bad "tools/do/packages.txt lacks $package"; fi
done <"$work/packages"
if awk '!/^#/ && NF != 5 { wrong = 1 } END { exit wrong }' tools/do/packages.txt; then good; else bad "a row of the table is not five names"; fi

# the commands that the page on installation gives are those that ./do prints
. tools/do/systems.sh
build="gcc cmake ninja-build pkg-config libc6-dev liblua5.4-dev libwebsockets-dev"
# page_has COMMAND COLUMN: with the names of that column
page_has() {
    # $build is a list of words
    # shellcheck disable=SC2086
    line="$1 $(names_on "$2" $build)"
    if grep -qF -- "\`${line% }\`" docs/guide/install.md; then good; else bad "docs/guide/install.md lacks: $line"; fi
}
page_has "apt-get install" 1
page_has "dnf install" 2
page_has "pacman -S --needed" 3
page_has "apk add" 4
page_has "brew install" 5

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
