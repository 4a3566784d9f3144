// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/core/diff/job.h"

namespace n6vp::test::diff {

/// What QEMU's timers, with which the runner ends a vector that does not, count.
enum class QemuClock {
    Instructions,  ///< a busy host does not end vectors
    /// For vectors that fault in devices: counting instructions, QEMU begins those twice.
    Host,
};

/// The bare-metal runner on one of QEMU's boards.
class QemuSide : public Side {
  public:
    /// Job and answer files go to `folder`, which is created.
    QemuSide(std::string qemu, std::string machine, std::string runner,
             std::filesystem::path folder, QemuClock clock = QemuClock::Instructions);

    Answer run(const std::vector<Entry>& entries, JobMode mode) override;

  private:
    std::string qemu_, machine_, runner_;
    std::filesystem::path folder_;
    QemuClock clock_;
};

}  // namespace n6vp::test::diff
