// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "models/core/core.h"
#include "tests/core/diff/flat_bus.h"
#include "tests/core/diff/job.h"
#include "tests/core/diff/vector_state.h"

namespace n6vp::test::diff {

/// Our core in this process: states are set directly, no runner executes.
class CoreSide : public Side {
  public:
    explicit CoreSide(const models::core::CoreProfile& profile);
    ~CoreSide() override;

    Answer run(const std::vector<Entry>& entries, JobMode mode) override;

  private:
    void start();
    void program(std::uint32_t address, std::uint32_t value);
    std::uint32_t inspect(std::uint32_t address);
    void prepare_slots(const std::vector<Entry>& entries, std::size_t first, std::size_t count);
    void run_entry(const Entry& entry, std::uint32_t slot, JobMode mode, Answer& answer);
    Record run_vector(const Entry& entry, const State& state, std::uint32_t slot);
    [[nodiscard]] std::uint32_t* edge_words(unsigned end);
    void load(const Entry& entry, const State& state);
    void save(Record& record) const;
    void save_fault(Record& record, std::uint32_t slot);
    void leave_handler();

    FlatBus bus_;
    std::unique_ptr<models::core::Core> core_;
    std::uint32_t* window_ = nullptr;
    bool v8_ = true, has_vectors_ = true;
};

}  // namespace n6vp::test::diff
