// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// What the networks of the sample applications compute (scenarios/models/legacy), from their
/// definition, in double precision where they use float; and the applications' console.
namespace n6vp::test {

[[nodiscard]] std::vector<double> dense_outputs();
/// Bytes of the four outputs, the first in bits 7..0.
[[nodiscard]] std::uint32_t conv_outputs(unsigned frame);
struct BuffersOutputs {
    std::vector<double> scaled, maximum;
};
[[nodiscard]] BuffersOutputs buffers_outputs();

/// A sample application on a chip.
struct AppRun {
    int exit_code = -1;
    std::vector<std::string> lines;  ///< of its console
    std::string err;

    /// Lines with hexadecimal words that begin with `name`: the words of each.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> words(const std::string& name) const;
    [[nodiscard]] bool has_line(const std::string& line) const;
};
/// Chip and folder of each core.
struct AppChip {
    const char *chip, *core;
};
inline constexpr std::array<AppChip, 3> kAppChips = {
    {{"l4r5", "cortex-m4"}, {"u575", "cortex-m33"}, {"h7a3", "cortex-m7"}}};
[[nodiscard]] AppRun run_app(const AppChip& chip, const std::string& app);

/// Whether words are floats close to the expected numbers: within 1e-5.
[[nodiscard]] bool near_to(const std::vector<std::uint32_t>& words,
                           const std::vector<double>& expected);

}  // namespace n6vp::test
