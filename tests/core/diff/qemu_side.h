// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/diff/job.h"

namespace n6vp::test::diff {

/// The bare-metal runner on one of QEMU's boards.
class QemuSide : public Side {
  public:
    /// Job and answer files go to `folder`, which is created.
    QemuSide(std::string qemu, std::string machine, std::string runner,
             std::filesystem::path folder);

    Answer run(const std::vector<Entry>& entries, JobMode mode) override;

  private:
    std::string qemu_, machine_, runner_;
    std::filesystem::path folder_;
};

}  // namespace n6vp::test::diff
