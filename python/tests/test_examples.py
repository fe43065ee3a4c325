"""The notebooks of examples/python: executed by nbconvert where it is installed, else cell by cell."""

import glob
import json
import os
import re
import subprocess
import sys

import pytest
from conftest import QUICK

ROOT = os.environ.get("SCREE_ROOT", "")
NOTEBOOKS = sorted(glob.glob(os.path.join(ROOT, "examples/python/*.ipynb"))) if ROOT else []


def test_there_are_five():
    if not ROOT:
        pytest.skip("SCREE_ROOT is not set: the sources are not there")
    assert len(NOTEBOOKS) == 5


@pytest.mark.skipif(QUICK, reason="takes too long under a sanitizer")
def test_the_tutorial(tmp_path):
    if not ROOT:
        pytest.skip("SCREE_ROOT is not set: the sources are not there")
    with open(os.path.join(ROOT, "docs/tutorials/from-python.md"), encoding="utf-8") as page:
        script = re.search(r"^```python\n(.*?)^```", page.read(), flags=re.M | re.S).group(1)
    (tmp_path / "stirred.py").write_text(script)
    done = subprocess.run([sys.executable, "stirred.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "796 bodies" in done.stdout
    assert (tmp_path / "stirred.png").stat().st_size > 1000


def has_nbconvert():
    return subprocess.run([sys.executable, "-c", "import nbconvert, ipykernel"], capture_output=True).returncode == 0


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """A kernel of this very Python: what the system has may start another."""
    folder = tmp_path_factory.mktemp("jupyter")
    place = folder / "kernels/python3"
    place.mkdir(parents=True)
    (place / "kernel.json").write_text(json.dumps({"argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
                                                   "display_name": "Python 3", "language": "python"}))
    return {**os.environ, "JUPYTER_PATH": str(folder), "JUPYTER_DATA_DIR": str(folder)}


@pytest.mark.skipif(QUICK, reason="takes too long under a sanitizer")
@pytest.mark.skipif(not has_nbconvert(), reason="nbconvert is not installed")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[os.path.basename(p) for p in NOTEBOOKS])
def test_notebooks(path, tmp_path, kernel):
    copy = tmp_path / os.path.basename(path)
    copy.write_text(open(path).read())
    done = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "done.ipynb", str(copy)],
                          capture_output=True, text=True, cwd=tmp_path, env=kernel, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    outputs = [o for cell in json.load(open(tmp_path / "done.ipynb"))["cells"] for o in cell.get("outputs", [])]
    kinds = {kind for o in outputs for kind in o.get("data", {})}
    assert "image/svg+xml" in kinds or "image/png" in kinds
    assert not any(o["output_type"] == "error" for o in outputs)
    if "first_heap" in path:  # the view comes with all that it needs
        pages = ["".join(o["data"]["text/html"]) for o in outputs if "text/html" in o.get("data", {})]
        frames = [page for page in pages if "<iframe" in page]
        assert len(frames) == 1 and "srcdoc=" in frames[0] and " src=" not in frames[0]


@pytest.mark.skipif(QUICK or has_nbconvert(), reason="nbconvert runs them")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=[os.path.basename(p) for p in NOTEBOOKS])
def test_cells(path, tmp_path):
    lines = []
    for cell in json.load(open(path))["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] != "code":
            continue
        written = re.match(r"%%writefile (\S+)\n", text)
        if written:
            (tmp_path / written.group(1)).write_text(text[written.end():])
        else:
            lines.append(re.sub(r"^from IPython.*$", "Image = len", text, flags=re.M))
    (tmp_path / "cells.py").write_text("\n".join(lines))
    done = subprocess.run([sys.executable, "cells.py"], capture_output=True, text=True, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
