// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>

#include "sim/host/json_output.h"
#include "sim/run/run_session.h"

namespace n6vp::sim {

/// Writes the image sensor, its pictures, and what became of its frames; nothing without a sensor.
void write_camera(std::ostream& out, RunSession& session);
/// Returns the value of the key "camera" of a document of schema n6vp.run/2; null without a sensor.
[[nodiscard]] Json camera_json(RunSession& session);

}  // namespace n6vp::sim
