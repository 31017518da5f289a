# SPDX-License-Identifier: Apache-2.0
"""rivulet profile: runs a program with samples of its kernels, and says where their time went."""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import page
import profile_of
import remarks
import text
from trace_reader import Trace

HERE = pathlib.Path(os.path.abspath(__file__)).parent  # not resolved: a link in a build tree
SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def parser():
    top = argparse.ArgumentParser(
        prog="rivulet profile", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs a program and shows where its kernels spend their time: by kernel, hart, "
                    "source line and instruction.",
        epilog="The firmware's timer samples the position of each hart in its kernels; instructions are "
               "counted\nseparately. llvm-mca estimates stalls of hot blocks for two cores, if the "
               "package llvm-22 is installed.\nThe exit status is that of the program, or 127 if it "
               "can't be run.")
    top.add_argument("--rate", metavar="N", type=int, default=1000,
                     help="samples per second of each hart's time in kernels, at most 10000 "
                          "(default: %(default)s)")
    top.add_argument("--json", action="store_true", help="print JSON; the program's output goes to standard error unless "
                          "--output is given")
    top.add_argument("--html", metavar="FILE", help="write a page with annotated source and assembly")
    top.add_argument("--remarks", metavar="FILE",
                     help="file from rivulet-cc --remarks, to show remarks for each line (default: "
                          "run rivulet-cc again)")
    top.add_argument("--all", action="store_true", help="show all lines instead of the hottest")
    top.add_argument("--output", "-o", metavar="FILE", help="write the profile to this file instead of "
                                                            "standard output")
    top.add_argument("command", metavar="COMMAND", nargs=argparse.REMAINDER,
                     help="program and its arguments")
    return top


def run(command, rate, folder, output):
    """Returns the program's exit status as a shell would; its standard output goes to `output`."""
    settings = {**os.environ, "RIVULET_TRACE": str(folder / "trace"), "RIVULET_SAMPLE": str(rate),
                "RIVULET_DEBUG_FILES": str(folder)}
    process, early = None, []

    # The program ends as if it had got the signal itself, and what it did until then is shown. A
    # signal may arrive when the program has started and Popen has not returned yet.
    def pass_on(number, _frame):
        if process is None:
            early.append(number)
        else:
            process.send_signal(number)

    on_signals(pass_on)
    try:
        process = subprocess.Popen(command, env=settings, stdout=output)
        for number in early:
            process.send_signal(number)
        with process:
            try:
                status = process.wait()
            except BaseException:
                process.kill()
                raise
    except OSError as error:
        print(f"rivulet profile: {command[0]} can't be run: {error.strerror}", file=sys.stderr)
        return 127
    finally:
        on_signals(stop)
    return status if status >= 0 else 128 - status


def stop(number, _frame):
    raise SystemExit(128 + number)


def on_signals(act):
    """Signals end this command or its program, so that its folder is removed."""
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN: # as nohup has it
            signal.signal(number, act)


def check_files(arguments):
    """Finds out what can't be read or written before the program runs, which may take hours."""
    for path in filter(None, (arguments.html, arguments.output)):
        folder = os.path.dirname(os.path.abspath(path))
        if os.path.isdir(path) or not os.access(path if os.path.exists(path) else folder, os.W_OK):
            raise OSError(f"{path} can't be written; name a file in a folder that is there")


def traces(folder):
    return [path for path in sorted(folder.glob("trace*")) if path.stat().st_size]


def profiled(arguments, command, notes, folder):
    # Standard output holds one document.
    output = sys.stderr if arguments.json and not arguments.output else None
    status = run(command, arguments.rate, folder, output)
    if status == 127:
        return status
    found = traces(folder)
    if not found:
        print(f"rivulet profile: {command[0]} made no OpenCL call of ours", file=sys.stderr)
        return status or 1
    # Programs that the program started have traces of their own: the one with most in it.
    largest = max(found, key=lambda path: path.stat().st_size)
    compiler = None if arguments.remarks else remarks.compiler(HERE)
    profile, listings, sources = profile_of.analyse(Trace(largest.read_bytes()), notes, compiler)
    profile["command"] = command
    out = json.dumps(profile, indent=2) + "\n" if arguments.json else text.write(profile, arguments.all)
    if arguments.html:
        title = pathlib.Path(command[0]).name
        pathlib.Path(arguments.html).write_text(
            page.write(profile, listings, sources, notes, title), encoding="utf-8")
    if arguments.output:
        pathlib.Path(arguments.output).write_text(out, encoding="utf-8")
    else:
        sys.stdout.write(out)
    return status


def main():
    if sys.argv[1:] == ["--print-options"]:
        sys.path.append(str(HERE.parent / "conformance"))
        import describe
        print(json.dumps(describe.describe(parser(), "profile", "")))
        return 0
    top = parser()
    arguments = top.parse_args()
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        top.error("name the program to run")
    if not 1 <= arguments.rate <= 10000:  # the firmware's most
        top.error("--rate takes 1 to 10000")
    try:
        check_files(arguments)
        notes = remarks.Remarks(arguments.remarks)
    except OSError as error:
        print(f"rivulet profile: {error}", file=sys.stderr)
        return 2
    on_signals(stop)
    try:
        with tempfile.TemporaryDirectory(prefix="rivulet-profile-") as folder:
            return profiled(arguments, command, notes, pathlib.Path(folder))
    except (OSError, ValueError, IndexError) as error:
        print(f"rivulet profile: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
