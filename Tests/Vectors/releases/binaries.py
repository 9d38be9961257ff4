"""The rules on binaries."""

import elf
from contents import zip_archive
from elf import READ, RUN, WRITE
from folders import Folder, case, finding, tool, warning
from modules import LIBRARY, library, player


def make_binary_cases():
    def fault(name, why, place, found, level="error", rule=None, **fields):
        rule = rule or name
        case(name, why, tool(elf.binary(**fields)), finding(rule, "tool", place=place, found=found, level=level))

    case("binary-format-truncated", "A binary that is cut off in its header.", tool(elf.binary()[:60]),
         finding("binary-format", "tool", code="elf.malformed"))
    case("binary-format-segments", "A binary that is cut off in its tables.", tool(elf.binary()[:600]),
         finding("binary-format", "tool", code="elf.malformed", found="600 bytes in all"))
    case("binary-format-sections", "A binary that is cut off in its section headers.", tool(elf.binary()[:-8]),
         finding("binary-format", "tool", place="section headers", found="unreadable section headers"))
    case("binary-format-entry", "A damaged binary in a ZIP.",
         Folder().add("app.zip", zip_archive(("bin/tool", b"\x7fELF\2\1\1"))),
         finding("binary-format", "app.zip", "bin/tool", code="elf.malformed"))
    fault("pie", "A program for one fixed address.", "ELF header", "ET_EXEC", kind=elf.PROGRAM, flags_1=elf.NOW)
    fault("relro", "Nothing becomes read-only.", "program headers", "none", relro=False)
    fault("bind-now", "Functions are bound when they are called.", "dynamic table", "lazy binding", "warning",
          lazy=True, flags=0, flags_1=elf.PIE)
    fault("executable-stack", "An executable stack.", "program headers", "an executable one", stack=READ | WRITE | RUN)
    fault("executable-stack-unstated", "Nothing said of the stack.", "program headers", "no PT_GNU_STACK",
          rule="executable-stack", stack=None)
    case("clean-stack-unstated", "The same for a processor whose stacks are not executable unless it is said.",
         tool(elf.binary(machine=elf.AARCH64, stack=None)))
    fault("text-relocations", "Code that is changed while it is loaded.", "dynamic table", "DT_TEXTREL",
          text_relocations=True)
    fault("text-relocations-flag", "The same, told by a flag.", "dynamic table", "DT_TEXTREL", rule="text-relocations",
          flags=elf.BIND_NOW | 4)
    fault("writable-code", "Code that can be written.", "segment at 0x0", "PF_W and PF_X", code=READ | WRITE | RUN)
    for name, path, options in (
            ("absolute", "/opt/lib", {"run_path": "/opt/lib"}), ("old", "/opt/lib", {"old_run_path": "/opt/lib"}),
            ("above", "$ORIGIN/../lib", {"run_path": "$ORIGIN/../lib"}), ("relative", "lib", {"run_path": "$ORIGIN:lib"}),
            ("empty", "an empty path", {"run_path": "$ORIGIN:"}), ("beside", "$ORIGIN.d", {"run_path": "$ORIGIN.d"})):
        fault(f"run-path-{name}", f"Libraries are looked for in {path}.", "RPATH" if name == "old" else "RUNPATH", path,
              rule="run-path", **options)
    fault("stack-protector", "C code without a stack protector.", "dynamic symbols", "none", "warning",
          imports=("__printf_chk",))
    fault("fortify", "C code that does not check the sizes of buffers.", "dynamic symbols", "memcpy, printf", "warning",
          imports=("__stack_chk_fail", "memcpy", "printf"))
    case("clean-languages", "Nothing tells that it is C.", tool(elf.binary(imports=("printf",), compiler=None)))
    fault("build-id", "No build ID.", "notes", "none", "warning", build_id=b"")
    for name, why, state, found, options in (
            ("kept", "Symbols in a release without.", "stripped", "symbols", {"symbols": True}),
            ("separate", "No symbols, and nothing tells where they are.", "separate", "no debug link or build ID", {"build_id": b""}),
            ("gone", "No symbols where they are to be kept.", "kept", "no symbols", {})):
        case(f"stripped-{name}", why, tool(elf.binary(**options)), finding("stripped", "tool", place="sections", found=found),
             rules={"stripped": {"symbols": [state]}, "build-id": "off"})
    case("architecture", "A binary for another processor.", tool(elf.binary(machine=elf.AARCH64)),
         finding("architecture", "tool", place="ELF header", found="aarch64"),
         rules={"architecture": {"names": ["x86-64", "riscv64"]}})
    make_module_cases()


def make_module_cases():
    case("needed-libraries", "A library that the module does not declare.",
         player(code=library(needed=("libc.so.6", "libm.so.6"))),
         finding("needed-libraries", "player.zip", LIBRARY, "DT_NEEDED, linux-x86_64", found="libm.so.6"))
    case("architecture-module", "A module's library for another platform than the description says.",
         player(code=library(machine=elf.AARCH64)),
         finding("architecture", "player.zip", LIBRARY, "ELF header", found="aarch64"), rules={"description": "off"})
    case("build-id-entry", "No build ID in a ZIP.", Folder().add("app.zip", zip_archive(("bin/tool", elf.binary(build_id=b"")))),
         warning("build-id", "app.zip", "bin/tool", "notes", found="none"))
