# SPDX-License-Identifier: Apache-2.0
SUMMARY = "OpenCL for RISC-V vector accelerators: the compiler on the target"
DESCRIPTION = "Compiles OpenCL C when a program calls clBuildProgram. Products that ship compiled \
programs don't need it."

require rivulet.inc
inherit cmake pkgconfig

DEPENDS += "lld-native clang clang-native lld cli11 nlohmann-json opencl-headers xxhash zlib zstd"
EXTRA_OECMAKE += "-DBUILD_TESTING=OFF -DRIVULET_COMPILER=ON -DRIVULET_FIRMWARE=OFF -DRIVULET_STATIC=OFF \
    -DRIVULET_CLANG=${STAGING_BINDIR_NATIVE}/clang -DRIVULET_LLVM_TOOLS=${STAGING_BINDIR_NATIVE}"

do_install:append() {
    # Library and tools are in the package rivulet.
    find ${D} -not -type d -not -path '*/bin/rivulet-cc' -not -path '*/lib/rivulet/library/*' -delete
    find ${D} -depth -type d -empty -delete
}
FILES:${PN} = "${bindir}/rivulet-cc ${libdir}/rivulet"
RDEPENDS:${PN} = "rivulet"
