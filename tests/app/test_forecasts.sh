#!/bin/sh
# tools/forecasts.sh: what it reads from `scree check` and from run.json, and when a forecast counts as good. A program of the
# test's own stands for scree; the lines that it says are those of the program, which is asked once. usage: test_forecasts.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
record_begin app/test_forecasts
forecasts=$tests/../tools/forecasts.sh

# new NAME, check NAME.lua and run NAME.lua: the files NAME.said and NAME.made have what is said, and steps and seconds
cat > pretend << 'END'
#!/bin/sh
folder=$(dirname "$0")
case $1 in
    new) [ $# -gt 1 ] || printf 'usage\n  one       a scene\n  two       another\n\nFor the lab\n  three     not this\n' ;;
    check) cat "$folder/$(basename "$2" .lua).said"; echo "$*" > "$folder/asked" ;;
    run)
        mkdir -p run
        awk '{ printf "{\n  \"step\": %s,\n  \"processor_seconds\": %s\n}\n", $1, $2 }' "$folder/$(basename "$2" .lua).made" > run/run.json ;;
esac
END
chmod +x pretend

# told NAME STEPS SECONDS WORDS: what the run made, and the line of the check
told() {
    printf '  trial        5 steps as the run'"'"'s and 7 long ones in 2 s: 12 %% of the run, the rest is assumed to be similar\n  the run      %s; memory 14 MB\n    start      1 s\n' "$4" > "$1.said"
    echo "$2 $3" > "$1.made"
}
# row_is NAME ROW
row_is() {
    shown="forecasts.sh $1"
    "$forecasts" ./pretend "$1" > out 2> err
    code=$?
    code_is 0; calm
    if grep -qxF -- "$2" out; then good; else bad "should say: $2"; fi
}

told exact 4100 9 '4.14e+04 steps, about 9 s of 1 thread undisturbed'
row_is exact '| exact | 12 % | 4.14e+04, 4100 | 9, 9 | 1.00 | yes |'
says '1 of 1 within 1.5 times'
told low 100 9.1 '100 steps, about 6 s of 1 thread undisturbed'
row_is low '| low | 12 % | 100, 100 | 6, 9.1 | 0.66 | no |'
says '0 of 1 within 1.5 times'
told high 100 60 '100 steps, about 1.6 min of 1 thread undisturbed'
row_is high '| high | 12 % | 100, 100 | 96, 60 | 1.60 | no |'
told hours 100 3600 '100 steps, about 1.25 h of 1 thread undisturbed'
row_is hours '| hours | 12 % | 100, 100 | 4.5e+03, 3.6e+03 | 1.25 | yes |'
# a range is good where the run is in it, or within 1.5 times of an end
told inside 300 60 'between 100 and 2e+03 steps, between 10 s and 2 min of 1 thread undisturbed, by when conditions hold'
row_is inside '| inside | 12 % | 100 to 2e+03, 300 | 10 to 120, 60 | 0.17 to 2.00 | yes |'
told below 300 7 'between 100 and 2e+03 steps, between 10 s and 2 min of 1 thread undisturbed, by when conditions hold'
row_is below '| below | 12 % | 100 to 2e+03, 300 | 10 to 120, 7 | 1.43 to 17.14 | yes |'
told under 300 6 'between 100 and 2e+03 steps, between 10 s and 2 min of 1 thread undisturbed, by when conditions hold'
row_is under '| under | 12 % | 100 to 2e+03, 300 | 10 to 120, 6 | 1.67 to 20.00 | no |'
told over 300 190 'between 100 and 2e+03 steps, between 10 s and 2 min of 1 thread undisturbed, by when conditions hold'
row_is over '| over | 12 % | 100 to 2e+03, 300 | 10 to 120, 190 | 0.05 to 0.63 | no |'

# settings are passed on; without scenes all examples are taken, but not those of the lab
"$forecasts" ./pretend low:a=1,b=x > out 2> err
code=$?
code_is 0; says '| low (a=1 b=x) |'
if grep -q -- '--set a=1 --set b=x' asked; then good; else bad "settings are not passed on: $(cat asked)"; fi
cp low.said one.said; cp low.made one.made; cp exact.said two.said; cp exact.made two.made
"$forecasts" ./pretend > out 2> err
code=$?
code_is 0; says '| one |'; says '| two |'; says '1 of 2 within 1.5 times'

# the lines that scree says are read: neither the seconds nor the share of the course are missing
needs_lua
cat > real.lua << 'END'
g = material { density = 2500, young = 1e6 }
gravity { 0, 0, -9.81 }
wall { shape = plane { }, material = g }
fill { count = 20, shape = sphere { radius = 0.01 }, material = g, region = box { lower = {0, 0, 0.1}, upper = {0.2, 0.2, 0.3} } }
run { time = 2 }
END
sed "s/^run.*/run { time = 20, stop = quiet { energy = 1e-9 } }/; s/count = 20/count = 500/" real.lua > range.lua
for name in real range; do
    run check $name.lua --threads 1 --seconds 0.2
    cp out $name.said
    echo '1000 1' > $name.made
    "$forecasts" ./pretend $name > row 2> err
    cp row out
    if grep -qE "^\| $name \| ([0-9.]+ %|all) \| [0-9][^|]*, 1000 \| [0-9][^|]*, 1 \| [0-9][^|]* \| (yes|no) \|$" row; then good; else bad "the line of $name.lua is not read"; fi
done
if grep -q 'between' range.said && grep -qE ' to .* to ' row; then good; else bad 'a run that a condition ends has no range'; fi

program_end test_forecasts
