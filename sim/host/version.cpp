// SPDX-License-Identifier: Apache-2.0
#include "sim/host/version.h"

namespace n6vp::sim {

// The build passes the version of the top CMakeLists.txt, so that it is written in one place.
std::string_view version() {
    return N6VP_VERSION;
}

}  // namespace n6vp::sim
