// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "loader/ec_check.h"
#include "tests/loader/epoch_controller/ec_assembler.h"

/// Malformed epoch-controller containers and streams, each with the rule that must name it.
namespace n6vp::test {

/// `ec::open` must refuse `bytes` with `rule`.
struct EcContainerCase {
    std::string name;
    loader::Rule rule;
    std::vector<std::uint8_t> bytes;
};
[[nodiscard]] std::vector<EcContainerCase> ec_container_cases();

/// `ec::check_blob` must report `rule` for `bytes`, as its first finding of that severity.
struct EcStreamCase {
    std::string name;
    loader::Rule rule;
    loader::Severity severity;
    std::vector<std::uint8_t> bytes;
    loader::ec::Cipher cipher = loader::ec::Cipher::Plain;
};
[[nodiscard]] std::vector<EcStreamCase> ec_stream_cases();

/// `ec::open` must accept `bytes`, `ec::check_container` must report `rule`.
struct EcTargetCase {
    std::string name;
    loader::Rule rule;
    loader::Severity severity;
    std::vector<std::uint8_t> bytes;
    loader::ec::Cipher cipher = loader::ec::Cipher::Plain;
};
[[nodiscard]] std::vector<EcTargetCase> ec_target_cases();

}  // namespace n6vp::test
