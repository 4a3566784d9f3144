// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/parameter.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

struct BootRomParameters {
    /// Source of the values: the vendor's LL driver.
    Parameter revision{"revision", 0x101, ParameterUnit{"", {0, 4294967295.0, true}},
                       Confidence::Assumed,
                       "revision of the device: 0x100 cut 1.0, 0x101 cut 1.1, 0x200 cut 2.0"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.revision);
    }
};

/// The part of the boot ROM with the words that drivers read: it holds the revision of the device
/// at the two places that public device headers name, and zero, which is reported as not modelled,
/// in its other words. Writes are ignored.
class BootRom : public RegisterBlock {
  public:
    static constexpr std::uint32_t kStart = 0x1000;  ///< offset in the ROM
    static constexpr std::uint32_t kBytes = 0x3800;

    explicit BootRom(const BootRomParameters& parameters)
        : RegisterBlock("BOOTROM"),
          revision_(static_cast<std::uint32_t>(parameters.revision.value)) {}

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds /*at*/) override {
        if (offset != kRevision && offset != kRevisionBefore) return {.modelled = false};
        return {.value = revision_, .name = "REVID"};
    }
    [[nodiscard]] Answer write(std::uint32_t /*offset*/, std::uint32_t /*value*/,
                               std::uint32_t /*mask*/, Picoseconds /*at*/) override {
        return {.modelled = false};
    }
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override {}

  private:
    static constexpr std::uint32_t kRevision = 0x37EC;      ///< 0x180047EC; device header
    static constexpr std::uint32_t kRevisionBefore = 0x04;  ///< 0x18001004; header of late 2024

    const std::uint32_t revision_;
};

}  // namespace n6vp::models
