// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/core_epoch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/generate/evaluate/evaluate_kernels.h"

namespace n6vp::sim::generate {

namespace {

// Cycles of the core for one element: assumed.
constexpr std::uint64_t kLookupCycles = 6, kSumCycles = 90, kProductCycles = 45, kByteCycles = 4;

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

/// Elements from one index of the output to the next in an operand that repeats where it is 1 long.
std::array<std::uint32_t, 4> steps_of(const Tensor& operand) {
    std::array<std::uint32_t, 4> steps{};
    std::uint32_t step = 1;
    const std::size_t rank = operand.shape.size();
    for (std::size_t i = 0; i < std::min<std::size_t>(rank, 4); ++i) {
        const std::uint32_t length = operand.shape[rank - 1 - i];
        if (length > 1) steps.at(3 - i) = step;
        step *= length;
    }
    return steps;
}

CoreEpoch epoch_of(const Graph& graph, const Node& node, std::uint64_t cycles_per_element) {
    CoreEpoch epoch;
    epoch.elements = graph.output(node).element_count();
    epoch.estimated_cycles = cycles_per_element * epoch.elements;
    return epoch;
}

}  // namespace

OperatorSource operator_source(const CoreEpoch& epoch, const std::string& suffix) {
    return std::visit([&](const auto& work) { return Overloads{suffix}(work, epoch); }, epoch.work);
}

CoreEpoch logistic_epoch(const Graph& graph, const Node& node) {
    const Tensor& in = graph.input(node);
    const Tensor& out = graph.output(node);
    CoreEpoch epoch = epoch_of(graph, node, kLookupCycles);
    epoch.choice = "table on the core";
    LookupWork work;
    for (std::int32_t x = -128; x < 128; ++x) {
        const double real = static_cast<double>(in.scale_of(0)) * (x - in.zero_point_of(0));
        const double steps = std::round(1 / (1 + std::exp(-real)) / double{out.scale_of(0)});
        const double stored = std::clamp(steps + out.zero_point_of(0), -128.0, 127.0);
        work.table.at(static_cast<std::uint8_t>(x)) =
            static_cast<std::uint8_t>(static_cast<std::int8_t>(stored));
    }
    epoch.work = work;
    return epoch;
}

CoreEpoch requantise_epoch(const Graph& graph, const Node& node) {
    CoreEpoch epoch = epoch_of(graph, node, kLookupCycles);
    epoch.choice = "table on the core";
    Operand every{&graph.input(node), {}};
    Bytes all(256);
    std::iota(all.begin(), all.end(), std::uint8_t{0});
    every.bytes = &all;
    Bytes results(all.size());
    evaluate_requantise(Activation::None, every, graph.output(node), results);
    LookupWork work;
    std::copy(results.begin(), results.end(), work.table.begin());
    epoch.work = work;
    return epoch;
}

CoreEpoch pair_epoch(const Graph& graph, const Node& node, PairKind kind, Activation activation) {
    const Tensor& x = graph.input(node);
    const Tensor& y = graph.input(node, 1);
    const Tensor& out = graph.output(node);
    const bool product = kind == PairKind::Product;
    CoreEpoch epoch = epoch_of(graph, node, product ? kProductCycles : kSumCycles);
    epoch.choice = product ? "product on the core" : "sum on the core";
    PairWork work;
    work.kind = kind;
    work.x.zero_point = x.zero_point_of(0);
    work.y.zero_point = y.zero_point_of(0);
    work.x.steps = steps_of(x);
    work.y.steps = steps_of(y);
    for (std::size_t i = 0; i < std::min<std::size_t>(out.shape.size(), 4); ++i) {
        work.lengths.at(3 - i) = out.shape[out.shape.size() - 1 - i];
    }
    if (product) {
        // Networks mean this factor as a float.
        work.multiplier = fixed_multiplier(double{x.scale_of(0) * y.scale_of(0) / out.scale_of(0)});
    } else {
        constexpr double kMoreBits = 1 << 20;
        const double twice = 2 * std::max(double{x.scale_of(0)}, double{y.scale_of(0)});
        work.x.multiplier = fixed_multiplier(double{x.scale_of(0)} / twice);
        work.y.multiplier = fixed_multiplier(double{y.scale_of(0)} / twice);
        work.multiplier = fixed_multiplier(twice / (kMoreBits * double{out.scale_of(0)}));
    }
    const StoredRange range = stored_range(activation, out);
    work.zero_point = out.zero_point_of(0);
    work.low = range.low;
    work.high = range.high;
    epoch.work = work;
    return epoch;
}

CoreEpoch nearest_epoch(const Graph& graph, const Node& node, const Resize& op) {
    const PictureShape from = picture_shape(graph.input(node)).value();
    const PictureShape to = picture_shape(graph.output(node)).value();
    CoreEpoch epoch = epoch_of(graph, node, kByteCycles);
    epoch.choice = "pixels on the core";
    PixelWork work;
    work.pixel_bytes = from.channels;
    work.lines = nearest_places(from.height, to.height, op);
    work.columns = nearest_places(from.width, to.width, op);
    for (std::uint32_t& line : work.lines) line *= from.width * from.channels;
    for (std::uint32_t& column : work.columns) column *= from.channels;
    epoch.work = work;
    return epoch;
}

}  // namespace n6vp::sim::generate
