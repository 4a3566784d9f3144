// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "models/picoseconds.h"
#include "models/soc/camera/camera_parameters.h"
#include "models/soc/camera/csi.h"
#include "models/soc/camera/dcmipp.h"
#include "models/soc/graphics/picture.h"

namespace n6vp::models {

/// What an image sensor sends while it streams.
struct SensorOutput {
    std::uint32_t width = 0, height = 0;  ///< pixels
    unsigned data_type = 0;               ///< CSI-2
};

/// The link from the image sensor to CSI and DCMIPP: frames at their rate, line by line.
///
/// Modelled: start of frame, each line when it is complete, end of frame one line later. Frames go
/// on while the sensor streams; one that has begun is finished. Pictures follow in turn and begin
/// again behind the last one; without pictures frames are the test pattern. A picture of another
/// size is stretched over the sensor's area: each pixel is the picture's pixel at its place.
/// Not modelled: exposure, gain, mirroring and windows of the sensor; a frame that is not received
/// counts all the same.
class CameraLink : public sc_core::sc_module {
  public:
    struct Statistics {
        std::uint64_t frames = 0;    ///< sent
        std::uint64_t received = 0;  ///< by CSI
    };
    /// Eight vertical bars: white, yellow, cyan, green, magenta, red, blue, black.
    static constexpr const char* kTestPattern = "colour bars";

    CameraLink(const sc_core::sc_module_name& name, const CameraParameters& parameters, Csi& csi,
               Dcmipp& dcmipp);

    /// Pictures of the frames, none of them empty.
    void show(std::vector<Picture> pictures);
    [[nodiscard]] bool shows_test_pattern() const { return test_pattern_; }
    /// The sensor begins or ends to stream, now.
    void set_streaming(bool streams, const SensorOutput& output);
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Ends the frame under way; the sensor streams no more.
    void reset();

  private:
    void step();
    void begin_frame();
    void fit_picture(const Picture& picture);
    void send_line();
    [[nodiscard]] Picoseconds line_at(std::uint64_t line) const;

    const CameraParameters parameters_;
    Csi& csi_;
    Dcmipp& dcmipp_;
    std::vector<Picture> pictures_;
    bool test_pattern_ = true;
    bool streaming_ = false, in_frame_ = false, received_ = false;
    SensorOutput output_;    ///< of this frame
    SensorOutput settings_;  ///< of the next one
    Picoseconds frame_start_ = 0, line_ps_ = 0, period_ = 0;
    std::uint32_t line_ = 0;  ///< that comes next
    std::uint64_t frame_ = 0;
    // Of the picture of this frame.
    const Picture* picture_ = nullptr;
    std::uint32_t fitted_width_ = 0;      ///< of the picture that `columns_` are for
    std::vector<std::uint32_t> columns_;  ///< byte of the picture's line for each column
    std::vector<std::uint8_t> row_;
    std::uint32_t row_of_ = 0;  ///< line of the picture in `row_`
    bool row_valid_ = false;
    sc_core::sc_event next_;
    Statistics statistics_;
};

}  // namespace n6vp::models
