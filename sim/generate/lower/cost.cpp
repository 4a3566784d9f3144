// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/cost.h"

#include <algorithm>

namespace n6vp::sim::generate {

double convolution_cycles(const ConvolutionWork& work, const CostParameters& cost) {
    const double load =
        std::max(real(work.set_words), work.flash ? real(work.set_bytes) * cost.flash_byte : 0.0);
    const double first = load + (work.flash ? cost.flash_first : cost.ram_first);
    const double fill = real(work.lines_ahead) * real(work.line_words);
    const double frame =
        std::max(real(work.in_words), fill + real(work.out_words)) + cost.frame_restart;
    return first + (real(work.frames) - 1) * std::max(frame, load) + frame;
}

double bank_cycles(const BankWork& work, const CostParameters& cost) {
    return std::max(
        real(work.single_reads) * cost.read_beat + real(work.long_reads) * cost.long_beat,
        real(work.single_writes) * cost.write_beat + real(work.long_writes) * cost.long_beat);
}

Beats beats_of(std::uint64_t runs, std::uint64_t bytes) {
    if (bytes <= 8) return {runs, 0};
    return {0, runs * ((bytes + 7) / 8)};
}

}  // namespace n6vp::sim::generate
