// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/soc/base/register_log.h"
#include "sim/registers/register_names.h"

namespace n6vp::sim {

/// Which accesses to registers end in a bus error because nothing real is behind them.
enum class StrictRegisters : std::uint8_t {
    Off,
    Unknown,  ///< registers that no table knows
    All,      ///< these and the stubs
};

/// Counts the accesses to every peripheral register and gives them names: from the user's SVD file,
/// else from the model.
class RegisterReport : public models::RegisterLog {
  public:
    /// `names` must outlive the report; nullptr: only the models' own names.
    explicit RegisterReport(StrictRegisters strict, const RegisterNames* names = nullptr)
        : strict_(strict), names_(names) {}

    /// A program in a loop must not fill the host's memory: more registers are counted, but not
    /// kept. Enough for all registers of the NPU.
    static constexpr std::size_t kMaxKept = 65536;

    [[nodiscard]] bool accessed(const models::RegisterAccess& access) override;

    struct Line {
        std::uint32_t address = 0;  ///< secure alias
        std::string name;           ///< "RCC.AHB5ENR", "XSPI2+0x3C0" or "0x50003000"
        std::uint64_t reads = 0, writes = 0;
        std::uint32_t last_read = 0, last_written = 0;
        bool modelled = true;  ///< every access was
        bool known = true;     ///< some table has a name for it
        models::Picoseconds first = 0;
    };
    /// Returns the registers accessed, by ascending address.
    [[nodiscard]] std::vector<Line> lines() const;
    /// Returns those of them where a stub answered or nothing was known.
    [[nodiscard]] std::vector<Line> not_modelled() const;
    /// Returns the number of accesses to registers that are not kept.
    [[nodiscard]] std::uint64_t not_kept() const { return not_kept_; }
    /// The first access that ended in a bus error for strictness.
    [[nodiscard]] const std::optional<Line>& refused() const { return refused_; }

    /// Returns a table of `lines`, one line each, escaped for a terminal; "" if there are none.
    [[nodiscard]] static std::string text(const std::vector<Line>& lines);
    [[nodiscard]] static nlohmann::ordered_json json(const std::vector<Line>& lines);

    void reset();

  private:
    /// Returns the line of the register, an empty one that is not kept if there are too many.
    [[nodiscard]] Line& line_of(const models::RegisterAccess& access);
    [[nodiscard]] std::string name_of(const models::RegisterAccess& access) const;

    StrictRegisters strict_;
    const RegisterNames* names_;
    std::map<std::uint32_t, Line> lines_;
    Line other_;  ///< of a register that is not kept
    std::uint64_t not_kept_ = 0;
    Line* last_ = nullptr;  ///< a guess for the next access: firmware polls
    std::optional<Line> refused_;
};

}  // namespace n6vp::sim
