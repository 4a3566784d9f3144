// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "models/soc/camera/pixel_path.h"

namespace n6vp::models::camera {

/// The three statistics extraction modules of DCMIPP's main pipe, which accumulate a component of
/// the pixels of a frame, or count those in a range of values.
///
/// Modelled: components before the black level, which only the pixels of their colour of the Bayer
/// pattern have, and behind the demosaicing, which all have; averages with their exclusions; bins;
/// the area. A register has the sum by 256, so that a counted pixel is one.
/// Assumed: luminance is 77 R + 150 G + 29 B by 256 behind the demosaicing, each pixel's own
/// component before it.
/// Sources: public driver, and the public camera middleware's computation of averages.
class PictureStatistics {
  public:
    static constexpr unsigned kModules = 3;
    struct Settings {
        std::array<std::uint32_t, kModules> control{};  ///< P1STxCR
        bool in_area = false;
        Area area;
        unsigned pattern = 0;  ///< DMCR.TYPE: RGGB, GRBG, GBRG, BGGR
    };

    void begin(const Settings& settings);
    [[nodiscard]] bool wanted() const { return wanted_; }
    /// Takes a line of three bytes for each pixel.
    void take(std::span<const std::uint8_t> rgb, std::uint32_t line);
    /// Returns P1STxSR for the lines since `begin`.
    [[nodiscard]] std::uint32_t result(unsigned module) const;

  private:
    void take(unsigned module, std::span<const std::uint8_t> rgb, std::uint32_t line,
              std::uint32_t column);

    Settings settings_;
    bool wanted_ = false;
    std::array<std::uint64_t, kModules> sums_{};
};

}  // namespace n6vp::models::camera
