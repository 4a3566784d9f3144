// SPDX-License-Identifier: Apache-2.0
#include "sim/run_trace/instruction_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "traces/escape.h"

namespace n6vp::sim::trace {

namespace {

constexpr std::uint64_t kReserve = 256;  ///< for the last line

}  // namespace

InstructionListing::InstructionListing(Platform& platform, const ElfFile* symbols,
                                       std::ostream& out, std::vector<traces::TraceWindow> windows,
                                       std::uint64_t limit)
    : platform_(platform),
      symbols_(symbols),
      out_(out),
      windows_(std::move(windows)),
      limit_(limit),
      trace_(line_) {
    platform.core().core().set_trace([this](const models::core::CpuState&, std::uint32_t pc,
                                            std::uint32_t encoding) { executes(pc, encoding); });
}

bool InstructionListing::wanted(traces::TraceTime at) const {
    return windows_.empty() ||
           std::any_of(windows_.begin(), windows_.end(), [at](const traces::TraceWindow& window) {
               return window.from <= at && at <= window.to;
           });
}

void InstructionListing::executes(std::uint32_t pc, std::uint32_t encoding) {
    const traces::TraceTime at = platform_.time_of(platform_.core().own_time());
    if (!wanted(at)) return;
    if (missing_ != 0) {
        ++missing_;
        return;
    }
    line_.str({});
    constexpr std::uint32_t kNarrowest = 0xFFFF;
    if (pc != std::exchange(next_, pc + (encoding > kNarrowest ? 4 : 2))) {
        const std::string symbol = symbols_ != nullptr ? symbols_->describe(pc) : std::string();
        line_ << fmt::format("{:.6f} us{}{}\n", static_cast<double>(at) * 1e-6,
                             symbol.empty() ? "" : " ", traces::terminal_text(symbol));
    }
    trace_(pc, encoding);
    const std::string text = line_.str();
    if (used_ + text.size() + kReserve > limit_) {
        missing_ = 1;
        return;
    }
    used_ += text.size();
    out_ << text;
}

std::uint64_t InstructionListing::finish() {
    if (missing_ != 0) {
        out_ << fmt::format("trace cut off: limit reached, {} instructions are missing\n",
                            missing_);
    }
    return missing_;
}

}  // namespace n6vp::sim::trace
