// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/generate/emit/emit_source.h"

namespace n6vp::test {

/// The documented registers of the NPU, read from tests/loader/data/npu_registers.csv: an account
/// that the tables of `memmap/npu` have no part in.
class DocumentedRegisters {
  public:
    /// Fails with std::runtime_error for a file that cannot be read.
    explicit DocumentedRegisters(const std::string& path);

    struct Fields {
        std::uint32_t reset = 0, all = 0, writable = 0;
    };
    /// Returns the fields at an offset in the NPU's window, or null.
    [[nodiscard]] const Fields* find(std::uint32_t offset) const;

  private:
    void add_row(const std::string& line);

    std::map<std::uint32_t, Fields> registers_;
};

struct WalkResult {
    std::uint64_t writes = 0;
    std::vector<std::string> faults;  ///< one line each
};

/// Follows every write of the blobs of a model, and of the epochs that the core programs: is there
/// such a register, and does the value leave its reserved bits as they are?
[[nodiscard]] WalkResult walk_registers(const DocumentedRegisters& documented,
                                        const sim::generate::ModelPlan& plan,
                                        const std::vector<sim::generate::EpochBlock>& blocks);

}  // namespace n6vp::test
