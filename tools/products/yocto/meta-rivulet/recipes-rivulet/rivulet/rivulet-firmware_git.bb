# SPDX-License-Identifier: Apache-2.0
SUMMARY = "OpenCL for RISC-V vector accelerators: firmware of boards"
DESCRIPTION = "Firmware and device trees of the boards that RIVULET_BOARD_NAMES and RIVULET_BOARDS name. \
They are the same for all hosts."

require rivulet.inc
# newlib is linked in. The operator of licences differs between the releases of openembedded-core.
LICENSE .= " ${@'AND' if 'blacksail' in d.getVar('LAYERSERIES_CORENAMES').split() else '&'} BSD-3-Clause"

# Boards that Rivulet has, by their names, separated by semicolons; all if empty. A machine's
# configuration sets it, such as RIVULET_BOARD_NAMES:bananapi = "bananapi-f3".
RIVULET_BOARD_NAMES ??= ""
# Folders of further boards, separated by semicolons.
RIVULET_BOARDS ??= ""
# An archive newlib-VERSION.tar.xz as an entry of SRC_URI, such as "file:///srv/newlib-3.3.0.tar.xz"; that
# of Debian's package newlib-source on the build machine if empty.
RIVULET_NEWLIB ??= ""
SRC_URI:append = "${@' ${RIVULET_NEWLIB};unpack=0;subdir=newlib' if d.getVar('RIVULET_NEWLIB') else ''}"

# Nothing of the target is used: clang builds firmware for the device, and what generates its headers
# for the build machine.
INHIBIT_DEFAULT_DEPS = "1"
DEPENDS += "cmake-native dtc-native ninja-native"
PACKAGE_ARCH = "${MACHINE_ARCH}"
B = "${WORKDIR}/build"

do_configure[cleandirs] = "${B}"
do_configure() {
    newlib=$(ls ${UNPACKDIR}/newlib/* 2>/dev/null || true)
    cmake -S ${S} -B ${B} -G Ninja ${RIVULET_OECMAKE} -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_INSTALL_PREFIX=${prefix} \
        -DCMAKE_C_COMPILER=${STAGING_BINDIR_NATIVE}/clang \
        -DCMAKE_CXX_COMPILER=${STAGING_BINDIR_NATIVE}/clang++ \
        -DCMAKE_PREFIX_PATH=${STAGING_DIR_NATIVE}${prefix_native} \
        -DRIVULET_HOST=OFF -DRIVULET_COMPILER=OFF \
        -DRIVULET_CACHE_DIR=${B}/cache "-DRIVULET_NEWLIB_SOURCE=$newlib" \
        "-DRIVULET_BOARD_NAMES=${RIVULET_BOARD_NAMES}" "-DRIVULET_BOARDS=${RIVULET_BOARDS}"
}
do_compile() {
    cmake --build ${B} -- ${PARALLEL_MAKE}
}
do_install() {
    DESTDIR=${D} cmake --install ${B}
}
FILES:${PN} = "${nonarch_libdir}/rivulet"
# For the device's harts, which the target's tools know nothing of.
INSANE_SKIP:${PN} += "arch"
INHIBIT_PACKAGE_STRIP = "1"
INHIBIT_SYSROOT_STRIP = "1"
