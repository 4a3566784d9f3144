// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "models/soc/base/flag_times.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// One register of a peripheral that is not modelled: what software reads from it.
struct StubRow {
    std::uint32_t offset;
    const char* name;
    std::uint32_t reset = 0;
    std::uint32_t writable = 0xFFFFFFFF;  ///< other bits keep their value
    std::uint32_t ones = 0;               ///< read as one whatever happens: ready, transfer done
    std::uint32_t self_clearing = 0;      ///< commands that are done at once: read as zero
    std::uint32_t write_one_clears = 0;
    std::uint32_t write_zero_clears = 0;
    std::uint32_t toggles = 0;  ///< change at every read, for loops that wait for a change
    /// Not 0: reads as the time in this unit, for loops that wait for time to pass.
    Picoseconds count_ps = 0;
    bool modelled = false;  ///< what stands above is all that software can see of it
};

/// How bits of one register follow what software does with another: what firmware polls after it
/// has asked for something. They follow after `delay`, at once without one.
struct StubRule {
    enum class Kind : std::uint8_t {
        Follow,   ///< the bits are one while any of the source's bits is
        Oppose,   ///< the bits are one while none of the source's bits is
        SetBy,    ///< the bits become one
        ClearBy,  ///< the bits become zero, and what was to change them no longer does
        Pulse,    ///< the bits are one at once, and zero after the delay: busy
        Dip,      ///< the bits are zero at once, and one after the delay: ready again
        Copy,     ///< source's bits written as one are set here at the same positions
        Erase,    ///< source's bits written as one are cleared here at the same positions
    };
    /// What happens to the source's bits. Not asked by Follow and Oppose.
    enum class On : std::uint8_t {
        One,     ///< one of them is written as one
        Fall,    ///< a write changes one of them to zero
        Write,   ///< any write to the register
        Change,  ///< a write changes one of them
        Read,    ///< any read of the register
    };
    Kind kind;
    std::uint32_t offset;  ///< of the register that changes
    std::uint32_t bits;
    std::uint32_t source;  ///< offset of the register that software accesses
    std::uint32_t source_bits;
    Parameter FlagTimes::*delay = nullptr;
    On on = On::One;
    unsigned shift = 0;           ///< Copy, Erase: from a source bit down to the bit that changes
    std::uint32_t if_offset = 0;  ///< the rule is for when one of `if_bits` is one in this register
    std::uint32_t if_bits = 0;    ///< 0: always
};

/// Rows that repeat, such as the channels of a DMA controller.
struct StubRepeat {
    std::uint32_t first = 0, stride = 0, count = 0;
    std::span<const StubRow> rows;  ///< offsets count from the start of each
    std::span<const StubRule> rules = {};
};

struct StubTable {
    const char* type;  ///< of peripherals, as in the address map
    std::span<const StubRow> rows;
    std::span<const StubRule> rules = {};
    StubRepeat repeat = {};
};

/// A peripheral of which only the registers are there: they keep what is written and show the
/// ready bits that firmware polls. The answer says that it is not modelled, unless the row says
/// otherwise; a register of the table has a name, one that no table knows is stored too and has
/// none.
class StubBlock : public RegisterBlock {
  public:
    /// `table` must outlive the block.
    StubBlock(const StubTable& table, const char* name, const FlagTimes& times = {});

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;
    /// Counters count from here.
    void reset_at(Picoseconds at) override;

    /// What the register holds: for the set-up of a test or a scenario (OTP words, pins).
    void preset(std::uint32_t offset, std::uint32_t value) { values_[offset] = value; }

  protected:
    /// Bits of a register become one or zero at `at`, in place of what they were to become.
    void schedule(std::uint32_t offset, std::uint32_t bits, bool ones, Picoseconds at);
    void change(std::uint32_t offset, std::uint32_t bits, bool ones);
    [[nodiscard]] Picoseconds after(Picoseconds at, Parameter FlagTimes::*delay) const;
    [[nodiscard]] std::uint32_t held(std::uint32_t offset) const;

  private:
    struct Pending {
        Picoseconds at;
        std::uint32_t offset, bits;
        bool ones;
    };
    struct Written {
        StubRule::On kind;                               ///< Read, or Write for any write
        std::uint32_t ones = 0, zeros = 0, changed = 0;  ///< bits
    };

    [[nodiscard]] const StubRow* find(std::uint32_t offset) const;
    void settle(Picoseconds at);
    void apply_rules(std::uint32_t source, const Written& written, Picoseconds at);
    void apply(const StubRule& rule, std::uint32_t base, const Written& written, Picoseconds at);
    void follow(std::uint32_t offset, std::uint32_t bits, bool ones, Picoseconds due,
                Picoseconds at);

    const StubTable& table_;
    const FlagTimes times_;
    Picoseconds start_ = 0;
    std::map<std::uint32_t, std::uint32_t> values_;  ///< by offset, of registers ever written
    std::vector<Pending> pending_;                   ///< in the order of time
};

}  // namespace n6vp::models
