// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "loader/legacy/install.h"
#include "sim/check/check_model.h"
#include "sim/model_file/legacy_model.h"

/// `n6vp check` for models of the older family (Cortex-M4, M7, M33).
namespace n6vp::sim {

/// Where such a model is to be: an install request, from the options of the verb. Defaults suit
/// chips with 2 MiB of flash and 256 KiB of SRAM at 0x20000000 (STM32L4R5, U5): file at 0x08040000,
/// weights (--params) at 0x08100000; the core is that of the file.
class LegacyPlan {
  public:
    /// `core` as typed with --core, or empty. Fails with UserError for options that cannot be read,
    /// do not apply to this family, or place a file past the end of the address space.
    LegacyPlan(const ModelOptions& options, const std::string& core, const ModelFiles& files);

    [[nodiscard]] const loader::legacy::Request& request() const { return request_; }
    [[nodiscard]] loader::legacy::Request request(loader::Policy policy) const;
    [[nodiscard]] bool core_matched() const { return core_matched_; }
    [[nodiscard]] AddressRange file() const { return {request_.file, request_.file_bytes}; }
    /// Returns the bases of an install that succeeds.
    [[nodiscard]] loader::legacy::Resolver bases(const loader::legacy::Header& header) const;
    /// Maps everything the request names into an empty memory; ranges that overlap share their
    /// bytes.
    void place(HostMemory& memory, const ModelFiles& files) const;

  private:
    loader::legacy::Request request_;
    bool core_matched_ = true;
};

/// Judges the file under the plan: every rule, and the vendor's loader on a scratch memory. Of the
/// report, findings, counts and vendor verdict are filled. `limit` bounds the findings kept per
/// rule, 0 for all.
[[nodiscard]] CheckReport check_legacy(const ModelFiles& files, const LegacyPlan& plan,
                                       std::uint64_t limit);

[[nodiscard]] std::string check_legacy_text(const CheckReport& report, const ModelFiles& files,
                                            const LegacyPlan& plan);
[[nodiscard]] Json check_legacy_json(const CheckReport& report, const ModelFiles& files,
                                     const LegacyPlan& plan);

}  // namespace n6vp::sim
