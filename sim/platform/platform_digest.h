// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <xxhash.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "models/fabric/bus_events.h"
#include "models/soc/base/register_log.h"
#include "sim/host/log.h"
#include "sim/platform/platform.h"
#include "sim/platform/platform_log.h"

namespace n6vp::sim {

/// Sees every access to a register for the trace hash and passes it on; every transaction, if the
/// bus reports it.
class Platform::Digest : public models::RegisterLog, public models::BusRecorder {
  public:
    explicit Digest(models::RegisterLog* next) : next_(next), transactions_(XXH3_createState()) {
        reset(0);
    }

    void reset(models::Picoseconds at) {
        value_ = 0;
        start_ = at;
        XXH3_64bits_reset(transactions_.get());
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }
    [[nodiscard]] std::uint64_t transactions() const {
        return XXH3_64bits_digest(transactions_.get());
    }
    void begins(const models::BusTransaction& transaction) override {
        const std::array<std::uint64_t, 4> words{
            transaction.at - start_, transaction.address, transaction.attributes,
            transaction.bytes | std::uint64_t{transaction.initiator} << 32 |
                std::uint64_t{transaction.write} << 40};
        XXH3_64bits_update(transactions_.get(), words.data(), sizeof words);
        if (transaction.write)
            XXH3_64bits_update(transactions_.get(), transaction.data, transaction.bytes);
    }
    void add(std::span<const std::uint64_t> words) {
        value_ = XXH3_64bits_withSeed(words.data(), words.size_bytes(), value_);
    }
    [[nodiscard]] bool accessed(const models::RegisterAccess& access) override {
        const std::array<std::uint64_t, 3> words{access.address | std::uint64_t{access.write} << 32,
                                                 access.value, access.at - start_};
        add(words);
        if (Log::enabled(LogComponent::Registers, LogLevel::Debug)) {
            log_register(access, access.at - start_);
        }
        return next_ == nullptr || next_->accessed(access);
    }

  private:
    struct Free {
        void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
    };
    models::RegisterLog* next_;
    std::unique_ptr<XXH3_state_t, Free> transactions_;
    std::uint64_t value_ = 0;
    models::Picoseconds start_ = 0;
};

}  // namespace n6vp::sim
