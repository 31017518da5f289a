# SPDX-License-Identifier: Apache-2.0
SUMMARY = "OpenCL for RISC-V vector accelerators: firmware of the boards"
DESCRIPTION = "The same for all hosts. RIVULET_BOARDS lists folders of boards of your own."

require rivulet.inc
LICENSE += "& BSD-3-Clause"

# The archive of newlib's sources, which firmware links.
RIVULET_NEWLIB ??= "/usr/src/newlib/newlib.tar.xz"
RIVULET_BOARDS ??= ""

# Firmware is built by clang for the device; the programs that generate its headers run here.
inherit allarch
INHIBIT_DEFAULT_DEPS = "1"
DEPENDS = "clang-native cmake-native dtc-native lld-native ninja-native"
B = "${WORKDIR}/build"

do_configure() {
    cmake -S ${S} -B ${B} -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_COMPILER=${STAGING_BINDIR_NATIVE}/clang \
        -DCMAKE_CXX_COMPILER=${STAGING_BINDIR_NATIVE}/clang++ \
        -DCMAKE_PREFIX_PATH=${STAGING_DIR_NATIVE}${prefix_native} \
        -DBUILD_TESTING=OFF -DRIVULET_HOST=OFF -DRIVULET_COMPILER=OFF -DRIVULET_STATIC=OFF \
        -DRIVULET_CACHE_DIR=${B}/cache -DRIVULET_NEWLIB_SOURCE=${RIVULET_NEWLIB} \
        -DRIVULET_CLANG=${STAGING_BINDIR_NATIVE}/clang -DRIVULET_LLVM_TOOLS=${STAGING_BINDIR_NATIVE} \
        '-DRIVULET_BOARDS=${RIVULET_BOARDS}'
}
do_compile() {
    ninja -C ${B}
}
do_install() {
    install -d ${D}${nonarch_libdir}/rivulet
    cp -R --no-dereference --preserve=mode ${B}/lib/rivulet/firmware ${B}/lib/rivulet/boards \
        ${D}${nonarch_libdir}/rivulet/
}
FILES:${PN} = "${nonarch_libdir}/rivulet"
# For the device's harts, which the target's tools know nothing of.
INSANE_SKIP:${PN} += "arch"
INHIBIT_PACKAGE_STRIP = "1"
INHIBIT_SYSROOT_STRIP = "1"
