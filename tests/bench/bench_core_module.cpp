// SPDX-License-Identifier: Apache-2.0
// What SystemC costs the core: the quantum, an access to a device, which synchronises only where a
// neighbour has something to do by then, and the naive design (every instruction fetched over a
// socket and decoded again) as the yardstick. Each row is a process of its own, since the kernel
// elaborates once.
#include <sys/wait.h>
#include <tlm_utils/simple_target_socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/core/core_module.h"

namespace {

using namespace n6vp::models;
using core::Timing;

constexpr std::uint32_t kRam = 0x10000000, kRamBytes = 0x10000;

/// RAM and, above it, a device that answers everything.
class Board : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket_tagged<Board> code, data, tcm;

    Board(const sc_core::sc_module_name& name, const CoreModuleConfig& config, bool direct)
        : sc_module(name),
          code("code"),
          data("data"),
          tcm("tcm"),
          core("core", config),
          ram_(kRamBytes),
          direct_(direct) {
        int tag = 0;
        for (auto* socket : {&code, &data, &tcm}) {
            socket->register_b_transport(this, &Board::b_transport, tag);
            socket->register_get_direct_mem_ptr(this, &Board::get_direct_mem_ptr, tag++);
        }
        core.instruction_port.bind(code);
        core.m_axi.bind(data);
        core.tcm.bind(tcm);
        SC_HAS_PROCESS(Board);
        SC_METHOD(tick);
        sensitive << tick_;
        dont_initialize();
    }
    void put(std::uint32_t offset, std::uint32_t word) {
        std::memcpy(&ram_[offset], &word, sizeof(word));
    }

    /// A neighbour with something to do every so often: the core must let it go first.
    void tick_every(const sc_core::sc_time& period) {
        period_ = period;
        tick_.notify(period);
    }

    CoreModule core;

  private:
    void tick() { tick_.notify(period_); }

    void b_transport(int /*tag*/, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        const auto offset = static_cast<std::uint32_t>(trans.get_address()) - kRam;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        if (offset < kRamBytes) {
            if (trans.is_read()) {
                std::memcpy(trans.get_data_ptr(), &ram_[offset], trans.get_data_length());
            } else {
                std::memcpy(&ram_[offset], trans.get_data_ptr(), trans.get_data_length());
            }
        } else {
            delay += sc_core::sc_time(10, sc_core::SC_NS);
        }
    }
    bool get_direct_mem_ptr(int /*tag*/, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
        if (!direct_ || static_cast<std::uint32_t>(trans.get_address()) - kRam >= kRamBytes)
            return false;
        dmi.set_dmi_ptr(ram_.data());
        dmi.set_start_address(kRam);
        dmi.set_end_address(kRam + kRamBytes - 1);
        dmi.allow_read_write();
        return true;
    }

    std::vector<std::uint8_t> ram_;
    bool direct_;
    sc_core::sc_event tick_;
    sc_core::sc_time period_;
};

struct Row {
    const char* name;
    Timing timing;
    double quantum_us;
    bool direct;
    bool device_loop;  ///< one instruction in six loads from the device
    double simulated_us;
    double tick_us = 0;  ///< a neighbour's period; 0 = the core is alone
};

/// Runs one row and prints it: instructions, processor time, MIPS or time per access.
void run_row(const Row& row) {
    CoreModuleConfig config;
    config.core.timing = row.timing;
    config.core.system.vector_table = kRam;
    config.core.tcm = {{kRam, kRam + kRamBytes - 1}};
    config.quantum = sc_core::sc_time(row.quantum_us, sc_core::SC_US);
    Board board("board", config, row.direct);
    board.put(0, kRam + kRamBytes);
    board.put(4, kRam + 0x101);
    // 1: adds r0,#1; eors r1,r0; adds r2,r1,r0; (ldr r3,[r5] | lsrs r3,r2,#3); subs r0,#2; b 1b
    // with ldr r5,=0x40000000 before it
    board.put(0x100, 0x30014D03);
    board.put(0x104, 0x180A4041);
    board.put(0x108, row.device_loop ? 0x3802682B : 0x380208D3);
    board.put(0x10C, 0xBF00E7F9);
    board.put(0x110, 0x40000000);
    board.core.release_reset();
    if (row.tick_us > 0) board.tick_every(sc_core::sc_time(row.tick_us, sc_core::SC_US));
    const std::clock_t begin = std::clock();
    sc_core::sc_start(sc_core::sc_time(row.simulated_us, sc_core::SC_US));
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const auto instructions = static_cast<double>(board.core.core().instructions());
    std::printf("%-50s %12.0f instructions %7.3f s %9.2f MIPS", row.name, instructions, seconds,
                instructions / seconds * 1e-6);
    if (row.device_loop) std::printf("  %6.0f ns per access", seconds / (instructions / 6) * 1e9);
    std::printf("\n");
    std::fflush(stdout);
}

/// One bus transaction per halfword, a decode per instruction, no block kept.
void run_naive() {
    CoreModuleConfig config;
    config.core.timing = Timing::Functional;
    config.core.system.vector_table = kRam;
    Board board("board", config, false);
    board.put(0, kRam + kRamBytes);
    board.put(4, kRam + 0x101);
    board.put(0x100, 0x4041BF00);
    board.put(0x104, 0x08D3180A);
    board.put(0x108, 0xE7F93802);
    core::Core& core = board.core.core();
    core.reset();
    constexpr int kInstructions = 1'000'000;
    const std::clock_t begin = std::clock();
    for (int i = 0; i < kInstructions; ++i) core.step();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%-50s %12d instructions %7.3f s %9.2f MIPS\n", "naive: fetch over the socket",
                kInstructions, seconds, kInstructions / seconds * 1e-6);
    std::fflush(stdout);
}

/// Returns true if the process ended well.
bool in_a_process(const std::function<void()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    int status = 0;
    return waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

int main() {
    const Row rows[] = {
        {"approx, quantum 100 us", Timing::Approx, 100, true, false, 200'000},
        {"approx, quantum 10 us", Timing::Approx, 10, true, false, 200'000},
        {"approx, quantum 1 us", Timing::Approx, 1, true, false, 200'000},
        {"approx, 1 us, a neighbour every 1 us", Timing::Approx, 1, true, false, 200'000, 1},
        {"functional, quantum 1 us", Timing::Functional, 1, true, false, 200'000},
        {"precise, quantum 1 us", Timing::Precise, 1, true, false, 20'000},
        {"device access, the core alone: none synchronises", Timing::Approx, 1, true, true, 20'000},
        {"device access, a neighbour every 1 us", Timing::Approx, 1, true, true, 20'000, 1},
        {"device access, a neighbour every 100 ns", Timing::Approx, 1, true, true, 20'000, 0.1},
        // The loop takes 16.25 ns: the core waits for the neighbour once per access.
        {"device access, a neighbour as often", Timing::Approx, 1, true, true, 20'000, 0.01625},
    };
    bool good = true;
    for (const Row& row : rows) good = in_a_process([&row] { run_row(row); }) && good;
    good = in_a_process(run_naive) && good;
    return good ? 0 : 1;
}
