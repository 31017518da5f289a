# SPDX-License-Identifier: Apache-2.0
# One small kernel per rule; FileCheck reads what the passes make of it.
import os

here = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(here, "..", "..", "test", "lit.cfg.py"))
config.name = "workgroup"
config.test_source_root = here
config.test_exec_root = os.path.join(lit_config.params["output"], "workgroup")
