#!/bin/sh
# The program from outside: every verb, exit code and error text, and files that are wrong in every
# way. Usage: test_program.sh PATH/OF/scree. A failed check prints what was run and what came.
set -u
scree=${1:?usage: test_program.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
kept=$(cd "$(dirname "$0")/../data/checkpoints" && pwd)
. "$(dirname "$0")/../harness/record.sh"
record_begin app/test_program
cd "$work" || exit 1
passed=0
failed=0
unset SCREE_SIMD NO_COLOR || true

# run ARGS...: exit code in $code, output in the files out and err; stdin is the file in, if there.
# A run may take 60 seconds and write 20 MB, so that no fault can fill the disk or never end.
run() {
    shown="scree $*"
    [ -f in ] || : > in
    (ulimit -f 40000; exec timeout 300 "$scree" "$@") < in > out 2> err
    code=$?
    rm -f in
}

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  exit code $code; stdout: $(head -c 300 out | tr '\n\000' '|?')"
    echo "  stderr: $(head -c 300 err | tr '\n\000' '|?')"
}

code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code should be $1"; fi; }
says() { if grep -qF -- "$1" out; then good; else bad "stdout should say: $1"; fi; }
complains() { if grep -qF -- "$1" err; then good; else bad "stderr should say: $1"; fi; }
silent() { if [ -s out ]; then bad "stdout should be empty"; else good; fi; }
calm() { if [ -s err ]; then bad "stderr should be empty"; else good; fi; }
output_is() {
    printf "$1" > wanted
    if cmp -s wanted out; then good; else bad "stdout should be $(tr '\n' '|' < wanted)"; fi
}

# refuses CODE TEXT ARGS...: the code, exactly one line on stderr with the text, nothing on stdout
refuses() {
    wanted_code=$1 wanted_text=$2
    shift 2
    run "$@"
    code_is "$wanted_code"
    complains "$wanted_text"
    silent
    lines=$(wc -l < err)
    if [ "$lines" -eq 1 ]; then good; else bad "one line on stderr, not $lines"; fi
    if grep -q '^scree: ' err; then good; else bad "errors begin with scree:"; fi
}

# file_refused TEXT BYTES: a file with these bytes (printf) is bad input, named with its place
file_refused() {
    printf "$2" > bad.csv
    refuses 3 "$1" detect bad.csv
}

# ---- help, version, verbs -------------------------------------------------------------------------

for words in --help -h help; do
    run $words
    code_is 0; says 'usage: scree VERB'; says 'bench detect'; says 'Exit codes'; calm
done
run; code_is 2; complains 'usage: scree VERB'; silent
run --version; code_is 0; says 'scree '; calm
for verb in run lab methods detect 'bench detect' 'bench thesis' 'bench pfc' 'bench yade' 'bench hash-grids' \
    'bench auto' 'bench scaling' 'bench peers' 'bench engines' 'bench triangles' \
    'bench meshes' 'bench surrogate' 'bench worlds' 'bench demo' demo convert fields 'mesh info' 'mesh tree'; do
    run help $verb; code_is 0; says "usage: scree $verb"; calm; cp out by_help
    run $verb --help; code_is 0; calm
    if cmp -s out by_help; then good; else bad "differs from scree help $verb"; fi
    run $verb -h; code_is 0; says "usage: scree $verb"
    refuses 2 "$verb: there is no option --nonsense" $verb --nonsense
    refuses 2 'there is no option -x; options begin with --' $verb -x
done
run help bench; code_is 0; says 'bench thesis'
run bench --help; code_is 0; says 'bench demo'
refuses 2 'there is no "scree detct"; did you mean "detect"?' detct
refuses 2 'there is no "scree zzzzzzzz"; see scree --help' zzzzzzzz
refuses 2 'there is no "scree bench detekt"; did you mean "bench detect"?' bench detekt
refuses 2 'bench: which one?' bench
refuses 2 'there is no option --frob before a verb' --frob
refuses 2 'there is no "scree nosuch"' help nosuch
refuses 2 'did you mean --method?' detect --metod dess x.csv
refuses 2 '--method needs a value, NAME' detect x.csv --method
refuses 2 '--count takes no value' detect --count=1 x.csv
refuses 2 '--count is given twice' detect --count --count x.csv
refuses 2 '"b.csv" is one word too many' detect a.csv b.csv
refuses 2 '"x" is one word too many' methods x

# ---- methods --------------------------------------------------------------------------------------

run methods; code_is 0; says 'bounding-volume'; says 'dess2'; says 'quadratic'; calm
run methods --format csv; code_is 0; says 'method,can,cost,exponent_2d,exponent_3d,summary'
run methods --format=json; code_is 0; says '"method": "dess"'
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
refuses 3 'c.csv:1: columns: "vx" is not one that is known (--ignore passes over columns)' detect c.csv
printf 'x,y,r\n' > c.csv; run detect c.csv; code_is 0; output_is 'first,second\n'
run detect c.csv --neighbors; code_is 0; output_is 'id,neighbors\n'
printf 'x,y,r\n0,0,1\nnan,0,1\n2,0,1\n1,0,-1\n' > c.csv
run detect c.csv --skip-unusable; code_is 0; output_is 'first,second\n0,2\n'
complains '2 bodies with unusable numbers are left out'

# ---- files that must be refused -------------------------------------------------------------------

file_refused 'bad.csv:1: columns: there is neither a header nor a row' ''
file_refused 'bad.csv:1: columns: there is neither a header nor a row' '\n\n# nothing\n'
file_refused 'bad.csv:1: r: this column is missing' 'x,y\n1,2\n'
file_refused 'bad.csv:1: x: this column is missing' 'y,z,r\n'
file_refused 'bad.csv:1: hi_z: this column is missing' 'lo_x,lo_y,lo_z,hi_x,hi_y\n'
file_refused 'bad.csv:1: lo_z: this column is missing' 'lo_x,lo_y,hi_x,hi_y,hi_z\n'
file_refused 'bad.csv:1: columns: are those of spheres and of boxes at once' 'x,y,r,lo_x\n'
file_refused 'bad.csv:1: columns: must be x,y[,z],r or' 'id,owner\n'
file_refused 'bad.csv:1: x: this column is there twice' 'x,y,x,r\n'
file_refused 'bad.csv:1: r: this column is there twice' 'x,y,r,radius\n'
file_refused 'bad.csv:1: columns: "what?is" is not one that is known' 'x,y,r,what\001is\n'
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
refuses 3 'long.csv:1: columns: "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq..." is not one that is known' detect long.csv
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

refuses 3 'more.bin:byte 24: name: of this column is not one that is known' detect more.bin
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
refuses 3 'bad.bin:byte 48: x: this column is there twice' detect bad.bin
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

# ---- bench detect ---------------------------------------------------------------------------------

run bench detect --n 300; code_is 0; says 'scene uniform, n = 300, 1 step, 1 thread'; says 'all checksums are equal'
keys='method,scene,n,steps,threads,simd,ms,ns_per_body,ns_per_pair,tested,pairs,bytes_per_body,checksum'
run bench detect --n 300 --format csv; code_is 0; calm
if [ "$(head -n 1 out)" = "$keys" ]; then good; else bad "keys should be $keys"; fi
if [ "$(tail -n +2 out | cut -d, -f13 | sort -u | wc -l)" -eq 1 ]; then good; else bad 'checksums differ'; fi
if [ "$(tail -n +2 out | wc -l)" -eq "$(echo "$methods" | wc -l)" ]; then good; else bad 'a method is missing'; fi
run bench detect --n 300 --format json --method dess,dess2 --steps 3 --repeat 2 --threads 2 --simd scalar --seed 9
code_is 0; says '"threads": 2'; says '"simd": "scalar"'; says '"steps": 3'; says '"checksum": "'
for scene in uniform ratio10 ratio100 fines10 fines100 giant clusters discs discs32 even2:8 needles identical thesis1 thesis2 thesis2:2 mixture:9:0.5 bimodal power:100 burst wide:100; do
    for motion in none all:0.01 few:0.5; do
        run bench detect --scene $scene --n 150 --steps 3 --repeat 1 --motion $motion --threads 2
        code_is 0; says 'all checksums are equal'
    done
done
run bench detect --scene thesis1 --n 400 --steps 5 --repeat 1; code_is 0
run bench detect --n 0; code_is 0
run bench detect --n 1; code_is 0
run bench detect --n 100,1e3 --method bounding-volume,dess --repeat 1; code_is 0; says 'time ~ n^exponent'; says 'n = 1000'
run bench detect --scaling --n 100..1e3 --method dess --repeat 1 --format csv; code_is 0
says 'method,scene,from,to,exponent,claim,verdict'; says 'dess,uniform,100,1000,'
run bench detect --n 20001 --repeat 1; code_is 0; complains 'pairing is left out at n = 20001: its cost is quadratic'
if grep -q '^pairing' out; then bad 'pairing should be left out'; else good; fi
run bench detect --n 300 --lie dess; code_is 1; complains 'and dess disagree: scene uniform, n 300, seed 1, step 0'
if grep -q 'are equal' out; then bad 'a lie was not noticed'; else good; fi
refuses 2 '--scene: there is no "unifrm"; did you mean "uniform"?' bench detect --scene unifrm
refuses 2 'scene: "uniform:3" takes no ratio' bench detect --scene uniform:3
refuses 2 '--n: "1e99" is not a number of bodies' bench detect --n 1e99
refuses 2 '--n: "-5" is not a number of bodies' bench detect --n -5
refuses 2 '--n: "" is not a number of bodies' bench detect --n ''
refuses 2 '--n: "9..3" is not' bench detect --n 9..3
refuses 2 '--motion: "all" is not none' bench detect --motion all
refuses 2 '--motion: springs need scene thesis1 or thesis2' bench detect --motion springs
refuses 2 '--steps: "0" is not a whole number' bench detect --steps 0
refuses 2 '--repeat: "1.5" is not a whole number' bench detect --repeat 1.5
refuses 2 'there is no "des"; did you mean "dess"?' bench detect --method hashing,des
refuses 2 'there is no ""' bench detect --method hashing,
refuses 2 'scene: in "power:0.5" the ratio must be from 1 to 1e6' bench detect --scene power:0.5
refuses 2 'the volume fraction from 0.001 to 10' bench detect --scene power:3:0
refuses 2 'scene: in "power:3:0.1x"' bench detect --scene power:3:0.1x
refuses 2 'scene: the ratio in "even2:2:0.3"' bench detect --scene even2:2:0.3

# margins: pairs of the enlarged volumes are the same for all methods
for margin in none skin:length=0.1 tolerance:extent=0.05,reach=1 tolerance:velocity=1 stride:length=-0.1 \
    distance bins:bin_count=3,bin_ratio=10 per-body:target_steps=9 distance:trust_velocities=true; do
    run bench detect --n 200 --steps 12 --repeat 1 --motion all:0.02 --margin $margin --format csv
    code_is 0; calm
    if [ "$(head -n 1 out)" = "$keys,runs,mapped,late" ]; then good; else bad 'columns of a margin'; fi
    if [ "$(tail -n +2 out | cut -d, -f13- | sort -u | wc -l)" -eq 1 ]; then good; else bad 'a difference'; fi
done
run bench detect --n 200 --steps 12 --motion all:0.02 --margin none --method dess --format csv
if [ "$(tail -n 1 out | cut -d, -f14-)" = 12,2400,0 ]; then good; else bad 'none maps all in every step'; fi
run bench detect --n 200 --steps 12 --motion all:0.02 --margin skin:length=1 --method dess --format csv
if [ "$(tail -n 1 out | cut -d, -f14-)" = 1,200,0 ]; then good; else bad 'a wide skin maps once'; fi
run bench detect --n 200 --steps 12 --motion all:0.03 --margin tolerance:extent=0,constant=0.01 --method dess --format csv
if [ "$(tail -n 1 out | cut -d, -f16)" -gt 2000 ]; then good; else bad 'late bodies are counted'; fi
run bench detect --n 200 --margin skin --lie dess; code_is 1; complains 'dess disagree'
run bench detect --n 200 --margin skin --format json --method dess; says '"runs": 1'; says '"mapped": 200'; says '"late": 0'
for scene in uniform ratio10 discs discs32 even2 mixture; do
    run bench detect --scene $scene --n 900 --steps 3 --repeat 1 --motion all:0.1 --periodic --margin skin
    code_is 0; says 'all checksums are equal'
done
run bench detect --n 300 --method dess --format csv; walled=$(tail -n 1 out | cut -d, -f11)
run bench detect --n 300 --method dess --format csv --periodic; code_is 0
if [ "$(tail -n 1 out | cut -d, -f11)" -gt "$walled" ]; then good; else bad 'no pairs across the border'; fi
refuses 2 '--margin: there is no kind "skim"; did you mean "skin"?' bench detect --margin skim
refuses 2 '--margin: there is no kind ""' bench detect --margin ''
refuses 2 '--margin: there is no field "lenght"; did you mean "length"?' bench detect --margin skin:lenght=1
refuses 2 '--margin: "length" should be length=NUMBER' bench detect --margin skin:length
refuses 2 '--margin: "length=x" should be length=NUMBER' bench detect --margin skin:length=x
refuses 2 '"bin_count=1.5" should be bin_count=NUMBER, a whole one' bench detect --margin bins:bin_count=1.5
refuses 2 'should be trust_velocities=true or =false' bench detect --margin bins:trust_velocities=1
refuses 2 '--margin: there is no field ""' bench detect --margin skin:
refuses 2 '--margin: there is no field ""' bench detect --margin skin:length=1,
refuses 2 '--margin: reach is 0.5, must be 1 to 1e+06' bench detect --margin tolerance:reach=0.5
refuses 2 '--margin: length is nan' bench detect --margin skin:length=nan
refuses 2 '--periodic: the bodies of scene "clusters" do not fill a box' bench detect --scene clusters --periodic

# ---- bench auto, and why a method was chosen ------------------------------------------------------

run bench auto --n 1000 --repeat 1; code_is 0; calm; says 'auto_over_best'; says 'wide:1e6'; says 'best single method'
run bench auto --n 1000 --repeat 1 --format csv; code_is 0; says 'scene,n,motion,auto,'
refuses 2 '--n' bench auto --n 10
refuses 2 '--repeat' bench auto --repeat 10
refuses 2 '--format' bench auto --format xml
printf '0,0,1\n1,0,1\n' > in; run detect - --explain; code_is 0; output_is 'first,second\n0,1\n'
complains 'bounding-volume: there are so few bodies'; complains 'flat             predicted'; complains 'measured'
printf '0,0,1\n1,0,1\n' > in; run detect - --explain --method dess --count; code_is 0; complains 'dess: it was asked for by name'

# ---- bench scaling --------------------------------------------------------------------------------

run bench scaling --n 200,1e3 --threads 1,2 --repeat 2 --out made; code_is 0; calm
says 'scene uniform'; says '1 thread: time ~ n^'; says '2 threads: time ~ n^'
for words in '200 +1' '200 +2' '1000 +1' '1000 +2'; do
    if grep -Eq "^ *$words +[0-9.]+ +[0-9.]+ " out; then good; else bad "no row of $words"; fi
done
if [ "$(grep -Ec ' 1.00$' out)" -ge 2 ]; then good; else bad 'one thread is the measure of efficiency'; fi
if grep -q '^# Scaling of ' made/scaling.md && grep -q '2 threads: time' made/scaling.md; then good; else bad 'no page'; fi
if [ "$(wc -l < made/scaling.csv)" -eq 5 ]; then good; else bad 'scaling.csv should have 5 lines'; fi
if grep -q '>2 threads</text>' made/scaling.svg && grep -q '</svg>' made/scaling.svg; then good; else bad 'no plot'; fi
rm -rf made
keys='method,scene,n,threads,ms,ns_per_body,pairs,ns_per_pair,bytes_per_body,beside_pairs,efficiency,exponent,checksum'
run bench scaling --n 100,300,1000 --threads 1,3,5 --repeat 1 --method dess2 --scene discs --simd scalar --seed 4 --format csv
code_is 0; calm
if [ "$(head -n 1 out)" = "$keys" ]; then good; else bad "keys should be $keys"; fi
if [ "$(wc -l < out)" -eq 10 ]; then good; else bad 'three sizes with three numbers of threads'; fi
if [ "$(grep ',300,' out | cut -d, -f7,13 | sort -u | wc -l)" -eq 1 ]; then good; else bad 'threads find different pairs'; fi
run bench scaling --n 200 --repeat 1 --format json; code_is 0; says '"threads": 1'; says '"exponent": 0.000'
# spatial-sort-1 holds a kilobyte or two for each body: these would take terabytes
run bench scaling --n 1000,2e9 --threads 1 --repeat 1 --method spatial-sort-1 --format csv; code_is 0
complains 'n = 2000000000 is left out: it may take'
if [ "$(wc -l < out)" -eq 2 ]; then good; else bad 'one size is left'; fi
refuses 2 '--n: "100,50" is not a list of at most 16 growing numbers, 1 to 2147483647' bench scaling --n 100,50
refuses 2 '--n: "" is not a list' bench scaling --n ''
refuses 2 '--n: "5," is not a list' bench scaling --n 5,
refuses 2 '--threads: "1,300" is not a list of at most 16 growing numbers, 1 to 256' bench scaling --threads 1,300
refuses 2 '--method: there is no "flatt"; did you mean "flat"?' bench scaling --method flatt
refuses 2 'there is no "unifrm"' bench scaling --scene unifrm

# ---- demo -----------------------------------------------------------------------------------------

run demo --n 200 --time 0.01 --threads 1 --out shown; code_is 0; calm
says 'a drum '; says '200 bodies, none lost'; says 'shown/demo.png: colour is speed'
if [ "$(head -c 4 shown/demo.png | tail -c 3)" = PNG ]; then good; else bad 'demo.png is no picture'; fi
refuses 2 '--time: "x" is not a number' demo --time x
refuses 2 '--n: "0" is not a whole number from 1' demo --n 0

# ---- lab ------------------------------------------------------------------------------------------

refuses 2 '--port: "70000" is not a whole number from 0 to 65535' lab --port 70000
refuses 2 '--listen 0.0.0.0 lets other machines in: give --token as well' lab --listen 0.0.0.0
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
    address=$(sed -n 's/^the laboratory is at //p' out)
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

# ---- bench triangles ------------------------------------------------------------------------------

run bench triangles --pairs 100 --format csv; code_is 0; says 'two spheres,1224,1498176'; says 'certified'; calm
refuses 2 '--pairs: "0" is not a whole number from 1' bench triangles --pairs 0

# ---- surrogate trees ------------------------------------------------------------------------------

# that the paper's tables can be had; what they prove of the checklist they record themselves
run bench surrogate --table 1 --record rows; code_is 0; says 'MR-H1   pass  of a ball'; says '1280'; calm
if [ "$(grep -c "^NW-38$(printf '\t')[a-z]*$(printf '\t')bench surrogate 1$(printf '\t')MR-H1$(printf '\t').*%.*full\$" \
    rows/bench_surrogate_1.txt)" -eq 4 ] && [ "$(tail -n 1 rows/bench_surrogate_1.txt)" = '# ended' ]
then good; else bad 'four claims of MR-H1 should be recorded'; fi
run bench surrogate --table 1 --record /proc/nowhere; code_is 4; complains '/proc/nowhere'
run bench surrogate --table 8 --steps 2 --format csv; code_is 0; says 'particle-particle,multiscale Picard,5120,8'; calm
run bench surrogate --table 6 --steps 2; code_is 0; says 'MR-H7'; says 'MR-H10  pass'; calm
run bench surrogate --table 9 --n 4 --steps 1; code_is 0; says 'MR-H9   pass'; says 'MR-H10  pass'; says 'single level'; calm
run bench surrogate --table 9 --n 34 --steps 1 --format csv; code_is 0; says ',34,34,1,'; calm
run bench surrogate --table 9 --n 4 --steps 1 --out .; code_is 0; calm
if grep -q 'comparisons a pair' surrogate-grid.svg; then good; else bad 'surrogate-grid.svg should have bars'; fi
for option in '--n 4' --own '--out .'; do
    # shellcheck disable=SC2086 # two words
    run bench surrogate --table 8 --steps 1 $option; code_is 2; complains "${option%% *} is for table 9"
done
run bench surrogate --table 5 --steps 1; code_is 0; says 'MR-H6   pass'; calm
run bench surrogate --table 2 --pairs 50; code_is 0; says 'MR-H3'; says 'certified'; calm
run bench surrogate --table 3 --pairs 50; code_is 0; says 'sphere on plane'; says 'hybrid'; calm
run bench surrogate --table 7 --steps 2; code_is 0; says 'multiscale Picard'; calm
run bench surrogate --table 4 --steps 10; code_is 0; says 'MR-H10  pass'; says 'on plane'; calm
refuses 2 'one of --table and --all' bench surrogate
refuses 2 'one of --table and --all' bench surrogate --all --table 1
refuses 2 '--table: there is no "10"' bench surrogate --table 10
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > pyramid.obj
run mesh tree pyramid.obj --out levels --cache pyramid.tree; code_is 0; says 'surrogates'
complains 'the tree was grown and written to pyramid.tree'
if [ "$(wc -c < levels/level-0.stl)" -eq 134 ]; then good; else bad 'level-0.stl is not of one triangle'; fi
run mesh tree pyramid.obj --cache pyramid.tree --format csv --threads 2; code_is 0; says '0,1,1,4,4,'
complains 'the tree was read from pyramid.tree'
run mesh tree pyramid.obj --cache pyramid.tree --functional; code_is 0; complains 'the tree was grown and written to'
run mesh tree pyramid.obj --cache /nowhere/at/all; code_is 0; complains 'the tree was grown, and not written to'
cp pyramid.obj kept.obj
refuses 3 'is not replaced by one' mesh tree pyramid.obj --cache kept.obj
if cmp -s pyramid.obj kept.obj; then good; else bad 'a mesh was written over'; fi
run mesh tree pyramid.obj --picture tree.png; code_is 0
if [ "$(head -c 4 tree.png | tail -c 3)" = PNG ]; then good; else bad 'tree.png is no picture'; fi
refuses 4 '/nowhere/tree.png' mesh tree pyramid.obj --picture /nowhere/tree.png
refuses 2 'mesh tree: which file?' mesh tree
refuses 2 '--threads: "0"' mesh tree pyramid.obj --threads 0
refuses 4 'missing.stl' mesh tree missing.stl
printf 'v 1e50 0 0\nv 1 0 0\nv 0 1e50 0\nf 1 2 3\n' > vast.obj
refuses 2 'too large for STL' mesh tree vast.obj --out vast

# ---- bench worlds ---------------------------------------------------------------------------------

run bench worlds --small --turns 2; code_is 0; calm
says 'clumps of 8 pebbles'; says 'blocks of 12 faces'; says 'of which detection'
run bench worlds --small --turns 1 --table lain --format csv; code_is 0; says 'spheres,64,'; calm
run bench worlds --small --turns 1 --table glued --format csv; code_is 0; says 'glued,216,2.50,2.50,'; calm
refuses 2 'csv and json are of one --table' bench worlds --small --format json
refuses 2 '--turns: "0" is not a whole number' bench worlds --turns 0

# ---- bench meshes ---------------------------------------------------------------------------------

run bench meshes --searches 1 --format csv; code_is 0; says 'sphere,1280,0.005,'; says 'bumpy,1280,0.05,0,0,'; calm
refuses 2 '--searches: "0" is not a whole number from 1' bench meshes --searches 0

refuses 2 '--fit goes with no other option but --format' bench meshes --fit --searches 5
run bench meshes --fit --format csv; code_is 0; calm
if grep -Eq '^4,4,[0-9.]+,[0-9.]+,[0-9.]+,1.47,1.68,4.38,[a-z]+,all$' out; then good; else bad 'two tetrahedra'; fi
if grep -Eq '^1280,1280,.*,boxes$' out; then good; else bad 'two globes'; fi

# mesh_peer NAME: a program from stdin, which sees the arguments as $1 (list or run), $2 (variant), $3 (case), $4 (searches)
mkdir -p peers
mesh_peer() { { echo '#!/bin/sh'; cat; } > "peers/mesh_$1"; chmod +x "peers/mesh_$1"; }
meshes() { run bench meshes --peers peers --searches 7 "$@"; }
meshes; code_is 4; silent; complains 'mesh_scree is left out: it is not there'; complains './do bench peers builds'
mesh_peer scree <<MESH
[ "\$1" = list ] && { echo 'version 1'; echo 'variant scree all of them'; exit; }
[ "\$4" = 7 ] && echo "done answer=\$3 find=2 move=0 build=3"
MESH
mesh_peer ode <<MESH
[ "\$1" = list ] && { for v in well fails mumbles; do echo "variant \$v contacts"; done; exit; }
case \$2 in
    well) echo 'done answer=0 find=5 move=1 build=300' ;;
    fails) echo 'failed: no memory'; exit 1 ;;
    mumbles) echo 'done well' ;;
esac
MESH
echo 'exit 5' | mesh_peer fcl
meshes; code_is 0; complains 'mesh_fcl is left out: ended with code 5'; complains 'mesh_cgal is left out: it is not there'
if grep -Eq '^sphere +0.005 +well +contacts +0 +5 +2.5 +1 +300' out; then good; else bad 'the figures of ode'; fi
if grep -Eq '^bumpy +0.05 +scree +all of them +5 +2 +1 +0 +3' out; then good; else bad 'the figures of scree'; fi
says 'no memory'; says 'its answer is not understood'; says "Nobody else answers scree's"
meshes --format csv; code_is 0; says 'bumpy,0.015,fails,contacts,0,0,0,0,0,no memory'
if [ "$(wc -l < out)" -eq 25 ]; then good; else bad 'a row for each variant and case'; fi
rm -r peers

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
run mesh info turned.obj; code_is 0; says 'closed, not oriented, but could be'
says 'warning      4 edges have facets that are turned against each other'
sed '$d' cube.obj >open.obj
run mesh info open.obj; code_is 0; says 'open, oriented'; says 'warning      4 edges have one facet: the surface is open'; says 'warning      no mass: '
awk '/^f/ { print "f", $5, $4, $3, $2; next } { print }' cube.obj >inward.obj
run mesh info inward.obj; code_is 0; says 'warning      normals point inward'; says 'volume       2'
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv .2 .2 -1\nv .2 .2 1\nv .9 .9 1\nf 1 2 3\nf 4 5 6\nf 1 2 3\nf 1 1 2\n' >crossed.obj
run mesh info crossed.obj; code_is 0; says '2 patches'; says '1 pairs of facets pass through each other, facets 0 and 1 first'
says '1 facets repeat others'
refuses 2 'mesh info: which file?' mesh info
refuses 2 '--density: "0"' mesh info cube.obj --density 0
refuses 4 'none.obj' mesh info none.obj
printf 'v 0 0 0\nf 1 2 3\n' >broken.obj
refuses 3 'broken.obj' mesh info broken.obj
run help mesh; code_is 0; says 'mesh info'

# ---- bench engines: programs that play other engines -----------------------------------------------

# engine NAME: a program from stdin
mkdir -p engines
engine() { { echo '#!/bin/sh'; cat; } > "engines/$1"; chmod +x "engines/$1"; }
engines() {
    PATH="$work/engines:$PATH" run bench engines --state falling --n 50 --work 2000 --cache beds --quick "$@"
}
# skins are 0.1 and 0.3 mm; the second time is better
engine lmp <<'ENGINE'
case "$*" in *'law history'*) echo 'ERROR: Unknown pair style'; exit 1 ;; esac
case "$*" in *'skin 0.0001 '*) wall=8 ;; *) wall=4 ;; esac
echo "Loop time of $wall on 1 procs"; echo '25.0% CPU use with 1 MPI tasks'; echo 'kinetic 1.5'
ENGINE
engine liggghts <<'ENGINE'
echo 'Loop time of 3'
ENGINE
engine yade <<'ENGINE'
echo "processor seconds $WARM"; echo "kinetic $STEPS"
ENGINE
engines --out made; code_is 0; says 'falling, n = 50, 40 steps'
# 4 s at a quarter of the processor for 50 bodies and 40 steps; Yade says it took as long as 14 steps count
if grep -Eq '^LAMMPS +500000.0 +[0-9.]+ +1000000.0 +2 +1.5 +skin 0.3 mm, bin$' out; then good; else bad 'the figures of LAMMPS'; fi
if grep -Eq '^Yade +7000000.0 +[0-9.]+ +7000000.0 +2 +40 +skin 0.1 mm$' out; then good; else bad 'the figures of Yade'; fi
says 'left out: LAMMPS gran (ERROR: Unknown pair style)'
says 'left out: LIGGGHTS (what it printed is not understood)'
for text in '# scree beside other engines' '| falling | 50 | - |' ') | 500000 (' 'left out: ERROR: Unknown pair style'; do
    if grep -qF -- "$text" made/engines.md; then good; else bad "engines.md should say $text"; fi
done
if [ "$(wc -l < made/engines.csv)" -eq 7 ]; then good; else bad 'engines.csv should have 7 lines'; fi
# what a person wrote below the mark stays, and the bed is not made anew
echo 'by hand' >> made/engines.md
cp beds/falling-50.data bed.before
engines --out made --format csv; code_is 0; says 'state,n,steps,engine,law,ns,times,aim'
if [ "$(tail -n 1 made/engines.md)" = 'by hand' ]; then good; else bad 'what was written by hand is lost'; fi
if cmp -s bed.before beds/falling-50.data; then good; else bad 'the bed was changed'; fi
run bench engines --measure beds/falling-50.data --steps 5; code_is 0; says 'processor seconds '; says 'digest '
alone=$(tail -n 1 out)
run bench engines --measure beds/falling-50.data --steps 5 --threads 2; code_is 0; says "$alone"
run bench engines --measure beds/falling-50.data --steps 5 --law own; code_is 0; says 'digest '
refuses 2 '--law: there is no "mine"' bench engines --measure x --law mine
refuses 2 '--threads: "0" is not a whole number from 1' bench engines --measure x --threads 0
refuses 3 'four.csv: bed: this is not a bed: its first line' bench engines --measure four.csv
refuses 4 'nosuch.data: cannot open' bench engines --measure nosuch.data
refuses 2 '--state: there is no "fallen"; there are settled, falling' bench engines --state fallen
refuses 2 '--steps: "0" is not a whole number from 1' bench engines --measure x --steps 0

# ---- bench peers: programs that play scree and its peers, and behave badly -------------------------

# peer NAME: a program from stdin, which sees the arguments as $1 (list or run), $2 (variant), $3 (scene),
# $4 (n), $5 (motion)
mkdir -p peers
peer() { { echo '#!/bin/sh'; cat; } > "peers/peer_$1"; chmod +x "peers/peer_$1"; }
done_line='done pairs=7 bytes=4000 runs=3 build=1e-6 find=2e-6 filter=0 sec=3e-6 median=3e-6 worst=4e-6'
peers() { run bench peers --programs peers --n 100 --scene uniform --method dess "$@"; }

refuses_two() { run "$@"; code_is 4; silent; complains 'cannot run'; complains './do bench peers builds'; }
refuses_two bench peers --programs nowhere
peer scree <<PEER
[ "\$1" = list ] && exit
[ "\$5" = none ] && echo "$done_line sums=aa" || echo "$done_line sums=aa,bb,cc"
PEER
peers; code_is 0; complains 'left out: cgal, boost, nanoflann, embree, bullet, ode, fcl, box2d, chipmunk'
says 'scene uniform, n = 100, 7 pairs, motion none: ns a body'
says 'left out: dess+skin, dess+tolerance (margins are for moving bodies)'; says 'all find the same pairs'
if grep -Eq '^dess +30.0 +1.00 +10.0 +20.0 +0.0 +30.0 +40.0 +3 +40$' out; then good; else bad 'the figures of dess'; fi
peer cgal <<PEER
[ "\$1" = list ] && { echo 'version 9'; echo 'variant cgal a box'; echo 'variant cgal-slow'; exit; }
[ "\$2" = cgal ] || { [ "\$4" -ge 1000 ] && exit 1; echo '${done_line% sec*} sec=40 sums=aa'; exit; }
echo '${done_line% sec*} sec=6e-6 sums=aa'
PEER
peer ode <<PEER
[ "\$1" = list ] && { echo 'version 8'; for v in hangs works crashes talks writes fails differs refuses mumbles quits; do echo "variant \$v"; done; exit; }
case \$2 in
    works) while :; do :; done ;;
    hangs) exec sleep 100 ;;
    crashes) kill -SEGV \$\$ ;;
    talks) exec yes ;;
    writes) exec head -c 9000000 /dev/zero > much ;;
    fails) echo 'failed: no memory'; exit 1 ;;
    differs) echo '$done_line sums=ab' ;;
    refuses) echo 'left out: it is tired' ;;
    mumbles) echo 'done well' ;;
    quits) exit 3 ;;
esac
PEER
echo 'exit 5' | peer fcl
run bench peers --programs peers --n 100,1e3 --scene uniform --method dess --peers cgal --out made; code_is 0; says 'all find the same pairs'
if grep -Eq '^cgal +60.0 +2.00 ' out; then good; else bad 'cgal takes twice as long'; fi
says 'left out: cgal-slow (100 bodies took 40 s)'
for text in '# scree beside other libraries' '| dess | 30 (1) |' '| cgal | 60 (2) |' '| cgal | a box |' 'cgal 9' \
    '## 1000 bodies' '- cgal-slow, uniform: 100 bodies took 40 s'; do
    if grep -qF -- "$text" made/peers.md; then good; else bad "peers.md should say $text"; fi
done
if [ "$(wc -l < made/peers.csv)" -eq 11 ]; then good; else bad 'peers.csv should have 11 lines'; fi
if grep -q '</svg>' made/peers-100.svg made/peers-1000.svg; then good; else bad 'no charts'; fi
if grep -q '(2.0 x)</text>' made/peers-100.svg; then good; else bad 'no bar of cgal'; fi
peers --peers works --limit 1; code_is 0; says 'left out: works (stopped after 1 s of work)'
peers --peers hangs,crashes,talks,fails,refuses,mumbles,quits --limit 0.2; code_is 0
says 'left out: hangs (stopped after 2 s by the clock)'; says 'left out: crashes (crashed (signal 11'
says 'left out: talks (stopped: it prints without end)'; says 'left out: fails (no memory)'
says 'left out: refuses (it is tired)'; says 'left out: mumbles (its answer is not understood)'
says 'left out: quits (ended with code 3)'; complains 'peer_fcl is left out: ended with code 5'
peers --peers writes --limit 5; code_is 0; says 'left out: writes (crashed (signal 25'
if [ "$(wc -c < much)" -le 1048576 ]; then good; else bad 'a peer wrote more than 1 MB'; fi
peers --peers differs; code_is 1; complains 'dess and differs disagree: scene uniform, n 100, motion none, seed 1, step 0'
if grep -q 'all find' out; then bad 'a difference was not noticed'; else good; fi
peers --motion all:0.01 --peers differs,cgal; code_is 1; says 'dess+tolerance'
complains 'dess and differs disagree: scene uniform, n 100, motion all:0.01'
peers --peers cgal --format csv; code_is 0
if [ "$(head -n 1 out)" = scene,n,motion,peer,ns_per_body,times,build,find,filter,median,worst,runs,pairs,bytes_per_body,note ]; then good; else bad 'keys'; fi
peers --peers cgal --format json; says '"peer": "cgal", "ns_per_body": 60'
run bench peers --programs peers --quick --peers cgal --method dess; code_is 0; says 'scene discs, n = 3000'
says 'scene uniform, n = 3000, 7 pairs, motion few:1:0.1: ns a body and step'
echo 'exit 0' | peer scree
peers; code_is 1; complains 'dess, scene uniform, n 100: its answer is not understood'
refuses 2 '--method: there is no "des"; did you mean "dess"?' bench peers --method des
refuses 2 '--method: there is no ""' bench peers --method ''
refuses 2 '--n: "0" is not a number of bodies' bench peers --n 0
refuses 2 'there is no "unifrm"' bench peers --scene unifrm
refuses 2 '--motion: "springs" is not' bench peers --motion springs
refuses 2 '--limit: "0" is not' bench peers --limit 0
rm -rf peers made much

# ---- checkpoints: what is in them, and how they differ ------------------------------------------------

run info "$kept/v1-ledger.scree"; code_is 0; calm
says 'checkpoint of version 1, by scree 0.1.0, 9776 bytes'; says 'bodies       3, radius 0.1 to 0.1 m, 31.4159 kg'
says '4 came, 1 went'; says 'contacts     2 of bodies, 3 with walls'; says 'materials    1: glass'; says 'rules        1: hertz'
says 'digest       2b1a6a459a89b7e1'; says 'kinetic               6.78919e-05 J'; says 'state.body.position'
cp "$kept/v1-ledger.scree" in; run info -; code_is 0; says 'digest       2b1a6a459a89b7e1'
run info --json "$kept/v1-flat.scree"; code_is 0; calm
says '"dimensions": 2'; says '"digest": "49733630b959ef65"'; says '"name": "mesh.vertices"'
if ! command -v python3 > /dev/null || python3 -m json.tool < out > /dev/null; then good; else bad 'no JSON'; fi
refuses 2 'info: which file?' info
refuses 2 'has no part "scene"' info "$kept/v1-flat.scree" --part scene
refuses 4 'none.scree: cannot be opened: No such file or directory' info none.scree
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
refuses 2 'diff: it takes two files, or two folders' diff "$kept/v1-flat.scree"
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

# ---- published claims: each is printed with a verdict, and the plots are written --------------------

# claims VERB ROWS PLOTS
claims() {
    shown="scree bench $1 --quick --plots plots --record rows"
    timeout 600 "$scree" bench "$1" --quick --plots plots --record rows > out 2> err
    code=$?
    code_is 0; calm
    if [ "$(grep -c '^[A-Z][A-Z]-H[0-9]*  *\(pass\|miss\)  ' out)" -eq "$2" ]; then good; else bad "there should be $2 rows"; fi
    says "of $2 claims hold on this machine (quick: figures are rough)"
    if [ "$(grep -l '</svg>' plots/*.svg | wc -l)" -eq "$3" ]; then good; else bad "there should be $3 plots"; fi
    if grep -lw 'nan\|inf' plots/*.svg > /dev/null; then bad 'a plot has no number'; else good; fi
    if [ "$(tail -n 1 "rows/bench_$1.txt")" = '# ended' ] && grep -q 'quick$' "rows/bench_$1.txt"
    then good; else bad 'the rows of the checklist should be recorded'; fi
    rm -rf plots
}
# measuring needs a program built for speed: with sanitizers or counters it would take many minutes
case $scree in
    */release/*)
        claims thesis 12 4
        claims pfc 6 4
        claims yade 8 3
        # where the time of a step goes, by engine, without and with stride
        proves 'IS-27' times_of_engines
        for engine in collider '  search' 'force reset' 'bounding volumes' interactions walls integrator; do
            if grep -Eq "^$engine +500 +[0-9]+ +[0-9.]+ +[0-9]+ +[0-9]+ +[0-9.]+\$" out; then good; else bad "no times of $engine"; fi
        done
        if grep -Eq '^total +[0-9]+ +100 +[0-9]+ +100$' out; then good; else bad 'no total of times'; fi
        proved '7 engines with count, time and percent'
        claims hash-grids 7 6 ;;
esac

record_end
echo "test_program: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
