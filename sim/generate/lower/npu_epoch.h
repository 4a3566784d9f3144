// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "memmap/npu/units.h"

/// An epoch of the NPU as register settings by unit: what lowering makes, and what is emitted for
/// the epoch controller or as steps of the core.
namespace n6vp::sim::generate {

/// What an address counts from: nothing, the weights that stay where the model's file is, the
/// external RAM that the model gets at installation, or a tensor whose memory is the user's: `User`
/// is the first of these, inputs before outputs.
enum class Base : std::uint8_t { Absolute, Weights, External, User };
[[nodiscard]] constexpr Base user_base(std::uint32_t tensor) {
    return static_cast<Base>(static_cast<std::uint32_t>(Base::User) + tensor);
}
[[nodiscard]] constexpr bool is_user(Base base) {
    return base >= Base::User;
}
/// What Base has room for.
inline constexpr std::uint32_t kMaxUserTensors = 200;

struct Address {
    Base base = Base::Absolute;
    std::uint32_t offset = 0;

    [[nodiscard]] Address plus(std::uint32_t bytes) const { return {base, offset + bytes}; }
};

/// The registers of one unit that differ from their reset values. A name that does not exist or a
/// value that does not fit its field is a bug of the caller: std::logic_error.
class UnitSettings {
  public:
    explicit UnitSettings(memmap::npu::Unit unit) : unit_(unit) { word("CTRL"); }

    /// Sets a field by its path, such as "CTRL.NOSUM". Negative values are two's complement.
    UnitSettings& set(std::string_view path, std::int64_t value);
    /// Sets a whole register; its reserved bits must stay clear.
    UnitSettings& set_word(std::string_view name, std::uint32_t value);
    /// Sets a register that holds an address.
    UnitSettings& set_address(std::string_view name, Address address);
    /// Sets entry `entry` of an ARITH unit's coefficient memory (CTRL.COMBINEBC: `bc` has 32 bits).
    UnitSettings& set_coefficient(std::uint32_t entry, std::int32_t a, std::int32_t bc);

    struct Word {
        std::uint32_t value = 0;
        Base base = Base::Absolute;
    };
    [[nodiscard]] memmap::npu::Unit unit() const { return unit_; }
    /// Returns the words by byte offset in the unit's page, CTRL among them, without EN.
    [[nodiscard]] const std::map<std::uint32_t, Word>& words() const { return words_; }
    [[nodiscard]] std::uint32_t control() const { return words_.at(0).value; }
    [[nodiscard]] bool is_stream() const;
    [[nodiscard]] bool is_output_stream() const;

  private:
    Word& word(std::string_view register_name);

    memmap::npu::Unit unit_;
    std::map<std::uint32_t, Word> words_;
};

/// Entries of coefficient memory that one window of registers shows.
inline constexpr std::uint32_t kMaxCoefficients = 384;

struct NpuEpoch {
    std::string name;                 ///< of the layer; hostile text
    std::vector<UnitSettings> units;  ///< in the order of enabling: outputs, computing, inputs
    std::map<std::uint32_t, std::uint32_t> links;  ///< DST word by destination number
    std::uint64_t multiplications = 0;             ///< that the layer needs
    std::uint64_t weight_bytes = 0;  ///< of the layer, without what padding and zeros add
    std::string choice;              ///< mode and shares, for reports

    /// Joins an output to an input port of a unit. With `skip` frames: of every skip + 1, only the
    /// last is passed on.
    void link(memmap::npu::Unit source, memmap::npu::Unit destination, std::uint32_t port = 0,
              std::uint32_t skip = 0);
    /// Returns the mask of output engines: what the end of the epoch is waited for.
    [[nodiscard]] std::uint32_t output_mask() const;
};

/// Gives out the engines of one epoch, alternating between the two masters so that both are used.
class EnginePool {
  public:
    /// Returns the next engine. Fails with std::logic_error if all are taken.
    [[nodiscard]] memmap::npu::Unit next();

    static constexpr std::uint32_t kEngines = 10;

  private:
    std::uint32_t taken_ = 0;
};

}  // namespace n6vp::sim::generate
