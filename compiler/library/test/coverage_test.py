#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every built-in function that clang's OpenCL C header declares is defined in the library, or is
the compiler's own, or is listed here as not offered.

    coverage_test.py CLANG LLVM_NM ARCHIVE…   (…64.a and …32.a)
"""
import collections
import json
import re
import subprocess
import sys

# The compiler's passes, or its front end, lower these by name.
PASSES = re.compile(
    r"get_(work_dim|global_|local_|num_groups|group_id|enqueued_|sub_group|max_sub_group"
    r"|num_sub_groups)|(work_|sub_)group_|barrier|async_|wait_group|intel_sub_group_(?!avc|ime)"
    r"|clock_read|printf|get_fence|to_")
# The device lacks these: vendors' extensions, multi-sampled (GL) images, device-side enqueue,
# pipes.
NOT_OFFERED = re.compile(
    r"amd_|arm_|intel_(sub_group_(avc|ime)|convert)|enqueue_|ndrange_|get_default_queue|retain_event"
    r"|release_event|create_user_event|is_valid_|set_user_event|capture_event|get_image_num_")
# By signature: cl_khr_mipmap_image, multi-sampled images, and atomics of private memory. The latter are
# the header's generic ones where a device has no generic addresses; all of ours have.
NOT_OFFERED_SIGNATURES = re.compile(
    r"_msaa_|\(volatile __private atomic_(half|float|double)"
    r"|read_image\w+ .*(sampler_t, __private \w+, __private float)"
    r"|write_image\w+ .*(__private int\d?, __private int, __private)")

VARIANTS = [
    ["-cl-std=CL1.2", "-cl-ext=+all"],
    ["-cl-std=CL3.0", "-cl-ext=+all"],
    ["-cl-std=CL3.0", "-cl-ext=+all,-__opencl_c_generic_address_space,-__opencl_c_pipes,"
     "-__opencl_c_device_enqueue"],
]


def declared(clang, triple, options):
    """Mangled name → 'name signature' of all functions in the header."""
    resources = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True,
                               check=True).stdout.strip()
    dump = subprocess.run(
        [clang, "-cc1", "-triple", triple, "-finclude-default-header", *options,
         "-internal-isystem", f"{resources}/include", "-x", "cl", "-fsyntax-only",
         "-ast-dump=json", "/dev/null"], capture_output=True, text=True, check=True)
    return {node["mangledName"]: f"{node['name']} {node['type']['qualType']}"
            for node in json.loads(dump.stdout)["inner"] if node["kind"] == "FunctionDecl"}


def defined(nm, archive):
    lines = subprocess.run([nm, "--defined-only", "--extern-only", "--no-sort", archive],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    names = [line.split()[-1] for line in lines if len(line.split()) == 3]
    return set(names), [name for name, count in collections.Counter(names).items() if count > 1]


def main():
    clang, nm, *archives = sys.argv[1:]
    failed = False
    for archive in archives:
        triple = "spir64" if "64" in archive.rsplit("/", 1)[-1] else "spir"
        names, twice = defined(nm, archive)
        for name in sorted(twice):
            failed = True
            print(f"{archive}: defined twice: {name}")
        wanted = {}
        for options in VARIANTS if triple == "spir64" else VARIANTS[-1:]:
            wanted |= declared(clang, triple, options)
        missing = [signature for name, signature in wanted.items()
                   if name not in names and not PASSES.match(signature)
                   and not NOT_OFFERED.match(signature)
                   and not NOT_OFFERED_SIGNATURES.search(signature)]
        for signature in sorted(missing):
            failed = True
            print(f"{archive}: missing: {signature}")
        print(f"{archive}: {len(wanted)} declared, {len(names)} defined, {len(missing)} missing")
    return failed


if __name__ == "__main__":
    sys.exit(main())
