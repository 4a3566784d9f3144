// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "memmap/guest_addr.h"
#include "models/fabric/access_filter.h"
#include "models/fabric/bus_events.h"
#include "models/fabric/bus_parameters.h"
#include "models/fabric/claims.h"
#include "models/fabric/fabric_target.h"
#include "models/fabric/repeatable_target.h"
#include "models/fabric/transfer.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// Route of one initiator to one target.
struct Route {
    Picoseconds request = 0;   ///< from the initiator's port to the target's
    Picoseconds response = 0;  ///< back
    Picoseconds beat = 0;      ///< shortest distance between two beats on this route
    std::uint32_t beat_bytes = 8;
};

/// Traffic of one initiator with one target.
struct Flow {
    std::uint64_t reads = 0, writes = 0;  ///< transactions
    std::uint64_t bytes_read = 0, bytes_written = 0;
    Picoseconds waited = 0;
    Picoseconds busy = 0;                 ///< port occupation of the target, without stalls
    std::vector<Picoseconds> waited_for;  ///< `waited`, by the initiator that held the port
};

/// The fabric: address decoder, routes with latencies, access filters, visibility of writes.
///
/// Modelled: one port per initiator and per target; address windows (several per target: secure and
/// non-secure alias); optional routes with latency and beat rate; filters before a target;
/// the default slave (an address error); traffic and stalls per initiator and target; observers
/// for caches; claims on bytes that a running NPU epoch works on. Contention happens in the
/// targets, which book their ports (PortSchedule).
/// Rule: initiators other than the core book at their own time (see PortSchedule).
/// Not modelled: round-robin arbitration between simultaneous bursts (served in the order of the
/// calls), width limits of links shared by several targets.
class Bus : public sc_core::sc_module {
  public:
    sc_core::sc_vector<tlm::tlm_target_socket<>> from;
    sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Bus>> to;

    Bus(const sc_core::sc_module_name& name, unsigned initiators, unsigned targets);
    ~Bus() override;

    // Assembly: before the simulation starts.
    /// Maps `range` to `target`, whose offset of the first byte is `offset`. Ranges must not
    /// overlap.
    void map(unsigned target, AddressRange range, std::uint32_t offset = 0);
    /// The window of `target` that starts at `start` has this size from now on, also while the
    /// simulation runs. It must exist, and not overlap another one then.
    void resize(unsigned target, GuestAddr start, std::uint32_t bytes);
    /// Without a route the initiator cannot reach the target. May be called again when clocks
    /// change.
    void set_route(unsigned initiator, unsigned target, const Route& way);
    /// Access filters are checked in the order of addition; the first that denies decides.
    void add_filter(unsigned target, AccessFilter& filter);
    /// Reports accesses of these initiators to the observer. The owner of an observing cache is not
    /// among them.
    void observe(BusObserver& observer, const std::vector<unsigned>& initiators);
    /// Enables per-transaction recording; slows every transaction. Several recorders are
    /// possible.
    void record(BusRecorder& recorder);
    std::function<void(const AccessFault&)> on_fault;
    /// Asked for a write that reaches no target: returns null, or, if it was posted so that its
    /// initiator sees no error, what became of it. `on_fault` is told all the same.
    std::function<const char*(const AccessFault&)> posts;
    std::function<void(const BufferInUse&)> on_buffer_in_use;

    // While it runs.
    /// Verdicts of a filter on this target may have changed: revokes its DMI and cached verdicts.
    /// Until this call the verdicts of a filter are cached.
    void filter_changed(unsigned target);
    struct Question {
        std::uint64_t address;
        std::uint32_t bytes;
        bool write;
    };
    /// Returns true if the filters of the target permit a write of these bytes; records nothing.
    /// `transfer` has the attributes of the master, `initiator` included.
    [[nodiscard]] bool may_write(const Transfer& transfer, std::uint64_t address,
                                 std::uint32_t bytes) const {
        return may_access(transfer, {address, bytes, true});
    }
    /// The same for reads, too. False also where part of the range has no target.
    [[nodiscard]] bool may_access(const Transfer& transfer, Question question) const;
    using Claim = unsigned;
    /// `initiator` works on these bytes until `release`: direct memory of their pages is revoked
    /// for all, accesses to these pages by initiators that run ahead are made at kernel time
    /// (`Transfer::runs_ahead`), and those of others that collide (anything while it writes, writes
    /// while it reads) are reported. `what` must outlive the claim. A claim of no bytes is none:
    /// its release does nothing.
    Claim claim(unsigned initiator, unsigned target, std::uint32_t offset, std::uint32_t bytes,
                bool write, const char* what);
    void release(Claim claim);

    /// Returns every address of the byte at `offset` of `target`.
    [[nodiscard]] std::vector<std::uint32_t> addresses_of(unsigned target,
                                                          std::uint32_t offset) const;
    [[nodiscard]] const Flow& flow(unsigned initiator, unsigned target) const;
    /// Clears traffic, claims and cached filter verdicts.
    void reset();

  private:
    struct Window {
        std::uint64_t start = 1, bytes = 0;
        unsigned target = 0;
        std::uint32_t offset = 0;  ///< of the first byte, within the target
    };
    /// Cached filter verdict of one route.
    struct Passed {
        std::uint64_t rights = 0;
        std::uint32_t start = 1, end = 0;  ///< first and last offset
    };
    struct Path {
        Route way;
        sc_core::sc_time request, response;  ///< of `way`, as SystemC adds them
        LastDelay delay;
        bool exists = false;
        bool watched = false;  ///< filters, claims or observers need each access
        Passed passed[2];      ///< of reads, of writes
        Flow flow;
    };
    struct Target {
        tlm::tlm_blocking_transport_if<>* port = nullptr;
        FabricTarget* quick = nullptr;           ///< the same, if it is one
        RepeatableTarget* repeatable = nullptr;  ///< the same, if it is one
        std::uint32_t last = 0;                  ///< highest offset that is mapped
        std::vector<AccessFilter*> filters;
        Claims claims;
    };
    /// One initiator's port.
    class Port;

    /// An access in flight with its decoded properties.
    struct Access {
        tlm::tlm_generic_payload& trans;
        Transfer& transfer;
        unsigned initiator;
        unsigned target;
        std::uint64_t address;
        std::uint32_t offset, bytes;
        bool write;
    };
    enum class Entry : std::uint8_t { Admitted, Zero, Error };

    void end_of_elaboration() override;
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(unsigned initiator, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    void invalidate_direct_mem_ptr(int tag, sc_dt::uint64 start, sc_dt::uint64 end);

    /// Returns the window that holds `address`, null if none does.
    [[nodiscard]] const Window* find(std::uint64_t address) const;
    [[nodiscard]] Path& path(unsigned initiator, unsigned target) {
        return paths_[initiator * targets_.size() + target];
    }
    /// Synchronises with users of the bytes, checks filters, then notifies claims and observers.
    /// Returns false if the access has been answered.
    [[nodiscard]] bool admit(const Access& access, Path& path, sc_core::sc_time& delay);
    void tell_observers(const Access& access) const;
    void tell_recorders(tlm::tlm_generic_payload& trans, const Transfer& transfer,
                        unsigned initiator, const sc_core::sc_time& delay) const;
    /// Returns true if the filters of the target have let the like pass.
    [[nodiscard]] static bool known_to_pass(const Transfer& transfer, std::uint32_t offset,
                                            std::uint32_t bytes, const Passed& passed);
    [[nodiscard]] Entry ask_filters(const Access& access, Path& path, const char*& reason);
    [[nodiscard]] bool all_pass(const Target& target, const Transfer& transfer,
                                const AccessFilter::Access& access) const;
    /// Reduces a DMI range to unclaimed bytes permitted by filters; returns false if none
    /// is left. `offset` must stay in.
    [[nodiscard]] bool narrow(const Target& target, const Window& window, std::uint32_t offset,
                              const Transfer& transfer, tlm::tlm_dmi& dmi) const;
    /// Synchronises with the users of these pages before any check, so that their state is that
    /// of the access's time.
    void wait_for_users(const Access& access, sc_core::sc_time& delay) const;
    void report_collisions(const Access& access, Picoseconds at);
    void answer_for_filter(const Access& access, const Path& path, bool zero,
                           sc_core::sc_time& delay);
    void report(AccessFault::Kind kind, const Access& access, Picoseconds at,
                const char* reason = "", bool answered_zero = false) const;
    void report_refusal_of_target(const Access& access, Picoseconds at) const;
    /// Refuses accesses that do not reach a target.
    void refuse(AccessFault::Kind kind, tlm::tlm_generic_payload& trans, unsigned initiator,
                int target, Picoseconds at) const;
    void update_watched();
    /// Revokes DMI of offsets `first` to `last` of the target.
    void revoke(unsigned target, std::uint64_t first, std::uint64_t last);

    std::vector<Window> windows_;  ///< ascending
    std::vector<Path> paths_;
    std::vector<Target> targets_;
    std::vector<std::unique_ptr<Port>> ports_;  ///< by initiator
    struct ClaimPlace {
        unsigned target = 0;
        bool open = false;
    };
    std::vector<ClaimPlace> claims_;  ///< by claim number
    std::vector<BusRecorder*> recorders_;
};

}  // namespace n6vp::models
