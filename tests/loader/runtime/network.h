// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loader/runtime/operation.h"
#include "tests/loader/runtime/fake_machine.h"

/// A model by its records: epoch blocks and tensors, written as the specification lays them out.
namespace n6vp::test {

struct BlockSpec {
    std::uint32_t flags = 0;
    FakeMachine::Function start, end;
    std::uint32_t blob = 0, wait_mask = 0;
    std::int16_t epoch = 0;
};

inline constexpr std::uint32_t kHwBlock = 0x13, kSwBlock = 0x23, kHybridBlock = 0x43,
                               kBlobBlock = 0x17, kLast = 0x08;

/// An instance with its network, as an install leaves it.
class Network {
  public:
    static constexpr std::uint32_t kRamBase = 0x5A5A0000;

    explicit Network(FakeMachine& machine, const std::vector<BlockSpec>& blocks);

    [[nodiscard]] std::uint32_t instance() const { return instance_; }
    [[nodiscard]] std::uint32_t item(std::uint32_t index) const;
    /// Callbacks as text: "pre-start 0", with the block's number or "list" for an inserted one.
    void record_callbacks();
    std::vector<std::string> calls;

  private:
    FakeMachine& machine_;
    std::uint32_t instance_ = 0, items_ = 0, count_ = 0;
};

/// A tensor record; dimensions in the order that the operator wants.
struct TensorSpec {
    std::uint32_t at = 0, bytes = 0;
    std::vector<std::uint32_t> shape;
    std::uint8_t type = 7, bits = 8;  ///< INT8 from 1.1.1 on
    std::uint32_t batch = 0;
    std::uint8_t is_unsigned = 0, per_channel = 0, user = 0;
    std::int8_t qm = 7, qn = 0;
    std::vector<float> scale;
    std::vector<std::int16_t> zero_point;
};
/// Returns the address of consecutive records.
[[nodiscard]] std::uint32_t put_tensors(FakeMachine& machine, const std::vector<TensorSpec>& specs);

/// Runs a network of one hybrid block that calls `body`, from runtime_init on. The route names the
/// instance where the generation does.
void run_operator(FakeMachine& machine, const std::function<int(const runtime::Route&)>& body,
                  int expected = 0);
inline constexpr runtime::Route kOperatorRoute{2, 7, 0};

}  // namespace n6vp::test
