#!/bin/sh
# The benchmarks of the program from outside: what they print and write, and peers that behave badly.
# Usage: test_bench.sh PROGRAM
set -u
# shellcheck source=tests/app/program.sh
. "$(dirname "$0")/program.sh"
record_begin app/test_bench

printf 'x,y,z,r\n0,0,0,1\n1,0,0,1\n5,5,5,1\n7,5,5,1\n' > four.csv
methods=$("$scree" methods --format csv | tail -n +2 | cut -d, -f1)

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
    # each scene with one motion, or with all
    case ${motion:-} in none) motion=all:0.01 ;; all:0.01) motion=few:0.5 ;; *) motion=none ;; esac
    motions=$motion
    [ "${SCREE_TEST_EFFORT:-quick}" = quick ] || motions='none all:0.01 few:0.5'
    for motion in $motions; do
        run bench detect --scene $scene --n 150 --steps 3 --repeat 1 --motion "$motion" --threads 2
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
refuses 2 '--n: the value is empty, must be N' bench detect --n ''
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
refuses 2 '--margin: the value is empty, must be KIND' bench detect --margin ''
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
if [ "$(grep ',discs,300,' out | cut -d, -f7,13 | sort -u | wc -l)" -eq 1 ]; then good; else bad 'threads find different pairs'; fi
run bench scaling --n 200 --repeat 1 --format json; code_is 0; says '"threads": 1'; says '"exponent": 0.000'
# with what they grow by and the scene these would take more than half a terabyte
run bench scaling --n 1000,2e9 --threads 1 --repeat 1 --method spatial-sort-1 --format csv; code_is 0
complains 'n = 2000000000 is left out: it may take'
if [ "$(wc -l < out)" -eq 2 ]; then good; else bad 'one size is left'; fi
refuses 2 '--n: "100,50" is not a list of at most 16 ascending numbers from 1 to 2147483647' bench scaling --n 100,50
refuses 2 '--n: the value is empty, must be NUMBERS' bench scaling --n ''
refuses 2 '--n: "5," is not a list' bench scaling --n 5,
refuses 2 '--threads: "1,300" is not a list of at most 16 ascending numbers from 1 to 256' bench scaling --threads 1,300
refuses 2 '--method: there is no "flatt"; did you mean "flat"?' bench scaling --method flatt
refuses 2 'there is no "unifrm"' bench scaling --scene unifrm

# ---- bench columns --------------------------------------------------------------------------------

run bench columns --n 500 --repeat 1; code_is 0; says 'quiet told'; calm
run bench columns --n 500 --repeat 1 --simd scalar --method bvh8 --format csv; code_is 0; says 'scalar,1,mixed ids,'; calm
run bench columns --n 500 --repeat 1 --simd scalar --threads 2 --format csv; code_is 0; says 'scalar,1,owners,'; says 'scalar,2,owners,'; calm
refuses 2 '--repeat: "0" is not a whole number' bench columns --repeat 0
refuses 2 '--threads: "257" is not a whole number' bench columns --threads 257
refuses 2 'did you mean "flat"?' bench columns --method flatt

# ---- bench triangles ------------------------------------------------------------------------------

run bench triangles --pairs 100 --format csv; code_is 0; says 'two spheres,1224,1498176'; says 'certified'; calm
refuses 2 '--pairs: "0" is not a whole number from 1' bench triangles --pairs 0

# ---- trees of surrogates as files; the tables of bench surrogate: test_bench_surrogate.sh ------------

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > pyramid.obj
run mesh tree pyramid.obj --out levels --cache pyramid.tree; code_is 0; says 'surrogates'
complains 'the tree was built and written to pyramid.tree'
if [ "$(wc -c < levels/level-0.stl)" -eq 134 ]; then good; else bad 'level-0.stl is not of one triangle'; fi
run mesh tree pyramid.obj --cache pyramid.tree --format csv --threads 2; code_is 0; says '0,1,1,4,4,'
complains 'the tree was read from pyramid.tree'
run mesh tree pyramid.obj --cache pyramid.tree --functional; code_is 0; complains 'the tree was built and written to'
run mesh tree pyramid.obj --cache /nowhere/at/all; code_is 0; complains 'the tree was built, but not written to'
cp pyramid.obj kept.obj
refuses 3 'is not overwritten' mesh tree pyramid.obj --cache kept.obj
if cmp -s pyramid.obj kept.obj; then good; else bad 'a mesh was written over'; fi
run mesh tree pyramid.obj --picture tree.png; code_is 0
if [ "$(head -c 4 tree.png | tail -c 3)" = PNG ]; then good; else bad 'tree.png is no picture'; fi
refuses 4 '/nowhere/tree.png' mesh tree pyramid.obj --picture /nowhere/tree.png
refuses 2 'mesh tree: which file?' mesh tree
refuses 2 '--threads: "0"' mesh tree pyramid.obj --threads 0
refuses 4 'missing.stl' mesh tree missing.stl
printf 'v 1e50 0 0\nv 1 0 0\nv 0 1e50 0\nf 1 2 3\n' > vast.obj
refuses 2 'too large for STL' mesh tree vast.obj --out vast

# ---- bench ranks ----------------------------------------------------------------------------------

run bench ranks --n 2e4 --ranks 1,8,27 --format csv; code_is 0; calm
says 'ranks,bodies,imbalance,copies,'; says '1,20000,1.000,0,'
run bench ranks --n 2e4 --ranks 8 --scene ratio10 --bodies 1e8 --latency 0; code_is 0; calm; says 'Predicted for 1e+08 bodies'
refuses 2 '--ranks: "8,8" is not a list of at most 32 ascending numbers' bench ranks --ranks 8,8
refuses 2 '--ranks: "40000" is not a list' bench ranks --ranks 40000
refuses 2 'has no spheres' bench ranks --n 1000 --scene needles
refuses 2 'there is no "nothing"' bench ranks --scene nothing

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
says 'no memory'; says 'its answer is not understood'; says "No other library answers scree's"
meshes --format csv; code_is 0; says 'bumpy,0.015,fails,contacts,0,0,0,0,0,no memory'
if [ "$(wc -l < out)" -eq 25 ]; then good; else bad 'a row for each variant and case'; fi
rm -r peers

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
for text in '# scree beside other engines' '| falling | 50 | - |' ' | - | 500000 (' 'left out: ERROR: Unknown pair style'; do
    if grep -qF -- "$text" made/engines.md; then good; else bad "engines.md should say $text"; fi
done
if [ "$(wc -l < made/engines.csv)" -eq 6 ]; then good; else bad 'engines.csv should have 6 lines'; fi
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
peers; code_is 0; complains 'left out: grid, cgal, boost, nanoflann, embree, bullet, ode, fcl, box2d, chipmunk'
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
refuses 2 '--method: the value is empty, must be NAMES' bench peers --method ''
refuses 2 '--n: "0" is not a number of bodies' bench peers --n 0
refuses 2 'there is no "unifrm"' bench peers --scene unifrm
refuses 2 '--motion: "springs" is not' bench peers --motion springs
refuses 2 '--limit: "0" is not' bench peers --limit 0
rm -rf peers made much

program_end test_bench
