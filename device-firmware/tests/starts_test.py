#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The firmware starts, or says why it does not, on all kinds of harts and after all kinds of boot chains:
QEMU with other hart properties, other device trees, harts that arrive late or are in no tree, arbitrary a0
and a1, locked PMP entries. On virt-smode they come from QEMU's default OpenSBI, and the cases that are about M
mode are left out.

    starts_test.py BUILD-FOLDER virt|virt-smode XLEN [PART-OF-A-NAME]
"""
import json
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests"))
from llvm import tool

BUILD, BOARD, XLEN = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
SUPERVISOR = BOARD == "virt-smode"
FIRMWARE = BUILD / "lib/rivulet/firmware"
STUB = BUILD / f"device-firmware/tests/entry_stub_{'smode_' if SUPERVISOR else ''}{XLEN}.bin"
QEMU = f"qemu-system-riscv{XLEN}"
RAM, FLASH_BYTES = 0x80000000, 32 << 20
BASE, MAILBOX = (0x80400000, 0x80f00000) if SUPERVISOR else (RAM, 0x80100000)  # of the board's firmware
STATE, HARTS, VLEN, PMP_ENTRIES, HEAP, ISA, STATISTICS = 12, 36, 44, 52, 64, 208, 720  # of rvl_hello
CAUSE = "scause" if SUPERVISOR else "mcause"
PAGED_AS_ENTRIES = 13  # PMP entries in the hello where page tables fence kernels
CRASHED, DETACHED = 3, 6
TICKS = 10_000_000  # of mtime in a second
PATIENCE = 120  # seconds, on a busy machine


class Machine:
    """A QEMU that runs until the with statement ends."""

    def __init__(self, board=BOARD, cpu="v=on", harts=2, machine="virt", memory="512M", stub=None, firmware=None,
                 sbi=SUPERVISOR, mailbox=MAILBOX, more=()):
        self.mailbox = mailbox
        self.folder = tempfile.TemporaryDirectory()
        self.console, self.uart = pathlib.Path(self.folder.name, "console"), f"{self.folder.name}/uart"
        firmware = firmware or FIRMWARE / f"{board}-rv{XLEN}.elf"
        command = [QEMU, "-nodefaults", "-display", "none", "-smp", str(harts), "-m", memory, "-serial", "chardev:uart",
                   "-chardev", f"socket,id=uart,path={self.uart},server=on,wait=off,logfile={self.console}",
                   "-qmp", f"unix:{self.folder.name}/qmp,server=on,wait=off", *more]
        if machine == "virt":
            command += ["-cpu", f"rv{XLEN},{cpu}"]
        if sbi and stub:
            path = pathlib.Path(self.folder.name, "stub")
            path.write_bytes(stub)
            command += ["-M", machine, "-bios", "default", "-kernel", path, "-device", f"loader,file={firmware}"]
        elif sbi:
            command += ["-M", machine, "-bios", "default", "-kernel", firmware]
        elif stub is None:
            command += ["-M", machine, "-bios", firmware]
        else:
            flash = pathlib.Path(self.folder.name, "flash")
            with open(flash, "wb") as file:
                file.write(stub)
                file.truncate(FLASH_BYTES)
            command += ["-M", f"{machine},pflash0=boot", "-bios", "none", "-blockdev",
                        f"driver=file,filename={flash},node-name=boot,read-only=on", "-device",
                        f"loader,file={firmware}"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self.monitor = socket.socket(socket.AF_UNIX)
        end = time.monotonic() + PATIENCE
        while self.monitor.connect_ex(f"{self.folder.name}/qmp"):
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"{command} does not start")
            time.sleep(0.01)
        self.answers = self.monitor.makefile()
        self.answers.readline()
        self.ask("qmp_capabilities")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.answers.close()
        self.monitor.close()
        self.folder.cleanup()

    def ask(self, command, **arguments):
        self.monitor.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = json.loads(self.answers.readline())
            if "error" in answer:
                raise RuntimeError(answer["error"])
            if "return" in answer:
                return answer["return"]

    def memory(self, address, size):
        path = pathlib.Path(self.folder.name, "memory")
        self.ask("pmemsave", val=address, size=size, filename=str(path))
        return path.read_bytes()

    def word(self, address):
        return struct.unpack("<I", self.memory(address, 4))[0]

    def ring(self):
        """The doorbell of machines without another one is the console's UART."""
        with socket.socket(socket.AF_UNIX) as uart:
            uart.connect(self.uart)
            uart.sendall(b"!")

    def pcs(self):
        """Where each hart is."""
        text = self.ask("human-monitor-command", **{"command-line": "info registers -a"})
        return [int(pc, 16) for pc in re.findall(r"^ pc +([0-9a-f]+)", text, re.M)]

    def said(self):
        return self.console.read_text(errors="replace") if self.console.exists() else ""

    def isa(self):
        return self.memory(MAILBOX + ISA, 512).split(b"\0")[0].decode()

    def wait(self, what, done):
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end:
                raise AssertionError(f"not seen within {PATIENCE} s: {what}; console:\n{self.said()}")
            time.sleep(0.05)

    def wait_for_state(self, state):
        self.wait(f"state {state}", lambda: self.word(self.mailbox + STATE) == state)

    def working(self):
        """Returns the mhartids of the harts that have begun to wait for work."""
        statistics, = struct.unpack("<Q", self.memory(self.mailbox + STATISTICS, 8))
        rows = [struct.unpack("<6Q", self.memory(statistics + 64 * i, 48)) for i in range(self.word(self.mailbox + HARTS))]
        return [row[4] for row in rows if row[5]]

    def wait_for_harts(self, harts):
        self.wait_for_state(DETACHED)
        self.wait(f"harts {harts}", lambda: self.working() == list(harts))


def stub(delay=0, prompt=0, misa=0, given=None, pmp=(), rules=0, entry=BASE):
    """`pmp`: rows of configuration and pmpaddr. In S mode, only a1 can be given, with the harts' ids in a0."""
    code = bytearray(STUB.read_bytes())
    struct.pack_into("<Q", code, 8, entry)
    if SUPERVISOR:
        struct.pack_into("<QQ", code, 16, given is not None, given[1] if given else 0)
        return bytes(code)
    struct.pack_into("<QQQQQQ", code, 16, delay, prompt, misa, given is not None, *(given or (0, 0)))
    addresses, config = [row[1] for row in pmp], bytes(row[0] for row in pmp)
    struct.pack_into("<8Q8sQ", code, 64, *addresses, *[0] * (8 - len(pmp)), config, rules)
    return bytes(code)


def tree(folder, cpu, harts=2, change=lambda text: text):
    """The tree that QEMU would pass for those harts, modified as text."""
    blob = pathlib.Path(folder, "tree.dtb")
    subprocess.run([QEMU, "-nodefaults", "-M", f"virt,dumpdtb={blob}", "-cpu", f"rv{XLEN},{cpu}", "-smp", str(harts),
                    "-m", "512M", "-bios", "none"], check=True, capture_output=True)
    text = subprocess.run(["dtc", "-q", "-I", "dtb", "-O", "dts", blob], check=True, capture_output=True,
                          text=True).stdout
    subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", blob], check=True, input=change(text), text=True)
    return ["-dtb", str(blob)]


machine_mode = unittest.skipIf(SUPERVISOR, "about M mode")
# With 32 bits, QEMU puts a kernel that is no ELF file where virt-smode's firmware is.
with_stub = unittest.skipIf(SUPERVISOR and XLEN == 32, "there is no place for code between OpenSBI and the firmware")


class Starts(unittest.TestCase):
    def assert_extensions(self, machine, there, absent):
        names = machine.isa().split("_")
        letters = names[0][4:]
        for name in there:
            self.assertIn(name, letters if len(name) == 1 else names)
        for name in absent:
            self.assertNotIn(name, letters if len(name) == 1 else names)


class Harts(Starts):
    """Kinds of harts that the machine profiles don't have."""

    def test_as_usual(self):
        with Machine(harts=3) as machine:
            machine.wait_for_harts(range(3))
            self.assertNotIn("lack", machine.said())

    @machine_mode  # OpenSBI 1.5 has traps within traps
    def test_smdbltrp_whose_second_trap_would_be_the_end(self):
        for more in "", ",ssdbltrp=on":
            with Machine(cpu="v=on,smdbltrp=on" + more, harts=3) as machine:
                machine.wait_for_harts(range(3))

    def test_without_counters_for_u_mode(self):
        with Machine(cpu="v=on,zicntr=off,zihpm=off") as machine:
            machine.wait_for_harts(range(2))

    @machine_mode
    def test_without_u_mode_nothing_is_run(self):
        with Machine(cpu="v=on,h=off,s=off,u=off") as machine:
            machine.wait_for_state(CRASHED)
            self.assertIn("has no U mode", machine.said())

    def test_without_pmp_the_hello_says_so(self):
        with Machine(cpu="v=on,pmp=off") as machine:
            machine.wait_for_harts(range(2))
            self.assertEqual(machine.word(MAILBOX + PMP_ENTRIES), PAGED_AS_ENTRIES if SUPERVISOR else 0)


class Extensions(Starts):
    """The ISA in the hello is true even if the tree's is not."""

    def test_claimed_and_lacking(self):
        claimed, there = "v=on,zfh=on,zvfh=on,zba=on,zbb=on,zbs=on,zacas=on,zabha=on", "zbb=on,zbs=on"
        with tempfile.TemporaryDirectory() as folder, Machine(
                cpu=f"v=off,zba=off,zfa=off,{there}", more=tree(folder, claimed)) as machine:
            machine.wait_for_harts(range(2))
            self.assert_extensions(machine, ("m", "a", "f", "d", "c", "zbb", "zbs"),
                                   ("v", "zfh", "zvfh", "zba", "zfa", "zacas", "zabha", "zvl128b", "zve64d"))
            line, = re.findall("harts lack what the device tree says of them:(.*)", machine.said())
            self.assertEqual({"v", "zfh", "zvfh", "zba"} - set(line.split()), set())
            self.assertEqual(machine.word(MAILBOX + VLEN), 0)

    def test_without_float(self):
        with tempfile.TemporaryDirectory() as folder, Machine(
                cpu="d=off,f=off,zfa=off,zfh=off,zfhmin=off", more=tree(folder, "zfh=on")) as machine:
            machine.wait_for_harts(range(2))
            self.assert_extensions(machine, ("m", "a", "c"), ("f", "d", "zfh", "zfa"))

    def test_longer_vectors_than_there_are(self):
        with tempfile.TemporaryDirectory() as folder, Machine(
                cpu="v=on,vlen=128", more=tree(folder, "v=on,vlen=512", change=lambda text: re.sub(
                    # dtc before 1.7 prints a list of strings as one string.
                    r'zba(\\0|", ")', r"zba\1zvl128b\1zvl256b\1zvl512b\1", text))) as machine:
            machine.wait_for_harts(range(2))
            self.assertIn("zvl128b", machine.isa())
            self.assert_extensions(machine, ("v",), ("zvl256b", "zvl512b"))

    def test_all_that_qemu_has_stay(self):
        names = ("zba zbb zbc zbs zbkb zbkc zbkx zcb zicond zimop zacas zabha zawrs zfa zfhmin zfh zfbfmin zknh zksed "
                 "zksh zvfhmin zvfh zvfbfmin zvfbfwma zvkb zvbb zvbc zvkg zvkned zvknhb zvksed zvksh").split()
        with Machine(cpu="v=on," + ",".join(f"{name}=on" for name in names)) as machine:
            machine.wait_for_harts(range(2))
            self.assert_extensions(machine, (*names, "m", "a", "f", "d", "c", "v"), ())
            self.assertNotIn("lack", machine.said())


@with_stub
class Handed(Starts):
    """a0 and a1 have arbitrary values, in S mode a1 alone."""

    def test_no_tree_in_a1(self):
        end = RAM + (512 << 20)
        short = struct.pack(">10I", 0xd00dfeed, 0x100000, 56, 0x200, 40, 17, 16, 0, 0x80000, 0x80000)
        huge = struct.pack(">10I", 0xd00dfeed, 0xffffffff, 56, 0xfffffff0, 40, 17, 16, 0, 0xffff0000, 0xffff0000)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "short").write_bytes(short)
            pathlib.Path(folder, "huge").write_bytes(huge)
            loaded = []
            for name, address in (("short", end - 64), ("huge", RAM + (256 << 20))):
                loaded += ["-device", f"loader,file={folder}/{name},addr={address:#x},force-raw=on"]
            addresses = [0xdeadbeec, 0xdeadbeef, RAM + 1, RAM, 4, end - 4, end - 64, RAM + (256 << 20), 0xfffffffc]
            if XLEN == 64:
                addresses += [0x7000000000, 0x7000000001, 0xfffffffffffffffc, 1 << 63]
            for address in addresses:
                with self.subTest(f"{address:#x}"), Machine(
                        stub=stub(given=(0xfeedface, address)), harts=1, more=loaded) as machine:
                    machine.wait_for_harts([0])
                    self.assertIn("the board's own device tree is taken", machine.said())

    def test_none(self):
        with Machine(stub=stub(given=(77, 0)), harts=1) as machine:
            machine.wait_for_harts([0])
            self.assertNotIn("a1 is", machine.said())


@machine_mode
class Late(Starts):
    def test_hart_that_comes_after_the_others_have_begun(self):
        with Machine(stub=stub(delay=5 * TICKS), harts=3) as machine:
            machine.wait_for_state(DETACHED)
            self.assertIn("hart 1 of the device tree has not come within 2 s", machine.said())
            machine.wait_for_harts(range(3))

    def test_hart_that_comes_late_and_is_another(self):
        with Machine(cpu="v=on,x-misa-w=on", stub=stub(delay=5 * TICKS, misa=1 << 21), harts=2) as machine:
            machine.wait("a refusal", lambda: "hart 1 came late and does no work: it has other" in machine.said())
            machine.wait_for_harts([0])

    def test_hart_that_is_another_and_in_time(self):
        with Machine(cpu="v=on,x-misa-w=on", stub=stub(misa=1 << 21), harts=2) as machine:
            machine.wait_for_state(CRASHED)
            self.assertIn("hart 1 has other extensions in misa than hart 0", machine.said())


@machine_mode
class BootStage(Starts):
    """Runs first, from flash; with no layout in flash it reports that and stops."""

    def stage(self, hangs=False):
        code = bytearray((BUILD / f"lib/rivulet/boards/virt/boot-rv{XLEN}.bin").read_bytes())
        if hangs:  # the others, in the place of csrwi mie, 8
            first = code.index(struct.pack("<I", 0x30445073))
            code[first:first + 4] = struct.pack("<I", 0x6f)  # j .
        return bytes(code)

    def test_waits_no_longer_than_the_firmware_for_a_hart(self):
        with Machine(stub=self.stage(hangs=True), harts=2) as machine:
            machine.wait("the end of the wait", lambda: "no layout" in machine.said())
            self.assertIn("boot: hart 1 has not come within 2 s", machine.said())

    def test_waits_no_longer_than_it_must(self):
        for cpu in "v=on", "v=on,smdbltrp=on":
            with Machine(cpu=cpu, stub=self.stage(), harts=4) as machine:
                machine.wait("the boot stage", lambda: "no layout" in machine.said())
                self.assertNotIn("has not come", machine.said())


def symbol(firmware, name):
    symbols = subprocess.run([tool("llvm-nm"), firmware], check=True, capture_output=True, text=True).stdout
    return int(re.search(rf"^([0-9a-f]+) \w {name}$", symbols, re.M)[1], 16)


def with_traps(path, *functions):
    """The firmware with an illegal instruction at the beginning of these functions."""
    elf = bytearray((FIRMWARE / f"{BOARD}-rv{XLEN}.elf").read_bytes())
    symbols = subprocess.run([tool("llvm-nm"), FIRMWARE / f"{BOARD}-rv{XLEN}.elf"], check=True, capture_output=True,
                             text=True).stdout
    for function in functions:
        address = int(re.search(rf"^([0-9a-f]+) [tT] {function}$", symbols, re.M)[1], 16)
        at = address - BASE + 0x1000  # the first segment's pages come behind that of the headers
        elf[at:at + 4] = bytes(4)
    path.write_bytes(elf)
    return path


class Traps(Starts):
    """Traps of the firmware before a host has attached are reported on the console."""

    def test_early_and_late_in_the_boot(self):
        with tempfile.TemporaryDirectory() as folder:
            for function in "riscv_sanitise_hart", "riscv_start_doorbell", "riscv_measure_overhead", "firmware_boot":
                firmware = with_traps(pathlib.Path(folder, "elf"), function)
                with self.subTest(function), Machine(firmware=firmware, harts=1) as machine:
                    machine.wait("a line", lambda: f"firmware trap: {CAUSE} 0x2" in machine.said())

    def test_where_waking_the_others_traps_too(self):
        with tempfile.TemporaryDirectory() as folder:
            firmware = with_traps(pathlib.Path(folder, "elf"), "riscv_wake_other_harts")
            with Machine(firmware=firmware, harts=1) as machine:
                machine.wait("a line", lambda: f"firmware trap: {CAUSE} 0x2" in machine.said())


    def test_where_the_console_traps_too(self):
        with tempfile.TemporaryDirectory() as folder:
            firmware = with_traps(pathlib.Path(folder, "elf"), "firmware_work", "print_line", "log_line")
            with Machine(firmware=firmware, harts=1) as machine:
                machine.wait("the state", lambda: machine.word(MAILBOX + STATE) == 3)


@with_stub
class Restarts(Starts):
    def test_without_a_reset_of_the_harts(self):
        # A loader of QEMU writes the firmware again at each reset; what -bios loads, QEMU 11 leaves as it is.
        with Machine(harts=4, stub=stub()) as machine:
            for start in range(1, 5):
                machine.wait("the firmware", lambda: machine.said().count("waits for a host") == start)
                self.assertEqual(machine.word(MAILBOX + PMP_ENTRIES), PAGED_AS_ENTRIES if SUPERVISOR else 16,
                                 machine.said())
                machine.ask("system_reset")


def napot(address, size):
    return address >> 2 | (size >> 3) - 1


@machine_mode
class Locks(Starts):
    """PMP entries that an earlier stage has locked, and its rules in mseccfg."""

    R, W, X, TOR, NA4, NAPOT, LOCK = 1, 2, 4, 0x08, 0x10, 0x18, 0x80
    RULES_MML, RULES_MMWP, RULES_RLB = 1, 2, 4
    EVERYTHING = NAPOT | R | W | X, (1 << XLEN) - 1

    def start(self, pmp, rules=0):
        return Machine(cpu="v=on,smepmp=on", stub=stub(pmp=pmp, rules=rules))

    def assert_fenced(self, pmp, entries, rules=0):
        with self.start(pmp, rules) as machine:
            machine.wait_for_harts(range(2))
            self.assertEqual(machine.word(MAILBOX + PMP_ENTRIES), entries, machine.said())

    def assert_unfenced(self, pmp, why, rules=0):
        with self.start(pmp, rules) as machine:
            machine.wait_for_state(DETACHED)
            self.assertEqual(machine.word(MAILBOX + PMP_ENTRIES), 0, machine.said())
            self.assertIn(why, machine.said())

    def test_in_front_of_the_map(self):
        rom = (self.LOCK | self.NAPOT, napot(0x1000, 0x1000))
        self.assert_fenced([rom], 14)
        self.assert_fenced([rom, (self.LOCK, 5), (self.LOCK, 0), rom], 11)  # two of them off
        self.assert_fenced([(0, 0x2000 >> 2), (self.LOCK | self.TOR, 0x3000 >> 2)], 13)
        self.assert_fenced([rom] * 6, 9)
        self.assert_fenced([rom] * 7, 8)

    def test_too_many(self):
        rom = (self.LOCK | self.NAPOT, napot(0x1000, 0x1000))
        self.assert_unfenced([rom] * 8, "locked too many PMP entries")

    def test_that_open_memory_to_kernels(self):
        self.assert_unfenced([(self.LOCK | self.NAPOT | self.R, napot(0x1000, 0x1000))],
                             "gives kernels access to memory")

    def test_that_deny_memory_of_the_firmware(self):
        heap = RAM + (256 << 20)
        for row in ((self.LOCK | self.NAPOT, napot(heap, 0x1000)), (self.LOCK | self.NA4, heap >> 2)):
            self.assert_unfenced([row], "reserve that memory")
        self.assert_unfenced([(0, heap >> 2), (self.LOCK | self.TOR, (heap >> 2) + 1)], "reserve that memory")

    def test_mmwp_and_rlb(self):
        rom = (self.LOCK | self.NAPOT, napot(0x1000, 0x1000))
        self.assert_fenced([self.EVERYTHING], 15, rules=self.RULES_MMWP)
        self.assert_fenced([rom, self.EVERYTHING], 14, rules=self.RULES_MMWP | self.RULES_RLB)
        self.assert_fenced([rom, self.EVERYTHING], 14, rules=self.RULES_RLB)

    def test_mml_is_refused(self):
        symbols = subprocess.run([tool("llvm-nm"), FIRMWARE / f"virt-rv{XLEN}.elf"], check=True, capture_output=True,
                                 text=True).stdout
        end = int(re.search(r"^([0-9a-f]+) \w text_end$", symbols, re.M)[1], 16)
        rows = [(0, RAM >> 2), (self.LOCK | self.TOR | self.R | self.X, end + 3 >> 2),
                (self.LOCK | self.NAPOT | self.R | self.X, napot(0x20000000, 0x1000))]
        with self.start(rows, self.RULES_MML) as machine:
            machine.wait_for_state(CRASHED)
            self.assertIn("mseccfg.MML", machine.said())


@machine_mode
class NonMaskable(Starts):
    """Smrnmi: an interrupt that no hart can mask, with a vector of its own."""

    def interrupted(self, board, *said, more=(), watch=None):
        vector = RAM + 0x200
        with tempfile.TemporaryDirectory() as folder:
            pipe = f"unix:{folder}/qtest,server=on,wait=off"
            with Machine(board=board, cpu="v=on,smrnmi=on", more=[
                    "-global", "driver=riscv.hart_array,property=rnmi-interrupt-vector,"
                    f"value={vector},,{vector}", "-global", "driver=riscv.hart_array,"
                    f"property=rnmi-exception-vector,value={vector},,{vector}",
                    "-qtest", pipe, "-qtest-log", "none", *more]) as machine:
                machine.wait_for_harts(range(2))
                with socket.socket(socket.AF_UNIX) as test:
                    test.connect(f"{folder}/qtest")
                    # Hart 0, which wakes for heartbeats: QEMU's harts don't leave wfi for this interrupt.
                    test.sendall(b"set_irq_in /machine/soc0/harts[0] riscv.cpu.rnmi 0 1\n")
                    self.assertEqual(test.recv(100), b"OK\n")
                if watch:
                    watch(machine)
                machine.wait_for_state(CRASHED)
                for text in "hart 0: non-maskable interrupt: mncause 0x80", *said:
                    self.assertIn(text, machine.said())

    def test_is_reported(self):
        self.interrupted("virt")

    @unittest.skipIf(XLEN == 32, "a board of 64 bits")
    def test_is_reported_though_registers_trap(self):
        self.interrupted("dead-dma", "can't stop channel 0 of the copy engine at 0x10200000 "
                         "(rivulet,dead-copy-model): mcause 0x5, mepc 0x80", ", mtval 0x10200000; it may write")

    @unittest.skipIf(XLEN == 32, "a board of 64 bits")
    def test_is_reported_before_the_watchdog_acts(self):
        """The report takes longer than the watchdog's time. Time follows instructions, whatever else runs."""
        self.interrupted("watchdog", "can't stop unit 0x4b435453", more=[
            "-icount", "shift=3", "-device", "i6300esb,addr=1", "-action", "watchdog=pause"],
            watch=lambda machine: machine.wait(
                "the watchdog", lambda: machine.ask("query-status")["status"] == "watchdog"))


@unittest.skipIf(SUPERVISOR or XLEN == 32, "other boards, of 64 bits")
class Boards(Starts):
    def test_hart_that_is_not_in_the_tree_comes_first(self):
        for first in 0, 3, 7:
            with self.subTest(first), Machine(board="sparse", cpu="d=on", harts=12,
                                              stub=stub(delay=TICKS // 2, prompt=first)) as machine:
                machine.wait_for_harts(range(4, 12))
                self.assertEqual(f"hart {first} is not in the device tree" in machine.said(), first < 4)
                self.assertIn("its CLINT registers are those of its mhartid", machine.said())
                self.assertNotIn("has not come", machine.said())

    def test_no_hart_of_the_tree_comes(self):
        with Machine(board="sparse", harts=4, stub=stub()) as machine:
            machine.wait("a line", lambda: "no hart of the device tree has come" in machine.said())

    def test_some_harts_of_the_tree_come(self):
        with Machine(board="sparse", harts=6, stub=stub()) as machine:
            machine.wait_for_harts([4, 5])
            self.assertIn("hart 11 of the device tree has not come", machine.said())

    def test_all_memory_of_the_firmware_is_above_4_gib(self):
        base = 1 << 32
        with Machine(board="high", memory="3G", stub=stub(entry=base), mailbox=base + 0x100000) as machine:
            machine.wait_for_harts(range(2))
            self.assertEqual(machine.word(machine.mailbox + PMP_ENTRIES), 16, machine.said())
            self.assertIn("mailbox at 0x100100000", machine.said())

    def test_harts_that_are_idle_are_suspended(self):
        end_of_opensbi = 0x80400000
        with Machine(board="idle", sbi=True) as machine:
            machine.wait("the firmware", lambda: "waits for a host" in machine.said())
            machine.wait("all in OpenSBI", lambda: all(pc < end_of_opensbi for pc in machine.pcs()))
        with Machine(board="virt-smode", sbi=True) as machine:
            machine.wait("the firmware", lambda: "waits for a host" in machine.said())
            machine.wait("all in the firmware", lambda: all(pc > end_of_opensbi for pc in machine.pcs()))

    def test_harts_that_are_idle_are_suspended_by_the_board(self):
        """In M mode: after the time that the tree says, until the bell rings. Time follows one hart's
        instructions."""
        counts = symbol(FIRMWARE / "idle-machine-rv64.elf", "suspensions_of")
        for harts, more in (1, ["-icount", "shift=3"]), (3, []):
            with self.subTest(harts), Machine(board="idle-machine", harts=harts, more=more) as machine:
                def seen(hart):
                    return struct.unpack("<4I", machine.memory(counts + 16 * hart, 16))

                def all_are_suspended():
                    return all(begun == ended + 1 for begun, ended, _, _ in map(seen, range(harts)))
                machine.wait("all suspended", all_are_suspended)
                if harts == 1:
                    self.assertGreater(seen(0)[3], 19 * TICKS // 1000)
                self.assertEqual([seen(hart)[2] for hart in range(harts)], [0] * harts)
                machine.ring()  # heartbeats wake hart 0, too
                machine.wait("the bell", lambda: seen(0)[2] > 0)
                machine.wait("all suspended", all_are_suspended)

    def test_hart_that_manages_the_chip(self):
        """The tree passed by QEMU's FU540 lists it like any other hart."""
        with Machine(board="managed", machine="sifive_u", harts=5, memory="256M") as machine:
            machine.wait_for_harts([1, 2, 3, 4])
            self.assert_extensions(machine, "fd", ())


@unittest.skipUnless(SUPERVISOR, "about S mode")
class AboveAnSbi(Starts):
    """OpenSBI has M mode, its PMP entries, and what it gives to S mode."""

    def assert_fenced(self, machine):
        machine.wait_for_harts(range(2))
        self.assertEqual(machine.word(MAILBOX + PMP_ENTRIES), PAGED_AS_ENTRIES, machine.said())

    def test_with_smepmp_by_which_opensbi_locks(self):
        with Machine(cpu="v=on,smepmp=on") as machine:
            self.assert_fenced(machine)
            self.assertRegex(machine.said(), "Boot HART ISA Extensions *:.*smepmp")

    def test_without_sstc_by_the_sbis_timer(self):
        with Machine(cpu="v=on,sstc=off") as machine:
            self.assert_fenced(machine)
            self.assertNotIn("no timer", machine.said())

    def test_without_paging_kernels_are_not_fenced(self):
        with Machine(cpu="v=on,mmu=off") as machine:
            machine.wait_for_state(DETACHED)
            self.assertEqual(machine.word(MAILBOX + PMP_ENTRIES), 0, machine.said())
            self.assertIn(f"it has no Sv{39 if XLEN == 64 else 32}", machine.said())

    def test_memory_that_another_domain_has_is_not_in_the_heap(self):
        """OpenSBI reserves, in the tree, what it has closed."""
        closed, order = RAM + (384 << 20), 20

        def with_domains(text):
            harts = re.findall(r"cpu@\d+ \{\s+phandle = <(0x[0-9a-f]+)>", text)
            self.assertEqual(len(harts), 2)
            domains = f"""
                opensbi-domains {{
                    compatible = "opensbi,domain,config";
                    everything: everything {{
                        compatible = "opensbi,domain,memregion";
                        base = <0 0>;
                        order = <{XLEN}>;
                    }};
                    closed: closed {{
                        compatible = "opensbi,domain,memregion";
                        base = <0 {closed:#x}>;
                        order = <{order}>;
                    }};
                    of_rivulet: rivulet {{
                        compatible = "opensbi,domain,instance";
                        possible-harts = <{" ".join(harts)}>;
                        regions = <&closed 0x0>, <&everything 0x3f>;
                        boot-hart = <{harts[0]}>;
                        next-addr = <0 {BASE:#x}>;
                        next-mode = <1>;
                    }};
                }};"""
            text = re.sub(r"chosen \{[^{}]*", lambda found: found[0] + domains, text, count=1)
            return re.sub(r"(cpu@\d+ \{)", r"\1 opensbi-domain = <&of_rivulet>;", text)

        with tempfile.TemporaryDirectory() as folder, Machine(
                more=tree(folder, "v=on", change=with_domains)) as machine:
            self.assert_fenced(machine)
            base, size = struct.unpack("<QQ", machine.memory(MAILBOX + HEAP, 16))
            self.assertEqual(base + size, closed, machine.said())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(f"-k{name}" for name in sys.argv[4:])])
