// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <xxhash.h>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <systemc>
#include <vector>

#include "models/simulator/mailbox.h"
#include "models/soc/register_log.h"
#include "sim/host/log.h"
#include "sim/platform/platform.h"
#include "sim/platform/platform_log.h"

/// Parts of the platform that nobody else needs.
namespace n6vp::sim {

/// Stands in the NPU's ways beside a unit's clock gate: while the core sleeps, the unit has a clock
/// only with its sleep bit. Assumed: without, the NPU's accesses end in bus errors, those that need
/// the clock of the NPU itself too. Verdicts come and go with the core's sleep, of which the bus
/// hears nothing, so that none is final while the bit is off.
class Platform::SleepFilter : public models::AccessFilter {
  public:
    SleepFilter(const models::ClockGate& gate, const models::CoreModule& core)
        : gate_(gate), core_(core) {}
    [[nodiscard]] Verdict judge(const models::Transfer& transfer, const Access& access) override {
        return passes(transfer, access) || !core_.asleep() ? Verdict::Pass : Verdict::Error;
    }
    [[nodiscard]] bool passes(const models::Transfer& transfer, const Access&) const override {
        const bool npu_side = on_npu_side(static_cast<Initiator>(transfer.initiator));
        return !npu_side || !gate_.open() || gate_.runs(true);
    }
    [[nodiscard]] const char* reason() const override { return gate_.sleep_reason(); }

  private:
    const models::ClockGate& gate_;
    const models::CoreModule& core_;
};

/// Claims on the bus for what the NPU's engines work on. Each engine claims all addresses from the
/// first to the last byte that it may touch, gaps between its pixels and frames included, but not
/// what it reads from flash, which nobody writes to.
class Platform::EngineClaims {
  public:
    explicit EngineClaims(Platform& platform) : platform_(platform) {}

    /// The epoch that runs from now on.
    void set_label(std::uint32_t label) { label_ = label; }
    void begin(unsigned engine, const models::npu::StreamConfig& stream);
    void end(unsigned engine);
    void clear();

  private:
    struct Held {
        std::string text;  ///< of the claims, which do not keep it
        std::vector<models::Bus::Claim> claims;
    };
    Platform& platform_;
    std::uint32_t label_ = 0;
    std::map<unsigned, Held> held_;  ///< by engine
};

/// Memory as the core sees it.
class Platform::CoreView : public models::GuestView {
  public:
    explicit CoreView(Platform& platform) : platform_(platform) {}
    [[nodiscard]] bool fetch(std::uint32_t address, std::span<std::uint8_t> bytes) override;
    [[nodiscard]] bool store(std::uint32_t address, std::span<const std::uint8_t> bytes) override;

  private:
    [[nodiscard]] bool may_access(std::uint32_t address, std::size_t bytes, bool write) const;

    Platform& platform_;
};

/// Sees every access to a register for the trace hash and passes it on; every transaction, if the
/// bus tells it.
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

/// Answers a mailbox that nobody serves.
class NoService : public models::MailboxService {
  public:
    Error begin_phase(std::uint32_t, std::string_view, models::Picoseconds) override {
        return Error::None;
    }
    Error end_phase(std::uint32_t, models::Picoseconds) override { return Error::None; }
    void put(std::span<const std::uint8_t>) override {}
    void exit(std::uint32_t, models::Picoseconds) override {}
    [[nodiscard]] std::uint64_t cycles(models::Picoseconds) override { return 0; }
    [[nodiscard]] std::uint32_t seed() override { return 0; }
    [[nodiscard]] std::string_view arguments() override { return {}; }
    [[nodiscard]] bool has_folder() override { return false; }
    [[nodiscard]] Outcome open(std::string_view, OpenMode) override { return {Error::NoFolder}; }
    [[nodiscard]] Error close(std::uint32_t) override { return Error::BadHandle; }
    [[nodiscard]] Outcome read(std::uint32_t, std::span<std::uint8_t>) override {
        return {Error::BadHandle};
    }
    [[nodiscard]] Outcome write(std::uint32_t, std::span<const std::uint8_t>) override {
        return {Error::BadHandle};
    }
    [[nodiscard]] Error seek(std::uint32_t, std::uint32_t) override { return Error::BadHandle; }
    [[nodiscard]] Outcome size(std::uint32_t) override { return {Error::BadHandle}; }
};

}  // namespace n6vp::sim
