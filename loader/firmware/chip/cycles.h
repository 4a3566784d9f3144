// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Core cycles, counted by the DWT.
namespace n6vp::firmware::chip {

/// Numbers of the phases that the mailbox gets.
enum PhaseId : std::uint32_t {
    kPhaseSetUp = 1,
    kPhaseInfo,
    kPhaseLog,
    kPhaseInstall,
    kPhaseCopy,
    kPhaseProbe,
    kPhaseRuntimeInit,
    kPhaseNetworkInit,
    kPhaseInputs,
    kPhaseInference,
    kPhaseOutputs,
    kPhaseBlock,
    kPhaseInsertedBlock,  ///< of an operator, between the blocks of the plan
    kPhaseCaches,
    kPhaseInstallPart = 32,  ///< and the number of loader::Phase
};

void start_counting();
/// Wraps at 2^32: 5.4 s at 800 MHz.
[[nodiscard]] std::uint32_t cycles();

/// Marks a phase of the run with the mailbox, if that is used, from construction to destruction,
/// and measures it.
class Phase {
  public:
    Phase(PhaseId id, const char* name, std::uint32_t& cycles_of_phase);
    ~Phase();
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

  private:
    PhaseId id_;
    std::uint32_t& out_;
    std::uint32_t start_;
};

}  // namespace n6vp::firmware::chip
