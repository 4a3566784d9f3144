// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/fabric/transfer.h"
#include "models/picoseconds.h"
#include "models/simulator/traffic_pattern.h"
#include "models/soc/rif/rifsc.h"

namespace n6vp::models {

/// Makes the traffic of a TrafficPattern on the bus: a camera or display beside the program.
///
/// Modelled: the stream cut into bursts at the ends of lines, of the buffer in memory and of 4 KiB
/// blocks; a FIFO of `fifo` bytes between stream and bus; a limited number of bursts under way. The
/// stream does not wait:
/// - A writer makes a burst when its last byte has come. A burst that finds no room in the FIFO,
///   since earlier ones have not left it, is lost.
/// - A reader makes a burst when the FIFO has room for it; its first byte leaves the FIFO `fifo`
///   bytes later. A burst that comes after that is missed, and so is one that is not made since it
///   would, if it took as long as the last one.
/// Without `fill` the bursts occupy their way and the memory's port, and nobody sees data: neither
/// caches nor claims are told.
/// Not modelled: registers, interrupts and blanking of the master; retries.
class TrafficGenerator : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<TrafficGenerator> port;
    /// What the master says of itself with its next burst.
    std::function<MasterAttributes()> attributes;

    struct Statistics {
        std::uint64_t demanded_bytes = 0;     ///< came due
        std::uint64_t bursts = 0, bytes = 0;  ///< of those that memory answered
        std::uint64_t missed_bursts = 0;      ///< late, not made or refused
        std::uint64_t missed_bytes = 0;       ///< of those
        std::uint64_t refused = 0;            ///< bursts without access
        Picoseconds waited = 0;               ///< for ports held by others
        Picoseconds longest = 0;              ///< from due to done, of those made
    };

    TrafficGenerator(const sc_core::sc_module_name& name, const TrafficPattern& pattern,
                     const TrafficParameters& parameters = {});
    ~TrafficGenerator() override;

    /// Starts over: times of the pattern count from the absolute time `at`, which is not past.
    void restart(Picoseconds at);
    [[nodiscard]] const TrafficPattern& pattern() const { return pattern_; }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

  private:
    struct Burst {
        std::uint64_t position = 0;  ///< of its first byte in the stream
        std::uint32_t address = 0, bytes = 0;
        Picoseconds due = 0, deadline = 0;  ///< absolute
    };
    struct Leaving {
        Picoseconds end = 0;
        std::uint32_t bytes = 0;
    };

    void start_of_simulation() override;
    void step();
    void perform(Picoseconds at);
    void miss();
    /// Returns true if the next burst is made, at `issue`.
    [[nodiscard]] bool fits(Picoseconds issue);
    /// Makes the burst at `position` of the stream the next one.
    void turn_to(std::uint64_t position);
    void schedule();
    /// Returns when byte `position` of the stream comes.
    [[nodiscard]] Picoseconds time_of(std::uint64_t position) const;

    TrafficPattern pattern_;
    Picoseconds origin_ = 0;
    Burst next_;
    std::vector<Picoseconds> ends_;  ///< of the last bursts, as many as may be under way
    std::uint64_t made_ = 0;
    std::deque<Leaving>
        leaving_;           ///< a writer's bursts, whose bytes are in the FIFO until their end
    Picoseconds took_ = 0;  ///< the last burst
    std::vector<std::uint8_t> data_;
    std::uint8_t enables_ = TLM_BYTE_DISABLED;
    tlm::tlm_generic_payload payload_;
    Transfer transfer_;
    sc_core::sc_event event_;
    Statistics statistics_;
};

}  // namespace n6vp::models
