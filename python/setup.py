"""Builds the module in C with CMake, from the sources around this folder, and puts it into the package, with the page that notebooks show.

SCREE_BUILD names a build folder of CMake to be used, so that the engine is not compiled twice; without it there is
one of its own in ../build/python.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

from still_page import make_page  # noqa: E402


def version():
    """As the engine's headers have it."""
    header = (ROOT / "include/scree/base.h").read_text()
    return re.search(r'SCREE_VERSION_TEXT "(.*)"', header).group(1)


class PageBuild(build_py):
    def run(self):
        super().run()
        page = Path(self.build_lib) / "scree/still.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(make_page(), encoding="utf-8")


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = os.environ.get("SCREE_BUILD")
        if not folder:
            folder = str(ROOT / "build/python")
            options = ["-DCMAKE_BUILD_TYPE=Release", "-DSCREE_BUILD_PYTHON=ON", "-DSCREE_BUILD_APP=OFF",
                       "-DSCREE_BUILD_TESTS=OFF", "-DSCREE_BUILD_EXAMPLES=OFF", "-DSCREE_INSTALL=OFF",
                       f"-DPython3_EXECUTABLE={sys.executable}"]
            subprocess.check_call(["cmake", "-S", str(ROOT), "-B", folder, *options])
        jobs = os.environ.get("JOBS") or str(os.cpu_count() or 2)
        subprocess.check_call(["cmake", "--build", folder, "--target", "scree_python", "-j", jobs])
        made = Path(folder) / "python"
        target = Path(self.get_ext_fullpath(extension.name)).parent
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(made / "_scree.abi3.so", target)


setup(
    version=version(),
    ext_modules=[Extension("scree._scree", [], py_limited_api=True)],
    cmdclass={"build_ext": CMakeBuild, "build_py": PageBuild},
)
