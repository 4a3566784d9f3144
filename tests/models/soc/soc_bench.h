// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "models/fabric/access_filter.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/register_log.h"

namespace n6vp::test {

/// Keeps what it sees.
class RecordingLog : public models::RegisterLog {
  public:
    bool accessed(const models::RegisterAccess& access) override {
        seen.push_back(access);
        return access.modelled || !strict;
    }
    std::vector<models::RegisterAccess> seen;
    bool strict = false;
};

/// Sixteen words that keep what is written.
class Words : public models::RegisterBlock {
  public:
    explicit Words(const char* name) : RegisterBlock(name) {}
    Answer read(std::uint32_t offset, models::Picoseconds at) override {
        last_at = at;
        return {word[offset / 4 % 16], true, true, "WORD"};
    }
    Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                 models::Picoseconds at) override {
        last_at = at;
        std::uint32_t& held = word[offset / 4 % 16];
        held = (held & ~mask) | (value & mask);
        return {0, true, true, "WORD"};
    }
    void reset() override {
        for (std::uint32_t& held : word) held = 0;
    }
    bool reads_freely(std::uint32_t) const override { return free; }
    std::uint32_t word[16] = {};
    models::Picoseconds last_at = 0;
    bool free = false;  ///< a debugger may read
};

/// Says what a test tells it to.
class FixedGuard : public models::AccessFilter {
  public:
    Verdict judge(const models::Transfer&, const Access& access) override {
        asked.push_back(access);
        return verdict;
    }
    bool passes(const models::Transfer&, const Access&) const override {
        return verdict == Verdict::Pass;
    }
    const char* reason() const override { return "SWITCH = 0"; }
    Verdict verdict = Verdict::Pass;
    std::vector<Access> asked;
};

}  // namespace n6vp::test
