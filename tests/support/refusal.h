// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "sim/host/errors.h"

namespace n6vp::test {

/// Returns cause and remedy of what `work` refuses as a wrong use, "taken" if it refuses nothing.
template <typename Work>
std::string refusal(Work&& work) {
    try {
        work();
    } catch (const sim::UserError& error) {
        CHECK(error.exit_code() == 2);
        return std::string(error.what()) + " | " + error.remedy();
    }
    return "taken";
}

}  // namespace n6vp::test
