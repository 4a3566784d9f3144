// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "models/picoseconds.h"
#include "models/soc/audio/mdf_parameters.h"

namespace n6vp::models {

namespace mdf {

/// Registers of a filter and of the serial interface with its number: offsets from its first one.
enum FilterOffset : std::uint32_t {
    kSitfcr = 0x00,
    kBsmxcr = 0x04,
    kDfltcr = 0x08,
    kDfltcicr = 0x0C,
    kDfltrsfr = 0x10,
    kDfltintr = 0x14,
    kOldcr = 0x18,
    kDlycr = 0x24,
    kScdcr = 0x28,
    kDfltier = 0x2C,
    kDfltisr = 0x30,
    kOeccr = 0x34,
    kSadcr = 0x38,
    kSadcfgr = 0x3C,
    kSadanlvr = 0x44,
    kSnpsdr = 0x6C,
    kDfltdr = 0x70,
};

constexpr std::uint32_t mdf_bit(unsigned position) {
    return 1u << position;
}
inline constexpr std::uint32_t kFilterEnable = mdf_bit(0), kDmaEnable = mdf_bit(1),
                               kHalfFull = mdf_bit(2);  ///< of DFLTCR
/// Of DFLTISR and DFLTIER.
inline constexpr std::uint32_t kFthf = mdf_bit(0), kDovrf = mdf_bit(1), kRxnef = mdf_bit(3),
                               kSatf = mdf_bit(9), kRfovrf = mdf_bit(11);

}  // namespace mdf

/// One digital filter with its FIFO: from the signal at its input to samples of 24 bits.
///
/// The gain is that of the hardware (order and ratio of the CIC filter, SCALE, reshape filter),
/// with saturation behind SCALE and at the end. The signal is what stands at the input when a
/// sample is due: the filters have no transfer function, and samples are right from the first one
/// on.
class MdfFilter {
  public:
    explicit MdfFilter(const MdfParameters& parameters) : parameters_(parameters) {}

    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    /// DFLTEN was set, or a trigger came: samples follow from there on.
    void start(Picoseconds at);
    /// DFLTEN was cleared: the FIFO is empty and nothing is under way.
    void stop();
    [[nodiscard]] bool running() const { return running_; }
    /// The next sample is a whole period after `at`.
    void count_from(Picoseconds at);
    /// The clock has another frequency from `at` on, 0 for none: `hz` of the kernel clock, and
    /// `cycles` of it for a bit of the microphone, `processing` for a cycle of the filter.
    void set_clock(double hz, std::uint32_t cycles, std::uint32_t processing, Picoseconds at);

    /// Returns when the next sample is complete, kNever if none is under way.
    [[nodiscard]] Picoseconds due() const;
    /// Takes the signal for that sample, in 2^-31 of the recording's full scale.
    void take(std::int32_t signal);
    /// Returns the oldest sample as DFLTDR holds it, 0 if there is none.
    [[nodiscard]] std::uint32_t read();

    /// Returns DFLTISR.
    [[nodiscard]] std::uint32_t flags() const;
    void clear(std::uint32_t flags) { events_ &= ~flags; }
    /// Returns the level of the DMA request: from the threshold on until the FIFO is empty.
    [[nodiscard]] bool requests();
    /// Input samples for one at the output.
    [[nodiscard]] std::uint32_t decimation() const;
    /// Returns the gain of the CIC filter.
    [[nodiscard]] double cic_gain() const;
    void reset();

  private:
    [[nodiscard]] bool reshapes() const { return (get(mdf::kDfltrsfr) & 1) == 0; }
    [[nodiscard]] std::uint32_t cic_ratio() const { return (get(mdf::kDfltcicr) >> 8 & 0x1FF) + 1; }
    [[nodiscard]] std::uint32_t threshold() const;
    [[nodiscard]] std::int32_t filtered(std::int32_t signal);
    [[nodiscard]] double limited(double value, unsigned bits);

    const MdfParameters& parameters_;
    std::array<std::uint32_t, 32> held_{};
    std::deque<std::uint32_t> fifo_;
    std::uint32_t events_ = 0;  ///< flags that stay until they are cleared
    bool running_ = false, requesting_ = false;
    std::uint32_t to_discard_ = 0;  ///< samples of NBDIS
    double hz_ = 0;
    std::uint32_t bit_cycles_ = 1, processing_cycles_ = 1;
    Picoseconds origin_ = 0;
    std::uint64_t complete_ = 0;  ///< samples since `origin_`
};

}  // namespace n6vp::models
