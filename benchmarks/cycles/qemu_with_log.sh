#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Replaces QEMU (RIVULET_QEMU): the same machine, with a log of what it executes.
# BENCH_QEMU: the program; BENCH_LOG: where the log goes; BENCH_LOG_ITEMS, BENCH_LOG_RANGE: -d, -dfilter.
[ "$1" = --version ] && exec "$BENCH_QEMU" "$@"
exec "$BENCH_QEMU" "$@" -d "$BENCH_LOG_ITEMS" -D "$BENCH_LOG" -dfilter "$BENCH_LOG_RANGE"
