"""The Python that pages show runs as it is written there: each block that is a whole program."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(os.environ.get("SCREE_ROOT") or "/nowhere")
pytestmark = pytest.mark.skipif(not ROOT.exists(), reason="SCREE_ROOT is not set: the sources are not there")


def programs():
    for page in [*ROOT.glob("README.md"), *sorted((ROOT / "docs").rglob("*.md"))]:
        for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S)):
            if re.search(r"^import .*\bscree\b", block, re.M):
                yield pytest.param(block, id=f"{page.relative_to(ROOT)}:{number}")


@pytest.mark.parametrize("program", programs())
def test_a_program_of_a_page_runs(program, tmp_path):
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_pages_have_programs():
    assert len(list(programs())) >= 4
