// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/fabric/transfer.h"
#include "models/picoseconds.h"

namespace n6vp::test {

/// A bus master of a test bench: moves given bytes at given times. Stands in for the NPU, the epoch
/// controller or any other initiator.
///
/// What is longer than a burst goes as bursts of 8 beats of 8 bytes, aligned to their size, each
/// issued when the last beat of the one before has come. Bytes move when a burst is issued.
class BusMaster : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<BusMaster> port;

    /// What the master says about itself with every burst (secure, compartment, cacheable …).
    models::Transfer says;

    static constexpr std::uint32_t kBeatBytes = 8;
    static constexpr std::uint32_t kBurstBytes = 8 * kBeatBytes;

    explicit BusMaster(const sc_core::sc_module_name& name);
    BusMaster(const BusMaster&) = delete;
    BusMaster& operator=(const BusMaster&) = delete;
    ~BusMaster() override;

    /// How it went; of several bursts the first bad status, if any, and the sum of waiting. Times
    /// are absolute.
    struct Answer {
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        models::Picoseconds issued = 0, first = 0, last = 0, waited = 0;
        std::uint8_t holder = 0;  ///< of the longest wait
        bool refused = false;
        [[nodiscard]] bool ok() const { return status == tlm::TLM_OK_RESPONSE; }
    };

    /// Both move bytes at once in the order of calls, with time annotated: the first burst is
    /// issued at `at`, or now if that has passed.
    Answer read(std::uint32_t address, std::span<std::uint8_t> to, models::Picoseconds at = 0);
    Answer write(std::uint32_t address, std::span<const std::uint8_t> from,
                 models::Picoseconds at = 0);
    /// Returns `count` bytes, read as by `read`; empty if that failed.
    std::vector<std::uint8_t> read(std::uint32_t address, std::uint32_t count,
                                   models::Picoseconds at = 0);

    /// An access that kernel time comes to.
    struct Job {
        models::Picoseconds at = 0;
        std::uint32_t address = 0;
        bool write = false;
        std::vector<std::uint8_t> bytes;  ///< to write, or that were read
        bool done = false;
        Answer answer;
    };
    /// Both return the job's number. Jobs of one time are done in the order of the calls.
    std::size_t write_at(models::Picoseconds at, std::uint32_t address,
                         std::vector<std::uint8_t> bytes);
    std::size_t read_at(models::Picoseconds at, std::uint32_t address, std::uint32_t count);
    [[nodiscard]] const Job& job(std::size_t number) const { return jobs_[number]; }

  protected:
    /// One burst, issued at `at`.
    Answer transact(tlm::tlm_command command, std::uint32_t address, std::uint8_t* bytes,
                    std::uint32_t count, models::Picoseconds at);

  private:
    Answer transact_all(tlm::tlm_command command, std::uint32_t address, std::uint8_t* bytes,
                        std::size_t count, models::Picoseconds at);
    std::size_t add_job(Job job);
    void do_jobs();

    // Of the burst on its way: to make both anew each time shows in the host's time.
    tlm::tlm_generic_payload trans_;
    models::Transfer transfer_;
    std::deque<Job> jobs_;  ///< a job may bring new ones
    sc_core::sc_event jobs_changed_;
};

}  // namespace n6vp::test
