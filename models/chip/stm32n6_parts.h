// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "models/chip/stm32n6.h"
#include "models/simulator/mailbox.h"
#include "models/soc/base/register_log.h"

/// Internal parts of the chip.
namespace n6vp::models {

/// The memory with check bits.
inline constexpr std::string_view kCheckedMemory = "BKPSRAM";

/// Filter on the NPU's routes beside the clock gate of a unit: while the core sleeps, the unit has
/// a clock only with its sleep bit. Assumed: otherwise the NPU's accesses end in bus errors, also
/// those that need the clock of the NPU. The verdict depends on the core's sleep, which the bus
/// does not observe, so that none is final while the bit is off.
class Stm32n6::SleepFilter : public AccessFilter {
  public:
    SleepFilter(const ClockGate& gate, const CoreModule& core) : gate_(gate), core_(core) {}
    [[nodiscard]] Verdict judge(const Transfer& transfer, const Access& access) override {
        return passes(transfer, access) || !core_.asleep() ? Verdict::Pass : Verdict::Error;
    }
    [[nodiscard]] bool passes(const Transfer& transfer, const Access&) const override {
        const bool npu_side = on_npu_side(static_cast<Initiator>(transfer.initiator));
        return !npu_side || !gate_.open() || gate_.runs(true);
    }
    [[nodiscard]] const char* reason() const override { return gate_.sleep_reason(); }

  private:
    const ClockGate& gate_;
    const CoreModule& core_;
};

/// Filter in front of FLEXMEM: what the TCMs take of it, from its start on, gives bus errors.
class Stm32n6::TakenByTcms : public AccessFilter {
  public:
    [[nodiscard]] Verdict judge(const Transfer& transfer, const Access& access) override {
        return passes(transfer, access) ? Verdict::Pass : Verdict::Error;
    }
    [[nodiscard]] bool passes(const Transfer&, const Access& access) const override {
        return access.offset >= bytes;
    }
    [[nodiscard]] const char* reason() const override {
        return "SYSCFG_CM55TCMCR has given this part to the TCMs";
    }
    std::uint32_t bytes = 0;
};

/// No direct memory where data change on their way to the bus.
class Stm32n6::DirectFilter : public AccessFilter {
  public:
    explicit DirectFilter(const XspiMemory& memory) : memory_(memory) {}
    [[nodiscard]] Verdict judge(const Transfer&, const Access&) override { return Verdict::Pass; }
    [[nodiscard]] bool passes(const Transfer&, const Access& access) const override {
        return memory_.plain(access.offset, access.bytes);
    }
    [[nodiscard]] const char* reason() const override { return ""; }

  private:
    const XspiMemory& memory_;
};

/// Claims of the NPU's engines on the bus. Each engine claims all addresses from the first to the
/// last byte that it may access, including gaps between its pixels and frames, except in flash,
/// which is not written.
class Stm32n6::EngineClaims {
  public:
    explicit EngineClaims(Stm32n6& chip) : chip_(chip) {}

    /// The epoch that runs from now on.
    void set_label(std::uint32_t label) { label_ = label; }
    void begin(unsigned engine, const npu::StreamConfig& stream);
    void end(unsigned engine);
    void clear();

  private:
    struct Held {
        std::string text;  ///< of the claims, which do not keep it
        std::vector<Bus::Claim> claims;
    };
    Stm32n6& chip_;
    std::uint32_t label_ = 0;
    std::map<unsigned, Held> held_;  ///< by engine
};

/// Memory as the core sees it.
class Stm32n6::CoreView : public GuestView {
  public:
    explicit CoreView(Stm32n6& chip) : chip_(chip) {}
    [[nodiscard]] bool fetch(std::uint32_t address, std::span<std::uint8_t> bytes) override;
    [[nodiscard]] bool store(std::uint32_t address, std::span<const std::uint8_t> bytes) override;

  private:
    [[nodiscard]] bool may_access(std::uint32_t address, std::size_t bytes, bool write) const;

    Stm32n6& chip_;
};

/// Answers accesses to a mailbox without service.
class NoService : public MailboxService {
  public:
    Error begin_phase(std::uint32_t, std::string_view, Picoseconds) override { return Error::None; }
    Error end_phase(std::uint32_t, Picoseconds) override { return Error::None; }
    void put(std::span<const std::uint8_t>) override {}
    void exit(std::uint32_t, Picoseconds) override {}
    [[nodiscard]] std::uint64_t cycles(Picoseconds) override { return 0; }
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

}  // namespace n6vp::models
