// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace n6vp::models::core {

/// Which of the core's ports an access leaves through.
enum class Port : std::uint8_t { Instruction, Data, Tcm };

struct BusAttributes {
    Port port = Port::Data;
    bool secure = true;
    bool privileged = true;
    bool exclusive = false;
    bool device = false;  ///< not to be buffered or reordered: time must be exact
    bool for_store =
        false;  ///< read of the line that a store goes to: the returned data are not used
    /// Write of the bytes that memory had at its request. It takes time; a bus on which others
    /// may write meanwhile must not change memory.
    bool unchanged = false;
};

struct BusAnswer {
    bool ok = false;
    bool exclusive_ok = false;       ///< of an exclusive store: it was performed
    std::uint64_t cycles = 0;        ///< core cycles the access took beyond the instruction's own
    std::uint64_t first_cycles = 0;  ///< the same to the first beat; 0 if not known: all at the end
    bool others_ran = false;         ///< other masters may have changed memory meanwhile
};

/// Host memory behind a range of addresses; empty if there is none.
struct DirectMemory {
    std::uint8_t* bytes = nullptr;  ///< of address `start`
    std::uint32_t start = 0;
    std::uint32_t end = 0;  ///< last address
    bool readable = false, writable = false;
};

/// What the core sees of the chip: it knows no SystemC. `at` is core cycles since reset.
class CoreBus {
  public:
    CoreBus() = default;
    CoreBus(const CoreBus&) = delete;
    CoreBus& operator=(const CoreBus&) = delete;
    virtual ~CoreBus() = default;

    virtual BusAnswer read(std::uint32_t address, std::span<std::uint8_t> data,
                           const BusAttributes& attributes, std::uint64_t at) = 0;
    virtual BusAnswer write(std::uint32_t address, std::span<const std::uint8_t> data,
                            const BusAttributes& attributes, std::uint64_t at) = 0;
    /// Returns direct memory around `address`, empty if there is none.
    [[nodiscard]] virtual DirectMemory direct(std::uint32_t address,
                                              const BusAttributes& attributes) = 0;
    /// Copies what memory holds at this moment, without time and unnoticed. Returns false if there
    /// is no memory. A bus that refuses direct memory of some of its memory must answer
    /// nevertheless.
    [[nodiscard]] virtual bool look(std::uint32_t address, std::span<std::uint8_t> bytes) {
        const DirectMemory memory = direct(address, {});
        if (memory.bytes == nullptr || !memory.readable) return false;
        if (memory.end - address < bytes.size() - 1) return false;
        std::copy_n(memory.bytes + (address - memory.start), bytes.size(), bytes.begin());
        return true;
    }
    /// Makes a read of before once more, `data` being what it returned. Returns false, with nothing
    /// done, if the answer would be another one, if an event of the platform is due by then, or if
    /// the bus cannot tell. Else leaves every trace of `read`; `cycles` is that of the answer.
    virtual bool read_again(std::uint32_t /*address*/, std::span<std::uint8_t> /*data*/,
                            const BusAttributes& /*attributes*/, std::uint64_t /*at*/,
                            std::uint64_t& /*cycles*/) {
        return false;
    }
    /// Lets all writes so far take effect: targets may have posted them. Returns how many cycles
    /// after `at` that is.
    virtual std::uint64_t finish_writes(std::uint64_t /*at*/) { return 0; }
};

}  // namespace n6vp::models::core
