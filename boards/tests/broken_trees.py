#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trees that can't work, each one change away from the template: the generator says why, in one
sentence, and writes nothing.

    broken_trees.py DTC BOARD-HEADER TEMPLATE.dts
"""
import pathlib
import subprocess
import sys
import tempfile
from random import Random

ISA = 'riscv,isa = "rv64imafdcv_zicsr_zifencei";'
RAM = "reg = <0 0x80000000 0 0x40000000>;"
MAILBOX = "reg = <0 0x80100000 0 0x100000>;"
HARTS = "reg = <0 0x80400000 0 0x400000>;"
HARTS_NODE = "harts: harts@80400000 {\n            " + HARTS
TIGHTLY_COUPLED = """}; bus { #address-cells = <2>; #size-cells = <2>; ranges;
    harts: tcm@60000000 { reg = <0 0x60000000 0 0x400000>;"""
BLOCK = "riscv,cbom-block-size = <64>;"
HART_MEMORY = "rivulet,hart-memory-bytes = <0x400000>;"
SECOND_HART = "cpu@0 {"
CLINT_NODE = """clint: timer@2000000 {
            compatible = "riscv,clint0";
            reg = <0 0x02000000 0 0x10000>;"""

def aia(wires, more="", more_pages=""):
    """Without CLINT: ACLINT's timer, and IMSICs."""
    return f"""imsic: imsics@24000000 {{
            compatible = "riscv,imsics";
            reg = <0 0x24000000 0 0x1000>{more_pages};
            interrupts-extended = {wires};
            {more}
        }};
        mtimer: timer@2000000 {{
            compatible = "riscv,aclint-mtimer";
            reg = <0 0x02007ff8 0 0x8>, <0 0x02000000 0 0x7ff8>;"""


UART = "reg = <0 0x10000000 0 0x100>;"


def second_hart(number, isa):
    return (f'cpu@9 {{ device_type = "cpu"; reg = <{number}>; riscv,isa = "{isa}"; '
            f'riscv,cbom-block-size = <64>; }};\n cpu@0 {{')


# (what, old text, new text, what the sentence must hold)
CASES = [
    ("no harts' node", "    cpus {", "    processors {", "there is no node /cpus"),
    ("all harts disabled", 'device_type = "cpu";', 'device_type = "cpu"; status = "disabled";',
     "/cpus holds no hart"),
    ("room for no hart", "rivulet,hart-memory-bytes", "rivulet,max-harts = <0>;\n        "
     "rivulet,hart-memory-bytes", "rivulet,max-harts is 0; 1 to 1024 are possible"),
    ("only a cpu-map", "cpu@0 {", "cpu-map {", "/cpus holds no hart"),
    ("no time base", "timebase-frequency = <10000000>;", "", "lacks timebase-frequency"),
    ("time base of text", "timebase-frequency = <10000000>;",
     'timebase-frequency = "ten million";', "timebase-frequency has"),
    ("time base of two cells", "timebase-frequency = <10000000>;",
     "timebase-frequency = <0 10000000>;", "timebase-frequency has 2 cells; it wants one"),
    ("a hart without mhartid", "reg = <0>;", "", "reg, which is mhartid, has 0 cells"),
    ("mhartid of 64 bits", "#address-cells = <1>;\n        #size-cells = <0>;",
     "#address-cells = <2>;\n        #size-cells = <0>;", "reg, which is mhartid, has 1 cells"),
    ("two harts of one id", SECOND_HART, second_hart(0, "rv64imafdcv_zicsr_zifencei"),
     "another hart has the mhartid 0"),
    ("harts that differ", SECOND_HART, second_hart(1, "rv64imac"),
     "another ISA or cache block than the first hart"),
    ("a mode that does not exist", 'rivulet,privilege = "machine";', 'rivulet,privilege = "user";',
     'rivulet,privilege must be "machine"'),
    ("no ISA", ISA, "", "has neither riscv,isa-base with riscv,isa-extensions nor riscv,isa"),
    ("extensions without base", ISA, 'riscv,isa-extensions = "i", "m";',
     "has only one of riscv,isa-base and riscv,isa-extensions"),
    ("an ISA of another kind", ISA, 'riscv,isa = "armv8";', '"armv8" is no ISA that starts with'),
    ("a core with a quote", 'compatible = "riscv";', 'compatible = "a\\"b", "riscv";',
     "is not the name of a core"),
    ("a core with a long name", 'compatible = "riscv";', f'compatible = "{"x" * 64}", "riscv";',
     "is not the name of a core"),
    ("an ISA that is no text", ISA, "riscv,isa = <1 2 3>;", "riscv,isa is no text"),
    ("an extension that is misspelt", ISA, 'riscv,isa = "rv64imafdc_zve64dd_zicsr";',
     "there is no extension 'zve64dd'; did you mean 'zve64d'?"),
    ("a listed extension that is misspelt", ISA,
     'riscv,isa-base = "rv64i"; riscv,isa-extensions = "i", "m", "a", "f", "d", "c", "zvfhh";',
     "did you mean 'zvfh'?"),
    ("an extension of S mode that is misspelt", ISA,
     'riscv,isa-base = "rv64i"; riscv,isa-extensions = "i", "m", "a", "sstcc";',
     "did you mean 'sstc'?"),
    ("Zicbom without block size", BLOCK + "", "", None),
    ("blocks of 512 bytes", BLOCK, "riscv,cbom-block-size = <512>;", "cache blocks of 512 bytes"),
    ("blocks of 48 bytes", BLOCK, "riscv,cbom-block-size = <48>;", "no power of two"),
    ("no settings", "    chosen {", "    settings {", "there is no node /chosen"),
    ("hart memory of 3 MiB", HART_MEMORY, "rivulet,hart-memory-bytes = <0x300000>;",
     "rivulet,hart-memory-bytes must be a power of two"),
    ("hart memory as text", HART_MEMORY, 'rivulet,hart-memory-bytes = "four megabytes!";',
     "rivulet,hart-memory-bytes has"),
    ("hart memory of 16 KiB", HART_MEMORY, "rivulet,hart-memory-bytes = <0x4000>;",
     "rivulet,hart-memory-bytes must be a power of two of 32 KiB at least"),
    ("local memory of half a page", "rivulet,local-memory-bytes = <0x10000>;",
     "rivulet,local-memory-bytes = <0x800>;", "rivulet,local-memory-bytes must be whole pages"),
    ("local memory that leaves no room for stacks", "rivulet,local-memory-bytes = <0x10000>;",
     "rivulet,local-memory-bytes = <0x400000>;", "at most half of rivulet,hart-memory-bytes"),
    ("no memory", "ram: memory@80000000", "ram: ram@80000000", "there is no memory"),
    ("memory named twice", "    ram: memory@80000000 {",
     "    memory@90000000 { reg = <0 0x90000000 0 0x1000>; };\n    ram: memory@80000000 {",
     "is named twice as memory"),
    ("no place for the firmware", "firmware: firmware@", "firmware@",
     "no node of /reserved-memory has the label firmware"),
    ("a scratchpad of half a page", "harts: harts@",
     "scratchpad: sram@90000000 { reg = <0 0x90000000 0 0x800>; };\n harts: harts@", "not made of whole pages"),
    ("a scratchpad on top of the mailbox", CLINT_NODE,
     "scratchpad: sram@801f0000 { reg = <0 0x801f0000 0 0x20000>; };\n" + CLINT_NODE,
     "the mailbox (0x80100000 to 0x801fffff) overlap"),
    ("tightly coupled memory for half a hart", HARTS_NODE, TIGHTLY_COUPLED.replace("0x400000", "0x200000"),
     "is smaller than rivulet,hart-memory-bytes for each hart"),
    ("tightly coupled memories of harts that are apart", HARTS_NODE,
     TIGHTLY_COUPLED.replace("0x400000>", "0x400000>, <0 0x61000000 0 0x400000>"), "wants one range in reg"),
    ("tightly coupled memory that is RAM", HARTS_NODE, TIGHTLY_COUPLED.replace("0x60000000", "0x90000000"),
     "is in RAM, and must be reserved there"),
    ("mailbox on top of the firmware", MAILBOX, "reg = <0 0x80080000 0 0x100000>;", "overlap"),
    ("harts' memory on top of the firmware", HARTS, "reg = <0 0x80000000 0 0x400000>;",
     "the firmware (0x80000000 to 0x800fffff) and the harts' memory (0x80000000 to 0x803fffff) "
     "overlap"),
    ("harts outside of memory", HARTS, "reg = <0 0x40000000 0 0x400000>;",
     "the harts' memory (0x40000000 to 0x403fffff) is outside the memory"),
    ("harts' memory askew", HARTS, "reg = <0 0x80500000 0 0x400000>;",
     "no multiple of rivulet,hart-memory-bytes"),
    ("firmware outside of memory", RAM, "reg = <0 0x90000000 0 0x10000000>;",
     "is outside all memory"),
    ("a mailbox that is too small", MAILBOX, "reg = <0 0x80100000 0 0x1000>;",
     "the mailbox has 4096 bytes; it needs"),
    ("a boot stage that kernels could write to", "        // Mailbox and rings",
     "        boot: boot@90000000 { reg = <0 0x90000000 0 0x100000>; };\n        // Mailbox and rings",
     "the boot stage's memory (0x90000000 to 0x900fffff) comes after the harts'"),
    ("firmware that kernels could write to", "reg = <0 0x80000000 0 0x100000>;",
     "reg = <0 0x90000000 0 0x100000>;",
     "the firmware (0x90000000 to 0x900fffff) comes after the harts'"),
    ("a mailbox that kernels could write to", MAILBOX, "reg = <0 0x90000000 0 0x100000>;",
     "the mailbox (0x90000000 to 0x900fffff) comes after the harts'"),
    ("a security version beyond all floors", HART_MEMORY,
     HART_MEMORY + " rivulet,security-version = <1025>;", "rivulet,security-version is 1025"),
    ("a boot stage in the mailbox", "        // Mailbox and rings",
     "        boot: boot@80180000 { reg = <0 0x80180000 0 0x100000>; };\n        // Mailbox and rings",
     "overlap"),
    ("a boot stage without room", "        // Mailbox and rings",
     "        boot: boot@80200000 { reg = <0 0x80200000 0 0x10000>; };\n        // Mailbox and rings",
     "the boot stage's memory has 65536 bytes; it needs"),
    ("no room for buffers", RAM, "reg = <0 0x80000000 0 0x00800000>;",
     "are left for buffers; that is too little"),
    ("ours is reserved for others", "        // Mailbox and rings",
     "        other@80200000 { reg = <0 0x80180000 0 0x100000>; };\n        // Mailbox and rings",
     "is in memory that is reserved for others"),
    ("a ragged reg", UART, "reg = <0 0x10000000 0>;", "reg has 3 cells, which is no multiple of 4"),
    ("three cells of address", "    soc {\n        #address-cells = <2>;",
     "    soc {\n        #address-cells = <3>;", "#address-cells is 3"),
    ("a bus without ranges", 'compatible = "simple-bus";\n        ranges;',
     'compatible = "simple-bus";', "/soc has no ranges"),
    ("ranges that don't hold it", 'compatible = "simple-bus";\n        ranges;',
     'compatible = "simple-bus";\n        ranges = <0 0 0 0 0 0x1000>;',
     "the ranges of /soc don't hold"),
    ("ragged ranges", 'compatible = "simple-bus";\n        ranges;',
     'compatible = "simple-bus";\n        ranges = <1 2 3>;', "no multiple of 6"),
    ("devices on top of each other", UART, "reg = <0 0x0c000100 0 0x100>;", "overlap at"),
    ("a device in memory", UART, "reg = <0 0x80000100 0 0x100>;", "is in memory"),
    ("a device of no size", UART, "reg = <0 0x10000000 0 0>;", "has the size 0"),
    ("registers of 64 bits", "reg-io-width = <1>;", "reg-io-width = <8>;", "reg-io-width is 8"),
    ("registers far apart", "reg-shift = <0>;", "reg-shift = <12>;", "reg-shift is 12"),
    ("a PLIC wired to no hart", "interrupts-extended = <&cpu0_intc 11>, <&cpu0_intc 9>;", "",
     "interrupts-extended has no <&intc 11> for hart 0"),
    ("a CLINT wired to no hart", "interrupts-extended = <&cpu0_intc 3>, <&cpu0_intc 7>;", "",
     "interrupts-extended has no <&intc 3> for hart 0"),
    ("an unknown phandle", "interrupts-extended = <&cpu0_intc 11>, <&cpu0_intc 9>;",
     "interrupts-extended = <99 11>;", "interrupts-extended names a node that is not there"),
    ("half an entry", "interrupts-extended = <&cpu0_intc 11>, <&cpu0_intc 9>;",
     "interrupts-extended = <&cpu0_intc>;", "ends in the middle of an entry"),
    ("interrupts in a circle",
     "interrupts-extended = <&cpu0_intc 11>, <&cpu0_intc 9>;",
     "interrupts-extended = <&cpu0_intc 11>; };\n"
     "        a: a@1000 { compatible = \"a\"; reg = <0 0x1000 0 0x1000>; interrupt-controller; "
     "#interrupt-cells = <1>; interrupt-parent = <&b>; interrupts = <1>; };\n"
     "        b: b@2000 { compatible = \"b\"; reg = <0 0x2000 0 0x1000>; interrupt-controller; "
     "#interrupt-cells = <1>; interrupt-parent = <&a>; interrupts = <1>; };\n"
     "        c@3000 { compatible = \"c\"; reg = <0 0x3000 0 0x1000>; interrupt-parent = <&a>; "
     "interrupts = <1>; };\n"
     "        x: x@4000 { compatible = \"x\"; reg = <0 0x4000 0 0x1000>; ",
     "go round in a circle"),
    ("an invalid interrupt parent", "interrupt-parent = <&plic>;",
     "interrupt-parent = <&ram>;", "which is no interrupt-controller"),
    ("no interrupt parent", "interrupt-parent = <&plic>;", "",
     "neither it nor a node above has an interrupt-parent"),
    ("interrupt 0", "interrupts = <10>;", "interrupts = <0>;", "interrupt 0 is not in the range 1 to 1023"),
    ("no timer", 'compatible = "riscv,clint0";', 'compatible = "acme,timer";',
     "there is no timer"),
    ("no way to interrupt a hart", 'compatible = "riscv,clint0";',
     'compatible = "thead,c900-aclint-mtimer";', "there is no way to interrupt hart 0"),
    ("only S mode's IMSICs", CLINT_NODE, aia("<&cpu0_intc 9>"), "there is no way to interrupt hart 0"),
    ("IMSICs without pages", CLINT_NODE, aia("<&cpu0_intc 11>", "riscv,guest-index-bits = <1>;"),
     "reg has no page for the hart of entry 0 in interrupts-extended"),
    ("IMSICs of more guests than there are", CLINT_NODE,
     aia("<&cpu0_intc 11>", "riscv,guest-index-bits = <8>;"), "riscv,guest-index-bits is 8"),
    ("IMSICs whose groups are elsewhere", CLINT_NODE,
     aia("<&cpu0_intc 11>", "riscv,group-index-bits = <1>;", ", <0 0x25001000 0 0x1000>"),
     "the pages of group 1 are at 0x25001000"),
    ("an invalid choice of trees", HART_MEMORY, HART_MEMORY + 'rivulet,device-tree = "mine";',
     'rivulet,device-tree must be "boot"'),
    ("a choice of trees by number", HART_MEMORY, HART_MEMORY + "rivulet,device-tree = <1>;",
     "rivulet,device-tree is no text"),
    ("no name", 'model = "template";', "", "the root node lacks model"),
    ("a console that is not there", 'stdout-path = "/soc/serial@10000000";',
     'stdout-path = "/soc/serial@f00";', "stdout-path names /soc/serial@f00"),
    ("a doorbell of one cell", "reg-io-width = <1>;",
     "reg-io-width = <1>; rivulet,ring = <4>;", "rivulet,ring wants two cells"),
]


def run(header, blob, folder):
    outputs = [folder / "board.h", folder / "board.ld"]
    for file in outputs:
        file.unlink(missing_ok=True)
    done = subprocess.run([header, blob, *outputs], capture_output=True, text=True)
    return done, [file for file in outputs if file.exists()]


def complaint(header, blob, folder, sentence):
    """The flaw in how the generator took the tree; None if it did well."""
    done, written = run(header, blob, folder)
    if done.returncode != 1:
        return f"status {done.returncode}: {done.stderr}"
    if written:
        return f"wrote {written}"
    lines = done.stderr.splitlines()
    start = f"board-header: {blob}: "
    if len(lines) != 1 or not lines[0].startswith(start) or sentence not in lines[0]:
        return f"said {done.stderr!r} and should say {sentence!r}"
    return None


def main():
    dtc, header, template = sys.argv[1:4]
    text = pathlib.Path(template).read_text()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def compiled(source):
            subprocess.run([dtc, "-@", "-f", "-q", "-q", "-O", "dtb", "-o", folder / "board.dtb"],
                           input=source, text=True, check=True)
            return folder / "board.dtb"

        def tell(what, wrong):
            nonlocal failed
            failed += wrong is not None
            print(f"{'FAILED' if wrong else 'ok    '} {what}{': ' + wrong if wrong else ''}")

        good = compiled(text)
        done, _ = run(header, good, folder)
        tell("the template itself", done.stderr if done.returncode else None)
        new = ISA.replace("zicsr", "zicsr_zvfuture_zicfilp")
        done, written = run(header, compiled(text.replace(ISA, new)), folder)
        noted = "note: /cpus/cpu@0: 'zvfuture' is an extension that is unknown here" in done.stderr
        tell("an extension of next year",
             None if noted and len(written) == 2 and done.stderr.count("\n") == 1 else done.stderr)
        for what, old, new, sentence in CASES:
            if text.count(old) < 1:
                tell(what, f"the template has no {old!r} to change")
                continue
            source = text.replace(old, new, 1)
            if sentence is None: # one more change, which the first alone makes possible
                source = source.replace("zifencei", "zifencei_zicbom", 1)
                sentence = "has zicbom and no riscv,cbom-block-size"
            tell(what, complaint(header, compiled(source), folder, sentence))

        whole = compiled(text).read_bytes()
        blob = folder / "damaged.dtb"
        for what, data in [("an empty file", b""), ("half a tree", whole[:len(whole) // 2]),
                           ("a text", text.encode()), ("another magic", b"\0" + whole[1:])]:
            blob.write_bytes(data)
            tell(what, complaint(header, blob, folder, "this is not a valid device tree"))
        random = Random(1)
        for round in range(300):
            data = bytearray(whole)
            for _ in range(1 + round % 4):
                data[random.randrange(4, len(data))] = random.randrange(256)
            blob.write_bytes(data)
            done, written = run(header, blob, folder)
            # A damaged extension may look like a new one.
            quiet = done.returncode == 0 and all(": note: " in line
                                                 for line in done.stderr.splitlines())
            if not quiet and (done.returncode != 1 or done.stderr.count("\n") != 1 or written):
                tell(f"random damage {round}", f"status {done.returncode}: {done.stderr}")
        tell("no file", complaint(header, folder / "none.dtb", folder, "there is no file"))
    print(f"{len(CASES) + 307} trees, {failed} taken wrongly")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
