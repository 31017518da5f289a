# SPDX-License-Identifier: Apache-2.0
"""Processes of tests: each in its own session, and none is left when its test has ended.

The runner is a subreaper: whatever a test leaves behind becomes a child of the runner, even if it
has made itself a daemon, and is found by a mark in its environment.
"""
import ctypes
import os
import shutil
import signal
import subprocess
import time

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
MARK = "RIVULET_CONFORMANCE_PROCESS"
KEPT_HEAD, KEPT_TAIL = 64 << 10, 192 << 10  # bytes of output
GRACE_SECONDS = 0.5
libc = ctypes.CDLL(None, use_errno=True)


def become_subreaper():
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_with_parent():
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Output:
    """Keeps the beginning and the end of a test's output, however long it is."""

    def __init__(self):
        self.head, self.tail, self.left_out = bytearray(), bytearray(), 0

    def add(self, data):
        room = KEPT_HEAD - len(self.head)
        self.head += data[:room]
        self.tail += data[room:]
        if len(self.tail) > 2 * KEPT_TAIL:
            self._cut()

    def _cut(self):
        surplus = len(self.tail) - KEPT_TAIL
        if surplus > 0:
            self.left_out += surplus
            del self.tail[:surplus]

    def data(self):
        self._cut()
        middle = f"\n[… {self.left_out} bytes left out …]\n".encode() if self.left_out else b""
        return bytes(self.head) + middle + bytes(self.tail)


def status_of(pid):
    """Returns (parent, process group, name, state) of a process, or None."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    name, rest = text[text.index("(") + 1:].rsplit(")", 1)
    state, parent, group = rest.split()[:3]
    return int(parent), int(group), f"{name} ({state})"


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def has_mark(pid, mark):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return os.fsencode(f"{MARK}={mark}") in file.read().split(b"\0")
    except OSError:
        return False


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def end_group(pid):
    """Kills a session leader and its process group."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def end_adopted(mark=None, spare=(), seconds=5, group=None):
    """Kills and reaps adopted children, with the mark only or all; returns how many there were
    outside of the group, which was killed before, but of which some may still be on their way.

    A device or compiler of a program that has ended gets time to end by itself."""
    deadline = time.monotonic() + seconds
    grace = time.monotonic() + GRACE_SECONDS if group else 0
    seen = set()
    while time.monotonic() < deadline:
        mine = [pid for pid in pids() if pid not in spare
                and (status_of(pid) or (0,))[0] == os.getpid()]
        found = False
        for pid in mine:
            _, own_group, state = status_of(pid) or (0, 0, "(Z)")
            if not state.endswith("(Z)") and (mark is None or has_mark(pid, mark)):
                found = True
                if own_group == group:
                    kill(pid)
                elif time.monotonic() > grace:
                    seen.add(pid)
                    kill(pid)
            try:
                os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                pass
        if not found:
            break
        time.sleep(0.005)
    return len(seen)


class Process:
    """A running test."""

    def __init__(self, command, environment, folder, mark):
        self.mark, self.output, self.started = mark, Output(), time.monotonic()
        self.popen = subprocess.Popen(
            command, env={**environment, MARK: mark}, cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=end_with_parent)
        self.pid, self.stdout = self.popen.pid, self.popen.stdout.fileno()
        os.set_blocking(self.stdout, False)
        self.pidfd = os.pidfd_open(self.pid)
        self.exit_code = self.peak = None

    @property
    def seconds(self):
        return time.monotonic() - self.started

    def read(self, most=1 << 20):
        """Reads available output; False at the end."""
        while most > 0:
            try:
                data = os.read(self.stdout, 1 << 16)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.output.add(data)
            most -= len(data)
        return True

    def members(self):
        """Names and states of the processes in its group, for reporting a hang."""
        found = (status_of(pid) for pid in pids())
        return sorted(entry[2] for entry in found if entry and entry[1] == self.pid)

    def reap(self):
        """Reaps the process, which has ended or is being killed."""
        _, status, usage = os.wait4(self.pid, 0)
        self.exit_code = self.popen.returncode = os.waitstatus_to_exitcode(status)
        self.peak = usage.ru_maxrss << 10  # of the largest process waited for

    def kill_group(self):
        end_group(self.pid)

    def end(self, spare):
        """Kills its remaining processes; returns how many had escaped its group."""
        if self.exit_code is None: # otherwise the group's id may have been reused
            self.kill_group()
            self.reap()
        escaped = end_adopted(self.mark, spare, group=self.pid)
        self.read()
        os.close(self.pidfd)
        self.popen.stdout.close()
        return escaped


def end_marked(prefix):
    """Kills what a runner that was itself killed has left: processes whose mark begins so; how many
    there were."""
    start, count = os.fsencode(f"{MARK}={prefix}"), 0
    for pid in pids():
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if any(entry.startswith(start) for entry in file.read().split(b"\0")):
                    kill(pid)
                    count += 1
        except OSError:
            continue  # belongs to another user, or has just ended
    return count


class Guard:
    """A process that outlives a runner which is killed: it ends and removes what that has left."""

    def __init__(self, prefix, scratch):
        ours, self.runners_end = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.setsid()
                for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
                    signal.signal(number, signal.SIG_IGN)  # a whole job gets those: first the runner
                os.dup2(ours, 0)
                os.closerange(1, 1 << 16)  # the journal's lock is the runner's alone
                os.read(0, 1)  # until the runner is no more
                for _ in range(100):  # what is starting another process may do so once more
                    if not end_marked(prefix):
                        break
                    time.sleep(0.02)
                shutil.rmtree(scratch, ignore_errors=True)
            finally:
                os._exit(0)
        os.close(ours)

    def end(self):
        os.close(self.runners_end)
        try:
            os.waitpid(self.pid, 0)
        except ChildProcessError:
            pass  # it was killed, and reaped with what tests have left
