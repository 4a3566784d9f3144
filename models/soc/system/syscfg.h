// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/soc/stubs/stub_block.h"
#include "models/soc/stubs/stub_tables.h"

namespace n6vp::models {

/// System configuration.
///
/// Modelled: errors of writes that the core's port for peripherals has posted: AHBWP_ERROR_SR has
/// the address of the first one until CM55PAHBWPR.PAHB_ERROR_ACK is written as one; the interrupt
/// line is high that long. The compartments that secure accesses to the HPDMA appear to have:
/// SEC_AIDCR of unprivileged ones, SECPRIV_AIDCR of privileged ones. Sizes of the TCMs: CM55TCMCR,
/// whose fields change once until power-on, and which a reset that the program asks for with
/// CM55RSTCR.CORE_RESET_TYPE = 1 applies; sizes that do not exist change nothing. Cells for
/// compensation become ready.
/// Inferred from the vendor's examples: the acknowledge keeps the address; which of the two
/// registers is for which privilege.
/// Not modelled: wait states and locks of the TCMs, what CM55RSTCR says of a lock-up. All else
/// keeps what is written and answers "not modelled".
class Syscfg : public StubBlock {
  public:
    explicit Syscfg(const FlagTimes& times = {}) : StubBlock(*stub_of("SYSCFG"), "SYSCFG", times) {}

    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;

    /// A posted write to this address has failed.
    void note_posted_error(std::uint32_t address);
    /// Level of the line of posted errors, called when it changes.
    std::function<void(bool)> on_posted_error;

    /// What secure accesses to the registers of the HPDMA appear to have.
    [[nodiscard]] std::uint8_t dma_compartment(bool privileged) const;

    /// CFGITCMSZ and CFGDTCMSZ: 7 is 64 KB, 8 is 128 KB, 9 is 256 KB.
    struct TcmSizes {
        unsigned itcm = 7, dtcm = 8;
        bool operator==(const TcmSizes&) const = default;
    };
    /// Called in a reset when it changes the sizes.
    std::function<void(TcmSizes)> on_tcm_sizes;
    /// The program has asked for the reset that comes next.
    void note_reset_request();
    /// State after power-on, of what a reset leaves alone.
    void power_on();

  private:
    void set_tcm_sizes(TcmSizes sizes);
    void set_posted_error(bool level);

    TcmSizes sizes_;
    bool applies_sizes_ = false;  ///< the next reset does
    bool sizes_written_ = false;  ///< until power-on
    bool posted_error_ = false;   ///< not acknowledged: no further one is recorded
};

}  // namespace n6vp::models
