// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/core.h"
#include "models/core/ir/profile.h"
#include "sim/debugger/saved_registers.h"

namespace n6vp::sim::debugger {

/// The registers of a core as a client of the remote serial protocol sees them: their order, their
/// description in XML, their values.
class CoreRegisters {
  public:
    CoreRegisters(models::core::Core& core, const models::core::CoreProfile& profile);

    /// Numbers that packets use; the general registers are 0 to 15.
    static constexpr unsigned kStackPointer = 13, kLink = 14, kProgramCounter = 15, kStatus = 16;

    [[nodiscard]] unsigned size() const { return static_cast<unsigned>(rows_.size()); }
    [[nodiscard]] unsigned bytes(unsigned number) const { return rows_[number].bits / 8; }
    [[nodiscard]] const std::string& name(unsigned number) const { return rows_[number].name; }
    /// Returns the number of that register; none if the core has none of the name.
    [[nodiscard]] std::optional<unsigned> find(const std::string& name) const;
    [[nodiscard]] std::uint64_t read(unsigned number) const;
    /// Returns the register of a thread that does not run; none if it was not saved.
    [[nodiscard]] std::optional<std::uint64_t> read_saved(unsigned number,
                                                          const SavedRegisters& saved) const;
    /// Bits that the core does not let change keep their value: the exception number of xPSR, what
    /// is reserved.
    void write(unsigned number, std::uint64_t value);
    /// The target description, with the standard features of GDB and no annex.
    [[nodiscard]] std::string description() const;

  private:
    enum class Kind : std::uint8_t {
        General,
        Status,
        Double,
        FpStatus,
        Predicate,
        Special,    ///< by SYSm number, in the state that the core is in
        SpecialOf,  ///< the same of the state that `bank` says
    };
    struct Row {
        std::string name;
        unsigned bits;
        const char* type;
        Kind kind;
        unsigned index;  ///< of the register, or SYSm
        models::core::Security bank = models::core::kSecure;
        const char* feature;
    };

    void add(const char* feature, std::string name, Kind kind, unsigned index, unsigned bits = 32,
             const char* type = "int", models::core::Security bank = models::core::kSecure);
    void add_system();
    void add_security();
    [[nodiscard]] std::uint32_t read_special(unsigned sysm, models::core::Security bank) const;
    void write_special(unsigned sysm, models::core::Security bank, std::uint32_t value);
    [[nodiscard]] models::core::StackPointer stack_in_use() const;
    [[nodiscard]] models::core::Security state() const;

    models::core::Core& core_;
    const models::core::CoreProfile& profile_;
    std::vector<Row> rows_;
};

}  // namespace n6vp::sim::debugger
