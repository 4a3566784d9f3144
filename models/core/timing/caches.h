// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/core/system/system_memory.h"
#include "models/core/timing/cache_parameters.h"
#include "models/core/timing/timed_data_cache.h"
#include "models/core/timing/timed_instruction_cache.h"

namespace n6vp::models::core {

/// Both caches as the system registers command them and as the PMU counts them.
class CoreCaches final : public CacheMaintenance, public EventSource {
  public:
    CoreCaches(const CacheParameters& parameters, CoreBus& bus, const std::vector<TcmRange>& tcm,
               Coherence coherence)
        : parameters_(parameters),
          data(parameters, bus, tcm, coherence),
          instructions(parameters, bus, tcm, data, coherence) {}

    void reset();

    void maintain_data_line(CpuState& cpu, Action action, std::uint32_t address) override;
    void maintain_data_set_way(CpuState& cpu, Action action, unsigned set, unsigned way) override;
    void invalidate_instruction_line(CpuState& cpu, std::uint32_t address) override;
    void invalidate_all_instructions(CpuState& cpu) override;
    void invalidate_branch_predictor(CpuState& cpu) override;
    void enable(CpuState& cpu, bool instruction, bool data, bool force_write_through) override;
    [[nodiscard]] bool events(const CpuState& cpu, unsigned event, std::uint64_t& total) override;

  private:
    CacheParameters parameters_;

  public:
    TimedDataCache data;
    TimedInstructionCache instructions;
};

}  // namespace n6vp::models::core
