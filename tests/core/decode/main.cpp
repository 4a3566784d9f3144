// SPDX-License-Identifier: Apache-2.0
// Compares the decode table with another decoder's: all 16-bit encodings, random 32-bit ones,
// random ones of every row, all alone and as first of an IT or VPT block.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>

#include "models/core/ir/profile.h"
#include "tests/core/decode/comparison.h"
#include "tests/core/decode/draw.h"

namespace {

using namespace n6vp::test;
namespace isa = n6vp::models::core::isa;

struct Options {
    std::string core = "cortex-m55";
    std::string family, row;
    std::uint64_t random = 2'000'000;  ///< 32-bit encodings
    std::uint32_t encodings = 300;     ///< per row
    std::uint32_t seed = 1;
    std::size_t reports = 40;
};

constexpr const char* kUsage =
    "usage: n6vp_core_decode [--family NAME] [--row PART-OF-TITLE] [--random N] [--encodings N] "
    "[--seed N] [--reports N] [--core NAME]\n"
    "  With --core of another core than the Cortex-M55, which encodings exist is compared, not "
    "texts.\n"
    "  With --family or --row only encodings of those rows are compared.\n";

Options parse(int argc, char** argv) {
    Options options;
    const std::map<std::string, std::function<void(const std::string&)>> values = {
        {"--core", [&](const std::string& v) { options.core = v; }},
        {"--family", [&](const std::string& v) { options.family = v; }},
        {"--row", [&](const std::string& v) { options.row = v; }},
        {"--random", [&](const std::string& v) { options.random = std::stoull(v); }},
        {"--encodings",
         [&](const std::string& v) {
             options.encodings = static_cast<std::uint32_t>(std::stoul(v));
         }},
        {"--seed",
         [&](const std::string& v) { options.seed = static_cast<std::uint32_t>(std::stoul(v)); }},
        {"--reports", [&](const std::string& v) { options.reports = std::stoul(v); }},
    };
    for (int i = 1; i < argc; i += 2) {
        const auto value = values.find(argv[i]);
        if (value == values.end() || i + 1 == argc) {
            std::cerr << kUsage;
            std::exit(2);
        }
        value->second(argv[i + 1]);
    }
    return options;
}

constexpr std::uint32_t kItHi = 0xBF88, kVpst = 0xFE710F4D;

void compare_row(Comparison& comparison, const isa::Row& row, const Options& options, Draw& draw) {
    for (std::uint32_t i = 0; i < options.encodings; ++i) {
        std::uint32_t encoding = 0;
        if (!draw_encoding(row, draw, encoding)) {
            std::cout << "no encoding found of " << row.title << '\n';
            return;
        }
        comparison.check(encoding, row.pattern.bytes);
        if (row.unit == isa::Unit::Vector) {
            comparison.check_under(kVpst, 4, encoding, 4);
        } else {
            comparison.check_under(kItHi, 2, encoding, row.pattern.bytes);
        }
    }
}

void compare_rows(Comparison& comparison, const Options& options) {
    Draw draw(options.seed);
    for (const isa::Family& family : isa::families()) {
        if (!options.family.empty() && options.family != family.name) continue;
        for (const isa::Row& row : family.rows) {
            if (std::string_view(row.title).find(options.row) != std::string_view::npos)
                compare_row(comparison, row, options, draw);
        }
    }
}

void compare_all(Comparison& comparison, const Options& options) {
    for (std::uint32_t encoding = 0; !isa::is_wide(encoding); ++encoding) {
        comparison.check(encoding, 2);
        comparison.check_under(kItHi, 2, encoding, 2);
    }
    Draw draw(options.seed + 0x1000u);
    for (std::uint64_t i = 0; i < options.random; ++i) {
        // First halfwords of 32-bit encodings are E800 to FFFF.
        const std::uint32_t first = 0xE800 + draw.below(0x1800);
        comparison.check(first << 16 | (draw.next() & 0xFFFF), 4);
    }
}

int report(const Comparison& comparison, const char* oracle, std::size_t reports) {
    std::multimap<std::uint64_t, std::string, std::greater<>> by_count;
    for (const auto& [kind, difference] : comparison.kinds())
        by_count.emplace(difference.count, kind);
    for (const auto& [count, kind] : by_count) {
        if (reports-- == 0) break;
        const auto& difference = comparison.kinds().at(kind);
        char bits[9];
        std::snprintf(bits, sizeof bits, "%04x", difference.encoding);
        std::cout << kind << ": " << count << " times, first " << bits << "\n    ours "
                  << difference.ours << "\n    " << oracle << ' ' << difference.theirs << '\n';
    }
    std::cout << comparison.compared() << " compared, " << comparison.differences() << " differ in "
              << comparison.kinds().size() << " kinds, " << comparison.excused() << " excused, "
              << comparison.unpredictable() << " unpredictable\n";
    return comparison.differences() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Options options = parse(argc, argv);
        const auto* const profile = n6vp::models::core::find_core_profile(options.core);
        if (profile == nullptr) throw std::runtime_error("no core " + options.core);
        const std::unique_ptr<DecodeOracle> oracle = make_decode_oracle(options.core);
        Comparison comparison(*oracle, profile->features, options.core != "cortex-m55");
        compare_rows(comparison, options);
        if (options.family.empty() && options.row.empty()) compare_all(comparison, options);
        return report(comparison, oracle->name(), options.reports);
    } catch (const std::exception& error) {
        std::cerr << "n6vp_core_decode: " << error.what() << '\n';
        return 70;
    }
}
