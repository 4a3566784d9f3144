// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "loader/container.h"
#include "loader/diagnosis.h"

namespace n6vp::sim::pack {

/// Fails with UserError: what the loader objects to in a finished file. `container` may be null.
[[noreturn]] void refuse_finished(const loader::Diagnosis& why, const loader::Container* container);

/// Receives what the loader's checks find in a finished file.
class LoaderFindings {
  public:
    LoaderFindings() = default;
    LoaderFindings(const LoaderFindings&) = delete;
    LoaderFindings& operator=(const LoaderFindings&) = delete;

    /// Returns a receiver that refers to this object.
    [[nodiscard]] loader::FindingSink sink() { return {this, take}; }
    /// Returns the warnings, one line each. Fails with UserError if there was an error.
    [[nodiscard]] std::vector<std::string> warnings(const loader::Container* container) const;

  private:
    static bool take(void* context, const loader::Diagnosis& finding);

    std::vector<std::string> warnings_;
    loader::Diagnosis error_;  ///< the first
};

}  // namespace n6vp::sim::pack
