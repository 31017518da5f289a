# SPDX-License-Identifier: Apache-2.0
# rivulet-cc by its command line; FileCheck reads what it prints.
import glob
import os
import sys
import lit.formats

sys.path.insert(0, os.path.dirname(__file__))
from work_item import HEADS

config.name = "rivulet-cc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cl", ".ll", ".mir", ".spvasm"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["output"]
config.substitutions = [
    ("%heads", HEADS),
    ("%cc", lit_config.params["rivulet-cc"]),
    ("%opt", os.path.join(os.path.dirname(lit_config.params["rivulet-cc"]), "rivulet-opt")),
    ("FileCheck", lit_config.params["filecheck"]),
    ("%readelf", os.path.join(lit_config.params["llvm-tools"], "llvm-readelf")),
    ("%objdump", os.path.join(lit_config.params["llvm-tools"], "llvm-objdump")),
    ("%spirv-as", lit_config.params["spirv-as"]),
    ("%as", os.path.join(lit_config.params["llvm-tools"], "llvm-as")),
    ("%nm", os.path.join(lit_config.params["llvm-tools"], "llvm-nm")),
]
config.environment["RIVULET_VERIFY"] = "1"  # after each pass
if "RIVULET_LLVM_SPIRV" in os.environ or glob.glob("/usr/bin/llvm-spirv*"):
    config.available_features.add("spirv")
