// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/fabric/access_filter.h"
#include "models/parameter.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {

struct XspiControllerParameters {
    Parameter mapped_after_boot{"mapped_after_boot", 1, kSwitch, Confidence::Assumed,
                                "1: the boot ROM leaves XSPI1 and 2 memory-mapped, 0: they are off "
                                "until firmware sets EN and FMODE = 3 in CR"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.mapped_after_boot);
    }
};

/// Registers of one XSPI controller. A command takes the same time whatever it is (BUSY, then TCF),
/// and every automatic poll of the device's status matches (SMF). What software writes to an
/// address of the device in indirect mode is what it reads there later: the mode registers that
/// drivers write and check, at up to kMaxAddresses of them. Nothing reaches the memory behind the
/// controller; memory-mapped accesses do not come this way, but pass the filter `window`, which is
/// open from the write of CR that says EN and FMODE = 3 to the one that does not, and before the
/// first write of CR by `mapped`.
class XspiController : public StubBlock {
  public:
    /// A program in a loop must not fill the host's memory: later ones read 0.
    static constexpr std::size_t kMaxAddresses = 1024;

    /// `mapped`: memory-mapped out of reset.
    explicit XspiController(const char* name, bool mapped = false, const FlagTimes& times = {});

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

    [[nodiscard]] bool memory_mapped() const { return mapped_; }
    /// Stands before the memory; closed, it answers with a bus error (assumed).
    [[nodiscard]] AccessFilter& window() { return window_; }
    /// Called after `memory_mapped` has changed.
    std::function<void()> on_mapped;
    /// The kernel clock is divided by this for the pins: 1 after reset.
    [[nodiscard]] unsigned divider() const { return divider_; }
    /// Called after the divider has changed.
    std::function<void()> on_divider;

  private:
    class Window : public AccessFilter {
      public:
        explicit Window(const XspiController& controller);
        [[nodiscard]] Verdict judge(const Transfer&, const Access&) override {
            return controller_.mapped_ ? Verdict::Pass : Verdict::Error;
        }
        [[nodiscard]] bool passes(const Transfer&, const Access&) const override {
            return controller_.mapped_;
        }
        [[nodiscard]] const char* reason() const override { return reason_.c_str(); }

      private:
        const XspiController& controller_;
        const std::string reason_;
    };
    void set_mapped(bool mapped);
    void set_divider(unsigned divider);
    void keep(std::uint8_t byte);
    void begin(Picoseconds at);
    void finish(std::uint32_t flags, Picoseconds at);

    std::map<std::uint32_t, std::vector<std::uint8_t>> written_;  ///< by device address
    std::uint32_t address_ = 0, mode_ = 0;
    const bool mapped_after_reset_;
    bool mapped_;
    Window window_;
    unsigned divider_ = 1;
    std::size_t position_ = 0;  ///< of the next byte of this command
    std::uint64_t bytes_ = 0;   ///< that the command moves through DR
};

}  // namespace n6vp::models
