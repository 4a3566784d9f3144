// SPDX-License-Identifier: Apache-2.0
// What one annotated transaction through the bus into a memory costs the host. The limit for 8-byte
// reads of one initiator is 20 ns (50 M transactions per second).
#include <benchmark/benchmark.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/fabric/bus.h"
#include "models/memory/sram.h"
#include "models/memory/xspi_memory.h"

namespace {

using namespace n6vp;
using namespace n6vp::models;

constexpr std::uint32_t kRam = 0x34100000, kGuarded = 0x34200000, kFlash = 0x70000000;
constexpr std::uint32_t kBytes = 0x40000;

/// Sends one transaction after the other, each when the last has ended.
class Source : public sc_core::sc_module {
  public:
    tlm_utils::simple_initiator_socket<Source> port;

    explicit Source(const sc_core::sc_module_name& name) : sc_module(name), port("port") {
        payload_.set_data_ptr(data_.data());
        payload_.set_extension(&transfer_);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source() override { payload_.clear_extension(&transfer_); }

    void prepare(tlm::tlm_command command, std::uint32_t bytes) {
        payload_.set_command(command);
        payload_.set_data_length(bytes);
        payload_.set_streaming_width(bytes);
    }
    void fill(std::uint32_t base) {
        prepare(tlm::TLM_WRITE_COMMAND, static_cast<std::uint32_t>(data_.size()));
        for (std::uint32_t at = 0; at < kBytes; at += payload_.get_data_length()) {
            payload_.set_address(base + at);
            port->transport_dbg(payload_);
        }
    }
    void send(std::uint32_t address) {
        payload_.set_address(address);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        transfer_.clear_answer();
        port->b_transport(payload_, ahead_);
    }
    [[nodiscard]] bool ok() const { return payload_.is_response_ok(); }

  private:
    tlm::tlm_generic_payload payload_;
    Transfer transfer_;
    std::array<std::uint8_t, 256> data_{};
    sc_core::sc_time ahead_;  ///< of the kernel, which stands still
};

struct OpenFilter : AccessFilter {
    Verdict judge(const Transfer&, const Access&) override { return Verdict::Pass; }
    bool passes(const Transfer&, const Access&) const override { return true; }
    const char* reason() const override { return ""; }
};

struct SilentObserver : BusObserver {
    void before_write(std::uint8_t, unsigned, std::uint32_t, std::uint32_t) override { ++seen; }
    void before_read(std::uint8_t, unsigned, std::uint32_t, std::uint32_t) override { ++seen; }
    std::uint64_t seen = 0;
};

struct Board {
    Board() {
        first.port.bind(bus.from[0]);
        second.port.bind(bus.from[1]);
        watched.port.bind(bus.from[2]);
        alone.port.bind(bare.port);
        bus.to[0].bind(ram.port);
        bus.to[1].bind(guarded.port);
        bus.to[2].bind(flash.port);
        bus.map(0, {GuestAddr{kRam}, kBytes});
        bus.map(1, {GuestAddr{kGuarded}, kBytes});
        bus.map(2, {GuestAddr{kFlash}, kBytes});
        for (unsigned i = 0; i < 3; ++i) {
            for (unsigned t = 0; t < 3; ++t) bus.set_route(i, t, {10'000, 7500, 2500, 8});
        }
        for (OpenFilter& guard : guards) bus.add_filter(1, guard);
        bus.observe(observer, {2});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        // What was never written is not the usual case.
        for (const std::uint32_t base : {kRam, kGuarded, kFlash}) first.fill(base);
        alone.fill(0);
    }
    Bus bus{"bus", 3, 3};
    Sram ram{"ram", kBytes, 400e6, {}};
    Sram guarded{"guarded", kBytes, 400e6, {}};
    Sram bare{"bare", kBytes, 400e6, {}};
    XspiMemory flash{"flash", kBytes, 200e6, {}};
    Source first{"first"}, second{"second"}, watched{"watched"}, alone{"alone"};
    std::array<OpenFilter, 3> guards;
    SilentObserver observer;
};

[[nodiscard]] Board& board() {
    static Board only;  // the kernel elaborates once
    return only;
}

void run(benchmark::State& state, Source& source, tlm::tlm_command command, std::uint32_t base,
         std::uint32_t bytes) {
    source.prepare(command, bytes);
    std::uint32_t offset = 0;
    while (state.KeepRunning()) {
        source.send(base + offset);
        offset = (offset + bytes) % kBytes;
    }
    if (!source.ok()) state.SkipWithError("refused");
    state.SetItemsProcessed(state.iterations());
}

constexpr tlm::tlm_command kRead = tlm::TLM_READ_COMMAND, kWrite = tlm::TLM_WRITE_COMMAND;

void BM_MemoryWithoutBusRead8(benchmark::State& state) {
    run(state, board().alone, kRead, 0, 8);
}
void BM_Read8(benchmark::State& state) {
    run(state, board().first, kRead, kRam, 8);
}
void BM_Write8(benchmark::State& state) {
    run(state, board().first, kWrite, kRam, 8);
}
void BM_Read32(benchmark::State& state) {
    run(state, board().first, kRead, kRam, 32);
}
void BM_Read64(benchmark::State& state) {
    run(state, board().first, kRead, kRam, 64);
}
void BM_Read8ThroughThreeFilters(benchmark::State& state) {
    run(state, board().first, kRead, kGuarded, 8);
}
void BM_Read8Observed(benchmark::State& state) {
    run(state, board().watched, kRead, kRam, 8);
}
void BM_Read8WhileOtherBytesAreClaimed(benchmark::State& state) {
    Board& b = board();
    b.bus.on_buffer_in_use = [](const BufferInUse&) {};
    const Bus::Claim claim = b.bus.claim(1, 1, kBytes - 4096, 4096, true, "output");
    run(state, b.first, kRead, kRam, 8);
    b.bus.release(claim);
}
/// Two masters whose bursts meet at the bank.
void BM_Read64OfTwo(benchmark::State& state) {
    Board& b = board();
    b.first.prepare(kRead, 64);
    b.second.prepare(kRead, 64);
    std::uint32_t offset = 0;
    while (state.KeepRunning()) {
        b.first.send(kRam + offset);
        b.second.send(kRam + offset);
        offset = (offset + 64) % kBytes;
    }
    state.SetItemsProcessed(2 * state.iterations());
}
void BM_Flash64(benchmark::State& state) {
    run(state, board().first, kRead, kFlash, 64);
}

BENCHMARK(BM_MemoryWithoutBusRead8);
BENCHMARK(BM_Read8);
BENCHMARK(BM_Write8);
BENCHMARK(BM_Read32);
BENCHMARK(BM_Read64);
BENCHMARK(BM_Read8ThroughThreeFilters);
BENCHMARK(BM_Read8Observed);
BENCHMARK(BM_Read8WhileOtherBytesAreClaimed);
BENCHMARK(BM_Read64OfTwo);
BENCHMARK(BM_Flash64);

}  // namespace

BENCHMARK_MAIN();
