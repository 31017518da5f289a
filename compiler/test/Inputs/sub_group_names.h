// SPDX-License-Identifier: Apache-2.0
#define REVERSED intel_sub_group_shuffle_xor
