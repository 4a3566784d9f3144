// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "memmap/guest_addr.h"
#include "models/cache/cache_lines.h"
#include "models/cache/cacheaxi_parameters.h"
#include "models/cache/cacheaxi_registers.h"
#include "models/cache/coherence_watch.h"
#include "models/core/timing/coherence.h"
#include "models/event.h"
#include "models/fabric/access_filter.h"
#include "models/fabric/bus_events.h"
#include "models/fabric/port_schedule.h"
#include "models/fabric/transfer.h"
#include "models/picoseconds.h"

namespace n6vp::models {

/// The NPU cache (CACHEAXI), between the ports of the NPU and the bus.
///
/// Modelled: look-up of transfers marked cacheable while EN is set, everything else passes through
/// unchanged; lines brought in only by transfers marked allocate; LRU; one port for all streams,
/// which a miss holds until its data have come, but not for longer than `miss_cycles`; hits on a
/// line that is on its way wait for it beside the port; line fetches, write-throughs and
/// write-backs as transactions on the bus, the latter two posted through a small buffer;
/// maintenance with its times; registers, monitors, interrupt.
/// `ideal`: memory always has the newest bytes and every access sees them; tags, times and traffic
/// are those of the cache, and what hardware would have served or lost instead is detected and
/// reported. What others do by direct memory is not seen: where the core runs with functional
/// timing, its stores lose and read nothing in reports. `real`: lines hold their own data.
///
/// Assumed: a write-back moves the whole line, not the bytes that were written; an access during a
/// whole invalidate waits for its end, one during a range command does not; the command's effect on
/// lines is complete when it starts; the answer of a posted write's memory is the write's answer;
/// what a filter answered in a memory's place is not kept; in `ideal`, a write that would stay in
/// its line while filters keep the line from memory goes through, and is refused there at once.
/// Access filters of a port (its filter, the clocks of the cache) stand before the look-up.
/// Writes to memory that is not `writable` always go through.
/// Not modelled: data of the RAM behind the lines (what 0x343C0000 holds after cache mode), the few
/// reads ahead of the published counters, byte enables of cacheable transfers, direct memory.
class CacheAxi : public sc_core::sc_module, public BusObserver, private CacheOperations {
  public:
    sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<CacheAxi>> from;   ///< NPU side
    sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<CacheAxi>> to;  ///< bus side

    /// `initiators`: the bus port of each of the cache's ports, for reports.
    CacheAxi(const sc_core::sc_module_name& name, double nic_hz,
             const NpuCacheParameters& parameters, core::Coherence coherence,
             std::vector<std::uint8_t> initiators);

    // Assembly.
    /// Memory that may be cached: `range` is target `target` of the bus from `offset` on.
    void add_memory(unsigned target, AddressRange range, std::uint32_t offset, bool writable);
    /// Asked before a transfer of the port is looked up, with its address for an offset; the first
    /// filter that does not pass answers.
    void add_filter(unsigned port, AccessFilter& filter) { filters_[port].push_back(&filter); }
    /// Returns true if the filters on the way let the cache write these bytes. Empty: they do.
    std::function<bool(const Transfer&, std::uint32_t address, std::uint32_t bytes)> may_write;
    /// A transfer marked cacheable to memory that may not be cached, which passes through; one that
    /// a filter of its port refused.
    std::function<void(const AccessFault&)> on_fault;
    Event<bool /*level*/> on_interrupt;
    /// EN has changed: direct memory of the cache's RAM must go (Bus::filter_changed).
    std::function<void()> on_enable_changed;
    /// Stale and lost bytes; `ideal` only.
    void on_event(std::function<void(const NpuCacheEvent&)> hook) {
        watch_.on_event = std::move(hook);
    }
    [[nodiscard]] RegisterBlock& registers() { return registers_; }
    /// Stands before the RAM of 256 KB, which is the cache's own while EN is set.
    [[nodiscard]] AccessFilter& ram_filter() { return ram_filter_; }

    void set_clock_hz(double nic_hz);

    using Monitor = CacheAxiRegisters::Monitor;
    struct Statistics {
        /// Accesses, one per transfer and line, whether or not the block's monitors are on.
        std::array<std::uint64_t, CacheAxiRegisters::kMonitors> counts{};
        std::uint64_t passed = 0;  ///< transfers that were not looked up
        Picoseconds waited = 0;    ///< for the cache's port
        [[nodiscard]] std::uint64_t of(Monitor monitor) const {
            return counts[static_cast<std::size_t>(monitor)];
        }
    };
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    [[nodiscard]] const CoherenceWatch::Counters& coherence() const { return watch_.counters(); }
    /// State after power-on, at the absolute time `at`: the tags are cleared from then on.
    void reset(Picoseconds at);

    void before_write(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                      std::uint32_t bytes) override;
    void before_read(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                     std::uint32_t bytes) override;
    /// What is not in the cache cannot differ from memory.
    [[nodiscard]] bool heeds_reads() const override { return ideal_ && !lines_.empty(); }

  private:
    struct Memory {
        unsigned target = 0;
        AddressRange range;
        std::uint32_t offset = 0;
        bool writable = false;
    };
    class RamAccessFilter : public AccessFilter {
      public:
        explicit RamAccessFilter(const CacheAxiRegisters& registers) : registers_(registers) {}
        [[nodiscard]] Verdict judge(const Transfer& transfer, const Access& access) override;
        [[nodiscard]] bool passes(const Transfer& transfer, const Access& access) const override;
        [[nodiscard]] const char* reason() const override;

      private:
        const CacheAxiRegisters& registers_;
    };
    /// Part of a transfer within one line.
    struct Piece {
        unsigned port = 0;
        std::uint32_t address = 0, bytes = 0;
        std::uint8_t* data = nullptr;
        const Transfer* transfer = nullptr;
        bool write_back = false;  ///< a write may stay in the line
    };
    /// How one or more pieces went.
    struct Outcome {
        tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
        Picoseconds first = 0, last = 0;  ///< of the data, at the NPU's port
        Picoseconds port_free = 0;        ///< when the cache can look up the next piece
        Picoseconds longest_hold = 0;     ///< when a miss lets others look up at the latest
        Picoseconds waited = 0, longest_wait = 0;
        std::uint8_t holder = 0;  ///< of the longest wait
        bool refused = false;
        void add_wait(Picoseconds time, std::uint8_t held_by);
    };

    void b_transport(int port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(int port, tlm::tlm_generic_payload& trans);
    void invalidate_direct_mem_ptr(int port, sc_dt::uint64 start, sc_dt::uint64 end);
    void pass(unsigned port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    void look_up(unsigned port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay,
                 const Memory& memory);
    /// Asks the filters of the port. If it returns false, the transfer has been answered.
    [[nodiscard]] bool admit(unsigned port, tlm::tlm_generic_payload& trans,
                             const sc_core::sc_time& delay);
    [[nodiscard]] AccessFault fault_of(unsigned port, const tlm::tlm_generic_payload& trans,
                                       const sc_core::sc_time& delay) const;
    void report_not_cacheable(unsigned port, const tlm::tlm_generic_payload& trans,
                              const sc_core::sc_time& delay) const;
    /// Returns true if what stays in the line can reach memory later.
    [[nodiscard]] bool may_stay(const Piece& piece) const;

    Outcome read(const Piece& piece, Picoseconds arrival);
    void read_hit(const Piece& piece, CacheLine& line, Picoseconds arrival, Outcome& outcome);
    void read_miss(const Piece& piece, Picoseconds arrival, Outcome& outcome);
    Outcome write(const Piece& piece, Picoseconds arrival);
    void write_through(const Piece& piece, Outcome& outcome);
    /// Fetches `bytes`, the line of `piece`, from memory while the port is held. Returns null if
    /// memory did not give it; else the line, after what it replaces has gone.
    CacheLine* allocate(const Piece& piece, bool fetch, LineBytes& bytes, Outcome& outcome);
    void store(const Piece& piece, CacheLine& line, bool through);
    /// Occupies the cache's port from `arrival` on, as soon as it is free; returns since when.
    Picoseconds occupy(const Piece& piece, Picoseconds arrival, Picoseconds duration,
                       Outcome& outcome);
    /// Keeps the port until `end`.
    void hold(const Piece& piece, Picoseconds end, Outcome& outcome);
    [[nodiscard]] Picoseconds beats_ps(std::uint32_t address, std::uint32_t bytes) const;

    /// Something to move to or from memory on the way of a port.
    struct MemoryRequest {
        unsigned port = 0;
        bool write = false;
        std::uint32_t address = 0, bytes = 0;
        std::uint8_t* data = nullptr;
        bool single_beats = false;
    };
    /// Does the request from `at` on. `outcome` gets status, times at the bus and waiting.
    void send(const MemoryRequest& request, Picoseconds at, Outcome& outcome);
    /// Sends a write through the buffer of posted writes; returns when the buffer takes it.
    Picoseconds post(const MemoryRequest& request, Picoseconds at, Outcome& outcome);
    /// Returns when the line has reached memory.
    Picoseconds write_back(CacheLine& line, unsigned port, Picoseconds at, std::uint8_t actor);
    /// Moves bytes without time and without being seen; returns false if memory does not answer.
    bool move(const MemoryRequest& request);
    [[nodiscard]] LineBytes memory_of(const CacheLine& line);

    [[nodiscard]] const Memory* find_memory(std::uint64_t address, std::uint64_t bytes) const;
    /// Calls `action(line, mask)` for the lines that hold some of the bytes.
    template <class Action>
    void for_lines(std::uint32_t address, std::uint32_t bytes, Action&& action);
    void observe(std::uint8_t initiator, std::uint32_t address, std::uint32_t bytes, bool write);
    void observe_target(std::uint8_t initiator, unsigned target, std::uint32_t offset,
                        std::uint32_t bytes, bool write);

    Picoseconds invalidate_all(Picoseconds at, bool by_reset) override;
    Picoseconds maintain(std::uint32_t first, std::uint32_t last, bool invalidate,
                         Picoseconds at) override;
    [[nodiscard]] bool disable_invalidates() const override;
    void enable_changed() override;
    void flags_change(Picoseconds at) override;
    void publish_interrupt();
    void count(Monitor monitor);

    NpuCacheParameters parameters_;
    bool ideal_;
    std::vector<std::uint8_t> initiators_;
    double nic_hz_ = 0;
    Picoseconds lookup_ps_ = 0, latency_ps_ = 0, miss_ps_ = 0;
    std::uint32_t beat_bytes_;
    CacheLines lines_;
    CoherenceWatch watch_;
    CacheAxiRegisters registers_;
    RamAccessFilter ram_filter_;
    std::vector<Memory> memories_;
    std::vector<std::vector<AccessFilter*>> filters_;  ///< by port
    PortSchedule port_;
    std::vector<Picoseconds> buffer_free_;  ///< absolute time at which each entry is free again
    std::vector<Transfer> attributes_;      ///< of the last cacheable transfer of each port
    sc_core::sc_event flags_changed_;
    bool interrupt_ = false;
    Statistics statistics_;
};

}  // namespace n6vp::models
