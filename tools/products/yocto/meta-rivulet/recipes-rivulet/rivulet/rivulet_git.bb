# SPDX-License-Identifier: Apache-2.0
SUMMARY = "OpenCL for RISC-V vector accelerators: library, drivers and tools"
DESCRIPTION = "An OpenCL runtime (embedded profile) whose device is a cluster of RISC-V vector harts \
under bare-metal firmware. Programs come as binaries that rivulet-cc of rivulet-native compiled, \
unless PACKAGECONFIG has compiler: then the package rivulet-cc compiles OpenCL C on the target."

require rivulet.inc
inherit cmake pkgconfig

# What the project is built and tested with.
TOOLCHAIN = "clang"

PACKAGECONFIG ??= ""
# The built-in library is the same for all hosts; a cross build takes that of rivulet-native.
PACKAGECONFIG[compiler] = "-DRIVULET_COMPILER=ON \
    -DRIVULET_NATIVE_BUILD=${STAGING_DIR_NATIVE}${prefix_native},-DRIVULET_COMPILER=OFF,clang lld llvm \
    rivulet-native zlib zstd"
# The driver of devices behind a debug port.
PACKAGECONFIG[gdb] = ",,dtc"

DEPENDS += "cli11 nlohmann-json opencl-headers tomlplusplus xxhash"
EXTRA_OECMAKE += "${RIVULET_OECMAKE} -DRIVULET_FIRMWARE=OFF"

# rivulet-native is the compiler alone, with which recipes of products compile their programs.
PACKAGECONFIG:class-native = ""
DEPENDS:class-native = "clang-native lld-native llvm-native cli11-native nlohmann-json-native zlib-native zstd-native"
EXTRA_OECMAKE:append:class-native = " -DRIVULET_HOST=OFF -DRIVULET_COMPILER=ON"

PACKAGES =+ "${PN}-cc ${PN}-tools ${PN}-conformance"
# The ICD loader opens the library by its SONAME; the library opens drivers and other parts of itself.
FILES:${PN} = "${libdir}/librivulet.so.* ${libdir}/rivulet/*.so ${libdir}/rivulet/keeper \
    ${libdir}/rivulet/drivers/daemon.so ${libdir}/rivulet/drivers/linux.so \
    ${libdir}/rivulet/drivers/qemu.so \
    ${nonarch_libdir}/rivulet/machines ${sysconfdir}/OpenCL/vendors/rivulet.icd"
FILES:${PN}-cc = "${bindir}/rivulet-cc ${libdir}/rivulet/library"
FILES:${PN}-conformance = "${nonarch_libdir}/rivulet/conformance ${bindir}/rivulet-hal-test"
FILES:${PN}-tools = "${bindir}/rivulet ${bindir}/rivulet-doorbell ${bindir}/rivuletd ${nonarch_libdir}/rivulet/gdb \
    ${nonarch_libdir}/rivulet/profile ${libdir}/rivulet/drivers/gdb.so"
FILES:${PN}-dev += "${nonarch_libdir}/cmake ${datadir}/pkgconfig ${datadir}/rivulet \
    ${libdir}/rivulet/drivers/loopback*.so"
RRECOMMENDS:${PN}:class-target = "rivulet-firmware \
    ${@bb.utils.contains('DISTRO_FEATURES', 'opencl', 'opencl-icd-loader', '', d)}"
RDEPENDS:${PN}-cc:class-target = "${PN}"
RDEPENDS:${PN}-tools:class-target = "${PN} python3-core"
RDEPENDS:${PN}-conformance:class-target = "${PN}-tools python3-core"

BBCLASSEXTEND = "native"
