// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "loader/legacy/install.h"
#include "sim/model_file/host_memory.h"
#include "sim/model_file/model_source.h"

namespace n6vp::sim {

/// Where such a model is to be: an install request, from the options of the verb. Defaults suit
/// chips with 2 MiB of flash and 256 KiB of SRAM at 0x20000000 (STM32L4R5, U5): file at 0x08040000,
/// weights (--params) at 0x08100000; the core is that of the file.
class LegacyPlan {
  public:
    static constexpr AddressRange kDefaultRam{GuestAddr{0x20000000}, 256u << 10};

    /// `core` as typed with --core, or empty. Fails with UserError for options that cannot be read,
    /// do not apply to this family, or place a file past the end of the address space.
    LegacyPlan(const ModelOptions& options, const std::string& core, const ModelFiles& files);

    [[nodiscard]] const loader::legacy::Request& request() const { return request_; }
    [[nodiscard]] loader::legacy::Request request(loader::Policy policy) const;
    [[nodiscard]] bool core_matched() const { return core_matched_; }
    [[nodiscard]] AddressRange file() const { return {request_.file, request_.file_bytes}; }
    /// Returns the bases of an install that succeeds.
    [[nodiscard]] loader::legacy::Resolver bases(const loader::legacy::Header& header) const;
    /// Maps the file and the RAM of the request into an empty memory; ranges that overlap share
    /// their bytes. The loader does not read weights or activations.
    void place(HostMemory& memory, const ModelFiles& files) const;

  private:
    loader::legacy::Request request_;
    bool core_matched_ = true;
};

}  // namespace n6vp::sim
