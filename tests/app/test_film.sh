#!/bin/sh
# The film that a run keeps: small frames at the rate of its output, drawn by scree render with one camera and one range of
# colours; what they do not know is refused. Usage: test_film.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"

record_begin app/test_film

cat > film.lua << 'END'
g = material { density = 2500, young = 1e6, restitution = 0.3, friction = 0.4 }
gravity { 0, 0, -9.81 }
wall { shape = plane { }, material = g }
wall { shape = cylinder { from = {0.05, 0.05, 0}, to = {0.05, 0.05, 0.2}, radius = 0.07, open = {"from", "to"} }, material = g, motion = spin { rate = 5, centre = {0.05, 0.05, 0}, axis = {0, 0, 1} } }
fill { count = 400, shape = sphere { radius = uniform(0.002, 0.003) }, material = g, region = box { lower = {0.01, 0.01, 0}, upper = {0.09, 0.09, 0.1} } }
fill { count = 5, shape = clump { pebbles = { {-0.003, 0, 0, 0.003}, {0.003, 0, 0, 0.003} } }, material = g, region = box { lower = {0.02, 0.02, 0.1}, upper = {0.08, 0.08, 0.2} } }
output { every = 0.02, write = "csv" }
solver { dt = 2e-5 }
run { time = 0.1 }
END
run run film.lua --out one --threads 1 --quiet
if grep -q 'built without Lua' err; then
    echo 'this program cannot read scenes: skipped'
    exit 77
fi
code_is 0; calm
frames() { find "$1/film" -name 'frame-*.film' | wc -l; }
if [ "$(frames one)" -eq 6 ]; then good; else bad "$(frames one) frames are there, not 6"; fi
# well under a tenth of a checkpoint
frame=$(wc -c < one/film/frame-000005.film) state=$(cat one/checkpoints/*.scree | wc -c)
if [ $((20 * frame)) -lt "$state" ]; then good; else bad "a frame takes $frame bytes, a checkpoint $state"; fi
echo "a frame takes $frame bytes, a checkpoint $state"

# the same bytes with other threads, and where a run was interrupted
run run film.lua --out two --threads 2 --steps 2600 --quiet; code_is 0
run run --resume two --steps 5000 --quiet; code_is 0
if diff -r one/film two/film > /dev/null; then good; else bad 'another film with two threads, in two parts'; fi
run run film.lua --out none --no-film --quiet; code_is 0
if [ "$(frames none)" -eq 0 ]; then good; else bad '--no-film keeps frames'; fi

# that choice is kept, also of a staged run, and can be made later
run run film.lua --out later --no-film --steps 2000 --quiet; code_is 0
run run --resume later --steps 4000 --quiet; code_is 0
if [ "$(frames later)" -eq 0 ]; then good; else bad "--no-film is forgotten: $(frames later) frames"; fi
sed 's/^run.*/stage { name = "a", ends = after(0.02), at_most = 1, output_every = 0.001 }\nstage { name = "b", ends = after(0.02), at_most = 1, output_every = 0.005 }/' film.lua > stages.lua
run run stages.lua --out staged --steps 1500 --quiet; code_is 0
run run --resume staged --no-film --steps 1800 --quiet; code_is 0; calm

# a hundred frames of the run as long as it is, some hundreds at most where it goes on, and none of a run before
sed 's/^output.*//; s/^run.*/run { steps = 50 }/; s/count = 400/count = 20/' film.lua > few.lua
run run few.lua --out few --steps 3000 --quiet; code_is 0
if [ "$(frames few)" -eq 101 ]; then good; else bad "$(frames few) frames of 3000 steps, not 101"; fi
run run few.lua --out grown --quiet; code_is 0
cp -r grown/film first
run run --resume grown --steps 3000 --quiet; code_is 0
if [ "$(frames grown)" -le 160 ] && [ "$(frames grown)" -ge 140 ]; then good; else bad "$(frames grown) frames of a run that has grown"; fi
for frame in first/*; do
    if cmp -s "$frame" "grown/film/${frame#first/}"; then good; else bad "$frame was overwritten"; fi
done
run run film.lua --out few --force --steps 100 --quiet; code_is 0
if [ "$(frames few)" -le 2 ]; then good; else bad "--force leaves $(frames few) frames"; fi

# drawn with one camera and one range
run render one --out drawn --size 200x150; code_is 0; calm; says 'drawn/frame-00005.png: one/film/frame-000005.film'
if [ "$(find drawn -name 'frame-*.png' | wc -l)" -eq 6 ]; then good; else bad 'a frame was not drawn'; fi
# a frame alone has no meshes
run render one/film/frame-000005.film --out alone.png; code_is 3; complains 'frame-000005.film: is a frame of a film'
complains 'scree render RUN'
run render one/film --out alone; code_is 3; complains 'is a frame of a film'
run render one --out fields --field coordination; code_is 2; complains 'the film of a run knows no coordination; with --checkpoints'
run render one --out fields --wall-field pressure; code_is 2; complains 'the film of a run knows no pressure of walls; with --checkpoints'
run render one --out states --checkpoints --field coordination --size 60x40; code_is 0; says 'states/frame-00000.png: one/checkpoints/'
run render none --out old --size 60x40; code_is 0; says 'old/frame-00000.png: none/checkpoints/'

# the last frame and the last checkpoint are the same picture, but for what 16 bits cannot say
mkdir last && cp -r one/checkpoints last && mkdir last/film && cp one/film/frame-000005.film last/film
run render last --out lastfilm --size 200x150 --field radius; code_is 0
run render last --checkpoints --out laststate --size 200x150 --field radius; code_is 0
if [ "$(wc -c < lastfilm/frame-00000.png)" -gt 3000 ]; then good; else bad 'the picture of the film is empty'; fi
a=$(wc -c < lastfilm/frame-00000.png) b=$(wc -c < laststate/frame-00000.png)
if [ $((100 * a)) -gt $((97 * b)) ] && [ $((97 * a)) -lt $((100 * b)) ]; then good; else bad "pictures of film and state differ: $a and $b bytes"; fi

# frames that are cut, or changed, are refused
for bytes in 0 15 60 400 2000; do
    rm -rf cut; cp -r last cut
    head -c "$bytes" one/film/frame-000005.film > cut/film/frame-000005.film
    run render cut --out nothing --size 60x40; code_is 3; complains 'frame-000005.film: is not a complete frame of a film'
done
rm -rf cut; cp -r last cut
echo more >> cut/film/frame-000005.film
run render cut --out nothing --size 60x40; code_is 3; complains 'is not a complete frame of a film'

# what a power cut has left empty is left out
rm -rf cut; cp -r last cut
: > cut/film/frame-000004.film
run render cut --out others --size 60x40; code_is 0; complains 'warning: cut/film/frame-000004.film: is empty, and left out'
if [ "$(find others -name 'frame-*.png' | wc -l)" -eq 1 ]; then good; else bad 'an empty frame was drawn, or nothing'; fi
# a number of walls that the file cannot have ends at once
rm -rf cut; cp -r last cut
{ head -c 40 one/film/frame-000005.film; printf '\377\377\377\377'; tail -c +45 one/film/frame-000005.film; } > cut/film/frame-000005.film
run render cut --out nothing --size 60x40; code_is 3; complains 'is not a complete frame of a film'

# a grain beside a mountain
cat > giant.lua << 'END'
g = material { density = 2500, young = 1e6, friction = 0.3 }
body { shape = sphere { radius = 1000 }, material = g, position = {0, 0, -1000} }
body { shape = sphere { radius = 0.005 }, material = g, position = {0, 0, 0.05} }
solver { dt = 1e-5 }
run { steps = 2 }
END
run run giant.lua --out giant --quiet; code_is 0
run render giant --out mountain --size 60x40; code_is 0

program_end test_film
