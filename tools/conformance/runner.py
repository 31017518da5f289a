# SPDX-License-Identifier: Apache-2.0
"""Runs tests concurrently: one event loop for process exits, output and signals."""
import errno
import hashlib
import os
import pathlib
import re
import selectors
import shutil
import signal
import socket
import tempfile
import time

import kinds
import measurements
import process
import verdict

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Slot:
    """A running test."""

    def __init__(self, item, attempt, environment, mark, scratch):
        kind = kinds.KINDS[item.suite.kind]
        self.item, self.attempt = item, attempt
        self.scratch = scratch
        os.mkdir(scratch, 0o700)
        self.timeout = item.suite.timeout_of(item.test)
        settings = {**environment, **item.settings, **kind.environment(self.scratch),
                    "TMPDIR": self.scratch}
        try:
            self.process = process.Process(
                kind.command(item.suite, item.test, self.scratch), settings,
                kind.folder(item.suite) or self.scratch, mark)
        except OSError:
            shutil.rmtree(self.scratch, ignore_errors=True)
            raise

    @property
    def deadline(self):
        return self.process.started + self.timeout


class Runner:
    """Runs items until all are done, or a signal says to stop.

    `attempts` maps keys to the statuses of earlier attempts; `expected` tells what is expected of an
    item, because what is expected is not tried again.
    """

    def __init__(self, folder, journal, environment, options, expected, progress):
        self.folder, self.journal, self.environment = pathlib.Path(folder), journal, environment
        self.options, self.expected, self.progress = options, expected, progress
        self.statuses = {}
        self.slots, self.selector, self.stopped, self.worse = [], None, None, 0
        self.mark = f"{os.path.realpath(folder)}//"  # which no other folder's name begins with
        self.scratch, self.started = None, 0

    def run(self, items, attempts):
        """Returns the number of the signal that stopped it; 0 if everything has run."""
        self.statuses = {key: list(found) for key, found in attempts.items()}
        waiting = []
        for item in items:
            if self.is_done(item):
                self.progress.count(item, verdict.of_attempts(self.statuses[item.key]))
            else:
                waiting.append(item)
        process.become_subreaper()
        process.end_marked(self.mark)
        self.scratch = tempfile.mkdtemp(prefix="rivulet-test-")
        guard = process.Guard(f"{self.mark}{os.getpid()}.", self.scratch)
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        earlier = {number: signal.signal(number, self.stop) for number in SIGNALS}
        wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            with selectors.DefaultSelector() as self.selector:
                self.selector.register(ours, selectors.EVENT_READ, None)
                self.loop(waiting)
        finally:
            for slot in list(self.slots):
                self.take_down(slot)
            guard.end()
            process.end_adopted()
            shutil.rmtree(self.scratch, ignore_errors=True)  # the guard may have been killed
            signal.set_wakeup_fd(wakeup)
            for number, handler in earlier.items():
                signal.signal(number, handler)
            ours.close()
            theirs.close()
        return self.stopped or 0

    def stop(self, number, _frame):
        self.stopped = self.stopped or number

    def tries(self, item):
        return 1 + self.options.retries

    def is_done(self, item):
        statuses = self.statuses.get(item.key, [])
        if statuses and statuses[-1] not in verdict.GOOD:
            expected, _ = self.expected(item)
            if expected == statuses[-1]:
                return True
        return verdict.is_done(statuses, self.tries(item))

    def loop(self, waiting):
        while (waiting or self.slots) and not self.stopped:
            self.start_what_fits(waiting)
            self.progress.show(self.slots)
            nearest = min((slot.deadline for slot in self.slots), default=time.monotonic() + 1)
            pause = max(0.0, min(nearest - time.monotonic(), self.progress.interval))
            for key, _ in self.selector.select(pause):
                if key.data is None:
                    key.fileobj.recv(100)
                    continue
                slot, what = key.data
                if slot not in self.slots:
                    continue
                if what == "output":
                    if not slot.process.read():
                        self.selector.unregister(slot.process.stdout)
                else:
                    self.finish(slot, waiting, hung=False)
            for slot in [s for s in self.slots if s.deadline <= time.monotonic()]:
                self.finish(slot, waiting, hung=True)

    def start_what_fits(self, waiting):
        """Starts the first tests that fit in addition to those running; at least one always runs."""
        while waiting and len(self.slots) < self.options.jobs:
            free = self.options.memory - sum(slot.item.machine.memory for slot in self.slots)
            index = next((index for index, item in enumerate(waiting)
                          if not self.slots or item.machine.memory <= free), None)
            if index is None:
                return
            self.start(waiting.pop(index), waiting)

    def start(self, item, waiting):
        attempt = len(self.statuses.get(item.key, [])) + 1
        self.started += 1
        try:
            slot = Slot(item, attempt, self.environment,
                        f"{self.mark}{os.getpid()}.{self.started}",
                        os.path.join(self.scratch, str(self.started)))
        except OSError as error:
            if error.errno in (errno.EAGAIN, errno.ENOMEM) and self.slots:
                waiting.append(item)  # for when others have ended
                return
            self.record(item, attempt, "error", 0.0, note=f"can't be started: {error}", data=b"")
            return
        self.slots.append(slot)
        self.selector.register(slot.process.stdout, selectors.EVENT_READ, (slot, "output"))
        self.selector.register(slot.process.pidfd, selectors.EVENT_READ, (slot, "end"))

    def take_down(self, slot):
        """Ends the test's processes; returns how many had escaped its group."""
        self.slots.remove(slot)
        for file in (slot.process.stdout, slot.process.pidfd):
            try:
                self.selector.unregister(file)
            except (KeyError, ValueError, RuntimeError):
                pass
        escaped = slot.process.end([other.process.pid for other in self.slots])
        shutil.rmtree(slot.scratch, ignore_errors=True)
        return escaped

    def finish(self, slot, waiting, hung):
        item, seconds, running = slot.item, slot.process.seconds, slot.process.members()
        slot.process.read()
        slot.process.kill_group()
        slot.process.reap()
        data, code, note = slot.process.output.data(), slot.process.exit_code, ""
        text = data.decode(errors="replace")
        if hung:
            status, code = "hang", None
            note = f"no end after {slot.timeout:g} s; running were: {', '.join(running)}"
        elif code < 0:
            status, note = "crash", f"ended by {signal_name(-code)}"
        elif 128 < code < 128 + signal.NSIG and item.suite.kind == "plain":
            status, note = "crash", f"ended with {code}: {signal_name(code - 128)} in a shell"
        else:
            status = kinds.KINDS[item.suite.kind].status(code, text, slot.scratch)
            note = f"ended with {code}" if status not in verdict.GOOD else ""
        if other := kinds.KINDS[item.suite.kind].other_device(text):
            status, note = "error", f"ran on {other}, which is not the device under test"
        if escaped := self.take_down(slot):
            note = f"{note}; " * bool(note) + f"left {escaped} processes behind, which were ended"
        self.record(item, slot.attempt, status, seconds, note, data, code, slot.process.peak)
        if not self.is_done(item):
            waiting.append(item)

    def record(self, item, attempt, status, seconds, note, data, code=None, peak=None):
        log = ""
        if status != "pass" or self.options.keep_logs:
            log = log_name(item, attempt)
            path = self.folder / log
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        entry = {"key": item.key, "attempt": attempt, "status": status, "note": note, "log": log,
                 "exit": code, "seconds": round(seconds, 3), "peak": peak,
                 "accuracy": measurements.accuracy(data.decode(errors="replace"))}
        self.journal.append(entry)
        self.statuses.setdefault(item.key, []).append(status)
        if self.is_done(item):
            self.progress.done(item, verdict.of_attempts(self.statuses[item.key]),
                               self.expected(item)[0], seconds, note)


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def log_name(item, attempt):
    """Relative to the run's folder; names that had to be changed get a digest appended."""
    test = re.sub(r"[^\w.,=+-]", "+", item.test, flags=re.ASCII)[:150]
    if test != item.test:
        test += "." + hashlib.sha256(os.fsencode(item.test)).hexdigest()[:8]
    return f"logs/{item.machine.file_name}/{item.suite.name}/{test}.{attempt}.log"
