#!/bin/sh
# scree convert from outside: every pair of formats, errors, and, where they are installed, other programs that
# read what it writes: VTK, ASE, h5py by way of VTK. Usage: test_convert.sh PATH/OF/scree.
set -u
scree=${1:?usage: test_convert.sh PROGRAM}
case $scree in /*) ;; *) scree=$PWD/$scree ;; esac
kept=$(cd "$(dirname "$0")/../data/checkpoints" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# run ARGS...: exit code in $code, output in the files out and err, at most 60 s and 20 MB
run() {
    shown="scree $*"
    (ulimit -f 40000; exec timeout 300 "$scree" "$@") < /dev/null > out 2> err
    code=$?
}
good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "FAILED: $shown: $1"
    echo "  exit code $code; stdout: $(head -c 300 out | tr '\n\000' '|?')"
    echo "  stderr: $(head -c 300 err | tr '\n\000' '|?')"
}
code_is() { if [ "$code" -eq "$1" ]; then good; else bad "exit code should be $1"; fi; }
complains() { if grep -qF -- "$1" err; then good; else bad "stderr should say: $1"; fi; }
file_is() { if cmp -s "$1" "$2"; then good; else bad "$1 should be: $(tr '\n' '|' < "$2")"; fi; }
works() { run "$@"; code_is 0; if [ -s out ] || [ -s err ]; then bad 'should be silent'; else good; fi; }
refuses() {
    wanted=$1 text=$2
    shift 2
    run "$@"
    code_is "$wanted"
    complains "$text"
    if [ "$(wc -l < err)" -eq 1 ]; then good; else bad 'one line on stderr'; fi
}

# ---- bodies from every format give the same ones ---------------------------------------------------

cat > bodies.csv <<'END'
id,type,x,y,z,radius,vx,vy,vz
5,2,1,2,3,0.5,1,0,0.1
2,1,0,-0.25,0,0.25,0,0.1,0
9,1,4,4,1e-3,0.125,0,0,0
END
cat > bodies.lammps <<'END'
ITEM: TIMESTEP
7
ITEM: NUMBER OF ATOMS
3
ITEM: BOX BOUNDS ff ff ff
0 8
0 4
0 2
ITEM: ATOMS id type xs ys zs diameter vx vy vz c_x
9 1 0.5 1 5e-4 0.25 0 0 0 what
2 1 0 -0.0625 0 0.5 0 0.1 0 ever
5 2 0.125 0.5 1.5 1 1 0 0.1 -
END
cat > wanted <<'END'
serial,material,x,y,z,radius,vx,vy,vz
2,1,0,-0.25,0,0.25,0,0.1,0
5,2,1,2,3,0.5,1,0,0.1
9,1,4,4,0.001,0.125,0,0,0
END
fields=serial,material,radius,velocity
for from in bodies.csv bodies.lammps; do
    works convert $from --to csv --out got --fields $fields
    file_is got wanted
done
works convert bodies.csv --to lammps
works convert bodies.dump --to csv --out got --fields $fields
file_is got wanted
works convert bodies.csv --to csv --out again.csv
works convert again.csv --to csv --out got --fields $fields
file_is got wanted
if grep -q mass again.csv; then bad 'no mass was given, none should be written'; else good; fi
printf '#format x_y_z_r\n1 2 3 0.5\n' > yade.txt
printf 'x,y,z,radius\n1,2,3,0.5\n' > wanted_one
works convert yade.txt --to csv --fields radius
file_is yade.csv wanted_one
printf 't\n1 atoms\nAtoms\n\n1 1 1 2 1 2 3\n' > data.lmp
works convert data.lmp --to csv --fields radius,mass
printf 'x,y,z,mass,radius\n1,2,3,1.0471975511965976,0.5\n' > wanted_mass
file_is data.csv wanted_mass
cat bodies.lammps bodies.lammps > two.lammps
works convert two.lammps --to csv --frame 0 --out got --fields $fields
file_is got wanted
printf 'x,y,z,colour\n1,2,3,red\n' > coloured
works convert coloured --to csv --radius 0.5 --ignore --fields radius --out got
file_is got wanted_one

# ---- meshes ----------------------------------------------------------------------------------------

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n' > four.obj
works convert four.obj --to stl
if [ "$(wc -c < four.stl)" -eq 284 ]; then good; else bad 'four.stl should have 284 bytes'; fi
works convert four.stl --to stl --out again.stl
file_is again.stl four.stl

# ---- errors: one line, and nothing is written ----------------------------------------------------------

rm -f none.*
refuses 2 'which FILE?' convert --to csv
refuses 2 '--to is needed' convert bodies.csv
refuses 2 'there is no "vpt"; did you mean "vtp"?' convert bodies.csv --to vpt
refuses 2 'there is no "yad"; did you mean "yade"?' convert bodies.csv --to vtp --from yad
refuses 2 'bodies.csv would be overwritten' convert bodies.csv --to csv
refuses 2 'vtp has no field "raduis"; did you mean "radius"?' convert bodies.csv --to vtp --fields raduis
refuses 2 'bodies.csv has no mass' convert bodies.csv --to vtp --fields mass
refuses 2 'data.lmp has no force' convert data.lmp --to vtp --fields force
refuses 2 'has only bodies, no walls' convert bodies.csv --to walls
refuses 4 'none.csv: cannot be opened: No such file' convert none.csv --to vtp
refuses 4 'nowhere/x.vtp' convert bodies.csv --to vtp --out nowhere/x.vtp
refuses 3 'bodies.csv:1: x: "id,type,' convert bodies.csv --to vtp --from yade
refuses 3 'coloured:1: there is no column radius' convert coloured --to vtp --ignore
refuses 3 'four.obj' convert four.obj --to csv --out none.csv
refuses 3 'bodies.csv:1: "id,type,' convert bodies.csv --to stl --out none.stl
refuses 2 'there is no frame 3, the file has 2' convert two.lammps --to csv --frame 3 --out none.csv
printf '\211scree\r\n' > cut.scree
refuses 3 'cut.scree' convert cut.scree --to vtp --out none.vtp
if ls none.* > files 2> /dev/null; then bad 'nothing should be written'; else good; fi

# ---- other programs ----------------------------------------------------------------------------------

works convert bodies.csv --to vtp --out bodies.vtp
cat > read_vtp.py <<'END'
import sys
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkIOHDF import vtkHDFReader
reader = vtkHDFReader() if sys.argv[1].endswith('hdf') else vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
points = data.GetPointData()
print(data.GetNumberOfPoints(), data.GetNumberOfCells(), data.GetBounds())
for name in ('serial', 'radius', 'velocity'):
    array = points.GetArray(name)
    print(name, [array.GetTuple(i) for i in range(array.GetNumberOfTuples())])
END
cat > wanted_vtp <<'END'
3 3 (0.0, 4.0, -0.25, 4.0, 0.0, 3.0)
serial [(2.0,), (5.0,), (9.0,)]
radius [(0.25,), (0.5,), (0.125,)]
velocity [(0.0, 0.1, 0.0), (1.0, 0.0, 0.1), (0.0, 0.0, 0.0)]
END
# of a state: contacts are lines between the centres of what touches, or to the point on a wall; forces have two parts;
# walls and bodies of triangles are where they should be
cat > read_state.py <<'END'
import sys
from math import dist, hypot
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
def read(kind):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(sys.argv[1] + '.' + kind + '.vtp')
    reader.Update()
    return reader.GetOutput()
def column(data, name):
    array = data.GetArray(name)
    rows = [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]
    return [row[0] if len(row) == 1 else row for row in rows]
def rounded(data):
    return [round(x, 3) + 0.0 for x in data.GetBounds()]
bodies, contacts, walls, solids = [read(kind) for kind in ('bodies', 'contacts', 'walls', 'solids')]
point = bodies.GetPointData()
at = dict(zip(column(point, 'serial'), [bodies.GetPoint(i) for i in range(bodies.GetNumberOfPoints())]))
radius = dict(zip(column(point, 'serial'), column(point, 'radius')))
print(len(at), 'bodies', rounded(bodies), 'time', bodies.GetFieldData().GetArray('TimeValue').GetTuple(0)[0])
cell = contacts.GetCellData()
names = 'first', 'second', 'wall', 'force', 'normal_force', 'tangential_force', 'overlap'
rows = list(zip(*[column(cell, name) for name in names]))
assert len(rows) == contacts.GetNumberOfCells() == contacts.GetNumberOfLines()
for i, (first, second, wall, force, normal, tangential, overlap) in enumerate(rows):
    ends = [contacts.GetCell(i).GetPoints().GetPoint(k) for k in (0, 1)]
    assert dist(ends[0], at[first]) < 1e-6
    assert (dist(ends[1], at[second]) < 1e-6) if second else 0 < dist(*ends) < 1.01 * radius[first]
    assert abs(hypot(*force) - hypot(normal, tangential)) <= 1e-6 * hypot(*force) and overlap > 0
    print('contact', [int(x) for x in (first, second, wall)])
print(walls.GetNumberOfPolys(), 'facets', walls.GetNumberOfLines(), 'segments', rounded(walls),
      'of walls', sorted({int(x) for x in column(walls.GetCellData(), 'wall')}))
print(solids.GetNumberOfPolys(), 'triangles', solids.GetNumberOfPoints(), 'vertices', rounded(solids) if solids.GetNumberOfPoints() else '')
END
cat > wanted_flat <<'END'
2 bodies [0.0, 0.199, 0.1, 0.1, 0.0, 0.0] time 0.00030000000000000003
contact [1, 2, 0]
contact [1, 0, 1]
contact [2, 0, 1]
0 facets 2 segments [-1.0, 1.0, 0.0, 0.0, 0.0, 0.0] of walls [1]
0 triangles 0 vertices 
END
cat > wanted_solid <<'END'
3 bodies [0.0, 0.0, 0.0, 0.0, 0.109, 0.489] time 0.00030000000000000003
contact [1, 2, 0]
contact [1, 0, 1]
contact [1, 0, 1]
contact [2, 3, 0]
2 facets 0 segments [-0.401, 0.401, -0.401, 0.401, 0.0, 0.0] of walls [1]
8 triangles 8 vertices [-0.1, 0.1, -0.1, 0.1, 0.009, 0.429]
END
python=/usr/bin/python3
[ -x $python ] || python=python3
if $python -c 'import vtkmodules.vtkIOXML, vtkmodules.vtkIOHDF' 2> /dev/null; then
    $python read_vtp.py bodies.vtp > got 2> err; code=$?; shown='VTK reads bodies.vtp'; : > out
    code_is 0; file_is got wanted_vtp
    for state in flat solid; do
        for kind in bodies contacts walls solids; do
            to=$kind
            [ $kind != bodies ] || to=vtp
            works convert "$kept/v1-$state.scree" --to $to --out $state.$kind.vtp
        done
        $python read_state.py $state > got 2> err; code=$?; shown="VTK reads the files of $state"; : > out
        code_is 0; file_is got wanted_$state
    done
    run convert bodies.csv --to vtkhdf
    if grep -q 'without HDF5' err; then
        echo 'vtkhdf: skipped (scree was built without HDF5)'
    else
        code_is 0
        $python read_vtp.py bodies.vtkhdf > got 2> err; code=$?; shown='VTK reads bodies.vtkhdf'
        code_is 0; file_is got wanted_vtp
    fi
else
    echo 'VTK: skipped (python3-vtk9 is not there)'
    run convert bodies.csv --to vtkhdf
    if grep -q 'without HDF5' err; then code_is 2; else code_is 0; fi
fi
# ---- fields of states ------------------------------------------------------------------------------

cat > fall.lua <<'END'
g = material { density = 1000, young = 1e6 }
bodies { list = { {0, 0, 0.01, 0.01}, {0.03, 0, 0, 0.01}, {0.06, 0, 0, 0.01} }, material = g, velocity = {1, 2, 4} }
solver { dt = 1e-4 }
checkpoint { every_steps = 10, keep = 3 }
run { steps = 40 }
END
run run fall.lua --out fall --quiet
if grep -q 'built without Lua' err; then
    echo 'fields: skipped (scree was built without Lua)'
else
    code_is 0
    grid='--kernel ball --width 2 --lower 0,0,0 --upper 1,0,0 --cells 2,1,1'
    run fields fall --out fall.csv $grid; code_is 0
    if grep -qF 'fall.csv: 2 x 1 x 1 cells, kernel of 2 m, 3 states, their mean' out; then good; else bad 'what was written'; fi
    if [ "$(cut -d, -f1,2,3,6,7,8 fall.csv | tail -n 2)" = "0.25,0,0,1,2,4
0.75,0,0,1,2,4" ]; then good; else bad "velocities: $(cat fall.csv)"; fi
    run fields fall/checkpoints/checkpoint-000000000040.scree --out fall.vti $grid; code_is 0
    if head -c 200 fall.vti | grep -qF '<ImageData WholeExtent="0 2 0 1 0 1"'; then good; else bad 'no image'; fi
    works convert fall/checkpoints/checkpoint-000000000040.scree --to pebbles
    if head -c 400 fall/checkpoints/checkpoint-000000000040-pebbles.vtp | grep -qF 'NumberOfPoints="3"'; then good; else bad 'no pebbles'; fi
    rm fall/checkpoints/*.vtp
    cat > clumps.lua <<'END'
g = material { density = 1000, young = 1e6 }
c = clump { pebbles = { {0, 0, 0, 0.01}, {0.01, 0, 0, 0.005} } }
body { shape = c, material = g, position = {0, 0, 0} }
output { every_steps = 1, write = "vtk" }
solver { dt = 1e-4 }
run { steps = 2 }
END
    run run clumps.lua --out clumps --quiet; code_is 0
    if [ "$(ls clumps/frames | tr '\n' ' ')" = 'bodies-000000.vtp bodies-000001.vtp bodies-000002.vtp bodies.pvd pebbles-000000.vtp pebbles-000001.vtp pebbles-000002.vtp pebbles.pvd ' ]; then good; else bad "frames: $(ls clumps/frames)"; fi
    run fields fall --out any.vti; code_is 0
    refuses 2 'which checkpoint' fields --out x.vti
    refuses 2 '--out is needed' fields fall
    refuses 2 '--lower and --upper must be given together' fields fall --out x.vti --lower 0,0,0
    refuses 2 '--cells: "1,2" must be three numbers from 1, separated by commas' fields fall --out x.vti --cells 1,2
    refuses 2 '--cells: "1,2,3,4" must be three' fields fall --out x.vti --cells 1,2,3,4
    refuses 2 '--cells: 1.5 is not a whole number' fields fall --out x.vti --cells 1.5,2,3
    refuses 2 '1e+09 cells; at most 1e+08' fields fall --out x.vti --cells 1000,1000,1000
    refuses 2 '--width: "0" is not a number' fields fall --out x.vti --width 0
    refuses 3 'fields: x from 1 to 0' fields fall --out x.vti --lower 1,0,0 --upper 0,0,0
    refuses 3 'no checkpoints' fields . --out x.vti
    refuses 4 'nosuch' fields nosuch --out x.vti
    refuses 3 'bodies.csv' fields bodies.csv --out x.vti
    if [ -e x.vti ]; then bad 'something was written'; else good; fi
    if $python -c 'import vtkmodules.vtkIOXML' 2> /dev/null; then
        cat > read_vti.py <<'END'
from vtkmodules.vtkIOXML import vtkXMLImageDataReader
reader = vtkXMLImageDataReader()
reader.SetFileName('fall.vti')
reader.Update()
data = reader.GetOutput()
print(data.GetNumberOfCells(), data.GetCellData().GetArray('velocity').GetTuple(1))
END
        $python read_vti.py > got 2> err; code=$?; shown='VTK reads fall.vti'
        echo '2 (1.0, 2.0, 4.0)' > wanted_vti
        code_is 0; file_is got wanted_vti
    fi
fi

cat > read_dump.py <<'END'
from ase.io import read
atoms = read('bodies.dump', format='lammps-dump-text')
print(len(atoms), [[float(x) for x in p] for p in atoms.get_positions()])
END
printf '3 [[0.0, -0.25, 0.0], [1.0, 2.0, 3.0], [4.0, 4.0, 0.001]]\n' > wanted_dump
if $python -c 'import ase.io' 2> /dev/null; then
    $python read_dump.py > got 2> err; code=$?; shown='ASE reads bodies.dump'
    code_is 0; file_is got wanted_dump
else
    echo 'ASE: skipped (python3-ase is not there)'
fi

echo "test_convert: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
