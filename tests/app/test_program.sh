#!/bin/sh
# The program from outside: every verb but the benchmarks, exit codes and error texts, and files that are wrong in every
# way.
# Usage: test_program.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
record_begin app/test_program

# ---- help, version, verbs -------------------------------------------------------------------------

for words in --help -h help; do
    run $words
    code_is 0; says 'usage: scree VERB'; says '  detect '; says 'Exit codes'; calm
done
run; code_is 2; complains 'usage: scree VERB'; silent
run --version; code_is 0; says 'scree '; says 'build     by '; says ' for '; calm
if grep -qE '^SIMD      (scalar|simd128|avx2|avx512), of scalar' out; then good; else bad 'the instruction set is missing'; fi
# each optional part is named once: it is there, or left out
for part in 'scenes (Lua)' 'lab (libwebsockets)' 'VTKHDF (HDF5)' 'GPUs (OpenCL)' 'ranks (MPI)'; do
    if [ "$(grep -cE '^(parts|without) ' out)" -ge 1 ] && [ "$(grep -oF "$part" out | wc -l)" = 1 ]; then good; else bad "$part is not named once"; fi
done

# verbs_of PROGRAM: the verbs of its overview, one a line, which stand under the headings of groups
verbs_of() {
    "$1" --help | sed -n 's/^  \([a-z-]*\( [a-z-]\{1,\}\)\{0,1\}\)  *[A-Z].*/\1/p'
}

# overview_is_short PROGRAM: the verbs fit a screen
overview_is_short() {
    shown="$(basename "$1") --help"
    "$1" --help > out 2> err; code=$?
    if [ "$(wc -l < out)" -le 40 ]; then good; else bad "$(wc -l < out) lines, more than 40"; fi
    if [ "$(awk 'length > 100' out | wc -l)" -eq 0 ]; then good; else bad 'lines are at most 100 wide'; fi
}

# looks_at_verb BENCH VERB: its help, which has an example that begins with the verb; BENCH is "bench" or nothing
looks_at_verb() {
    bench=$1 name=scree${1:+-bench} verb=$2
    # a verb may be two words
    # shellcheck disable=SC2086
    run $bench help $verb; code_is 0; says "usage: $name $verb"; calm; cp out by_help
    # an example that begins with the verb, of options that there are
    sed '1,/^examples\{0,1\}:$/d' out > example
    if grep -q "^  $name $verb" example; then good; else bad "there is no example of $name $verb"; fi
    for word in $(grep -o -e ' --[a-z-]*' example); do
        if grep -q "^  $word" out; then good; else bad "the example has $word, which is no option"; fi
    done
    # shellcheck disable=SC2086
    run $bench $verb --help; code_is 0; calm
    if cmp -s out by_help; then good; else bad "differs from $name help $verb"; fi
    # shellcheck disable=SC2086
    run $bench $verb -h; code_is 0; says "usage: $name $verb"
    # shellcheck disable=SC2086
    refuses 2 "$verb: there is no option --nonsense" $bench $verb --nonsense
    # shellcheck disable=SC2086
    refuses 2 'there is no option -x; options begin with --' $bench $verb -x
}
overview_is_short "$scree"
overview_is_short "$scree-bench"
verbs_of "$scree" > verbs
verbs_of "$scree-bench" > bench_verbs
shown='scree --help'
for verb in run lab methods detect demo convert fields 'mesh info' 'mesh tree'; do
    if grep -qx "$verb" verbs; then good; else bad "$verb is missing"; fi
done
shown='scree-bench --help'
for verb in detect thesis pfc yade hash-grids auto columns scaling gpu peers engines triangles local meshes surrogate \
    worlds demo; do
    if grep -qx -- "$verb" bench_verbs; then good; else bad "$verb is missing"; fi
done
while read -r verb; do looks_at_verb '' "$verb"; done < verbs
while read -r verb; do looks_at_verb bench "$verb"; done < bench_verbs
run bench --version; code_is 0; says 'scree-bench '
run help mesh; code_is 0; says 'mesh info'; says 'mesh tree'
run mesh --help; code_is 0; says 'mesh tree'; says 'examples:'; says '  scree mesh info bucket.stl'
refuses 2 'there is no "scree detct"; did you mean "detect"?' detct
refuses 2 'there is no "scree zzzzzzzz"; see scree --help' zzzzzzzz
refuses 2 'there is no "scree-bench detekt"; did you mean "detect"?' bench detekt
refuses 2 'there is no "scree mesh inf"; did you mean "mesh info"?' mesh inf
refuses 2 'mesh: which one? scree mesh info, scree mesh tree' mesh
# the verbs of scree bench went to a program of their own
"$scree" bench detect > out 2> err; code=$?; shown='scree bench detect'
code_is 2; silent; complains 'scree: bench: measurements are a program of their own now: scree-bench detect'
refuses 2 'there is no option --frob before a verb' --frob
refuses 2 'there is no "scree nosuch"' help nosuch
refuses 2 'did you mean --method?' detect --metod dess x.csv
refuses 2 '--method needs a value, NAME' detect x.csv --method
refuses 2 '--count takes no value' detect --count=1 x.csv
refuses 2 '--count is given twice' detect --count --count x.csv
refuses 2 '"b.csv" is one word too many' detect a.csv b.csv
refuses 2 '"x" is one word too many' methods x

# an empty word names nothing: as a folder it would be the root of the file system
refuses 2 'run: --out: the value is empty, must be DIR' run some.lua --out ''
refuses 2 'run: --out: the value is empty, must be DIR' run some.lua --out=
refuses 2 'detect: the value is empty, must be FILE' detect ''

# ---- methods --------------------------------------------------------------------------------------

run methods; code_is 0; says 'bounding-volume'; says 'dess2'; says 'quadratic'; calm
run methods --format csv; code_is 0; says 'method,can,cost,exponent_2d,exponent_3d,worst_time,worst_memory,summary'
run methods --format=json; code_is 0; says '"method": "dess"'; says '"worst_memory": "N log N + K"'
run methods; says 'memory at worst  time at worst'; says 'N^2 in any scene'
if [ "$(awk 'length > 150' out | wc -l)" -eq 0 ]; then good; else bad 'lines are at most 150 wide'; fi
refuses 2 'there is no "jsn"; did you mean "json"?' methods --format jsn
refuses 2 'there is no "zzzzzzz"; there are table, csv, json' methods --format zzzzzzz
methods=$("$scree" methods --format csv | tail -n +2 | cut -d, -f1)
run methods
if grep -q "$(printf '\033')" out; then bad 'no colour outside a terminal'; else good; fi

# a reader that goes away is no error; a full disk is
"$scree" methods | head -n 1 > out 2> err; code=$?; shown='scree methods | head'; code_is 0; calm
if [ -e /dev/full ]; then
    "$scree" methods > /dev/full 2> err; code=$?; : > out; shown='scree methods > /dev/full'
    code_is 4; complains 'stdout: cannot write'
fi

# ---- detect ---------------------------------------------------------------------------------------

printf 'x,y,z,r\n0,0,0,1\n1,0,0,1\n5,5,5,1\n7,5,5,1\n' > four.csv
run detect four.csv; code_is 0; output_is 'first,second\n0,1\n2,3\n'; calm
run detect --count four.csv; output_is '2\n'
run detect --neighbors four.csv; output_is 'id,neighbors\n0,1\n1,0\n2,3\n3,2\n'
cp four.csv in; run detect -; code_is 0; output_is 'first,second\n0,1\n2,3\n'
run detect -- four.csv; code_is 0
proves GC-07 methods_by_name
for method in $methods; do
    run detect --method "$method" four.csv; code_is 0; output_is 'first,second\n0,1\n2,3\n'
    run detect --method "$method" --count --threads 3 --simd scalar four.csv; output_is '2\n'
done
proved "$(echo "$methods" | wc -l) methods find the same"
run detect --any-order four.csv; code_is 0; says '0,1'
run detect four.csv --out pairs.csv; code_is 0; silent; calm
if printf 'first,second\n0,1\n2,3\n' | cmp -s - pairs.csv; then good; else bad 'pairs.csv is wrong'; fi
if [ "$(echo ./*pairs.csv* ./.*pairs.csv*)" = './pairs.csv ./.*pairs.csv*' ]; then good; else bad 'a temporary file was left'; fi
run detect four.csv --dimensions 2; code_is 0; output_is 'first,second\n0,1\n2,3\n'
printf 'x,y,z,r\n0,0,0,1\n0,0,9,1\n' > tall.csv
run detect tall.csv --count; output_is '0\n'
run detect tall.csv --count --dimensions 2; output_is '1\n'

# columns: names in any order, other names, optional ones, separators, line ends, quotes, comments
printf 'radius;y;x\n1;0;0\n1;0;2\n' > c.csv; run detect c.csv; output_is 'first,second\n0,1\n'
printf 'x\ty\tr\n0\t0\t1\n2\t0\t1\n' > c.csv; run detect c.csv; output_is 'first,second\n0,1\n'
printf '  x  y   r \n 0 0 1\n 2   0\t1 \n' > c.csv; run detect c.csv; output_is 'first,second\n0,1\n'
printf '\357\273\277x,y,r\r\n0,0,1\r\n\r\n# note\r\n2,0,1' > c.csv
run detect c.csv; output_is 'first,second\n0,1\n'
printf '"x","y","r"\n"0",0,1\n0x1p1,0,1e0\n' > c.csv; run detect c.csv; output_is 'first,second\n0,1\n'
printf '0,0,1\n2,0,1\n' > c.csv; run detect c.csv; output_is 'first,second\n0,1\n'
printf '0,0,0,1\n2,0,0,1\n' > c.csv; run detect c.csv; output_is 'first,second\n0,1\n'
printf '0,0,0,1,1,1\n1,1,1,2,2,2\n' > c.csv; run detect c.csv; output_is 'first,second\n0,1\n'
printf '5,0,0,1\n3,2,0,1\n' > c.csv
run detect c.csv --columns id,x,y,r; output_is 'first,second\n3,5\n'
printf 'lo_x,lo_y,hi_x,hi_y\n0,0,1,1\n1,1,2,2\n3,3,4,4\n' > c.csv
run detect c.csv; output_is 'first,second\n0,1\n'
printf 'id,x,y,r\n4294967295,0,0,1\n7,2,0,1\n9,1,0,0\n' > c.csv
run detect c.csv; output_is 'first,second\n7,9\n7,4294967295\n9,4294967295\n'
run detect c.csv --neighbors; output_is 'id,neighbors\n7,9 4294967295\n9,7 4294967295\n4294967295,7 9\n'
printf 'x,y,r,owner\n0,0,1,3\n0,0,1,3\n0,0,1,0\n' > c.csv
run detect c.csv; output_is 'first,second\n0,2\n1,2\n'
printf 'x,y,r,group,mask\n0,0,1,1,2\n0,0,1,2,1\n0,0,1,0x4,0xffffffffffffffff\n' > c.csv
run detect c.csv; output_is 'first,second\n0,1\n'
printf 'x,y,r,flags\n0,0,1,1\n0,0,1,1\nnan,0,-1,2\n0,0,1,4\n' > c.csv
run detect c.csv; code_is 0; output_is 'first,second\n0,2\n1,2\n'
printf 'x,y,r,vx,colour\n0,0,1,9,red\n2,0,1,9,blue\n' > c.csv
run detect c.csv --ignore vx,colour; output_is 'first,second\n0,1\n'
run detect c.csv --ignore all; output_is 'first,second\n0,1\n'
refuses 3 'c.csv:1: columns: "vx" is unknown (--ignore skips columns)' detect c.csv
printf 'x,y,r\n' > c.csv; run detect c.csv; code_is 0; output_is 'first,second\n'
run detect c.csv --neighbors; code_is 0; output_is 'id,neighbors\n'
printf 'x,y,r\n0,0,1\nnan,0,1\n2,0,1\n1,0,-1\n' > c.csv
run detect c.csv --skip-unusable; code_is 0; output_is 'first,second\n0,2\n'
complains '2 bodies with unusable numbers are left out'
# a giant beside small ones: most methods do not mind
awk 'BEGIN { print "x,y,z,r"; print "2000,0,0,1900"; for (i = 0; i < 1200; i++) print i % 40 * 3 "," int(i / 40) * 3 ",0,1" }' > giant.csv
run detect giant.csv --method hashing --count; code_is 0; complains 'warning: hashing: the largest body is'
run detect giant.csv --method hash-grids --count; code_is 0; calm

# ---- files that must be refused -------------------------------------------------------------------

file_refused 'bad.csv:1: columns: there is neither a header nor a row' ''
file_refused 'bad.csv:1: columns: there is neither a header nor a row' '\n\n# nothing\n'
file_refused 'bad.csv:1: r: this column is missing' 'x,y\n1,2\n'
file_refused 'bad.csv:1: x: this column is missing' 'y,z,r\n'
file_refused 'bad.csv:1: hi_z: this column is missing' 'lo_x,lo_y,lo_z,hi_x,hi_y\n'
file_refused 'bad.csv:1: lo_z: this column is missing' 'lo_x,lo_y,hi_x,hi_y,hi_z\n'
file_refused 'bad.csv:1: columns: are those of both spheres and boxes' 'x,y,r,lo_x\n'
file_refused 'bad.csv:1: columns: must be x,y[,z],r or' 'id,owner\n'
file_refused 'bad.csv:1: x: this column appears twice' 'x,y,x,r\n'
file_refused 'bad.csv:1: r: this column appears twice' 'x,y,r,radius\n'
file_refused 'bad.csv:1: columns: "what?is" is unknown' 'x,y,r,what\001is\n'
file_refused 'bad.csv:1: columns: there are 5 without names' '1,2,3,4,5\n'
file_refused 'bad.csv:3: columns: this line has 2, must have 3' 'x,y,r\n0,0,1\n1,2\n'
file_refused 'bad.csv:2: columns: this line has 4, must have 3' 'x,y,r\n0,0,1,\n'
file_refused 'bad.csv:2: y: "abc" is not a number' 'x,y,r\n0,abc,1\n'
file_refused 'bad.csv:2: y: "" is not a number' 'x,y,r\n0,,1\n'
file_refused 'bad.csv:2: y: "1 2" is not a number' 'x,y,r\n0,1 2,1\n'
file_refused 'bad.csv:2: y: "1?2" is not a number' 'x,y,r\n0,1\0002,1\n'
file_refused 'bad.csv:4: x: is nan, must be finite' 'x,y,r\n0,0,1\n\nnan,0,1\n'
file_refused 'bad.csv:2: x: is -inf, must be finite' 'x,y,r\n-inf,0,1\n'
file_refused 'bad.csv:2: x: is inf, must be finite' 'x,y,r\n1e999,0,1\n'
file_refused 'bad.csv:2: y: is 1e+101, must be at most 1e+100 in magnitude' 'x,y,r\n0,1e101,1\n'
file_refused 'bad.csv:2: r: is -1, must not be negative' 'x,y,r\n0,0,-1\n'
file_refused 'bad.csv:2: lo_y: is 3, above hi_y, 2' 'lo_x,lo_y,hi_x,hi_y\n0,3,1,2\n'
file_refused 'bad.csv:2: id: "-1" is not a whole number from 0 to 4294967295' 'id,x,y,r\n-1,0,0,1\n'
file_refused 'bad.csv:2: id: "4294967296" is not a whole number' 'id,x,y,r\n4294967296,0,0,1\n'
file_refused 'bad.csv:2: id: "1.5" is not a whole number' 'id,x,y,r\n1.5,0,0,1\n'
file_refused 'bad.csv:5: id: 7 is the id of row 1 already' 'id,x,y,r\n7,0,0,1\n3,0,0,1\n#\n7,0,0,1\n'
file_refused 'bad.csv:2: group: "99999999999999999999" is not a whole' 'x,y,r,group\n0,0,1,99999999999999999999\n'
file_refused 'bad.csv:2: flags: is 8, must be from 0 to 7' 'x,y,r,flags\n0,0,1,8\n'
file_refused 'bad.csv:2: flags: "256" is not a whole number from 0 to 255' 'x,y,r,flags\n0,0,1,256\n'
{ printf 'x,y,r'; printf ',c%.0s' $(seq 300); echo; } > wide.csv
refuses 3 'wide.csv:1: columns: are more than 256' detect --ignore all wide.csv
head -c 100000 /dev/zero | tr '\000' q > long.csv
refuses 3 'long.csv:1: columns: "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq..." is unknown' detect long.csv
{ printf 'x,y,r\n0,0,'; cat long.csv; } > longer.csv
refuses 3 'longer.csv:2: r: "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq..." is not a number' detect longer.csv
# a number however long it is, and too large
head -c 100000 /dev/zero | tr '\000' 9 > long.csv
refuses 3 'long.csv:1: columns: there are 1 without names' detect long.csv
{ printf 'x,y,r\n0,0,'; cat long.csv; } > longer.csv
refuses 3 'longer.csv:2: r: is inf, must be finite' detect longer.csv
head -c 5000 /dev/zero > zero.csv
refuses 3 'zero.csv:1: columns:' detect zero.csv
refuses 4 'nosuch.csv: cannot open: No such file' detect nosuch.csv
refuses 4 'cannot read: Is a directory' detect .
# what may never end
if [ -e /dev/urandom ] && mkfifo pipe 2> /dev/null; then
    refuses 2 '/dev/urandom: is a device, not a file' detect /dev/urandom
    refuses 4 '/dev/urandom: is a pipe or a device' mesh info /dev/urandom
    refuses 4 'pipe: is a pipe or a device; write its content to a file first' mesh info pipe
    refuses 4 'pipe: is a pipe or a device' convert pipe --to csv
    refuses 4 'pipe: is a pipe or a device' check pipe
fi
printf 'x,y\n' > in; refuses 3 'stdin:1: r: this column is missing' detect -
refuses 2 'detect: which FILE?' detect
refuses 2 '--dimensions is 3, and the file has no z' detect --dimensions 3 c.csv --skip-unusable
refuses 2 '--dimensions: "4" is not a whole number from 2 to 3' detect --dimensions 4 four.csv
refuses 2 '--threads: "0" is not a whole number from 1 to 256' detect --threads 0 four.csv
refuses 2 'there is no "bounding-volum"; did you mean "bounding-volume"?' detect --method bounding-volum four.csv
refuses 2 'there is no "zzzzzzzzz"; see scree methods' detect --method zzzzzzzzz four.csv
refuses 2 '--simd: there is no "avx3"; did you mean "avx2"?' detect --simd avx3 four.csv
refuses 2 '--count and --neighbors exclude each other' detect --count --neighbors four.csv
refuses 4 'nosuch/x: cannot create' detect four.csv --out nosuch/x

# a run that fails leaves the old result as it was
printf 'old' > result.csv
refuses 3 'bad.csv:2: flags' detect bad.csv --out result.csv
if [ "$(cat result.csv)" = old ]; then good; else bad 'the old result was changed'; fi
if [ -e /dev/full ]; then refuses 4 '/dev/full: cannot write' detect four.csv --out /dev/full; fi
if [ -c /dev/null ]; then
    run detect four.csv --out /dev/null; code_is 0
    if [ -c /dev/null ]; then good; else bad '/dev/null was replaced'; fi
fi
# what a link points to is written, also where it is not there yet, and the link stays
mkdir sub; ln -s sub/real.csv link.csv; ln -s link.csv again.csv
for times in 1 2; do
    run detect four.csv --out again.csv; code_is 0; calm
    if [ -L again.csv ] && [ -L link.csv ] && cmp -s pairs.csv sub/real.csv; then good; else bad "a link was replaced ($times)"; fi
done
ln -s loop.csv loop.csv; refuses 4 'loop.csv: cannot create' detect four.csv --out loop.csv
# what the shell has opened is written to as it is: at its end, and the file stays
for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
    run detect four.csv --out $name; code_is 0; calm; output_is 'first,second\n0,1\n2,3\n'
done
echo before > appended.csv
"$scree" detect four.csv --out /dev/fd/3 3>> appended.csv
if { echo before; cat pairs.csv; } | cmp -s - appended.csv; then good; else bad '/dev/fd/3 was not written to'; fi
refuses 4 '/dev/fd/99: cannot open' detect four.csv --out /dev/fd/99

# ---- binary tables --------------------------------------------------------------------------------

u32() { printf "\\$(printf %03o $(($1 & 255)))\\$(printf %03o $(($1 >> 8 & 255)))\\$(printf %03o $(($1 >> 16 & 255)))\\$(printf %03o $(($1 >> 24 & 255)))"; }
column() { printf '%s' "$1"; head -c $((16 - ${#1})) /dev/zero; u32 "$2"; u32 0; }
head_of() { printf SCREETBL; u32 "$1"; u32 "$2"; u32 "$3"; u32 "$4"; }
one='\000\000\200\077' # 1.0f
zero='\000\000\000\000'
three_columns() { column x 2; column y 2; column r 2; }
two_discs() { printf "$zero$one"; printf "$zero$zero"; printf "$one$one"; }

{ head_of 1 3 2 0; three_columns; two_discs; } > good.bin
run detect good.bin; code_is 0; output_is 'first,second\n0,1\n'
{ head_of 1 4 2 0; column id 3; three_columns; u32 9; u32 4; two_discs; } > ids.bin
run detect ids.bin; output_is 'first,second\n4,9\n'
{ head_of 1 5 2 0; column vx 5; column flags 5; three_columns; printf 'ab\001\000'; two_discs; } > more.bin
run detect more.bin --ignore all; output_is 'first,second\n0,1\n'
run detect good.bin --format binary --out pairs.bin; code_is 0
if { printf SCREEPRS; u32 1; u32 0; u32 1; u32 0; u32 0; u32 1; } | cmp -s - pairs.bin; then good; else bad 'pairs.bin is wrong'; fi
run detect ids.bin --format binary --neighbors; code_is 0
if { printf SCREENBR; u32 1; u32 0; u32 2; u32 0; u32 2; u32 0; u32 4; u32 9
     u32 0; u32 0; u32 1; u32 0; u32 2; u32 0; u32 9; u32 4; } | cmp -s - out; then good; else bad 'neighbours are wrong'; fi

refuses 3 'more.bin:byte 24: name: of this column is unknown' detect more.bin
{ head_of 2 3 2 0; three_columns; two_discs; } > bad.bin
refuses 3 'bad.bin:byte 8: version: is 2, must be 1' detect bad.bin
{ head_of 1 65 2 0; three_columns; two_discs; } > bad.bin
refuses 3 'bad.bin:byte 12: columns: are 65, at most 64' detect bad.bin
{ head_of 1 3 2 2147483648; three_columns; two_discs; } > bad.bin
refuses 3 'bad.bin:byte 16: rows: are 9223372036854775810' detect bad.bin
{ head_of 1 3 2147483646 0; three_columns; two_discs; } > bad.bin
refuses 3 'rows: 2147483646 of them need a file of 25769803848 bytes, this one has 120' detect bad.bin
{ head_of 1 3 3 0; three_columns; two_discs; } > bad.bin
refuses 3 'bad.bin:byte 120: rows: 3 of them need a file of 132 bytes' detect bad.bin
{ cat good.bin; printf x; } > bad.bin
refuses 3 'bad.bin:byte 120: rows: 2 of them need a file of 120 bytes, this one has 121' detect bad.bin
{ head_of 1 3 2 0; column x 9; column y 2; column r 2; two_discs; } > bad.bin
refuses 3 'bad.bin:byte 24: type: is 9, must be from 1 to 5' detect bad.bin
{ head_of 1 3 2 0; column x 3; column y 2; column r 2; two_discs; } > bad.bin
refuses 3 'bad.bin:byte 24: x: has type 3, must have 1' detect bad.bin
{ head_of 1 3 2 0; column x 2; column x 2; column r 2; two_discs; } > bad.bin
refuses 3 'bad.bin:byte 48: x: this column appears twice' detect bad.bin
{ head_of 1 3 2 0; three_columns; printf "$zero$one$zero$zero$one\000\000\300\177"; } > bad.bin
refuses 3 'bad.bin:byte 116: r: is nan, must be finite' detect bad.bin
{ head_of 1 4 2 0; three_columns; column id 3; two_discs; u32 5; u32 5; } > bad.bin
refuses 3 'bad.bin:byte 148: id: 5 is the id of row 1 already' detect bad.bin
# cut off anywhere: refused, and after the first 8 bytes as a binary file
size=$(wc -c < good.bin)
for k in $(seq 0 7 $((size - 1))); do
    head -c "$k" good.bin > cut.bin
    run detect cut.bin; code_is 3; silent
done

# ---- demo -----------------------------------------------------------------------------------------

run demo --n 200 --time 0.01 --threads 1 --out shown; code_is 0; calm
says 'a drum '; says '200 bodies, none lost'; says 'shown/demo.png: colour is speed'
if [ "$(head -c 4 shown/demo.png | tail -c 3)" = PNG ]; then good; else bad 'demo.png is no picture'; fi
refuses 2 '--time: "x" is not a number' demo --time x
refuses 2 '--n: "0" is not a whole number from 1' demo --n 0

# ---- lab ------------------------------------------------------------------------------------------

refuses 2 '--port: "70000" is not a whole number from 0 to 65535' lab --port 70000
refuses 2 '--listen 0.0.0.0 admits other machines: give --token, too' lab --listen 0.0.0.0
refuses 2 '--threads: "0" is not a whole number from 1' lab --threads 0

# opens STATUS: a laboratory with --open, on a machine whose xdg-open ends with STATUS, or that has none; it goes on until it is told
# to stop, and its code is that of one that was
opens() {
    mkdir -p bin
    rm -f bin/xdg-open
    [ "$1" = none ] || { printf '#!/bin/sh\necho "$1" > opened\nexit %s\n' "$1" > bin/xdg-open && chmod +x bin/xdg-open; }
    shown="scree lab --open (xdg-open: $1)"
    rm -f opened
    : > err
    PATH=$PWD/bin "$scree" lab --port 0 --open > out 2> err &
    lab=$!
    tries=0
    while [ $tries -lt 300 ] && ! grep -q 'by hand' err && ! [ -s opened ] && kill -0 $lab 2> /dev/null; do
        sleep 0.1
        tries=$((tries + 1))
    done
    # what it may say of a browser that has ended it says within half a second
    sleep 1
    kill -TERM $lab 2> /dev/null
    wait $lab
    code=$?
    address=$(sed -n 's/^the lab is at //p' out)
}
opens none
if ! grep -q 'built without libwebsockets' err; then
    code_is 0
    complains "scree: lab: no browser was opened, as xdg-open is not installed; open $address by hand"
    opens 3
    code_is 0
    complains "scree: lab: no browser was opened, as xdg-open found none; open $address by hand"
    opens 0
    code_is 0
    calm
    if [ "$(cat opened)" = "$address" ]; then good; else bad "it should open $address, not $(cat opened)"; fi
fi

# ---- mesh info ------------------------------------------------------------------------------------

cat >cube.obj <<CUBE
v 0 0 0
v 2 0 0
v 0 1 0
v 2 1 0
v 0 0 1
v 2 0 1
v 0 1 1
v 2 1 1
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
CUBE
run mesh info cube.obj --density 3; code_is 0; calm
says 'cube.obj: 8 vertices, 12 facets, 18 edges'; says 'closed, oriented, 1 patch'
says 'x            0 to 2, 2 wide'; says 'volume       2'; says 'mass         6 at density 3'
says 'centre       1 0.5 0.5'; says 'principal    1 2.5 2.5'
if grep -q warning out; then bad 'a cube has nothing wrong'; else good; fi
run mesh info --json cube.obj; code_is 0; says '"facets": 12'; says '"closed": true'; says '"volume": 2'; calm
# a facet turned over, a facet taken away, all turned over, and two that pass through each other
sed 's/f 1 3 4 2/f 1 2 4 3/' cube.obj >turned.obj
run mesh info turned.obj; code_is 0; says 'closed, not consistently oriented, but orientable'
says 'warning      4 edges have facets with opposite orientation'
sed '$d' cube.obj >open.obj
run mesh info open.obj; code_is 0; says 'open, oriented'; says 'warning      4 edges have one facet: the surface is open'; says 'warning      no mass: '
awk '/^f/ { print "f", $5, $4, $3, $2; next } { print }' cube.obj >inward.obj
run mesh info inward.obj; code_is 0; says 'warning      normals point inward'; says 'volume       2'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv .2 .2 -1\nv .2 .2 1\nv .9 .9 1\nf 1 2 3\nf 4 5 6\nf 1 2 3\nf 1 1 2\n' >crossed.obj
run mesh info crossed.obj; code_is 0; says '2 patches'; says '1 pairs of facets intersect, facets 0 and 1 first'
says '1 facets repeat others'
refuses 2 'mesh info: which file?' mesh info
refuses 2 '--density: "0"' mesh info cube.obj --density 0
refuses 4 'none.obj' mesh info none.obj
printf 'v 0 0 0\nf 1 2 3\n' >broken.obj
refuses 3 'broken.obj' mesh info broken.obj
run help mesh; code_is 0; says 'mesh info'

# ---- checkpoints: what is in them, and how they differ ------------------------------------------------

run info "$kept/v1-ledger.scree"; code_is 0; calm
says 'checkpoint of version 1, by scree 0.1.0, 9776 bytes'; says 'bodies       3, radius 0.1 to 0.1 m, 31.4159 kg'
says '4 added, 1 removed'; says 'contacts     2 of bodies, 3 with walls'; says 'materials    1: glass'; says 'rules        1: hertz'
says 'digest       2b1a6a459a89b7e1'; says 'kinetic               6.78919e-05 J'; says 'state.body.position'
cp "$kept/v1-ledger.scree" in; run info -; code_is 0; says 'digest       2b1a6a459a89b7e1'
run info --json "$kept/v1-flat.scree"; code_is 0; calm
says '"dimensions": 2'; says '"digest": "49733630b959ef65"'; says '"name": "mesh.vertices"'
if ! command -v python3 > /dev/null || python3 -m json.tool < out > /dev/null; then good; else bad 'no JSON'; fi
refuses 2 'info: which file?' info
refuses 2 'info: --devices takes no file' info --devices "$kept/v1-flat.scree"
refuses 2 'info: --devices takes no file' info --devices --part scene
refuses 2 'has no part "scene"' info "$kept/v1-flat.scree" --part scene
refuses 4 'none.scree: cannot be opened: No such file or directory' info none.scree
# of a run's folder the last checkpoint; other files there are left alone
mkdir -p kept/checkpoints empty; : > kept/checkpoints/note.txt
cp "$kept/v1-empty.scree" kept/checkpoints/b.scree; cp "$kept/v1-ledger.scree" kept/checkpoints/a.scree
run info kept; code_is 0; calm; says 'kept/checkpoints/a.scree: checkpoint of version 1'; says 'digest       2b1a6a459a89b7e1'
run info --json kept; code_is 0; says '"digest": "2b1a6a459a89b7e1"'
refuses 2 'kept/checkpoints/a.scree' info kept --part scene
refuses 3 'empty: there are no checkpoints in this folder; give the folder of a run, or a checkpoint' info empty
head -c 9000 "$kept/v1-ledger.scree" > cut.scree
refuses 3 'cut.scree: it is cut off in section "state.surface.moment", at byte 9000 of 9776' info cut.scree

run diff "$kept/v1-ledger.scree" "$kept/v1-ledger.scree"; code_is 0; calm; says 'the same: step 3, 3 bodies, digest 2b1a6a459a89b7e1'
run diff "$kept/v1-ledger.scree" "$kept/v1-flat.scree"; code_is 1; calm
says 'body: 1 only in the first, first body 3'; says 'position              2 differ, first body 1, component 0: '
says 'contact of: 1 only in the first, first contact of 2 and 3'; says 'rules: 1 and 0 rows'
says 'the first body that differs is 1, in its position'
run diff --json "$kept/v1-ledger.scree" "$kept/v1-flat.scree"; code_is 1; says '"field": "velocity"'; says '"equal": false'
if ! command -v python3 > /dev/null || python3 -m json.tool < out > /dev/null; then good; else bad 'no JSON'; fi
run diff "$kept/v1-empty.scree" "$kept/v1-flat.scree"; code_is 1; says 'they are of steps 0 and 3'
refuses 2 'diff: give two files or two folders' diff "$kept/v1-flat.scree"
refuses 2 'is one word too many' diff a b c
refuses 2 'is a folder' diff . "$kept/v1-flat.scree"
refuses 3 'cut.scree: it is cut off' diff "$kept/v1-flat.scree" cut.scree
mkdir -p one/checkpoints two/checkpoints
cp "$kept/v1-empty.scree" one/checkpoints/0.scree; cp "$kept/v1-empty.scree" two/checkpoints/0.scree
cp "$kept/v1-ledger.scree" one/checkpoints/3.scree; cp "$kept/v1-ledger.scree" two/checkpoints/3.scree
printf 'step,time,kinetic,wall_seconds\n0,0,1.5,3\n3,0.1,1.25,4\n' > one/metrics.csv
printf 'step,time,kinetic,wall_seconds\n0,0,1.5,5\n3,0.1,1.25,6\n' > two/metrics.csv
run diff one two; code_is 0; calm
says 'checkpoints: 2 and 2, 2 of the same step, all the same'; says 'metrics: 2 rows, all the same'
printf 'step,time,kinetic,wall_seconds\n0,0,1.5,5\n3,0.1,1.26,6\n6,0.2,1,7\n' > two/metrics.csv
run diff one two; code_is 1
says 'metrics: 1 rows differ, first at 3: kinetic is 1.25 and 1.26'; says 'metrics: the second has 1 rows more'
run diff --json one two; code_is 1; says '"column": "kinetic"'
if ! command -v python3 > /dev/null || python3 -m json.tool < out > /dev/null; then good; else bad 'no JSON'; fi
cp "$kept/v1-flat.scree" two/checkpoints/3.scree
run diff one two; code_is 1; says 'the first that differ are of step 3'; says 'the first body that differs is 1, in its position'
cp cut.scree two/checkpoints/3.scree
run diff one two; code_is 3; complains 'it is cut off'
rm -rf one two cut.scree

program_end test_program
