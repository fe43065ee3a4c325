#!/bin/sh
# scree render and scree plot from outside: pictures, series, curves, and what is refused.
# Usage: test_picture_program.sh PROGRAM [BUILD-FOLDER]. Ends with "test_picture_program: N passed, N failed".
set -u
scree=${1:?usage: test_picture_program.sh PROGRAM}
kept=$(cd "$(dirname "$0")/../data/checkpoints" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
ulimit -f 200000
passed=0
failed=0

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    cat out err 2>/dev/null
}
# does NAME COMMAND...: it ends well
does() {
    name=$1
    shift
    if "$@" >out 2>err; then pass; else fail "$name"; fi
}
# refuses CODE TEXT ARGUMENTS...: scree ends with the code and says the text on stderr
refuses() {
    code=$1 text=$2
    shift 2
    timeout 300 "$scree" "$@" >out 2>err
    got=$?
    if [ $got -eq "$code" ] && grep -qF -- "$text" err; then pass; else fail "$* gives $got, not $code with: $text"; fi
}
is_png() { [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ]; }
# the width and height in a file's head
size_is() { [ "$(od -An -tu1 -j16 -N8 "$1" | tr -s ' ')" = " $2" ]; }

# of two frames: the chunk acTL behind the head
is_animated() { [ "$(od -An -tx1 -j37 -N8 "$1" | tr -d ' \n')" = 6163544c00000002 ]; }

file=$kept/v1-ledger.scree
does render "$scree" render "$file" -o a.png --size 320x200
does is_png is_png a.png
does size size_is a.png "0 0 1 64 0 0 0 200"
does out_is_o "$scree" render "$file" --out=b.png --size 320x200 --threads 3
does same_bytes cmp a.png b.png
does flat "$scree" render "$kept/v1-flat.scree" -o c.png --size 64x48
does empty "$scree" render "$kept/v1-empty.scree" -o d.png --size 64x48
does every_option "$scree" render "$file" -o e.png --size 80x60 --field radius --range 1e-3,2 --log --map ember \
    --wall-field pressure --wall-range 0,1000 --walls cut --shadows hard --background light --title 'A title' --flat --turn 10 --rise 20 --zoom 1.2 \
    --light 0,0,1 --clip 1,0,0,5 --clip 0,1,0,5 --samples 3 --threads 2
does no_such_wall_field sh -c '! "$1" render "$2" -o g.png --wall-field presure 2>said && grep -q "did you mean \"pressure\"" said' sh "$scree" "$file"
does placed "$scree" render "$file" -o f.png --size 80x60 --eye 3,-4,2 --target 0,0,0 --up 0,1,0 --angle 40 --bare
does differs sh -c '! cmp -s e.png f.png'
does help sh -c '"$1" help render | grep -q -- --movie' sh "$scree"

mkdir -p run/checkpoints
cp "$file" run/checkpoints/one.scree
cp "$file" run/checkpoints/two.scree
does series "$scree" render run -o frames --size 33x21
does frames test -s frames/frame-00000.png -a -s frames/frame-00001.png
does same_frames cmp frames/frame-00000.png frames/frame-00001.png
does film "$scree" render run/checkpoints -o film --movie --rate 5 --size 33x21
cp out said
if command -v ffmpeg >/dev/null 2>&1; then
    does film_is_there test -s film/movie.mp4
else
    does film_without_ffmpeg grep -qx 'film/movie.png, an animated PNG: ffmpeg is not installed' said
    does animated is_animated film/movie.png
fi
mkdir bin
printf '#!/bin/sh\nfor last; do :; done\necho film >"$last"\n' >bin/ffmpeg
chmod +x bin/ffmpeg
does with_ffmpeg env PATH="$work/bin:$PATH" "$scree" render run -o film2 --movie --size 33x21
does film_is_named grep -q film film2/movie.mp4
printf '#!/bin/sh\nexit 3\n' >bin/ffmpeg
if env PATH="$work/bin:$PATH" "$scree" render run -o film3 --movie --size 33x21 >out 2>said; then
    fail ffmpeg_fails
else
    does ffmpeg_is_blamed grep -q 'ffmpeg failed' said
fi

refuses 2 'a checkpoint, or a folder of them, must be given' render
refuses 2 'did you mean "speed"?' render "$file" --field sped
refuses 2 'did you mean "glass"?' render "$file" --walls glas
refuses 2 'width is 2.14748e+09, must be 1 to 16384' render "$file" --size 2147483648x1
refuses 2 'is not a width and a height' render "$file" --size 12
refuses 2 'is not a width and a height' render "$file" --size 12x-3
refuses 2 'height is 0' render "$file" --size 12x0
refuses 2 'camera.eye is (nan' render "$file" --eye nan,0,0 --target 1,0,0
refuses 2 '--eye and --target must be given together' render "$file" --eye 1,0,0
refuses 2 'is not 3 numbers with commas between' render "$file" --eye 1,0 --target 0,0,0
refuses 2 'is not 2 numbers with commas between' render "$file" --range 1,2,3
refuses 2 '--clip is given more than 8 times' render "$file" --clip 1,0,0,1 --clip 1,0,0,1 --clip 1,0,0,1 \
    --clip 1,0,0,1 --clip 1,0,0,1 --clip 1,0,0,1 --clip 1,0,0,1 --clip 1,0,0,1 --clip 1,0,0,1
refuses 4 'nothing.scree' render nothing.scree -o g.png
refuses 4 '/nowhere/x.png' render "$file" -o /nowhere/x.png --size 8x8
head -c 500 "$file" >torn.scree
refuses 3 'torn.scree' render torn.scree -o g.png
mkdir none
refuses 3 'no checkpoints' render none
does nothing_is_left test ! -e g.png

printf 'step,time,kinetic,rotational,other\n0,0,1,2,3\n1,0.5,2,,4\r\n\n2,1,1e-3,1,5\n' >m.csv
does plot "$scree" plot m.csv -o m.svg
does plots_energies sh -c 'grep -q ">kinetic<" m.svg && grep -q ">rotational<" m.svg && ! grep -q ">other<" m.svg'
does plot_columns "$scree" plot m.csv --columns other,kinetic --against step --title 'a <b> & c' -o n.svg
does plots_columns sh -c 'grep -q ">other<" n.svg && grep -q ">step<" n.svg && grep -q ">a b  c<" n.svg'
does plot_x_y "$scree" plot m.csv --y other,kinetic --x step --title 'a <b> & c' -o o.svg
does x_and_y_are_against_and_columns cmp n.svg o.svg
refuses 2 '--against and --x are the same' plot m.csv --x step --against time
refuses 2 '--columns and --y are the same' plot m.csv --y other --columns kinetic
does plot_log "$scree" plot m.csv --columns kinetic --log
cp out said
does to_stdout grep -q '</svg>' said
printf 'a,b\n1,2\n2,3\n' >p.csv
does plot_all sh -c '"$1" plot p.csv | grep -q ">b<"' sh "$scree"
refuses 2 'a table must be given' plot
refuses 2 'did you mean "kinetic"?' plot m.csv --columns kinetik
refuses 2 'no column "zzz"' plot m.csv --against zzz
refuses 4 'missing.csv' plot missing.csv
printf 'a,b\n1,x\n' >q.csv
refuses 3 'q.csv:2: not a number: "x"' plot q.csv
printf 'a,b\n1,2,3\n' >q.csv
refuses 3 'q.csv:2: one cell too many: "3"' plot q.csv
printf 'a,b\n1\n' >q.csv
refuses 3 'q.csv:2: cells are missing, the first in column "b"' plot q.csv
: >q.csv
refuses 3 'the names of the columns are missing' plot q.csv

echo "test_picture_program: $passed passed, $failed failed"
[ $failed -eq 0 ]
