// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/ir/bus.h"
#include "models/core/ir/state.h"

namespace n6vp::models::core {

/// One read of an observed round of a loop. Cycles are those since reset.
struct ObservedRead {
    static constexpr std::size_t kMaxBytes = 32;  ///< a line of code

    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    BusAttributes attributes;
    std::uint64_t now = 0;  ///< the core's cycle: that of its block, and what it waited since
    std::uint64_t at = 0;   ///< cycle of the read
    std::uint32_t pc = 0;   ///< `CpuState::pc` during the read
    BusAnswer answer;
    std::array<std::uint8_t, kMaxBytes> data{};
};

/// The bus as the parts of the core see it. While a round of a loop is observed it notes the reads;
/// afterwards it hands out answers that were asked for ahead.
class ObservedBus final : public CoreBus {
  public:
    /// More reads than this make no round.
    static constexpr std::size_t kMaxReads = 16;

    ObservedBus(CoreBus& bus, const CpuState& cpu) : bus_(bus), cpu_(cpu) {}

    BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                   const BusAttributes& attributes, std::uint64_t at) override;
    BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                    const BusAttributes& attributes, std::uint64_t at) override;
    [[nodiscard]] DirectMemory direct(std::uint32_t address,
                                      const BusAttributes& attributes) override {
        return bus_.direct(address, attributes);
    }
    [[nodiscard]] bool look(std::uint32_t address, std::span<std::uint8_t> bytes) override {
        return bus_.look(address, bytes);
    }
    std::uint64_t finish_writes(std::uint64_t at) override {
        repeatable_ = false;
        return bus_.finish_writes(at);
    }

    /// Notes reads from now on.
    void observe();
    void stop_observing() { observing_ = false; }
    /// The round that is observed must not be made again.
    void forbid_repetition() { repeatable_ = false; }
    /// Returns false if the bus was asked for more than reads that can be made again.
    [[nodiscard]] bool repeatable() const { return repeatable_; }
    [[nodiscard]] std::vector<ObservedRead>& reads() { return reads_; }

    /// Makes an observed read once more, see CoreBus.
    [[nodiscard]] bool ask_again(ObservedRead& read, std::uint64_t at, std::uint64_t& cycles) {
        return bus_.read_again(read.address, std::span(read.data).first(read.bytes),
                               read.attributes, at, cycles);
    }
    /// The core is about to make this read, which was made already: `read` with the time and the
    /// answer of now.
    void answer_later(const ObservedRead& read) { answers_.push_back(read); }

  private:
    BusAnswer read_noting(std::uint32_t address, std::span<std::uint8_t> data,
                          const BusAttributes& attributes, std::uint64_t at);
    /// Returns true if the next of `answers_` is that of the read.
    [[nodiscard]] bool known(std::uint32_t address, std::span<const std::uint8_t> data,
                             std::uint64_t at) const;

    CoreBus& bus_;
    const CpuState& cpu_;
    bool observing_ = false, repeatable_ = true;
    std::vector<ObservedRead> reads_;
    std::vector<ObservedRead> answers_;
    std::size_t given_ = 0;  ///< of `answers_`
};

}  // namespace n6vp::models::core
