// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>

#include "models/parameter.h"
#include "models/picoseconds.h"

namespace n6vp::models {

struct SaiParameters {
    Parameter fifo_depth{"fifo_depth", 8, counts(64, "words"), Confidence::Documented,
                         "FIFO of a block: RM0390 (the same unit in the STM32F446)"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.fifo_depth);
    }
};

namespace sai {

/// Registers of a block: offsets from its first one.
enum BlockOffset : std::uint32_t {
    kCr1 = 0x00,
    kCr2 = 0x04,
    kFrcr = 0x08,
    kSlotr = 0x0C,
    kIm = 0x10,
    kSr = 0x14,
    kClrfr = 0x18,
    kDr = 0x1C,
};
constexpr std::uint32_t sai_bit(unsigned position) {
    return 1u << position;
}
inline constexpr std::uint32_t kEnable = sai_bit(16), kDmaEnable = sai_bit(17);  ///< of CR1
inline constexpr std::uint32_t kOvrudr = sai_bit(0), kWckcfg = sai_bit(2),
                               kFreq = sai_bit(3);  ///< of SR and IM

}  // namespace sai

/// One audio frame as a transmitter sent it.
struct AudioFrame {
    static constexpr unsigned kMostSlots = 16;

    Picoseconds at = 0;  ///< its start
    double hz = 0;       ///< frames in a second
    unsigned bits = 16;  ///< of a word
    unsigned slots = 0;  ///< those that are active
    std::array<std::uint32_t, kMostSlots> words{};
};

/// A sub-block of a SAI: frames of slots from, or to, its FIFO. `Sai` has the limits.
class SaiBlock {
  public:
    explicit SaiBlock(const SaiParameters& parameters) : parameters_(parameters) { reset(); }

    /// A frame was sent.
    std::function<void(const AudioFrame& frame)> on_frame;
    /// Returns what the line brings for a slot, in 2^-31 of full scale.
    std::function<std::int32_t(unsigned slot, Picoseconds at)> line;

    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }
    [[nodiscard]] bool receives() const { return (get(sai::kCr1) & 1) != 0; }
    [[nodiscard]] bool is_slave() const { return (get(sai::kCr1) & 2) != 0; }
    /// Clocked by the other block of the same unit.
    [[nodiscard]] bool follows_other() const { return (get(sai::kCr1) >> 10 & 3) == 1; }

    void set_kernel_hz(double hz, Picoseconds at);
    /// SAIEN was set: frames begin at once, those of a slave with the next one of the other block.
    void enable(Picoseconds at);
    /// SAIEN was cleared: the frame under way is the last one.
    void disable();
    [[nodiscard]] bool enabled() const { return enabled_; }
    /// Returns true while frames pass.
    [[nodiscard]] bool running() const { return running_; }
    /// A frame of the block that clocks this one begins; `cycles` of its kernel clock are a frame.
    void begin_with_other(Picoseconds at, double cycles);
    /// The block that clocks this one has stopped.
    void pause();

    /// Returns when the next slot or frame begins, kNever if none does.
    [[nodiscard]] Picoseconds due() const;
    /// That time has come. Returns true if a frame begins.
    bool advance();
    [[nodiscard]] double frame_cycles() const;
    /// Returns true if the master clock divider does not fit the length of the frame.
    [[nodiscard]] bool wrong_clock() const;

    void write_data(std::uint32_t word);
    [[nodiscard]] std::uint32_t read_data();
    void flush();
    /// Returns SR.
    [[nodiscard]] std::uint32_t status() const;
    void raise(std::uint32_t flag) { flags_ |= flag; }
    void clear(std::uint32_t flags) { flags_ &= ~flags; }
    void reset();

  private:
    [[nodiscard]] unsigned slots() const { return (get(sai::kSlotr) >> 8 & 0xF) + 1; }
    [[nodiscard]] bool active(unsigned slot) const {
        return (get(sai::kSlotr) >> (16 + slot) & 1) != 0;
    }
    [[nodiscard]] unsigned data_bits() const;
    [[nodiscard]] unsigned slot_bits() const;
    [[nodiscard]] bool full() const {
        return static_cast<double>(fifo_.size()) >= parameters_.fifo_depth.value;
    }
    [[nodiscard]] std::uint32_t level() const;
    /// Frames of `cycles` of the kernel clock pass from `at` on.
    void start(Picoseconds at, double cycles);
    void begin_frame();
    void end_frame();
    void send(unsigned slot);
    void receive(unsigned slot);

    const SaiParameters& parameters_;
    std::array<std::uint32_t, 8> held_{};
    std::deque<std::uint32_t> fifo_;
    std::uint32_t flags_ = 0;
    double hz_ = 0;
    bool enabled_ = false, running_ = false, stopping_ = false;
    Picoseconds origin_ = 0;  ///< where frame 0 begins
    std::uint64_t frame_ = 0;
    unsigned slot_ = 0;         ///< that comes next
    double cycles_ = 1;         ///< of a frame
    unsigned missed_slot_ = 0;  ///< of an overrun or underrun; transfers go on there
    bool missing_ = false;
    bool muted_ = false;  ///< the frame under way
    AudioFrame sent_;
};

}  // namespace n6vp::models
