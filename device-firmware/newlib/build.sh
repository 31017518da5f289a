#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh SOURCE.tar.xz PREFIX CONFIGURE-OPTION…   (environment: CLANG TOOLS TARGET FLAGS)
#
# Builds newlib next to PREFIX and moves it there when all is done, so that a build that was
# interrupted, or two at once, leave nothing half finished behind.
set -eu
source=$1 prefix=$2
shift 2
mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT

mkdir "$work/source" "$work/build"
tar -xJf "$source" -C "$work/source" --strip-components=1
cd "$work/build"
{
    # CC: configure wants a compiler for this machine, too, and there may be no gcc.
    "$work/source/configure" --target="$TARGET" --prefix="$prefix" "$@" \
        CC="$CLANG" CC_FOR_TARGET="$CLANG" AR_FOR_TARGET="$TOOLS/llvm-ar" \
        RANLIB_FOR_TARGET="$TOOLS/llvm-ranlib" AS_FOR_TARGET="$CLANG" \
        LD_FOR_TARGET="$TOOLS/ld.lld" NM_FOR_TARGET="$TOOLS/llvm-nm" \
        CFLAGS_FOR_TARGET="$FLAGS"
    make -j2 MAKEINFO=true all-target-newlib
    make MAKEINFO=true DESTDIR="$work/stage" install-target-newlib
} >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    echo "newlib could not be built; the lines above say why" >&2
    exit 1
}
rm -rf "$prefix"
mv "$work/stage$prefix" "$prefix"
touch "$prefix/stamp"
