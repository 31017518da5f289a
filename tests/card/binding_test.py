#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The binding of the kernel module's device tree node and the driver agree: they have the same properties, and
the binding's example is a tree that follows it. Debian has no dt-schema, which would also check the schema
itself.

    binding_test.py
"""
import pathlib
import re
import subprocess
import sys
import unittest

import yaml

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "hal/drivers/linux/kernel"
BINDING = yaml.safe_load((FOLDER / "rivulet,window.yaml").read_text())
SOURCE = (FOLDER / "probe_platform.c").read_text()
# What a driver says instead of a property's name.
READ_BY = {"reg": "platform_get_resource(", "interrupts": "platform_get_irq_optional(",
           "resets": "devm_reset_control_get_optional_exclusive("}
WRAPPED = """/dts-v1/;
/ {{
    #address-cells = <2>;
    #size-cells = <2>;
    reset: reset {{ #reset-cells = <1>; }};
{}
}};
"""


class Binding(unittest.TestCase):
    def test_driver_reads_what_the_binding_has(self):
        read = set(re.findall(r'"(rivulet,[a-z]+|memory-region|dma-coherent)"', SOURCE)) - {"rivulet,window"}
        read |= {name for name, call in READ_BY.items() if call in SOURCE}
        self.assertEqual(read, BINDING["properties"].keys() - {"compatible"})

    def test_driver_matches_what_the_binding_has(self):
        self.assertEqual(re.findall(r'\.compatible = "(.+?)"', SOURCE), [BINDING["properties"]["compatible"]["const"]])

    def test_names_in_the_binding_are_properties(self):
        named = {*BINDING["required"], *BINDING["dependencies"], *sum(BINDING["dependencies"].values(), [])}
        self.assertEqual(named - BINDING["properties"].keys(), set())
        self.assertIs(BINDING["additionalProperties"], False)

    def test_example(self):
        example, = BINDING["examples"]
        example = re.sub("#include .*", "", example).replace("IRQ_TYPE_EDGE_RISING", "1")
        subprocess.run(["dtc", "-q", "-I", "dts", "-O", "dtb", "-o", "/dev/null"], check=True, text=True,
                       input=WRAPPED.format(example))
        node = re.search(r"window@\w+ \{(.*?)\}", example, re.S)[1]
        found = set(re.findall(r"^\s*([a-z,-]+)(?: =|;)", node, re.M))
        self.assertEqual(found - BINDING["properties"].keys(), set())
        wanted = {*BINDING["required"], *(name for key in found for name in BINDING["dependencies"].get(key, ()))}
        self.assertEqual(wanted - found, set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
