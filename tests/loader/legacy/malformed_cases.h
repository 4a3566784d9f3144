// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "tests/loader/legacy/legacy_bench.h"

/// Broken files and broken requests of the older family, each with the one rule that must name it.
namespace n6vp::test {

struct LegacyCase {
    const char* name;
    loader::Rule rule;
    void (*damage)(LegacyImage&) = nullptr;   ///< changes the built file
    void (*arrange)(LegacyBench&) = nullptr;  ///< changes the request
    void (*describe)(LegacySpec&) = nullptr;  ///< changes the model before it is built
    std::uint32_t mode = 1;
};

/// Cases that Strict refuses.
[[nodiscard]] std::span<const LegacyCase> legacy_file_cases();
[[nodiscard]] std::span<const LegacyCase> legacy_image_cases();
[[nodiscard]] std::span<const LegacyCase> legacy_request_cases();
/// Cases that it installs, with a warning or a hint.
[[nodiscard]] std::span<const LegacyCase> legacy_tolerated_cases();

/// Gives the model 40 bytes of weights.
inline void add_weights(LegacySpec& spec) {
    spec.weights.assign(40, 7);
    spec.weights_bytes = 40;
}

}  // namespace n6vp::test
