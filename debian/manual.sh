#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# manual.sh PROGRAMS MORE-PROGRAMS FOLDER: manual pages from what programs say with --help.
set -e
mkdir -p "$3"
page() { # name, description
    program=$1
    for folder in $folders; do
        [ ! -x "$folder/$program" ] || found=$folder/$program
    done
    help2man --no-info --no-discard-stderr --version-string="$version" --name="$2" \
        --output="$output/$program.1" "$found"
}
folders="$1 $2"
output=$3
version=$("$1/rivulet" --version)
page rivulet "devices of the Rivulet OpenCL runtime"
page rivulet-cc "OpenCL C compiler for RISC-V vector harts"
page rivulet-hal-test "conformance suite of Rivulet's driver interface"
page rivulet-doorbell "measure the bare round trip to a device"
if [ -x "$1/rivulet-run" ]; then
    page rivulet-run "run an OpenCL kernel with arguments from the command line"
    page rivulet-flash "firmware images for the boot media of boards"
fi
