// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "models/soc/camera/camera_link.h"
#include "models/soc/serial/i2c_register_device.h"

namespace n6vp::models {

/// Image sensors of the boards' camera modules.
enum class SensorKind : std::uint8_t { Imx335, Vd66gy, Vd55g1, Vd65g4, Ov5640 };

/// An image sensor as its driver sees it on I2C, and when it streams.
///
/// Modelled: identification; commands and states that drivers wait for, at once; standby and
/// streaming; size and data type of the frames by the registers of window and format. Other
/// registers hold what is written.
/// Not modelled: everything that changes the picture, and binning.
/// Sources: public drivers of the sensors.
class ImageSensor : public I2cRegisterDevice {
  public:
    using Values = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    /// `values` are registers that begin otherwise than the sensor's.
    explicit ImageSensor(SensorKind kind, Values values = {});

    [[nodiscard]] static Layout layout(SensorKind kind);

    /// The sensor begins or ends to stream; also called if it did so before.
    std::function<void(bool streams, const SensorOutput& output)> on_streaming;

    [[nodiscard]] SensorOutput output() const;
    [[nodiscard]] bool streams() const { return streams_; }
    /// The state after the reset pin's pulse.
    void restart();

  protected:
    void written(std::uint32_t number) override;

  private:
    void stream(bool streams);
    void obey_vd(std::uint32_t number);
    [[nodiscard]] std::uint32_t little_word(std::uint32_t number) const {
        return get(number) | get(number + 1) << 8;
    }
    [[nodiscard]] std::uint32_t big_word(std::uint32_t number) const {
        return get(number) << 8 | get(number + 1);
    }

    const SensorKind kind_;
    const Values values_;
    bool streams_ = false;
};

}  // namespace n6vp::models
