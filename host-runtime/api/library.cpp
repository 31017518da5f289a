// SPDX-License-Identifier: Apache-2.0
//
// The shared library has nothing of its own: all of it is rivulet_runtime.
