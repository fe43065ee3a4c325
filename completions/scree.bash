# Completion of the command lines of scree and scree-bench for bash. Verbs and options are read from `scree --help` and
# `scree VERB --help`, methods from `scree methods`, so that nothing here can be out of date.

_scree()
{
    local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local help at line choices
    local verb=()
    COMPREPLY=()

    # the verb is the first words before any option
    for ((at = 1; at < COMP_CWORD; at++)); do
        [[ ${COMP_WORDS[at]} == -* ]] && break
        verb+=("${COMP_WORDS[at]}")
        [[ ${verb[0]} =~ ^(mesh|help)$ ]] || break
        [[ ${verb[0]} != help && ${#verb[@]} -eq 2 ]] && break
    done

    if [[ $word != -* && (${#verb[@]} -eq 0 || ${verb[0]} == help ||
        (${verb[0]} == mesh && ${#verb[@]} -eq 1)) ]]; then
        help=$("$program" --help 2>/dev/null)
        while read -r -a line; do
            # a line "  mesh info   Describes ...": words in lower case up to the summary
            [[ ${line[0]-} =~ ^[a-z-]+$ && ${line[1]-} ]] || continue
            if [[ ${verb[*]} =~ ^(help )?(mesh)$ ]]; then
                [[ ${line[0]} == "${BASH_REMATCH[2]}" ]] && choices+=" ${line[1]}"
            else
                [[ " $choices " == *" ${line[0]} "* ]] || choices+=" ${line[0]}"
            fi
        done < <(sed -n '/^  [a-z]/p' <<<"$help")
        mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
        return
    fi

    case $before in
        --method)
            choices=$("${program%-bench}" methods --format csv 2>/dev/null | sed -n '2,$s/,.*//p')
            [[ $program == *-bench && ${verb[0]} == detect ]] && choices+=" all" ;;
        --scene) choices=$("$program" detect --help 2>/dev/null |
            awk '/^  --scene/ { on = 1; $1 = $2 = "" } on { if (/^ *--/ && !/scene/) exit
                done = sub(/;.*/, ""); gsub(/\[[^]]*\]/, ""); print; if (done) exit }') ;;
        --simd) choices="auto scalar simd128 avx2 avx512" ;;
        --dimensions) choices="2 3" ;;
        --motion) choices="none all: few: springs" ;;
        --margin) choices="none skin tolerance stride distance bins per-body" ;;
        --format) choices=$("$program" "${verb[@]}" --help 2>/dev/null |
            sed -n 's/^  --format [A-Z]* *\(.*\);.*/\1/p' | sed 's/,/ /g; s/ or / /g') ;;
        --out | --plots | --programs | --record) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        *)
            if [[ $word != -* ]]; then
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
                return
            fi
            choices=$("$program" "${verb[@]}" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p') ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}

complete -F _scree scree scree-bench
