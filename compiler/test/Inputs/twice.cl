// SPDX-License-Identifier: Apache-2.0
int twice(int x) { return 2 * x; }
