// SPDX-License-Identifier: Apache-2.0
//
// Limits and weights that more than one file uses; all others are at the head of the file that
// does.
#ifndef RIVULET_COMPILER_ANALYSIS_LIMITS_H
#define RIVULET_COMPILER_ANALYSIS_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace rivulet::compiler {

// The number of iterations that costs assume for a loop of unknown length.
inline constexpr double assumed_trip_count = 8; // iterations

// Edges of the CFG that are taken less often than once in this many times lead to rare blocks.
inline constexpr uint64_t rare_edge_ratio = 256; // times

// How deep in an expression to look for a clear sign bit.
inline constexpr unsigned never_negative_max_depth = 4; // operations

// Larger steps are treated as varying, so that 2^15 lanes, the largest number, stay within
// max_affine_span. A limit of 32-bit offsets, not measured.
inline constexpr int64_t max_affine_step = 1 << 14; // bytes from lane to lane

// A body up to this size runs tiny_body_strips full strips at a time.
inline constexpr unsigned tiny_body_max_instructions = 24; // instructions of a work-item

// A block that uses at most this many registers leaves room for the machine scheduler; passes keep
// values in registers up to this number. nbody, bilinear and sgemm_tiled have no spills with it; no
// other value was measured.
inline constexpr unsigned comfortable_vector_registers = 24; // vector registers

// Longer affine expressions become leaves. Addresses of neighbouring rows: bench +0.1 % (VLEN 128)
// and +0.3 % (512) instructions against scalar evolution, in two thirds of its time; the limit was
// not measured.
inline constexpr size_t affine_max_terms = 6; // terms

} // namespace rivulet::compiler

#endif
