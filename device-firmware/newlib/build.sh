#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# build.sh SOURCE.tar.xz PREFIX   (environment: CLANG TOOLS TARGET FLAGS)
#
# PREFIX/TARGET/include: newlib's headers. PREFIX/TARGET/lib/libc.a: the functions of <string.h> that
# need no other part of newlib. A firmware has no memory to allocate, no files and no locales, and
# newlib's own build takes a minute to make what nothing links. The result is moved to PREFIX when it
# is whole, so that a build that was interrupted, or two at once, leave nothing half finished behind.
set -eu
source=$1 prefix=$2
mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d "$prefix.XXXXXX")
trap 'rm -rf "$work"' EXIT
include=$work/stage/$TARGET/include lib=$work/stage/$TARGET/lib
mkdir -p "$work/source" "$include" "$lib"
{
    tar -xJf "$source" -C "$work/source" --strip-components=1
    cd "$work/source/newlib"
    cp -R libc/include/. "$include"
    cp libc/machine/riscv/sys/*.h "$include/sys"
    # What configure makes of them when nothing is asked for but the version.
    cp newlib.hin "$include/newlib.h"
    version=$(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" configure)
    IFS=. read -r major minor patch <<EOF
$version
EOF
    sed "s/#undef _NEWLIB_VERSION$/#define _NEWLIB_VERSION \"$version\"/
         s/#undef __NEWLIB__$/#define __NEWLIB__ $major/
         s/#undef __NEWLIB_MINOR__$/#define __NEWLIB_MINOR__ $minor/
         s/#undef __NEWLIB_PATCHLEVEL__$/#define __NEWLIB_PATCHLEVEL__ $patch/" \
        _newlib_version.hin >"$include/_newlib_version.h"

    mkdir "$work/objects"
    cd "$work/objects"
    sources=
    for name in memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr memset rawmemchr stpcpy \
        stpncpy strcat strchr strchrnul strcmp strcpy strcspn strlcat strlcpy strlen strncat strncmp \
        strncpy strnlen strnstr strpbrk strrchr strsep strspn strstr strtok_r swab; do
        sources="$sources ../source/newlib/libc/string/$name.c"
    done
    # shellcheck disable=SC2086 # words
    set -- $FLAGS -fno-builtin -isystem "$include" -c
    # shellcheck disable=SC2086
    "$CLANG" "$@" -I ../source/newlib/libc/string $sources
    # Those that RISC-V has an own version of, which take their place.
    "$CLANG" "$@" -I ../source/newlib/libc/string ../source/newlib/libc/machine/riscv/mem*.[cS] \
        ../source/newlib/libc/machine/riscv/str*.[cS]
    "$TOOLS/llvm-ar" rcs "$lib/libc.a" ./*.o
    # Nothing is missing that one of them calls.
    "$TOOLS/ld.lld" -shared --no-undefined --whole-archive "$lib/libc.a" -o "$work/whole.so"
} >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    echo "newlib could not be built; the lines above say why" >&2
    exit 1
}
rm -rf "$prefix"
mv "$work/stage" "$prefix"
touch "$prefix/stamp"
