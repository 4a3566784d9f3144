// SPDX-License-Identifier: Apache-2.0
#include "tests/models/traffic/bus_master.h"

#include <algorithm>
#include <utility>

namespace n6vp::test {

using models::Picoseconds;

BusMaster::BusMaster(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
    SC_HAS_PROCESS(BusMaster);
    SC_METHOD(do_jobs);
    sensitive << jobs_changed_;
    dont_initialize();
    trans_.set_extension(&transfer_);
}

BusMaster::~BusMaster() {
    trans_.clear_extension(&transfer_);
}

BusMaster::Answer BusMaster::transact(tlm::tlm_command command, std::uint32_t address,
                                      std::uint8_t* bytes, std::uint32_t count, Picoseconds at) {
    tlm::tlm_generic_payload& trans = trans_;
    models::Transfer& transfer = transfer_;
    transfer.copy_from(says);
    transfer.clear_answer();
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    trans.set_dmi_allowed(false);
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(bytes);
    trans.set_data_length(count);
    trans.set_streaming_width(count);
    sc_core::sc_time delay = models::delay_until(at);
    const Picoseconds issued = models::absolute_ps(delay);
    port->b_transport(trans, delay);
    return {trans.get_response_status(),
            issued,
            transfer.first_beat,
            models::absolute_ps(delay),
            transfer.waited,
            transfer.holder,
            transfer.refused};
}

BusMaster::Answer BusMaster::transact_all(tlm::tlm_command command, std::uint32_t address,
                                          std::uint8_t* bytes, std::size_t count, Picoseconds at) {
    Answer all;
    Picoseconds longest = 0;
    for (std::size_t done = 0; done < count;) {
        const auto to = static_cast<std::uint32_t>(address + done);
        const auto piece = static_cast<std::uint32_t>(
            std::min<std::size_t>(count - done, kBurstBytes - to % kBurstBytes));
        const Answer one =
            transact(command, to, bytes + done, piece, done == 0 ? at : std::max(at, all.last));
        if (done == 0) {
            all = one;
        } else {
            if (all.ok()) all.status = one.status;
            all.last = one.last;
            all.waited += one.waited;
            all.refused = all.refused || one.refused;
        }
        if (one.waited > longest) {
            longest = one.waited;
            all.holder = one.holder;
        }
        done += piece;
    }
    return all;
}

BusMaster::Answer BusMaster::read(std::uint32_t address, std::span<std::uint8_t> to,
                                  Picoseconds at) {
    return transact_all(tlm::TLM_READ_COMMAND, address, to.data(), to.size(), at);
}

BusMaster::Answer BusMaster::write(std::uint32_t address, std::span<const std::uint8_t> from,
                                   Picoseconds at) {
    // TLM has one data pointer for both directions; a write command leaves the bytes alone.
    return transact_all(tlm::TLM_WRITE_COMMAND, address, const_cast<std::uint8_t*>(from.data()),
                        from.size(), at);
}

std::vector<std::uint8_t> BusMaster::read(std::uint32_t address, std::uint32_t count,
                                          Picoseconds at) {
    std::vector<std::uint8_t> bytes(count);
    if (!read(address, std::span<std::uint8_t>(bytes), at).ok()) bytes.clear();
    return bytes;
}

std::size_t BusMaster::add_job(Job job) {
    jobs_.push_back(std::move(job));
    jobs_changed_.notify(sc_core::SC_ZERO_TIME);
    return jobs_.size() - 1;
}

std::size_t BusMaster::write_at(Picoseconds at, std::uint32_t address,
                                std::vector<std::uint8_t> bytes) {
    return add_job({at, address, true, std::move(bytes), false, {}});
}

std::size_t BusMaster::read_at(Picoseconds at, std::uint32_t address, std::uint32_t count) {
    return add_job({at, address, false, std::vector<std::uint8_t>(count), false, {}});
}

void BusMaster::do_jobs() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    const Job* next = nullptr;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
        Job& job = jobs_[i];
        if (job.done) continue;
        if (job.at <= now) {
            job.done = true;
            job.answer = job.write ? write(job.address, job.bytes)
                                   : read(job.address, std::span<std::uint8_t>(job.bytes));
        } else if (next == nullptr || job.at < next->at) {
            next = &job;
        }
    }
    if (next != nullptr) jobs_changed_.notify(models::to_sc_time(next->at - now));
}

}  // namespace n6vp::test
