#!/usr/bin/env python3
"""Builds a Python wheel with the programs, as the packages cmake and ninja have them: `pip install` puts them on the path.

    tools/packaging/wheel.py [BUILD-DIRECTORY]      default: build-wheel; the wheel is written to it

The wheel has the libraries that its platform tag does not allow to expect, with their licenses, and of ICU's data only what tokenization reads.
It needs the packages of the build, icu-devtools and binutils.  With SOURCE_DATE_EPOCH, the same files give the same bytes.  Tested by hand: pip install in an empty
environment, then the pipeline; `auditwheel show`.
"""

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

if len(sys.argv) > 2 or any(word.startswith("-") for word in sys.argv[1:]):
    sys.exit(__doc__)
ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build-wheel").resolve()
# Every system of the platform tag has these (PEP 600; the list of auditwheel).
EXPECTED = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|z))\.so(\.\d+)*$")
# Word and sentence boundaries, normalization, names of properties and locales; left out are collation, conversion and formats.
ICU_ITEMS = re.compile(r"^(brkitr/.*|.*\.nrm|(ulayout|uemoji|confusables)\.icu|(root|pool|supplementalData|metadata|keyTypeData|likelySubtags)\.res)$")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def build():
    """The programs without MPI, which find their libraries next to them."""
    # As DT_RPATH it also serves the libraries of these libraries.
    run("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DAWEND_TESTS=OFF", "-DAWEND_MPI=OFF",
        "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags", "-DCMAKE_INSTALL_RPATH=$ORIGIN/../lib")
    tools = re.findall(r"^awend_tool\(([a-z-]+)", (ROOT / "tools/CMakeLists.txt").read_text(), re.M)
    subprocess.run(["cmake", "--build", str(BUILD), "--target", *tools], check=True, stdout=sys.stderr)
    return tools


def libraries(programs):
    """The shared libraries that the wheel brings along, by name."""
    found = {}
    for program in programs:
        for name, path in re.findall(r"^\s*(\S+) => (\S+) \(", run("ldd", program), re.M):
            if not EXPECTED.match(name):
                found[name] = Path(path)
    return found


def licenses(paths):
    """What the Debian packages of the libraries say of their licenses, by package."""
    found = {}
    for path in paths:
        real = str(path.resolve())
        for name in (real, real.removeprefix("/usr")):
            owner = subprocess.run(["dpkg", "-S", name], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if owner.returncode == 0:
                package = owner.stdout.split(":")[0]
                found[package] = Path(f"/usr/share/doc/{package}/copyright").read_text()
                break
        else:
            sys.exit(f"wheel.py: no Debian package has {path}, so its license is not known")
    return found


def trimmed_icu_data(library, place):
    """A library with the same name whose data are those of ICU_ITEMS only."""
    symbol = re.search(r"\b(icudt\d+)_dat$", run("nm", "-D", library), re.M).group(1)
    data = place / f"{symbol}l.dat"
    run("objcopy", "-O", "binary", "--only-section=.rodata", library, data)
    icupkg = shutil.which("icupkg", path=f"{os.environ['PATH']}:/usr/sbin:/sbin") or sys.exit("wheel.py: icupkg is missing: install Debian's icu-devtools")
    unused = [item for item in run(icupkg, "-l", data).split() if not ICU_ITEMS.match(item)]
    (place / "unused.txt").write_text("\n".join(unused) + "\n")
    trimmed = place / "trimmed" / data.name
    trimmed.parent.mkdir(exist_ok=True)
    run(icupkg, "-r", place / "unused.txt", data, trimmed)
    source = place / "icudata.s"
    source.write_text(f'.section .rodata\n.balign 16\n.globl {symbol}_dat\n.type {symbol}_dat, @object\n{symbol}_dat:\n.incbin "{trimmed}"\n'
                      f'.size {symbol}_dat, . - {symbol}_dat\n.section .note.GNU-stack,"",%progbits\n')
    run("cc", "-shared", "-nostdlib", f"-Wl,-soname,{library.name}", "-Wl,--build-id=none", "-o", place / library.name, source)
    return place / library.name


def main():
    version = re.search(r"^project\(awend VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.M).group(1)
    tools = build()
    files = {}
    place = BUILD / "wheel"
    shutil.rmtree(place, ignore_errors=True)
    (place / "bin").mkdir(parents=True)
    for tool in tools:
        run("strip", "-o", place / "bin" / tool, BUILD / "bin" / tool)
        files[f"awend/bin/{tool}"] = place / "bin" / tool
    brought = libraries(place / "bin" / tool for tool in tools)
    for name, path in brought.items():
        files[f"awend/lib/{name}"] = trimmed_icu_data(path, place) if name.startswith("libicudata") else path.resolve()
    machine = os.uname().machine
    tag = f"py3-none-manylinux_{os.confstr('CS_GNU_LIBC_VERSION').split()[1].replace('.', '_')}_{machine}"
    info = f"awend-{version}.dist-info"
    functions = "".join(f'\n\ndef {tool.replace("-", "_")}():\n    _run("{tool}")\n' for tool in tools)
    texts = {
        "awend/__init__.py": '"""The programs of awend, which the commands of this package start."""\n\nimport os\nimport sys\n\n\n'
        'def _run(name):\n    path = os.path.join(os.path.dirname(__file__), "bin", name)\n    os.execv(path, [name, *sys.argv[1:]])\n' + functions,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: awend\nVersion: {version}\n"
        "Summary: Unix tools that train and run the Transformer, on any GPU with Vulkan and on processors\nLicense: MIT\n"
        "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n" + (ROOT / "README.md").read_text(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: awend\nRoot-Is-Purelib: false\nTag: {tag}\n",
        f"{info}/entry_points.txt": "[console_scripts]\n" + "".join(f"{tool} = awend:{tool.replace('-', '_')}\n" for tool in tools),
        f"{info}/LICENSE": (ROOT / "LICENSE").read_text(),
        f"{info}/licenses/NOTICES.txt": (ROOT / "tools/packaging/NOTICES").read_text(),
        f"{info}/licenses/Apache-2.0.txt": Path("/usr/share/common-licenses/Apache-2.0").read_text(),
    }
    texts |= {f"{info}/licenses/{package}.txt": text for package, text in licenses(brought.values()).items()}
    date = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), 315532800))[:6]
    for old in BUILD.glob("awend-*.whl"):  # of another version; pip would not know which to install
        old.unlink()
    wheel = BUILD / f"awend-{version}-{tag}.whl"
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in [*sorted(files), *texts]:
            content = files[name].read_bytes() if name in files else texts[name].encode()
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if name in files else 0o100644) << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}\n")
        entry = zipfile.ZipInfo(f"{info}/RECORD", date)
        entry.external_attr = 0o100644 << 16
        archive.writestr(entry, "".join(record) + f"{info}/RECORD,,\n")
    print(wheel)


main()
