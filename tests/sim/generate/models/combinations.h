// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Generated models in every combination of who programs the epochs, where the code runs, grade of
/// time and kind of caches.
namespace n6vp::test {

struct Way {
    std::string mode, timing, coherence;
};
[[nodiscard]] const std::vector<Way>& all_ways();
/// Every pair of values of two settings occurs in at least one of them.
[[nodiscard]] const std::vector<Way>& paired_ways();

/// What a run gets and must give: files, .npy or raw.
struct Expectation {
    std::string input, output;
    int tolerance = 0;
};

/// Runs the model in each way. Checks that its outputs are expected, and the same bytes in all of
/// them: those of `first`, which gets them if it is empty.
void check_ways(const std::string& model, const std::vector<Way>& ways,
                const Expectation& expectation, std::string& first);

struct Network {
    const char* name;
    int tolerance;  ///< the largest difference from the interpreter (sim/generate/README.md)
};
inline constexpr Network kAnomaly{"ad01_int8", 0}, kKeywords{"kws_ref_model", 0},
    kPictures{"pretrainedResnet_quant", 2}, kPersons{"vww_96_int8", 0};

/// Generates a public network with these options, for the epoch controller and for the core, and
/// runs both.
void check_network(const Network& network, const std::vector<std::string>& options,
                   const std::vector<Way>& ways);

inline const std::vector<std::string> kInPlace, kCopied = {"--weights", "npuRAM6"};

}  // namespace n6vp::test
