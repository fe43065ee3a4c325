# Parts of ./do, which reads this file and has its variables: systems other than Debian.
# shellcheck shell=sh disable=SC2154

# names_on COLUMN PACKAGE...: what a system calls packages of Debian, each once; names that the table lacks are as in Debian
names_on() {
    column=$1
    shift
    for package; do
        awk -v wanted="$package" -v column="$column" '
            $1 == wanted { found = 1; if ($column != "-") print $column }
            END { if (!found) print wanted }' tools/do/packages.txt
    done | sort -u | tr '\n' ' '
}

# other_system PACKAGE...: where there is no apt-get, the command that installs what Debian calls so, for the user to run
other_system() {
    if has dnf; then
        echo "dnf install $(names_on 2 "$@")"
    elif has pacman; then
        echo "pacman -S --needed $(names_on 3 "$@")"
    elif has apk; then
        echo "apk add $(names_on 4 "$@")"
    elif has brew; then
        echo "brew install $(names_on 5 "$@")"
    else
        echo "the package manager of this system, which ./do does not know; Debian's names are: $*"
    fi
}
