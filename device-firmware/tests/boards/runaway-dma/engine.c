/* SPDX-License-Identifier: Apache-2.0 */
#include "../stuck-dma/engine.c"
