"""Define the package folders that pyproject.toml does not list."""

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

# The app's two files, its pages and the samples are at the top level of the repository. The package
# maps them to their own folders.
HOMES = {"padf_core.sample_data": "sample_data", "padf_app": ".", "padf_app.pages": "pages"}


class Build(build_py):
    """Leave setup.py out of the package, although it is in the same folder as app.py."""

    def find_package_modules(self, package, package_dir):
        found = super().find_package_modules(package, package_dir)
        return [entry for entry in found if entry[1] != "setup"]


setup(
    packages=[*find_packages(include=["padf", "padf_core*", "padf_ui*"]), *HOMES],
    package_dir=HOMES,
    cmdclass={"build_py": Build},
)
