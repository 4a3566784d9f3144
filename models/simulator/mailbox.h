// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <systemc>
#include <tlm>

#include "memmap/mailbox.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"

namespace n6vp::models {

/// Memory as the core sees it, what its caches hold included. No time passes.
class GuestView {
  public:
    GuestView() = default;
    GuestView(const GuestView&) = delete;
    GuestView& operator=(const GuestView&) = delete;
    virtual ~GuestView() = default;

    /// Return false, with nothing guaranteed, if part of the range is no memory.
    [[nodiscard]] virtual bool fetch(std::uint32_t address, std::span<std::uint8_t> bytes) = 0;
    [[nodiscard]] virtual bool store(std::uint32_t address,
                                     std::span<const std::uint8_t> bytes) = 0;
};

/// The host's side of the mailbox. What it gets comes from the guest: bounded, but not escaped.
class MailboxService {
  public:
    using Error = memmap::mailbox::Error;
    using OpenMode = memmap::mailbox::OpenMode;
    struct Outcome {
        Error error = Error::None;
        std::uint32_t value = 0;
    };

    MailboxService() = default;
    MailboxService(const MailboxService&) = delete;
    MailboxService& operator=(const MailboxService&) = delete;
    virtual ~MailboxService() = default;

    /// `name` is empty if the guest gave none.
    virtual Error begin_phase(std::uint32_t id, std::string_view name, Picoseconds at) = 0;
    virtual Error end_phase(std::uint32_t id, Picoseconds at) = 0;
    virtual void put(std::span<const std::uint8_t> text) = 0;
    /// The run is to end at this time.
    virtual void exit(std::uint32_t code, Picoseconds at) = 0;
    [[nodiscard]] virtual std::uint64_t cycles(Picoseconds at) = 0;
    [[nodiscard]] virtual std::uint32_t seed() = 0;
    [[nodiscard]] virtual std::string_view arguments() = 0;

    [[nodiscard]] virtual bool has_folder() = 0;
    /// `name` is legal: see memmap::mailbox::kMaxName.
    [[nodiscard]] virtual Outcome open(std::string_view name, OpenMode mode) = 0;
    [[nodiscard]] virtual Error close(std::uint32_t handle) = 0;
    /// `value` is the number of bytes moved; fewer than asked at the end of the file.
    [[nodiscard]] virtual Outcome read(std::uint32_t handle, std::span<std::uint8_t> bytes) = 0;
    [[nodiscard]] virtual Outcome write(std::uint32_t handle,
                                        std::span<const std::uint8_t> bytes) = 0;
    [[nodiscard]] virtual Error seek(std::uint32_t handle, std::uint32_t position) = 0;
    [[nodiscard]] virtual Outcome size(std::uint32_t handle) = 0;
};

/// The simulator's mailbox (memmap/mailbox.h), a target of its own on the bus.
///
/// Free of charge: it adds nothing to a transaction's delay. With a route without latency and beat
/// time (`Route{0, 0, 0, 4}`), and not behind the peripheral bus, an access costs the core the
/// issue of its instruction and nothing else. Offers no direct memory. Not modelled: there is no
/// such hardware.
class Mailbox : public sc_core::sc_module, public RegisterBlock {
  public:
    tlm_utils::simple_target_socket<Mailbox> port;  ///< offsets

    /// Both must outlive the mailbox.
    Mailbox(const sc_core::sc_module_name& name, GuestView& memory, MailboxService& service);
    using RegisterBlock::name;

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    void reset() override;
    /// Time and cycles that are read count from here.
    void reset_at(Picoseconds at) override;

  private:
    using Error = memmap::mailbox::Error;
    using Outcome = MailboxService::Outcome;
    using Request = std::array<std::uint32_t, memmap::mailbox::kFileWords>;

    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);

    void command(std::uint32_t offset, std::uint32_t value, Picoseconds at);
    Error begin_phase(std::uint32_t id, Picoseconds at);
    Error put_text(std::uint32_t bytes);
    Error perform_at(std::uint32_t address);
    [[nodiscard]] Outcome perform(const Request& request);
    [[nodiscard]] Outcome open(const Request& request);
    [[nodiscard]] Outcome move(const Request& request, bool to_file);
    [[nodiscard]] Outcome arguments(const Request& request);
    /// Returns the text up to its final 0 or to `longest` bytes, nothing if part of it is no
    /// memory.
    [[nodiscard]] std::optional<std::string> text_at(std::uint32_t address, std::uint32_t longest);

    GuestView& memory_;
    MailboxService& service_;
    std::uint32_t phase_name_ = 0, text_address_ = 0, cycles_high_ = 0, time_high_ = 0;
    Error result_ = Error::None;
    Picoseconds start_ = 0;
};

}  // namespace n6vp::models
