#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checks find what they are for."""
import pathlib
import sys
import tempfile
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "docs"))
import architecture
import isa_extensions
import layering
import tidiness
import unity


class Checks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    def test_isa_extensions_finds_what_is_missing_unknown_or_twice(self):
        text = (isa_extensions.SECTION + "| extensions | what |\n|---|---|\n| Zba, Zvl32b and longer | Zbb |\n"
                "| Zbx, Zba | – |\n## Next\n| Zbs | – |\n")
        found = list(isa_extensions.complaints({"zba", "zbb", "zbs"}, isa_extensions.described(text)))
        self.assertEqual([next(word for word in line.split() if word.startswith("zb")) for line in found],
                         ["zbb", "zbs", "zba", "zbx"])

    def test_layering_finds_forbidden_includes(self):
        files = [self.write("host-runtime/api/a.cpp", '#include <llvm/IR/Module.h>\n'),
                 self.write("hal/b.cpp", '#include <CL/cl.h>\n#include "host-runtime/x.h"\n'),
                 self.write("hal/protocol/c.h", '#include "hal/hal.h"\n'),
                 self.write("compiler/driver/d.cpp", '#include "hal/hal.h"\n')]
        self.assertEqual(len(list(layering.violations(self.top, files))), 5)

    def test_layering_finds_includes_up_the_compiler(self):
        files = [self.write("compiler/spmd/analysis/a.cpp", '#include "compiler/spmd/plan/vectorise.h"\n'),
                 self.write("compiler/lowering/b.h", '#include "compiler/workgroup/workgroup.h"\n'),
                 self.write("compiler/new_folder/c.cpp", '#include "compiler/support/program.h"\n'),
                 self.write("compiler/d.cpp", '#include "compiler/support/program.h"\n')]
        self.assertEqual(len(list(layering.violations(self.top, files))), 4)

    def test_layering_finds_includes_up_the_host_library(self):
        files = [self.write("host-runtime/device/a.cpp", '#include "host-runtime/graph/queue.h"\n'),
                 self.write("host-runtime/graph/b.h", '#include "host-runtime/program/launch.h"\n'),
                 self.write("host-runtime/new_folder/c.cpp", '#include "hal/device.h"\n')]
        self.assertEqual(len(list(layering.violations(self.top, files))), 3)

    def test_layering_finds_circles(self):
        files = [self.write("device-firmware/core/a.h", '#include "device-firmware/core/b.h"\n'),
                 self.write("device-firmware/core/b.h", "\n"),
                 self.write("device-firmware/core/b.c", '#include "device-firmware/core/b.h"\n'
                                                        '#include "device-firmware/core/c.h"\n'),
                 self.write("device-firmware/core/c.h", "\n")]
        self.assertEqual(list(layering.circles(self.top, files)), [])
        files.append(self.write("device-firmware/core/c.c", '#include "device-firmware/core/a.h"\n'))
        self.assertEqual(list(layering.circles(self.top, files)), [
            "circle of includes: device-firmware/core/a -> device-firmware/core/b -> "
            "device-firmware/core/c -> device-firmware/core/a"])

    def test_layers_have_one_direction(self):
        for table in layering.COMPILER, layering.HOST:
            seen = set()
            for folder, uses in table.items():
                self.assertLessEqual(set(uses.split()), seen, folder)
                seen.add(folder)

    def test_layering_allows_the_way_down(self):
        files = [self.write("host-runtime/api/a.cpp", '#include "hal/device.h"\n#include <CL/cl.h>\n'),
                 self.write("host-runtime/graph/a_test.cpp", '#include "host-runtime/api/launch.h"\n'),
                 self.write("compiler/pipeline/b.cpp", '#include "hal/protocol/launch.h"\n'
                                                       '#include <llvm/IR/Module.h>\n')]
        self.assertEqual(list(layering.violations(self.top, files)), [])

    def test_tidiness_finds_lengths_traces_and_missing_files(self):
        # REUSE-IgnoreStart
        licence = "// SPDX-License-Identifier: Apache-2.0\n"
        # REUSE-IgnoreEnd
        files = [self.write("a/long.cpp", licence + "\n" * 800),
                 self.write("a/README.md", "see /home/someone/notes and [this](gone.md)\n"),
                 self.write("b/bare.cpp", "int x;\n"),
                 self.write("hal/core/c.cpp", licence + 'auto x = std::getenv("X");\n'),
                 self.write("b/d.py", "#" + licence[2:] + "open('/tmp/x')\n")]
        found = "\n".join(tidiness.complaints(self.top, files))
        for expected in ("801 lines", "/home/someone", "gone.md", "bare.cpp: no SPDX", "b/: no README",
                         "hal/core/c.cpp:2: getenv", "b/d.py:2: a fixed name"):
            self.assertIn(expected, found)

    def test_unity_finds_names_that_two_files_have(self):
        def source(*lines):
            return "\n".join(["namespace rivulet {", "namespace {", "", *lines, "", "} // namespace", "}", ""])
        files = [self.write("compiler/image/a.cpp", source(
                     "constexpr Kind kinds[] = {1};", "bool has(int one) {", "    int local = has(1);", "}",
                     "std::vector<Ref<Device>> devices_of(const Context &context,",
                     "                                    int count) {", "}", "struct Row {", "};")),
                 self.write("compiler/image/b.cpp", source(
                     "const StringLiteral kinds[] = {};", "bool has(long one, long two); // another",
                     "std::vector<int> devices_of(int count) {", "}", "class Row final {", "    int local;", "};")
                            + "static void alone() {\n}\n"),
                 self.write("compiler/image/c.cpp", "static int alone(int x) {\n}\nbool has() {\n}\n"),
                 self.write("compiler/serve/d.cpp", source("bool has(char one) {", "}"))]
        found = list(unity.clashes(self.top, files))
        self.assertEqual([line.split("`")[1] for line in found], ["Row", "alone", "devices_of", "has", "kinds"])

    def test_architecture_finds_what_is_gone_and_locks_without_ranks(self):
        self.write("base/lock_ranks.def", 'RIVULET_LOCK_RANK(ring, "order")\n'
                                              'RIVULET_LOCK_RANK(leaf, "nothing")\n')
        self.write("host-runtime/a.h", "class Queue {\n    std::mutex own_;\n"
                                       "    Mutex ring_{LockRank::ring};\n};\n")
        page = ("| `host-runtime/a.h` | `Queue`, `Queue::submit` | x |\nsee `hal/gone.h`\n"
                "## Locks\n\n")
        self.write("docs/architecture.md", page + "| rank | guards | mutexes |\n")
        found = "\n".join(architecture.complaints(self.top))
        for expected in ("not up to date", "no hal/gone.h", "no function Queue::submit",
                         "no mutex has the rank leaf", "host-runtime/a.h: a standard mutex"):
            self.assertIn(expected, found)
        self.write("docs/architecture.md", architecture.with_table(self.top, page + "|"))
        found = "\n".join(architecture.complaints(self.top))
        self.assertNotIn("not up to date", found)
        self.assertIn("| `ring` | order | `Queue::ring_` (host-runtime/a.h) |",
                      (self.top / "docs/architecture.md").read_text())


if __name__ == "__main__":
    unittest.main()
