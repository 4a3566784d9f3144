// SPDX-License-Identifier: Apache-2.0
#include "models/npu/units/arith.h"

#include <algorithm>

namespace n6vp::models::npu {

namespace {

bool known(ArithOp op) {
    switch (op) {
        case ArithOp::Affine:
        case ArithOp::Min:
        case ArithOp::Max:
        case ArithOp::Multiply:
        case ArithOp::And:
        case ArithOp::Or:
        case ArithOp::Not:
        case ArithOp::Xor:
        case ArithOp::Equal:
        case ArithOp::Less:
        case ArithOp::LessEqual:
        case ArithOp::Greater:
        case ArithOp::GreaterEqual:
        case ArithOp::Abs:
        case ArithOp::Sign:
        case ArithOp::Clip:
            return true;
    }
    return false;
}

bool has_one_operand(ArithOp op) {
    return op == ArithOp::Affine || op == ArithOp::Not || op == ArithOp::Abs ||
           op == ArithOp::Sign || op == ArithOp::Clip;
}

void judge_operation(const ArithConfig& c, VerdictBuilder& builder) {
    builder.illegal_if(!known(c.op), "OP names no operation");
    builder.refuse_if(known(c.op) && !has_one_operand(c.op) && !c.dualin, "CTRL.OP",
                      "the second operand without DUALIN");
    const bool clip = c.op == ArithOp::Clip;
    builder.assume_if(c.op != ArithOp::Affine && c.op != ArithOp::Multiply && !clip, "CTRL.OP",
                      "the exact operation; known by name only");
    const bool affine = c.op == ArithOp::Affine;
    builder.assume_if(affine && (c.ax != 0 || (c.by != 0 && c.dualin && !c.combinebc)),
                      "SHIFT.AX, BY", "whether these shifts truncate or round; they truncate here");
    builder.assume_if(affine && c.combinebc && c.dualin, "CTRL.COMBINEBC",
                      "what becomes of the second input; it is ignored here");
    builder.refuse_if(c.clipout && c.clipmin > c.clipmax, "CLIPRANGE",
                      "a minimum above the maximum");
    builder.refuse_if(clip && c.combinebc, "CTRL.COMBINEBC", "the upper limit of CLIP");
    builder.refuse_if(clip && !c.coeffa && !c.coeffc && c.a > c.c, "COEFF A, C",
                      "a lower limit of CLIP above the upper one");
    builder.assume_if(clip && c.cshift != 0, "SHIFT.C",
                      "whether it shifts the upper limit of CLIP; it does here");
}

/// B and C as one signed number of 32 bits.
std::int32_t combined(std::int16_t b, std::int16_t c) {
    return static_cast<std::int32_t>(std::uint32_t{static_cast<std::uint16_t>(b)} << 16 |
                                     static_cast<std::uint16_t>(c));
}

}  // namespace

Verdict judge(const ArithConfig& config) {
    VerdictBuilder builder("ARITH");
    judge_operation(config, builder);
    judge_input(config.x, builder);
    if (config.dualin) judge_input(config.y, builder);
    judge_output(config.output, config.res, builder);
    return builder.take();
}

Arith::Arith(const ArithConfig& config, const CoefficientMemory& memory, ArithRounding rounding)
    : config_(config),
      rounding_(rounding),
      stage_(config.clipout ? StageLoop(output_stage(config.output, config.res, rounding.ties),
                                        config.clipmin, config.clipmax)
                            : StageLoop(output_stage(config.output, config.res, rounding.ties))),
      sequence_(config.coeffaddr, config.incval, config.incoffset, config.resets) {
    for (std::uint32_t entry = 0; entry < kCoefficients; ++entry) {
        coefficients_[entry] = prepared(memory.at(entry));
    }
    if (!config_.uses_memory()) {
        const Prepared all = coefficients_[0];
        chunk_.a.fill(all.a);
        chunk_.b.fill(all.b);
        chunk_.c.fill(all.c);
    }
}

Arith::Prepared Arith::prepared(const Coefficient& memory) const {
    const std::int16_t a = config_.coeffa ? memory.a : config_.a;
    const std::int16_t b = config_.coeffb ? memory.b : config_.b;
    const std::int16_t c = config_.coeffc ? memory.c : config_.c;
    if (config_.combinebc) return {a, 0, combined(b, c)};
    return {a, b, std::int64_t{c} * (std::int64_t{1} << config_.cshift)};
}

void Arith::lay_out(std::span<const std::uint16_t> entries) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Prepared& entry = coefficients_[entries[i]];
        chunk_.a[i] = entry.a;
        chunk_.b[i] = entry.b;
        chunk_.c[i] = entry.c;
    }
}

std::size_t Arith::lay_out(std::size_t words) {
    if (!config_.uses_memory()) return words;
    std::array<std::uint16_t, kChunk> entries;
    const CoefficientSequence::Loop loop = sequence_.loop();
    const std::size_t looped = std::min<std::size_t>(loop.samples, words);
    // Worth it only if the pattern is used more often than it is laid out.
    if (looped <= kChunk || loop.period > kChunk / 2) {
        chunk_words_ = std::min(words, kChunk);
        sequence_.next(std::span(entries).first(chunk_words_));
        lay_out(std::span(entries).first(chunk_words_));
        return chunk_words_;
    }
    const auto served = static_cast<std::uint32_t>(looped - looped % loop.period);
    CoefficientSequence first = sequence_;
    first.next(std::span(entries).first(loop.period));
    chunk_words_ = kChunk - kChunk % loop.period;
    for (std::size_t i = loop.period; i < chunk_words_; ++i) entries[i] = entries[i - loop.period];
    lay_out(std::span(entries).first(chunk_words_));
    sequence_.skip(served);
    return served;
}

void Arith::affine(const Word* x, const Word* y, Word* out, std::size_t words) const {
    const unsigned ax = config_.ax, by = config_.by;
    const unsigned x_bytes = config_.x.fbytes, y_bytes = config_.y.fbytes;
    const auto ax_term = [=, this](std::size_t i) {
        return std::int64_t{chunk_.a[i]} * input_value(x[i], x_bytes);
    };
    const auto by_term = [=, this](std::size_t i) {
        return std::int64_t{chunk_.b[i]} * input_value(y[i], y_bytes);
    };
    const bool two = config_.dualin && !config_.combinebc;
    if (rounding_.inputs != Rounding::Floor) {
        const Rounding rule = rounding_.inputs;
        return stage_.store(out, words, [=, this](std::size_t i) {
            return shift_right(ax_term(i), ax, rule) +
                   (two ? shift_right(by_term(i), by, rule) : 0) + chunk_.c[i];
        });
    }
    if (two) {
        return stage_.store(out, words, [=, this](std::size_t i) {
            return (ax_term(i) >> ax) + (by_term(i) >> by) + chunk_.c[i];
        });
    }
    stage_.store(out, words, [=, this](std::size_t i) { return (ax_term(i) >> ax) + chunk_.c[i]; });
}

void Arith::operate(const Word* x, const Word* y, Word* out, std::size_t words) const {
    const unsigned x_bytes = config_.x.fbytes, y_bytes = config_.y.fbytes;
    const bool logical = config_.logicalop;
    const auto one = [=, this](auto function) {
        stage_.store(out, words, [=](std::size_t i) {
            return std::int64_t{function(input_value(x[i], x_bytes))};
        });
    };
    const auto two = [=, this](auto function) {
        stage_.store(out, words, [=](std::size_t i) {
            return std::int64_t{function(std::int64_t{input_value(x[i], x_bytes)},
                                         std::int64_t{input_value(y[i], y_bytes)})};
        });
    };
    using Number = std::int64_t;
    switch (config_.op) {
        case ArithOp::Affine:
            return affine(x, y, out, words);
        case ArithOp::Multiply:
            return two([](Number p, Number q) { return p * q; });
        case ArithOp::Min:
            return two([](Number p, Number q) { return std::min(p, q); });
        case ArithOp::Max:
            return two([](Number p, Number q) { return std::max(p, q); });
        case ArithOp::And:
            return two([=](Number p, Number q) { return logical ? p != 0 && q != 0 : p & q; });
        case ArithOp::Or:
            return two([=](Number p, Number q) { return logical ? p != 0 || q != 0 : p | q; });
        case ArithOp::Xor:
            return two([=](Number p, Number q) { return logical ? (p != 0) != (q != 0) : p ^ q; });
        case ArithOp::Equal:
            return two([](Number p, Number q) { return p == q; });
        case ArithOp::Less:
            return two([](Number p, Number q) { return p < q; });
        case ArithOp::LessEqual:
            return two([](Number p, Number q) { return p <= q; });
        case ArithOp::Greater:
            return two([](Number p, Number q) { return p > q; });
        case ArithOp::GreaterEqual:
            return two([](Number p, Number q) { return p >= q; });
        case ArithOp::Not:
            return one([=](Number p) { return logical ? Number{p == 0} : ~p; });
        case ArithOp::Abs:
            return one([](Number p) { return p < 0 ? -p : p; });
        case ArithOp::Sign:
            return one([](Number p) { return Number{p > 0} - Number{p < 0}; });
        case ArithOp::Clip:
            // Limits from the coefficient memory may come in the wrong order: not std::clamp.
            return stage_.store(out, words, [=, this](std::size_t i) {
                const Number p = input_value(x[i], x_bytes);
                return std::min(std::max(p, Number{chunk_.a[i]}), Number{chunk_.c[i]});
            });
    }
}

void Arith::compute(std::span<const Word> x, std::span<const Word> y, std::span<Word> out) {
    for (std::size_t done = 0; done < x.size();) {
        const std::size_t end = done + lay_out(x.size() - done);
        while (done < end) {
            const std::size_t words = std::min(chunk_words_, end - done);
            operate(x.data() + done, config_.dualin ? y.data() + done : nullptr, out.data() + done,
                    words);
            done += words;
        }
    }
}

}  // namespace n6vp::models::npu
