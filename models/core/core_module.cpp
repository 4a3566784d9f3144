// SPDX-License-Identifier: Apache-2.0
#include "models/core/core_module.h"

#include <algorithm>

namespace n6vp::models {

namespace {

constexpr std::uint32_t kPageBytes = 4096;
/// Quanta that the core runs at once where nobody else has anything to do meanwhile: nobody can
/// tell the difference, and the kernel is asked less often.
constexpr double kIdleQuanta = 8;
enum Tag : int { kInstruction, kData, kTcm };

}  // namespace

CoreModule::CoreModule(const sc_core::sc_module_name& name, const CoreModuleConfig& config)
    : sc_module(name),
      instruction_port("instruction_port"),
      m_axi("m_axi"),
      tcm("tcm"),
      config_(config),
      ps_per_cycle_(1e12 / config.core_hz),
      cycles_per_ps_(config.core_hz * 1e-12),
      core_(config.core, *this) {
    instruction_port.register_invalidate_direct_mem_ptr(this, &CoreModule::invalidate_direct,
                                                        kInstruction);
    m_axi.register_invalidate_direct_mem_ptr(this, &CoreModule::invalidate_direct, kData);
    tcm.register_invalidate_direct_mem_ptr(this, &CoreModule::invalidate_direct, kTcm);
    SC_HAS_PROCESS(CoreModule);
    SC_THREAD(run_core);
}

// Both are asked several times per quantum and per access to a device: they round by adding a half.
Picoseconds CoreModule::time_of(std::uint64_t cycle) const {
    return static_cast<Picoseconds>(static_cast<double>(cycle) * ps_per_cycle_ + 0.5);
}

std::uint64_t CoreModule::cycle_of(Picoseconds time) const {
    return static_cast<std::uint64_t>(static_cast<double>(time) * cycles_per_ps_ + 0.5);
}

/// Cycles until the core must look up from its work.
std::uint64_t CoreModule::slice() const {
    sc_core::sc_time ahead = config_.quantum;
    if (config_.core.timing == core::Timing::Precise)
        ahead = std::min(ahead, sc_core::sc_time(100, sc_core::SC_NS));
    const sc_core::sc_time next = sc_core::sc_time_to_pending_activity();
    // Activity at this very time does not wait for the core: one delta cycle later it is done.
    if (next > ahead * kIdleQuanta) {
        ahead *= kIdleQuanta;
    } else if (next > sc_core::SC_ZERO_TIME) {
        ahead = std::min(ahead, next);
    }
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(static_cast<double>(ahead.value()) * cycles_per_ps_));
}

void CoreModule::catch_up(std::uint64_t cycle) {
    const sc_core::sc_time ahead = delay_until(time_of(cycle));
    if (ahead > sc_core::SC_ZERO_TIME) wait(ahead);
}

void CoreModule::let_others_go_first(std::uint64_t cycle) {
    // Where nobody has anything to do until then, the annotation says the time as well as the
    // kernel would, and costs no change of threads.
    const sc_core::sc_time ahead = delay_until(time_of(cycle));
    if (sc_core::sc_time_to_pending_activity() <= ahead) catch_up(cycle);
}

void CoreModule::run_core() {
    if (!released_) return;
    core_.reset();
    while (true) {
        // What happens at this very time happens first.
        if (sc_core::sc_pending_activity_at_current_time()) wait(sc_core::SC_ZERO_TIME);
        woken_ = false;
        const core::Stop stop = core_.run(slice());
        catch_up(core_.cycles());
        switch (stop) {
            case core::Stop::Budget:
            case core::Stop::Requested:
                break;
            case core::Stop::Sleep:
                sleep();
                break;
            case core::Stop::Semihosting:
                if (on_semihosting && on_semihosting(core_)) {
                    core_.skip_breakpoint();
                    break;
                }
                [[fallthrough]];
            default:
                stop_ = stop;
                return;
        }
    }
}

void CoreModule::sleep() {
    // A timer of the core may wake it, too.
    const std::uint64_t timer = core_.system().next_event(core_.state(), core_.cycles());
    sc_core::sc_time longest = config_.quantum;
    if (timer < cycle_of(longest.value()))
        longest = to_sc_time(std::max<Picoseconds>(1, time_of(timer)));
    if (!woken_) wait(longest, wake_);
    const std::uint64_t now = cycle_of(sc_core::sc_time_stamp().value());
    if (now > core_.cycles()) core_.pass_time(now - core_.cycles());
}

void CoreModule::set_interrupt(unsigned irq, bool level) {
    core_.set_interrupt(irq, level);
    woken_ = true;
    wake_.notify();
}

void CoreModule::receive_event() {
    core_.receive_event();
    woken_ = true;
    wake_.notify();
}

CoreModule::Socket& CoreModule::port_for(std::uint32_t address,
                                         const core::BusAttributes& attributes) {
    for (const core::TcmRange& range : config_.core.tcm) {
        if (range.start <= address && address <= range.end) return tcm;
    }
    return attributes.port == core::Port::Instruction ? instruction_port : m_axi;
}

core::BusAnswer CoreModule::transport(tlm::tlm_command command, std::uint32_t address,
                                      std::uint8_t* data, std::size_t bytes,
                                      const core::BusAttributes& attributes, std::uint64_t at) {
    const bool functional = config_.core.timing == core::Timing::Functional;
    // Writes to memory may carry what is there already (write-backs): nothing may come between.
    const bool precise = config_.core.timing == core::Timing::Precise;
    const bool synchronise =
        (precise && command == tlm::TLM_READ_COMMAND) || (attributes.device && !functional);
    const auto length = static_cast<unsigned>(bytes);
    if (synchronise) let_others_go_first(at);
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(data);
    payload_.set_data_length(length);
    payload_.set_streaming_width(length);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    attributes_.secure = attributes.secure;
    attributes_.privileged = attributes.privileged;
    attributes_.instruction = attributes.port == core::Port::Instruction;
    attributes_.exclusive = attributes.exclusive;
    timing_.first_beat = timing_.last_beat = 0;
    payload_.set_extension(&attributes_);
    payload_.set_extension(&timing_);
    const Picoseconds begin = std::max<Picoseconds>(time_of(at), sc_core::sc_time_stamp().value());
    sc_core::sc_time delay = delay_until(begin);
    port_for(address, attributes)->b_transport(payload_, delay);
    payload_.clear_extension(&attributes_);
    payload_.clear_extension(&timing_);
    // What a device announced in answer to this access must find the core on time.
    if (attributes.device) {
        const sc_core::sc_time next = sc_core::sc_time_to_pending_activity();
        core_.end_run_at(cycle_of((sc_core::sc_time_stamp() + next).value()));
    }
    core::BusAnswer answer;
    answer.ok = payload_.is_response_ok();
    if (functional) return answer;
    answer.cycles = cycle_of(absolute_ps(delay) - begin);
    if (timing_.last_beat != 0) answer.first_cycles = cycle_of(timing_.first_beat - begin);
    return answer;
}

core::BusAnswer CoreModule::read(std::uint32_t address, std::span<std::uint8_t> data,
                                 const core::BusAttributes& attributes, std::uint64_t at) {
    return transport(tlm::TLM_READ_COMMAND, address, data.data(), data.size(), attributes, at);
}

core::BusAnswer CoreModule::write(std::uint32_t address, std::span<const std::uint8_t> data,
                                  const core::BusAttributes& attributes, std::uint64_t at) {
    // TLM's data pointer is not constant; a write command does not change what it points to.
    auto* bytes = const_cast<std::uint8_t*>(data.data());
    return transport(tlm::TLM_WRITE_COMMAND, address, bytes, data.size(), attributes, at);
}

core::DirectMemory CoreModule::direct(std::uint32_t address,
                                      const core::BusAttributes& attributes) {
    const auto [found, unknown] = direct_.try_emplace(address / kPageBytes);
    if (!unknown) return found->second;
    payload_.set_command(tlm::TLM_READ_COMMAND);
    payload_.set_address(address);
    tlm::tlm_dmi dmi;
    Socket& port = port_for(address, attributes);
    if (!port->get_direct_mem_ptr(payload_, dmi) || !dmi.is_read_allowed()) return {};
    const std::uint64_t page = address & ~std::uint64_t{kPageBytes - 1};
    if (dmi.get_start_address() > page || dmi.get_end_address() < page + (kPageBytes - 1))
        return {};
    core::DirectMemory& memory = found->second;
    memory.bytes = dmi.get_dmi_ptr();
    memory.start = static_cast<std::uint32_t>(dmi.get_start_address());
    memory.end = static_cast<std::uint32_t>(dmi.get_end_address());
    memory.readable = true;
    memory.writable = dmi.is_write_allowed();
    return memory;
}

void CoreModule::invalidate_direct(int /*tag*/, sc_dt::uint64 start, sc_dt::uint64 end) {
    direct_.clear();
    core_.invalidate(static_cast<std::uint32_t>(start),
                     static_cast<std::uint32_t>(std::min<sc_dt::uint64>(end, 0xFFFFFFFF)));
}

}  // namespace n6vp::models
