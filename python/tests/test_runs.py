"""Runs that leave a folder behind: the same files as those of the program, and the same digest from Lua, Python and C."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import QUICK

import scree
from scree._folder import _raise

pytestmark = pytest.mark.skipif(not scree.has_scenes, reason="built without Lua")

PROGRAM = os.environ.get("SCREE_PROGRAM")
needs_program = pytest.mark.skipif(not PROGRAM, reason="SCREE_PROGRAM is not set")

SCENE = """
k = param { name = "friction", default = 0.5 }
solver { dt = 2e-5, energy_balance = true }
gravity { 0, 0, -9.81 }
glass = material { density = 2500, young = 1e6, friction = k, restitution = 0.5 }
floor = wall { shape = plane { }, material = glass }
lid = wall { shape = plane { point = { 0, 0, 0.4 }, normal = { 0, 0, -1 } }, material = glass }
for i = 0, 9 do
    body { shape = sphere { radius = 0.01 }, material = glass, position = { 0.001 * i, 0, 0.0099 + 0.021 * i } }
end
"""

WHOLE = SCENE + """
run { time = 0.02 }
metrics { every = 0.001 }
checkpoint { every = 0.01 }
output { every = 0.005, write = { "vtk", "csv" } }
picture { every = 0.01, width = 64, height = 48 }
measure { name = "lift", wall = floor }
"""

STAGES = SCENE + """
metrics { every = 0.002 }
stage { name = "fall", ends = quiet { energy = 1e9, during = 0.003 }, at_most = 1 }
stage { name = "press", change = drive { wall = lid, motion = move { velocity = { 0, 0, -4 } } }, dt = 1e-5, metrics_every = 0.0005,
        ends = wall_moved { wall = lid, axis = { 0, 0, -1 }, above = 0.02 }, at_most = 1 }
stage { name = "rest", ends = after { steps = 100 }, at_most = 1 }
"""


def run_program(tmp_path, text, *words, name="program"):
    path = tmp_path / "scene.lua"
    path.write_text(text)
    subprocess.run([PROGRAM, "run", path, "--out", tmp_path / name, "--quiet", *words], check=True)
    return tmp_path / name


def record(folder):
    return json.loads((folder / "run.json").read_text())


def files_of(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@needs_program
@pytest.mark.parametrize("text", [WHOLE, STAGES], ids=["outputs", "stages"])
def test_the_same_folder_as_the_program(tmp_path, text):
    theirs, ours = run_program(tmp_path, text), tmp_path / "python"
    world = scree.Scene(tmp_path / "scene.lua").run(out=ours)
    assert files_of(theirs) == files_of(ours)
    for name in files_of(ours):
        if name.startswith(("frames", "pictures")) or name in ("metrics.csv", "scene.lua"):
            assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name
    assert set(record(ours)) == set(record(theirs)) and record(ours)["state"] == "finished"
    assert record(ours)["digest"] == record(theirs)["digest"] == f"{world.digest():016x}"


@needs_program
def test_settings_and_texts(tmp_path):
    theirs = run_program(tmp_path, WHOLE, "--set", "friction=0.1")
    world = scree.Scene(text=WHOLE, friction=0.1).run(out=tmp_path / "python")
    assert record(theirs)["digest"] == f"{world.digest():016x}"
    assert (tmp_path / "python/scene.lua").read_text() == scree.Scene(text=WHOLE, friction=0.1).resolved


MEANS = WHOLE.replace("metrics { every = 0.001 }", "metrics { every = 0.001, sample_every_steps = 7 }") + """
measure { name = "all", region = box { lower = { -1, -1, -1 }, upper = { 1, 1, 1 } }, what = { "speed" }, mean = true }
"""


@needs_program
@pytest.mark.parametrize("text", [WHOLE, STAGES, MEANS], ids=["whole", "stages", "means"])
def test_rows_without_a_folder_are_those_of_metrics(tmp_path, text):
    theirs = run_program(tmp_path, text)
    scene = scree.Scene(text=text)
    world = scene.run()
    assert record(theirs)["digest"] == f"{world.digest():016x}"
    columns = scene.metrics(frame=False)
    with open(theirs / "metrics.csv") as file:
        names = file.readline().strip().split(",")
        rows = np.loadtxt(file, delimiter=",")
    assert list(columns) == names
    assert np.array_equal(np.column_stack([columns[name] for name in names]), rows, equal_nan=True)


def test_stages_are_told_of(tmp_path):
    scene = scree.Scene(text=STAGES)
    assert [stage.has_begun for stage in scene.stages()] == [False] * 3
    world = scene.run(out=tmp_path / "out")
    stages = scene.stages()
    assert [stage.name for stage in stages] == ["fall", "press", "rest"] and all(stage.has_ended for stage in stages)
    assert stages[1].began_step == stages[0].ended_step and stages[1].value > 0.02 and "of the wall" in stages[1].condition
    assert stages[2].ended_step - stages[2].began_step == 100 == world.clock().steps - stages[2].began_step
    assert scene.is_over and scene.stage == "rest" and scene.stopped_by is None
    # rows are nearer to each other in the second stage
    columns = scene.metrics(frame=False)
    inside = (columns["time"] > stages[1].began_time + 1e-9) & (columns["time"] < stages[1].ended_time - 1e-9)
    assert np.isclose(np.diff(columns["time"][inside]), 0.0005, atol=1.1e-5).all()
    # a row of each stage's end
    assert set(stage.ended_step for stage in stages) <= set(columns["step"])


def test_a_run_that_is_over_goes_no_further(tmp_path):
    scene = scree.Scene(text=STAGES)
    world = scene.run(out=tmp_path / "out")
    steps = world.clock().steps
    scene.step(10)
    scene.run()
    assert world.clock().steps == steps


def test_what_is_left_can_be_gone_on_with(tmp_path):
    """The scene goes on where the folder ended: to the state of a run in one."""
    scene, whole = scree.Scene(text=WHOLE), scree.Scene(text=WHOLE)
    world = scene.run(out=tmp_path / "out", steps=400)
    assert world.clock().steps == 400 and "lift.force_z" in scene.measure()
    scene.step(600)
    assert world.digest() == whole.run().digest()


def test_metrics_of_a_folder(tmp_path):
    scene = scree.Scene(text=WHOLE)
    scene.run(out=tmp_path / "out")
    columns = scene.metrics(frame=False)
    assert len(columns["time"]) == 21 and np.allclose(np.diff(columns["time"]), 0.001) and "lift.force_z" in columns


REFUSED = [
    (dict(steps=-1), ValueError, "steps is -1"),
    (dict(steps=10**15 + 1), ValueError, "steps"),
    (dict(threads=-1), ValueError, "threads is -1"),
    (dict(threads=257), ValueError, "threads is 257, must be 1 to 256"),
    (dict(threads=2**32), ValueError, "threads"),
    (dict(until=0.01), TypeError, "steps"),
    (dict(progress=print), TypeError, "progress"),
    (dict(device="no such device"), (ValueError, OSError), "no such device|no OpenCL|has no device"),
    (dict(metod=1), TypeError, "metod"),
]


@pytest.mark.parametrize("more, kind, word", REFUSED, ids=[str(row[0]) for row in REFUSED])
def test_what_is_refused_leaves_no_folder(tmp_path, more, kind, word):
    with pytest.raises(kind, match=word):
        scree.Scene(text=WHOLE).run(out=tmp_path / "out", **more)
    assert not (tmp_path / "out").exists()


def test_what_was_opened_is_run(tmp_path, monkeypatch):
    """Whatever has become of the file, or of the folder of work, since."""
    (tmp_path / "scene.lua").write_text(WHOLE)
    monkeypatch.chdir(tmp_path)
    scene = scree.Scene("scene.lua")
    (tmp_path / "scene.lua").write_text("this is no scene")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    world = scene.run(out=tmp_path / "out")
    assert world.digest() == scree.Scene(text=WHOLE).run().digest() and (tmp_path / "out/scene.lua").read_text() == scene.resolved


def test_a_closed_scene_is_not_run(tmp_path):
    scene = scree.Scene(text=WHOLE)
    scene.close()
    with pytest.raises(ValueError, match="closed"):
        scene.run(out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_messages_speak_of_keywords(tmp_path):
    """Their ends alone: a folder keeps its name, a command its options."""
    (tmp_path / "a--force").mkdir()
    (tmp_path / "a--force/mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="/a--force: holds something other than a run; out= chooses another one$"):
        scree.Scene(text=WHOLE).run(out=tmp_path / "a--force")
    for theirs, ours in (("run: no end; give --steps N", "give steps=$"), ("continue with scree run --resume out --force", "out --force$"),
                         ("x: holds an unfinished run: \"scree run --resume x\" continues it, --force starts again", "--resume x\" continues it, force=True starts again$")):
        with pytest.raises(ValueError, match=ours):
            _raise(2, theirs)


def test_steps_end_it_before(tmp_path):
    assert scree.Scene(text=WHOLE).run(out=tmp_path / "out", steps=7).clock().steps == 7


def test_a_built_scene_has_no_beginning(tmp_path):
    scene = scree.Scene(text=WHOLE)
    scene.build()
    with pytest.raises(ValueError, match="has its world"):
        scene.run(out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_folders_that_are_taken(tmp_path):
    scree.Scene(text=WHOLE).run(out=tmp_path / "out")
    before = (tmp_path / "out/run.json").read_text()
    with pytest.raises(ValueError, match="force=True"):
        scree.Scene(text=WHOLE).run(out=tmp_path / "out")
    assert (tmp_path / "out/run.json").read_text() == before
    scree.Scene(text=WHOLE).run(out=tmp_path / "out", force=True, steps=3)
    assert record(tmp_path / "out")["step"] == 3
    (tmp_path / "other").mkdir()
    (tmp_path / "other/mine.txt").write_text("mine")
    with pytest.raises(ValueError, match="something other"):
        scree.Scene(text=WHOLE).run(out=tmp_path / "other")
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file/below"):
        with pytest.raises((ValueError, OSError), match="file"):
            scree.Scene(text=WHOLE).run(out=path)


UNSTABLE = SCENE + 'run { time = 0.1 } body { shape = sphere { radius = 0.01 }, material = glass, position = { 0, 0.012, 0.0099 } }'


def test_a_step_that_is_refused(tmp_path):
    scene = scree.Scene(text=UNSTABLE)
    with pytest.raises(scree.StepRefused, match="overlap") as refused:
        scene.run(out=tmp_path / "out")
    assert "shorter step" in refused.value.remedy and refused.value.bodies == ()
    assert record(tmp_path / "out")["state"] == "failed"


def test_a_stage_that_does_not_end(tmp_path):
    text = SCENE + 'stage { name = "wait", ends = count { region = box { lower = { 1, 1, 1 }, upper = { 2, 2, 2 } }, above = 3 }, at_most = 0.002 }'
    with pytest.raises(scree.Error, match="wait"):
        scree.Scene(text=text).run(out=tmp_path / "out")


def test_a_condition_of_the_run(tmp_path):
    text = SCENE + "run { time = 1, stop = quiet { energy = 1e9, during = 0.001 } }"
    scene = scree.Scene(text=text)
    world = scene.run(out=tmp_path / "out")
    assert scene.is_over and "kinetic energy" in scene.stopped_by and world.time < 0.01
    other = scree.Scene(text=text)
    assert other.run().digest() == world.digest() and other.stopped_by == scene.stopped_by


def test_warnings_go_to_logging(tmp_path, caplog, capfd):
    text = SCENE + 'stage { name = "wait", or_fail = false, at_most = 0.001, ends = count { region = box { lower = { 1, 1, 1 }, upper = { 2, 2, 2 } }, above = 3 } }'
    with caplog.at_level("INFO", logger="scree"):
        scree.Scene(text=text).run(out=tmp_path / "out")
    assert any("at_most" in line.message for line in caplog.records)
    said = capfd.readouterr()
    assert said.err == "" and said.out == ""


def test_progress_is_printed(tmp_path, capfd):
    scree.Scene(text=WHOLE).run(out=tmp_path / "out", progress=True)
    assert re.search(r"digest [0-9a-f]{16}", capfd.readouterr().out)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_has_no_run(tmp_path):
    """The run goes on in the parent alone: the child can have one of its own, and hears signals again."""
    thread = threading.Thread(target=lambda: scree.Scene(text=SCENE + "run { time = 100 }").run(out=tmp_path / "first", steps=20000))
    handler = signal.getsignal(signal.SIGTERM)
    thread.start()
    while not (tmp_path / "first/run.json").exists():
        time.sleep(0.01)
    child = os.fork()
    if child == 0:
        try:
            scree.Scene(text=WHOLE).run(out=tmp_path / "second")
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(5)
        finally:
            os._exit(1)
    status = os.waitpid(child, 0)[1]
    thread.join()
    assert handler == signal.SIG_DFL and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGTERM
    assert record(tmp_path / "second")["state"] == "finished"


def test_one_run_at_a_time(tmp_path):
    text = SCENE + "run { time = 100 }"
    seen = []

    def run():
        try:
            scree.Scene(text=text).run(out=tmp_path / "first", steps=20000 if QUICK else 100000)
        except scree.Error as error:
            seen.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while not (tmp_path / "first/run.json").exists():
        time.sleep(0.01)
    with pytest.raises(scree.Busy, match="one at a time"):
        scree.Scene(text=WHOLE).run(out=tmp_path / "second")
    thread.join()
    assert seen == [] and record(tmp_path / "first")["state"] == "finished"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGUSR1])
def test_signals_stop_a_run_with_a_checkpoint(tmp_path, number):
    """As with the program: the step is finished, the state is saved, and then Python hears of it."""
    (tmp_path / "scene.lua").write_text(SCENE + "run { time = 1000 }")
    code = f"""
import signal, scree
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGUSR1, lambda *unused: print("heard", flush=True))
try:
    scree.Scene({str(tmp_path / "scene.lua")!r}).run(out={str(tmp_path / "out")!r})
except KeyboardInterrupt:
    print("interrupted")
except scree.Error as error:
    print("stopped", error)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    while not (tmp_path / "out/checkpoints").exists():
        assert child.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)
    child.send_signal(number)
    said = child.communicate(timeout=300)[0]
    assert ("interrupted" in said) == (number == signal.SIGINT) and ("stopped" in said) == (number == signal.SIGUSR1)
    assert record(tmp_path / "out")["state"] == "stopped" and record(tmp_path / "out")["checkpoint_step"] > 0
    if PROGRAM:
        done = subprocess.run([PROGRAM, "run", "--resume", tmp_path / "out", "--quiet", "--wall-limit", "1s"])
        assert done.returncode == 6


def start_child(tmp_path, text):
    """A run in a process of its own that prints how it ends, and ends by itself."""
    (tmp_path / "scene.lua").write_text(text)
    code = f"""
import scree
scene = scree.Scene({str(tmp_path / "scene.lua")!r})
print("opened", flush=True)
try:
    scene.run(out={str(tmp_path / "out")!r})
finally:
    print("cleaned up", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "opened\n"
    return child


def end_of(child):
    """What it has said, on both channels; where it does not end it is ended."""
    try:
        return child.communicate(timeout=300)
    finally:
        child.kill()


@pytest.mark.skipif(QUICK, reason="all is slow")
def test_a_signal_while_the_world_is_built_is_heard(tmp_path):
    """The scene works for a while as it is read, and is asked to stop then: no step is taken."""
    child = start_child(tmp_path, SCENE + "local x = 0 for i = 1, 1e8 do x = x + i % 7 end run { time = 1000 }")
    time.sleep(0.05)
    assert not (tmp_path / "out").exists()
    child.send_signal(signal.SIGINT)
    said, errors = end_of(child)
    assert "cleaned up" in said and "KeyboardInterrupt" in errors and record(tmp_path / "out")["step"] == 0


@pytest.mark.skipif(QUICK, reason="all is slow")
def test_a_second_signal_does_not_end_the_process(tmp_path):
    """Both come while the scene is read."""
    child = start_child(tmp_path, SCENE + "local x = 0 for i = 1, 1e8 do x = x + i % 7 end run { time = 1000 }")
    for _ in range(2):
        time.sleep(0.15)
        child.send_signal(signal.SIGINT)
    said, errors = end_of(child)
    assert "cleaned up" in said and "KeyboardInterrupt" in errors and record(tmp_path / "out")["state"] == "stopped"
