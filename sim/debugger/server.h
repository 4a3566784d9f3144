// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/debugger/core_registers.h"
#include "sim/debugger/machine.h"
#include "sim/debugger/packet.h"
#include "sim/debugger/points.h"

namespace n6vp::sim::debugger {

/// Serves one client of the GDB remote serial protocol: takes bytes, controls the machine, gives
/// bytes. Knows no socket. Whatever bytes come, nothing is read or kept beyond the limits of
/// packet.h, and what cannot be done is answered with an error.
class Server {
  public:
    struct Client {
        /// Gets what goes to the client.
        std::function<void(std::string_view bytes)> write;
        /// Called now and then while the machine runs: gives the server what has come meanwhile.
        /// Returns false if the client is gone. May be empty.
        std::function<bool()> pump;
    };
    enum class State : std::uint8_t {
        Serving,
        Detached,  ///< the machine is to run on
        Killed,    ///< the run is to end
        Ended,     ///< the run has ended, as the client knows
    };

    Server(Machine& machine, Client client);

    /// Takes bytes of the client; `work` answers them.
    void receive(std::span<const std::uint8_t> bytes) { reader_.put(bytes); }
    /// Answers all packets that are complete, or those up to the one that ends the service. Runs
    /// the machine for those that say so.
    void work();
    [[nodiscard]] State state() const { return state_; }
    /// The machine ran before the client came, or was stopped by it.
    void note_halt(const Halt& halt) { halt_ = halt; }

  private:
    /// Numbers of errors; clients show them.
    enum Error : unsigned {
        kNoAnnex = 0,
        kMalformed = 1,
        kNoRegister = 2,
        kNoThread = 3,
        kNoMemory = 14,  ///< no memory there, or reading it would change something
        kTooMuch = 22,
    };
    using Handler = void (Server::*)(PayloadReader arguments);
    struct Command {
        std::string_view name;
        Handler handler;
    };
    static const std::vector<Command>& commands();

    void handle(const Incoming& item);
    void dispatch(std::string_view payload);
    void reply(std::string_view payload);
    void reply_error(Error number);
    void reply_stop();
    [[nodiscard]] std::string stop_reply();
    /// Shows text on the client's console, in lines.
    void show(std::string_view text);

    // Registers and memory (server_memory.cpp).
    void read_registers(PayloadReader arguments);
    void write_registers(PayloadReader arguments);
    void read_register(PayloadReader arguments);
    void write_register(PayloadReader arguments);
    void read_memory(PayloadReader arguments);
    void write_memory(PayloadReader arguments);
    void write_binary(PayloadReader arguments);
    void insert_point(PayloadReader arguments);
    void remove_point(PayloadReader arguments);
    void change_point(PayloadReader arguments, bool insert);
    void erase_flash(PayloadReader arguments);
    void write_flash(PayloadReader arguments);
    void finish_flash(PayloadReader arguments);
    void compare_memory(PayloadReader arguments);
    [[nodiscard]] std::string register_text(unsigned number);
    [[nodiscard]] const ThreadInfo& thread();

    // Running (server_run.cpp).
    void report(PayloadReader arguments);
    void run(PayloadReader arguments);
    void run_with_signal(PayloadReader arguments);
    void step(PayloadReader arguments);
    void step_with_signal(PayloadReader arguments);
    void run_threads(PayloadReader arguments);
    void list_actions(PayloadReader arguments);
    void interrupt(PayloadReader arguments);
    void restart(PayloadReader arguments);
    void start(PayloadReader arguments);
    void detach(PayloadReader arguments);
    void kill(PayloadReader arguments);
    void kill_process(PayloadReader arguments);
    void extend(PayloadReader arguments);
    [[nodiscard]] bool jump(PayloadReader& arguments);
    void go_on();
    /// Steps at least once, and on while the program counter is in [start, end).
    void step_through(std::uint32_t start, std::uint32_t end);
    [[nodiscard]] Halt step_once();
    /// Passes the access that a watchpoint stopped. Returns false if that came to another stop.
    [[nodiscard]] bool pass_watched();
    [[nodiscard]] bool wants_stop();
    void stopped(const Halt& halt);

    // Questions (server_queries.cpp).
    void say_support(PayloadReader arguments);
    void start_no_ack(PayloadReader arguments);
    void describe_target(PayloadReader arguments);
    void describe_memory(PayloadReader arguments);
    void send_part(const std::string& document, PayloadReader arguments);
    void set_thread(PayloadReader arguments);
    void is_alive(PayloadReader arguments);
    void say_thread(PayloadReader arguments);
    void list_threads(PayloadReader arguments);
    void list_no_threads(PayloadReader arguments);
    void describe_thread(PayloadReader arguments);
    void say_attached(PayloadReader arguments);
    void say_ok(PayloadReader arguments);
    void monitor(PayloadReader arguments);
    void reset_machine(const std::string& arguments);
    [[nodiscard]] const std::vector<ThreadInfo>& threads();

    Machine& machine_;
    Client client_;
    PacketReader reader_;
    CoreRegisters registers_;
    Points points_;
    State state_ = State::Serving;
    Halt halt_;
    std::string last_frame_;
    bool acks_ = true, extended_ = false;  ///< extended: the client stays after a kill
    bool software_stops_ = false, hardware_stops_ = false;  ///< the client knows these reasons
    std::optional<std::vector<ThreadInfo>> threads_;        ///< of this stop, once asked for
    std::uint32_t chosen_thread_ = 0;                       ///< 0: the one that runs
    std::map<std::uint32_t, std::string> flash_;            ///< written, until vFlashDone
    std::size_t flash_bytes_ = 0;
};

}  // namespace n6vp::sim::debugger
