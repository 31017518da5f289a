# SPDX-License-Identifier: Apache-2.0
"""Slurm: a job array with a task per shard; shards that were killed are submitted again.

The --output folder must be on a file system that all nodes share. Every task resumes its shard's
journal, so that a node that dies costs the tests it was running, and no more.
"""
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

from errors import UsageError

OWN_OPTIONS = ("--engine", "--shards", "--resubmit", "--sbatch", "--output", "-o", "--shard")
DONE = "done"  # a file in the shard's folder, with the exit code
POLL_SECONDS = 2
FAILURES = 150  # of squeue in a row: five minutes


def task_words(argv):
    """The arguments of this command line to pass on to the tasks."""
    words, skip = [], False
    for word in argv:
        if skip:
            skip = False
        elif word.partition("=")[0] in OWN_OPTIONS:
            skip = "=" not in word
        elif word not in ("--update", "--resume"):
            words.append(word)
    return words


def script(arguments, argv, program, folder):
    """Each task runs one shard; what it exits with is kept once it is through."""
    words = shlex.join([sys.executable, "-B", str(program), *task_words(argv[1:])])
    return f"""#!/bin/sh
shard={shlex.quote(str(folder))}/shards/$SLURM_ARRAY_TASK_ID
mkdir -p "$shard"
{words} --shard "$SLURM_ARRAY_TASK_ID/{arguments.shards}" --output "$shard" --resume
code=$?
[ $code -le 1 ] && echo $code > "$shard/{DONE}"
exit $code
"""


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UsageError(f"{shlex.join(command)} ended with {done.returncode}: "
                         + done.stderr.strip())
    return done.stdout.strip()


def is_listed(job):
    """True while the queue has tasks of the job; None if it can't be queried."""
    done = subprocess.run(["squeue", "--noheader", "--jobs", job, "--states", "all",
                           "--format", "%T", "--array"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        if "Invalid job id" in done.stderr:
            return False
        print("squeue: " + done.stderr.strip(), file=sys.stderr)
        return None
    over = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY",
            "BOOT_FAIL", "DEADLINE", "PREEMPTED"}
    return any(state not in over for state in done.stdout.split())


def wait(job):
    """Waits for the job's end; the controller may be away for a while, as while it restarts."""
    failures = 0
    while (listed := is_listed(job)) is not False:
        failures = 0 if listed else failures + 1
        if failures == FAILURES:
            raise UsageError(f"squeue failed {FAILURES} times in a row; the same command continues "
                             "when it answers again")
        time.sleep(POLL_SECONDS)


def cancel(job):
    """Cancels the job and reports the result, because two jobs must not run the same shards."""
    try:
        done = subprocess.run(["scancel", job], capture_output=True, text=True, check=False)
        why = (done.stderr.strip() or f"scancel ended with {done.returncode}") if done.returncode else ""
    except OSError as error:
        why = str(error)
    if why:
        print(f"job {job} was not cancelled: {why}; cancel it before the same command continues it",
              file=sys.stderr)
    else:
        print(f"cancelled job {job}; the same command continues it", file=sys.stderr)


def stop(number, _frame):
    raise SystemExit(128 + number)


def run(arguments, argv, program, merge):
    """Submits the job, waits, resubmits unfinished shards, and merges."""
    if not shutil.which("sbatch"):
        raise UsageError("--engine slurm needs sbatch and squeue in the PATH (Debian: "
                         "slurm-client)")
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN: # as nohup has it
            signal.signal(number, stop)
    folder = pathlib.Path(arguments.output).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "job.sh"
    path.write_text(script(arguments, argv, program, folder))
    shards = range(1, arguments.shards + 1)

    def left():
        return [n for n in shards if not (folder / "shards" / str(n) / DONE).exists()]

    for attempt in range(1 + arguments.resubmit):
        if not left():
            break
        job = call("sbatch", "--parsable", "--array", ",".join(map(str, left())), "--no-requeue",
                   "--output", str(folder / "slurm-%A_%a.log"), *arguments.sbatch,
                   str(path)).split(";")[0]
        print(f"job {job}: shards {', '.join(map(str, left()))}"
              + (" again" if attempt else ""), file=sys.stderr)
        try:
            wait(job)
        except BaseException:  # also signals: the job's results would never be merged
            cancel(job)
            raise
    folders = [folder / "shards" / str(n) for n in shards]
    if not any((shard / "plan.json").exists() for shard in folders):
        raise UsageError(f"no shard has run; see {folder}/slurm-*.log")
    merged = folder / "journal.jsonl"
    merged.unlink(missing_ok=True)  # of this command when it ran before
    return merge(folders)
