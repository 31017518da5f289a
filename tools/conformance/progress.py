# SPDX-License-Identifier: Apache-2.0
"""Shows a run's progress: one changing line on terminals, a line per event elsewhere."""
import shutil
import sys
import time

from expectations import judge

QUIET_SECONDS = 60  # between lines without a terminal


def duration(seconds):
    if seconds < 10:
        return f"{seconds:.1f} s"
    seconds = int(seconds + 0.5)
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min {seconds % 60:02} s"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02} min"


def ratio(measured, predicted):
    return measured / predicted if predicted else 1.0


class Progress:
    def __init__(self, total, expected_seconds, jobs, stream=None):
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty()
        self.interval = 0.5 if self.terminal else 5.0
        self.total, self.finished, self.counts = total, 0, {}
        self.jobs = jobs
        self.seconds_of = dict(expected_seconds)  # of what has not finished
        self.predicted = self.measured = 0.0  # of what has finished
        self.last = time.monotonic()

    def eta(self, slots):
        """Seconds that are left: recorded times, scaled by how this machine keeps to them.

        What a running test has taken is not left, and where that is more than its estimate, the
        estimates of the waiting tests grow with it. 0 when everything that is left has been running
        for longer than was estimated.
        """
        usual = ratio(self.measured, self.predicted)
        predicted, measured, left = self.predicted, self.measured, 0.0
        for slot in slots:
            estimate, elapsed = self.seconds_of[slot.item.key], slot.process.seconds
            if elapsed > estimate * usual:
                predicted, measured = predicted + estimate, measured + elapsed
            else:
                left += estimate * usual - elapsed
        running = {slot.item.key for slot in slots}
        waiting = sum(seconds for key, seconds in self.seconds_of.items() if key not in running)
        left += waiting * ratio(measured, predicted)
        return left / max(1, min(self.jobs, self.total - self.finished))

    def line(self, slots):
        counts = " ".join(f"{count} {name}" for name, count in sorted(self.counts.items()))
        running = ", ".join(slot.item.name for slot in slots[:2])
        left = self.eta(slots)
        left = f"about {duration(left)} left" if left else "takes longer than estimated"
        return (f"[{self.finished}/{self.total}] {counts}  {left}  "
                f"{running}{' …' * (len(slots) > 2)}")

    def show(self, slots):
        now = time.monotonic()
        if now - self.last < (self.interval if self.terminal else QUIET_SECONDS):
            return
        self.last = now
        text = self.line(slots)
        if self.terminal:
            width = shutil.get_terminal_size().columns - 1
            self.stream.write("\r\x1b[K" + text[:width])
        else:
            self.stream.write(text + "\n")
        self.stream.flush()

    def count(self, item, status):
        """Counts a result, including those of a continued run; returns its recorded time."""
        self.finished += 1
        self.counts[status] = self.counts.get(status, 0) + 1
        return self.seconds_of.pop(item.key, 0.0)

    def done(self, item, status, expected, seconds, note):
        self.predicted += self.count(item, status)
        self.measured += seconds
        outcome = judge(status, expected)
        if outcome in ("worse", "better") or status == "flaky":
            self.say(f"{status}: {item.key}" + (f" ({note})" if note else "")
                     + (f", expected {expected}" if expected else ""))

    def say(self, text):
        if self.terminal:
            self.stream.write("\r\x1b[K")
        self.stream.write(text + "\n")
        self.stream.flush()
