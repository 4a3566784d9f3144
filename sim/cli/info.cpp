// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/verb.h"

namespace n6vp::sim::cli {

void add_info(CLI::App&, Session&) {}

}  // namespace n6vp::sim::cli
