# SPDX-License-Identifier: Apache-2.0
SUMMARY = "OpenCL for RISC-V vector accelerators: library, drivers and tools"
DESCRIPTION = "An OpenCL runtime (embedded profile) whose device is a cluster of RISC-V vector harts \
under bare-metal firmware. Programs come as binaries that rivulet-cc compiled, unless the package \
rivulet-cc is installed, too."

require rivulet.inc
inherit cmake pkgconfig

DEPENDS += "clang-native lld-native cli11 dtc libpng nlohmann-json opencl-headers opencl-icd-loader openssl tomlplusplus \
    xxhash zlib"
EXTRA_OECMAKE += "-DBUILD_TESTING=OFF -DRIVULET_COMPILER=OFF -DRIVULET_FIRMWARE=OFF -DRIVULET_STATIC=OFF \
    -DRIVULET_CLANG=${STAGING_BINDIR_NATIVE}/clang -DRIVULET_LLVM_TOOLS=${STAGING_BINDIR_NATIVE}"

PACKAGES =+ "${PN}-tools ${PN}-conformance"
# The ICD loader opens the library by its SONAME; the library opens drivers and other parts of itself.
FILES:${PN} = "${libdir}/librivulet.so.* ${libdir}/rivulet/*.so ${libdir}/rivulet/keeper \
    ${libdir}/rivulet/drivers/linux.so ${libdir}/rivulet/drivers/qemu.so ${libdir}/rivulet/machines \
    ${sysconfdir}/OpenCL/vendors/rivulet.icd"
FILES:${PN}-conformance = "${libdir}/rivulet/conformance ${bindir}/rivulet-hal-test"
FILES:${PN}-tools = "${bindir} ${libdir}/rivulet/gdb ${libdir}/rivulet/profile \
    ${libdir}/rivulet/drivers/gdb.so ${datadir}/bash-completion ${datadir}/zsh"
FILES:${PN}-dev += "${libdir}/cmake ${libdir}/rivulet/drivers ${datadir}/rivulet"
RRECOMMENDS:${PN} = "rivulet-firmware opencl-icd-loader"
RDEPENDS:${PN}-tools = "${PN} python3-core"
RDEPENDS:${PN}-conformance = "${PN}-tools python3-core"
