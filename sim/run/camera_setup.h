// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/soc/graphics/picture.h"
#include "sim/run/board_setup.h"
#include "sim/run/run_config.h"

namespace n6vp::sim {

/// Returns the pictures of a file, or of the files of a folder in the order of their names: binary
/// PPM (P6, 8 bits) and NumPy arrays of height x width x 3 bytes. Fails with UserError for what is
/// no such file, is cut off, or is too large.
[[nodiscard]] std::vector<models::Picture> read_camera_pictures(const std::string& path);

/// Returns the board's first image sensor, or nullptr.
[[nodiscard]] const BoardSetup::I2cDevice* camera_sensor(const BoardSetup& board);

/// Adds the image sensor of the keys camera and camera_sensor to the board, if there is one. Fails
/// with UserError for an unknown sensor, or if its address is taken.
void add_camera_sensor(const RunConfig& config, BoardSetup& board);

/// Returns the sensor of that name, if it is one.
[[nodiscard]] std::optional<models::SensorKind> sensor_named(std::string_view name);
/// Returns "imx335" and the like.
[[nodiscard]] std::string_view sensor_name(models::SensorKind kind);

}  // namespace n6vp::sim
