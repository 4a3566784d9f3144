// SPDX-License-Identifier: Apache-2.0
#include <systemc>

// The kernel library refers to this entry point even though every program here has its own `main`.
int sc_main(int, char**) {
    return 0;
}
