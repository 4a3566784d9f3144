// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/activ.h"

#include <algorithm>

namespace n6vp::models::npu {

namespace {

constexpr std::uint32_t kMaxBwidth = 5;  // ROM0 has 32 entries

/// Tells whether each part of the range has all its segments in ROM1.
bool segments_fit(const ActivConfig& config, const ActivTables& tables) {
    for (std::size_t i = 0;
         i < std::size_t{1} << std::min<std::uint32_t>(config.bwidth, kMaxBwidth); ++i) {
        const std::uint32_t entry = tables.rom0[i];
        if ((entry & 63) + (1u << (entry >> 6)) > tables.rom1.size()) return false;
    }
    return true;
}

void judge_function(const ActivConfig& c, const ActivTables& tables, VerdictBuilder& builder) {
    builder.illegal_if(c.bwidth > kMaxBwidth, "BWIDTH chooses among more entries than ROM0 has");
    builder.refuse_if(!c.signedop, "FUNC.SIGNEDOP", "how an input without sign is looked up");
    builder.refuse_if(!segments_fit(c, tables), "ROM0", "a segment after the last one of ROM1");
    // B << BSHIFT and C << CSHIFT below 2^60, the square below 2^61: the output stage takes 2^62.
    builder.refuse_if(c.cshift > 44 || c.bshift + 8 * c.input.fbytes > 45, "FUNC.BSHIFT, CSHIFT",
                      "the width of the sum; 62 bits here");
}

}  // namespace

Verdict judge(const ActivConfig& config, const ActivTables& tables) {
    VerdictBuilder builder("ACTIV");
    judge_input(config.input, builder);
    judge_output(config.output, config.outshift, builder);
    builder.refuse_if(config.type == ActivType::Prelu, "CTRL.TYPE",
                      "how the slope of PRELU is scaled");
    builder.refuse_if(config.fsub != 0, "FSUB", "whether it is subtracted here as in CONVACC");
    if (config.type == ActivType::Function) {
        judge_function(config, tables, builder);
    } else {
        builder.assume_if(config.outshift != 0, "FUNC.OUTSHIFT",
                          "whether it applies to other types than FUNCTION; it does here");
    }
    return builder.take();
}

Activ::Activ(const ActivConfig& config, const ActivTables& tables, Rounding ties)
    : config_(config), tables_(tables), stage_(output_stage(config.output, config.outshift, ties)) {
    if (config.input.fbytes != 1) return;
    of_byte_.reserve(256);
    for (Word x = 0; x < 256; ++x) of_byte_.push_back(value(input_value(x, 1)));
}

std::int64_t Activ::function(std::int64_t x) const {
    const auto place =
        static_cast<std::uint16_t>(x * (std::int64_t{1} << config_.func) - config_.param);
    const std::uint32_t upper = std::uint32_t{place} >> (16 - config_.bwidth);
    const std::uint32_t entry = tables_.rom0[upper], bits = entry >> 6;
    const std::uint32_t inner = place >> (16 - config_.bwidth - bits) & ((1u << bits) - 1);
    const ActivTables::Segment& segment = tables_.rom1[(entry & 63) + inner];
    return segment.a * x * x + segment.b * (std::int64_t{1} << config_.bshift) * x +
           segment.c * (std::int64_t{1} << config_.cshift);
}

Word Activ::value(std::int32_t x) const {
    switch (config_.type) {
        case ActivType::Trelu:
            return stage_(x > config_.param ? x : config_.param2);
        case ActivType::Function:
            return stage_(function(x));
        case ActivType::Relu:
        case ActivType::Prelu:
            break;
    }
    return stage_(std::max(x, 0));
}

void Activ::compute(std::span<const Word> x, std::span<Word> out) const {
    if (!of_byte_.empty()) {
        const Word* results = of_byte_.data();
        for (std::size_t i = 0; i < x.size(); ++i) out[i] = results[x[i] & 0xFF];
        return;
    }
    const unsigned bytes = config_.input.fbytes;
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = value(input_value(x[i], bytes));
}

}  // namespace n6vp::models::npu
