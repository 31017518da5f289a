# SPDX-License-Identifier: Apache-2.0
"""rivulet conformance: see options.py for its command line and tools/conformance/README.md for a map of the files."""
import copy
import json
import os
import pathlib
import signal
import sys

import ctest_export
import cts
import facts
import history
import lava
import manifest
import merge
import options
import report
import results
import settings
import slurm
from errors import UsageError
from expectations import Expectations
from journal import NAME as JOURNAL, Journal
from machines import parse_machine
from plan import NAME as PLAN, Plan, items_of
from progress import Progress, duration
from runner import Runner
from schedule import Times, parse_shard

HERE = pathlib.Path(os.path.abspath(__file__)).parent # not resolved: a link in a build tree
DATA = HERE.parent
PREFIX = DATA.parent.parent


def machines_of(arguments):
    names = arguments.machine or [os.environ.get("RIVULET_MACHINE") or "rv64-v128"]
    machines = [parse_machine(name, DATA / "machines") for name in names]
    return list({machine.name: machine for machine in machines}.values())


def suites_of(arguments):
    """Returns (suites, names of suites that have not been built)."""
    variables = {"prefix": PREFIX, **dict(arguments.set)}
    suites, absent = [], []
    for name in arguments.suites:
        own = HERE / "suites" / (name + ".toml")
        suites += manifest.load(own if own.is_file() and not os.path.exists(name) else name,
                                variables)
    if arguments.cts:
        cache = pathlib.Path(getattr(arguments, "output", ".")).absolute() / "compiled"
        found, absent = cts.load(arguments.cts, arguments.cts_list, not arguments.full,
                                 arguments.compilation_mode, HERE / "cl_offline_compiler", cache)
        suites += found
    if not suites and not absent:
        raise UsageError("no suites: name some with --suites rivulet --set build=./DIR, "
                         "--suites MANIFEST or --cts DIR")
    names = [suite.name for suite in suites]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two suites are called {name}; rename one in its manifest")
    if not suites:
        raise UsageError(f"{arguments.cts}: no program of the list is built; build some of: "
                         + ", ".join(absent))
    return suites, absent


def expectation_files(arguments, machines):
    folder = arguments.expectations
    if folder and not getattr(arguments, "update", False) and not os.path.isdir(folder):
        raise UsageError(f"--expectations {folder}: there is no such folder; --update makes it")
    return {machine.name: Expectations(folder and os.path.join(folder, machine.file_name + ".txt"))
            for machine in machines}


def keys_of_begun_run(arguments):
    """Keys of the run that --resume continues."""
    folder = pathlib.Path(getattr(arguments, "output", "."))
    if not getattr(arguments, "resume", False) or not (folder / PLAN).exists():
        return set()
    return set(Plan.load(folder).keys)


def selection(arguments):
    """Returns (items, plan, function that returns what is expected of an item)."""
    machines = machines_of(arguments)
    suites, absent = suites_of(arguments)
    files = expectation_files(arguments, machines)
    common = settings.common(PREFIX)
    listed, unselected = items_of(suites, machines, {**os.environ, **common}, arguments.only,
                                  arguments.exclude)

    def expected(item):
        return files[item.machine.name].find(item.name)

    items, known = [item for item in listed if expected(item)[0] != "avoid"], []
    if arguments.unknown:
        begun = keys_of_begun_run(arguments) # its results may have become known
        known = [item.key for item in items if expected(item)[0] and item.key not in begun]
        items = [item for item in items if expected(item)[0] is None or item.key in begun]
        if not items:
            raise UsageError("every test that is selected has an expectation; nothing is unknown")
    avoided = [[item.key, expected(item)[1]] for item in listed if expected(item)[0] == "avoid"]
    if not items:
        raise UsageError("the expectations say to avoid every test that is selected")
    plan = Plan(machines=[{"name": m.name, "file_name": m.file_name} for m in machines],
                suites=sorted({item.suite.name for item in items}),
                keys=[item.key for item in items],
                repeats={item.key: item.repeat(common) for item in items}, absent=absent,
                avoided=avoided, known=known, unselected=unselected, only=arguments.only,
                exclude=arguments.exclude, part=arguments.part or arguments.unknown,
                # --unknown adds what was built since; what was recorded before need not be there.
                named=sorted({suite.name for suite in suites}
                             | set([] if arguments.unknown else absent)),
                facts=facts.gather(PREFIX, arguments.cts))
    return items, plan, expected


def prepare_folder(folder, plan, resume):
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / JOURNAL).exists():
        if not resume:
            raise UsageError(f"{folder} holds a run already: --resume continues it, or name "
                             "another --output")
        if (folder / PLAN).exists():
            earlier = Plan.load(folder)
            if not plan.same_tests(earlier) or plan.shard != earlier.shard \
                    or set(plan.mine) != set(earlier.mine):
                raise UsageError(f"the run in {folder} was one of other tests, machines or "
                                 "another shard; name another --output")
            plan.check_same_build(earlier, f"the run in {folder} and this one")
            plan.facts = earlier.facts
    plan.save(folder)


def finish(folder, arguments, baseline):
    found = results.Results(folder, arguments.expectations)
    if arguments.update:
        for path in found.update_expectations():
            print(f"wrote {path}", file=sys.stderr if arguments.json else sys.stdout)
        found = results.Results(folder, arguments.expectations)
    report.write(found, folder, baseline)
    if getattr(arguments, "lava", False):
        lava.write(found, sys.stdout)
    if arguments.json:
        print(json.dumps(found.as_data(), indent=1))
        return 0 if found.green else 1
    return report.summarize(found, folder)


def run(arguments):
    baseline = report.load_baseline(arguments.baseline) if arguments.baseline else None
    if arguments.engine == "slurm":
        return slurm.run(arguments, sys.argv, HERE, lambda folders: command_merge(
            folders, arguments, arguments.output, baseline))
    if arguments.memory is None:
        arguments.memory = options.available_memory() * 4 // 5
    shard, count = parse_shard(arguments.shard)
    items, plan, expected = selection(arguments)
    times = Times({f"{r['machine']} {r['test']}": r["seconds"]
                   for r in baseline["results"]} if baseline else None)
    mine = times.shard_of(items, shard, count)
    for suite in {id(item.suite): item.suite for item in items}.values():
        suite.timeout *= arguments.timeout_scale
        suite.timeouts = {name: limit * arguments.timeout_scale
                          for name, limit in suite.timeouts.items()}
    plan.shard, plan.mine = arguments.shard, [item.key for item in mine]
    plan.repeats = {key: plan.repeats[key] for key in plan.mine}
    if arguments.dry_run:
        if arguments.json:
            print(json.dumps(listed(mine, plan), indent=1))
            return 0
        for item in mine:
            print(item.key)
        print(f"{len(mine)} of {len(items)} tests", file=sys.stderr)
        print(estimate(mine, times, arguments), file=sys.stderr)
        return 0
    environment = {**os.environ, **settings.common(PREFIX)}
    settings.check_machines(machines_of(arguments), PREFIX, environment)
    folder = pathlib.Path(arguments.output)
    prepare_folder(folder, plan, arguments.resume)
    if any("--compilation-cache-path" in item.suite.arguments for item in mine):
        (folder / "compiled").mkdir(exist_ok=True) # the CTS does not make it
    journal = Journal(folder)
    attempts = {key: [entry["status"] for entry in entries]
                for key, entries in results.load_attempts([folder]).items()}
    progress = Progress(len(mine), {item.key: times.seconds(item.key) for item in mine},
                        arguments.jobs)
    print(estimate([item for item in mine if item.key not in attempts], times, arguments),
          file=sys.stderr)
    runner = Runner(folder, journal, environment, arguments, expected, progress)
    stopped = runner.run(mine, attempts)
    journal.close()
    if stopped:
        print(f"stopped; the same command with --resume continues the run in {folder}",
              file=sys.stderr)
        return 128 + stopped
    return finish(folder, arguments, baseline)


def total(seconds, jobs):
    """No less than the longest of them, however many run at once."""
    return max(sum(seconds) / max(1, min(jobs, len(seconds))), max(seconds, default=0))


def estimate(items, times, arguments):
    """How long a run will take, said before it starts."""
    machines = len({item.machine.name for item in items})
    text = f"{len(items)} tests on {machines} machine{'s' * (machines != 1)}"
    if not times.recorded:
        most = total([item.suite.timeout_of(item.test) for item in items], arguments.jobs)
        return (f"{text}, {duration(most)} if each takes its whole time limit; --baseline RUN with an "
                "earlier run tells how long that takes")
    left = total([times.seconds(item.key) for item in items], arguments.jobs)
    unknown = sum(item.key not in times.recorded for item in items)
    return (f"{text}, about {duration(left)} by the times of {arguments.baseline}"
            + (f", which has not {unknown} of them" if unknown else ""))


def listed(items, plan):
    return {"tests": [{"machine": item.machine.name, "test": item.name,
                       "timeout": item.suite.timeout_of(item.test)} for item in items],
            "absent": plan.absent}


def command_list(arguments):
    items, plan, _ = selection(arguments)
    if arguments.json:
        print(json.dumps(listed(items, plan), indent=1))
        return 0
    for item in items:
        print(item.key)
    for name in plan.absent:
        print(f"not built: {name}", file=sys.stderr)
    return 0


def command_merge(folders, arguments, output, baseline):
    merge.merge(folders, output)
    return finish(output, arguments, baseline)


def command_report(arguments):
    baseline = report.load_baseline(arguments.baseline) if arguments.baseline else None
    if arguments.command == "merge":
        return command_merge(arguments.run, arguments, arguments.output, baseline)
    return finish(arguments.run, arguments, baseline)


def command_ctest(arguments):
    items, _, _ = selection(arguments)
    path = ctest_export.write(items, settings.common(PREFIX), arguments.output)
    if arguments.json:
        print(json.dumps({"file": str(path), "tests": len(items)}, indent=1))
    else:
        print(f"wrote {path}; run: ctest --test-dir {arguments.output}")
    return 0


def command_history(arguments):
    runs = history.write(arguments.folder, arguments.output)
    if arguments.json:
        print(json.dumps(runs, indent=1))
    else:
        print(f"{len(runs)} runs: {arguments.output}")
    return 0


COMMANDS = {"history": command_history, "run": run, "list": command_list, "report": command_report, "merge": command_report,
            "ctest": command_ctest}


def main():
    if sys.argv[1:] == ["--print-options"]:
        import describe
        print(json.dumps(describe.describe(options.parser(), "conformance", "")))
        return 0
    if sys.stdout is None:  # closed by the caller
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
    arguments = options.parser().parse_args()
    try:
        options.check(arguments)
        code = COMMANDS[arguments.command](copy.copy(arguments))
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader closed the pipe, like `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except (UsageError, OSError) as error:
        print(f"rivulet conformance: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
