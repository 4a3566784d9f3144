// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verb.h"

namespace n6vp::sim::cli {

void add_check(CLI::App&, Session&) {}

}  // namespace n6vp::sim::cli
