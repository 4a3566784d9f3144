// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/core_epoch.h"

#include <fmt/format.h>

namespace n6vp::sim::generate {

namespace {

struct Overloads {
    std::string suffix;

    template <class List, class Print>
    static std::string table(const std::string& declaration, const List& list, const Print& print) {
        constexpr std::size_t kPerLine = 12;
        std::string text = declaration + " = {";
        std::size_t column = 0;
        for (const auto& item : list) {
            text += column++ % kPerLine == 0 ? "\n    " : " ";
            text += print(item);
        }
        return text + "\n};\n";
    }
    static std::string number(std::uint32_t value) { return fmt::format("{},", value); }

    OperatorSource operator()(const LookupWork& work, const CoreEpoch& epoch) const {
        return {
            table(fmt::format("static const uint8_t table_{}[256]", suffix), work.table, number),
            fmt::format("gen_lookup(in0, out, {}, table_{})", epoch.elements, suffix)};
    }
    OperatorSource operator()(const PairWork& work, const CoreEpoch&) const {
        const auto multiplier = [](const FixedMultiplier& by) {
            return fmt::format("{{{}, {}}}", by.significand, by.exponent);
        };
        const auto list = [](const std::array<std::uint32_t, 4>& four) {
            return fmt::format("{{{}, {}, {}, {}}}", four[0], four[1], four[2], four[3]);
        };
        const auto operand = [&](const PairWork::Operand& one) {
            return fmt::format("{{{}, {}, {}}}", one.zero_point, multiplier(one.multiplier),
                               list(one.steps));
        };
        return {fmt::format("static const struct gen_pair pair_{} = {{\n    {},\n    {},\n    {}, "
                            "{}, {}, {}, {}, {}}};\n",
                            suffix, operand(work.x), operand(work.y), list(work.lengths),
                            multiplier(work.multiplier), work.zero_point, work.low, work.high,
                            work.kind == PairKind::Difference ? 1 : 0),
                fmt::format("{}(in0, in1, out, &pair_{})",
                            work.kind == PairKind::Product ? "gen_product" : "gen_sum", suffix)};
    }
    OperatorSource operator()(const PixelWork& work, const CoreEpoch&) const {
        return {table(fmt::format("static const uint32_t lines_{}[]", suffix), work.lines, number) +
                    table(fmt::format("static const uint32_t columns_{}[]", suffix), work.columns,
                          number),
                fmt::format("gen_pixels(in0, out, lines_{0}, {1}, columns_{0}, {2}, {3})", suffix,
                            work.lines.size(), work.columns.size(), work.pixel_bytes)};
    }
};

}  // namespace

OperatorSource operator_source(const CoreEpoch& epoch, const std::string& suffix) {
    return std::visit([&](const auto& work) { return Overloads{suffix}(work, epoch); }, epoch.work);
}

}  // namespace n6vp::sim::generate
