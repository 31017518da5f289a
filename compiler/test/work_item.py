# SPDX-License-Identifier: Apache-2.0
"""%heads FILE in a RUN line: writes out WORK_ITEM, the parameters of work-item functions that come before
the kernel's own (work_items/parameters.h)."""
DIMENSIONS = [f"{name}_{d}" for name in ("first", "local_size", "enqueued_size", "group", "groups",
                                         "global_size", "offset") for d in "xyz"]
NUMBERS = ["x", "y", "z", *DIMENSIONS, "dimensions", "work_items"]
PARAMETERS = ", ".join([*(f"i32 %{name}" for name in NUMBERS), "ptr %memory",
                        "ptr addrspace(3) %local"])
HEADS = f"sed 's/WORK_ITEM/{PARAMETERS}/'"
