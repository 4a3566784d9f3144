// SPDX-License-Identifier: Apache-2.0
#include "models/core/core_module.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace n6vp::models {

namespace {

constexpr std::uint32_t kPageBytes = 4096;
/// Of `Timing::Precise`.
constexpr double kPreciseQuantumNs = 100;
/// Deltas at one time that the core lets pass before its turn. Chains of zero-time notifications
/// are shorter; two initiators that wait for each other must end.
constexpr unsigned kDeltas = 64;
enum Tag : int { kInstruction, kData, kTcm };

/// Names what a target may answer differently.
std::uint32_t direct_key(std::uint32_t page, const core::BusAttributes& attributes) {
    const bool instruction = attributes.port == core::Port::Instruction;
    return page << 3 | (instruction ? 4u : 0u) | (attributes.secure ? 2u : 0u) |
           (attributes.privileged ? 1u : 0u);
}

}  // namespace

CoreModule::CoreModule(const sc_core::sc_module_name& name, const CoreModuleConfig& config)
    : sc_module(name),
      instruction_port("instruction_port"),
      m_axi("m_axi"),
      tcm("tcm"),
      config_(config),
      clock_hz_(config.core_hz),
      ps_per_cycle_(1e12 / config.core_hz),
      cycles_per_ps_(config.core_hz * 1e-12),
      core_(wired(config.core), *this) {
    instruction_port.register_invalidate_direct_mem_ptr(this, &CoreModule::invalidate_direct,
                                                        kInstruction);
    m_axi.register_invalidate_direct_mem_ptr(this, &CoreModule::invalidate_direct, kData);
    tcm.register_invalidate_direct_mem_ptr(this, &CoreModule::invalidate_direct, kTcm);
    transfer_.runs_ahead = this;
    transfer_.untimed = config.core.timing == core::Timing::Functional;
    SC_HAS_PROCESS(CoreModule);
    SC_THREAD(run_core);
}

core::CoreConfig CoreModule::wired(core::CoreConfig config) {
    config.system.reset_request = [this, also = config.system.reset_request] {
        if (also) also();
        reset_requested_ = true;
        core_.request_stop();
    };
    config.system.trace_port = [this, also = config.system.trace_port](
                                   unsigned port, std::uint32_t value, unsigned bytes) {
        if (also) also(port, value, bytes);
        if (on_stimulus) on_stimulus(port, value, bytes);
    };
    return config;
}

// All four are asked several times per quantum and per access to a device: they round by adding a
// half, and convert as signed, which hosts do in one instruction. Only a duration may need all 64
// bits: "never".
Picoseconds CoreModule::duration_of(std::uint64_t cycles) const {
    const auto count = static_cast<double>(static_cast<std::int64_t>(cycles));
    const double ps = count * ps_per_cycle_ + 0.5;
    return static_cast<Picoseconds>(static_cast<std::int64_t>(ps));
}

std::uint64_t CoreModule::cycles_in(Picoseconds duration) const {
    const double cycles = static_cast<double>(duration) * cycles_per_ps_ + 0.5;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(cycles));
}

Picoseconds CoreModule::time_of(std::uint64_t cycle) const {
    // A clock that changed inside a block makes its first cycles ones of the past: they are over.
    return cycle <= anchor_cycle_ ? anchor_time_
                                  : anchor_time_ + duration_of(cycle - anchor_cycle_);
}

Picoseconds CoreModule::own_time() const {
    return std::max<Picoseconds>(time_of(core_.cycles()), sc_core::sc_time_stamp().value());
}

std::uint64_t CoreModule::cycle_of(Picoseconds time) const {
    // While an access lasts or the core is ahead, the anchor may be in the future.
    return time <= anchor_time_ ? anchor_cycle_ : anchor_cycle_ + cycles_in(time - anchor_time_);
}

void CoreModule::change_clock(double hz, std::uint64_t cycle) {
    anchor_time_ = time_of(cycle);
    anchor_cycle_ = cycle;
    clock_hz_ = hz;
    ps_per_cycle_ = 1e12 / hz;
    cycles_per_ps_ = hz * 1e-12;
    // The cycles that were granted are of another length now.
    core_.end_run_at(cycle);
}

void CoreModule::set_clock_hz(double hz) {
    if (!(hz > 0)) {
        SC_REPORT_FATAL("/n6vp/core", "a clock must be above 0 Hz");
        return;
    }
    if (in_access_) {
        next_clock_hz_ = hz;
        return;
    }
    change_clock(hz, std::max(core_.cycles(), cycle_of(sc_core::sc_time_stamp().value())));
    wake();
}

/// Cycles until the core must look up from its work.
std::uint64_t CoreModule::slice() const {
    sc_core::sc_time ahead = config_.quantum;
    double idle_quanta = std::max(1.0, config_.idle_quanta);
    if (config_.core.timing == core::Timing::Precise) {
        ahead = std::min(ahead, sc_core::sc_time(kPreciseQuantumNs, sc_core::SC_NS));
        idle_quanta = 1;
    }
    // Zero if deltas are left: what they announce is not known yet, one block is all.
    const sc_core::sc_time next = sc_core::sc_time_to_pending_activity();
    const sc_core::sc_time idle = ahead * idle_quanta;
    ahead = next > idle ? idle : std::min(ahead, next);
    return std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(static_cast<double>(ahead.value()) * cycles_per_ps_));
}

void CoreModule::catch_up(std::uint64_t cycle) {
    const sc_core::sc_time ahead = delay_until(time_of(cycle));
    if (ahead > sc_core::SC_ZERO_TIME) wait(ahead);
}

void CoreModule::let_deltas_pass() {
    for (unsigned i = 0; i < kDeltas && sc_core::sc_pending_activity_at_current_time(); ++i)
        wait(sc_core::SC_ZERO_TIME);
}

void CoreModule::synchronise(sc_core::sc_time& delay) {
    // Where no process is due until then, the annotation says the time as well as the
    // kernel would, and costs no change of threads.
    if (sc_core::sc_time_to_pending_activity() > delay) return;
    others_ran_ = true;
    if (delay > sc_core::SC_ZERO_TIME) wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
    // Others that are due at the same time may come after the core, or take several deltas.
    let_deltas_pass();
}

void CoreModule::release_reset() {
    if (released_) return;
    released_ = true;
    reset_pending_ = core::Reset::PowerOn;
    wake();
}

void CoreModule::reset(core::Reset kind) {
    if (!released_) return;
    // Of two resets at once the stronger one counts.
    if (!reset_pending_ || kind == core::Reset::PowerOn) reset_pending_ = kind;
    core_.request_stop();
    wake();
}

void CoreModule::start(core::Reset kind) {
    anchor_cycle_ = 0;
    anchor_time_ = sc_core::sc_time_stamp().value();
    stop_ = core::Stop::Budget;
    reset_requested_ = stop_requested_ = false;
    posted_until_ = 0;
    clock_stopped_ = off_ = false;
    const std::optional<Start> given = on_start ? on_start() : std::nullopt;
    core_.reset(kind);
    if (probe_ports != 0) core_.enable_trace(probe_ports);
    if (!given) return;
    if (given->vectors) {
        constexpr std::uint32_t kVtor = 0xE000ED08;
        (void)core_.system().write_ppb(core_.state(), kVtor, 4, core_.cycles(), *given->vectors);
    }
    core_.set_reg(13, given->stack & ~3u);
    core_.set_pc(given->pc & ~1u);
}

void CoreModule::run_core() {
    while (!released_) wait_for_wake();
    while (true) {
        // What happens at this very time happens first, and announces what comes next.
        let_deltas_pass();
        if (reset_pending_) {
            start(*std::exchange(reset_pending_, std::nullopt));
            if (std::exchange(stop_at_reset_, false)) {
                halt(core::Stop::Requested);
                continue;
            }
        }
        if (clock_stopped_ && core_.try_wake()) start_clock();
        woken_ = false;
        executing_ = true;
        repetition_.known = false;
        // A step that is asked for while the core catches up is the next one.
        const bool steps = stepping_;
        const core::Stop stop = steps ? core_.step() : core_.run_awake(slice());
        executing_ = false;
        catch_up(core_.cycles());
        if (std::exchange(reset_requested_, false) && on_reset_request) on_reset_request();
        if (steps && stepping_ && stop != core::Stop::Sleep) {
            stepping_ = false;
            (reset_pending_ ? stop_at_reset_ : stop_requested_) = true;
        }
        if (reset_pending_) continue;
        const bool ordinary = stop == core::Stop::Budget || stop == core::Stop::Requested ||
                              stop == core::Stop::Sleep;
        if (stop_requested_ && ordinary) {
            stop_requested_ = false;
            halt(core::Stop::Requested);
        } else if (stop != core::Stop::Budget) {
            answer(stop);
        }
    }
}

void CoreModule::answer(core::Stop stop) {
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
                // A program whose every block ends in such a call would never be found elsewhere.
                if (std::exchange(stop_requested_, false)) halt(core::Stop::Requested);
                break;
            }
            [[fallthrough]];
        default:
            stop_requested_ = false;
            halt(stop);
            break;
    }
}

void CoreModule::pass_idle_time() {
    if (off_) return;
    const std::uint64_t now = cycle_of(sc_core::sc_time_stamp().value());
    if (now > core_.cycles()) core_.pass_time(now - core_.cycles());
}

void CoreModule::sleep() {
    if (!woken_) {
        on_sleep(true);
        if (!clock_stopped_ && on_deep_sleep && core_.system().sleeps_deeply() && on_deep_sleep()) {
            clock_stopped_ = true;
            core_.system().stop_clock(core_.state(), core_.cycles());
        }
        // A timer of the core may wake it, too.
        const std::uint64_t timer = core_.system().next_event(core_.state(), core_.cycles());
        if (off_) {
            wait_for_reset();
        } else if (timer == std::numeric_limits<std::uint64_t>::max()) {
            wait_for_wake();
        } else {
            waiting_ = true;
            wait(to_sc_time(std::max<Picoseconds>(1, duration_of(timer))), wake_);
            waiting_ = false;
        }
        on_sleep(false);
    }
    pass_idle_time();
}

void CoreModule::start_clock() {
    clock_stopped_ = false;
    core_.system().start_clock(core_.state(), core_.cycles());
    if (on_deep_wake) on_deep_wake();
}

void CoreModule::halt(core::Stop stop) {
    stop_ = stop;
    stepping_ = false;
    if (on_stop) on_stop();
    while (stop_ != core::Stop::Budget && !reset_pending_) wait_for_wake();
    pass_idle_time();
}

void CoreModule::wait_for_wake() {
    waiting_ = true;
    wait(wake_);
    waiting_ = false;
}

/// A debugger stops and resumes a core without power, too.
void CoreModule::wait_for_reset() {
    while (!reset_pending_) {
        if (std::exchange(stop_requested_, false)) {
            halt(core::Stop::Requested);
        } else {
            wait_for_wake();
        }
    }
}

void CoreModule::stop() {
    if (stop_ != core::Stop::Budget || !released_) return;
    stop_requested_ = true;
    core_.request_stop();
    wake();
}

void CoreModule::resume() {
    if (stop_ != core::Stop::Lockup) stop_ = core::Stop::Budget;
    wake();
}

void CoreModule::step() {
    stepping_ = true;
    resume();
}

void CoreModule::wake() {
    woken_ = true;
    // Before the simulation starts there is no waiting process, and notification is not allowed.
    if (waiting_) wake_.notify();
}

void CoreModule::set_interrupt(unsigned irq, bool level) {
    core_.set_interrupt(irq, level);
    wake();
}

void CoreModule::receive_event() {
    core_.receive_event();
    wake();
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
    const bool must_synchronise =
        (precise && command == tlm::TLM_READ_COMMAND) || (attributes.device && !functional);
    const auto length = static_cast<unsigned>(bytes);
    in_access_ = true;
    others_ran_ = false;
    repetition_.known = false;
    const Picoseconds begin = std::max<Picoseconds>(time_of(at), sc_core::sc_time_stamp().value());
    sc_core::sc_time delay = delay_until(begin);
    if (must_synchronise) synchronise(delay);
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(data);
    payload_.set_data_length(length);
    payload_.set_streaming_width(length);
    // Bytes that are there already: a target that lets time pass must not write them later.
    payload_.set_byte_enable_ptr(attributes.unchanged ? &no_byte_ : nullptr);
    payload_.set_byte_enable_length(attributes.unchanged ? 1 : 0);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    attribute(transfer_, attributes);
    transfer_.clear_answer();
    payload_.set_extension(&transfer_);
    port_for(address, attributes)->b_transport(payload_, delay);
    payload_.clear_extension(&transfer_);
    in_access_ = false;
    if (payload_.is_dmi_allowed()) forget_refusal(address, attributes);
    core::BusAnswer answer;
    answer.ok = payload_.is_response_ok();
    answer.others_ran = others_ran_;
    // The core waits for all of an access to a device, and may not for others.
    const bool at_end = attributes.device && answer.ok;
    if (next_clock_hz_ != 0 && !at_end) change_clock(std::exchange(next_clock_hz_, 0), at);
    if (!functional) {
        answer.cycles = cycles_in(absolute_ps(delay) - begin);
        if (transfer_.last_beat != 0) answer.first_cycles = cycles_in(transfer_.first_beat - begin);
    }
    // In functional time what is written takes effect at once.
    if (attributes.device && command == tlm::TLM_WRITE_COMMAND && !functional)
        posted_until_ = std::max({posted_until_, absolute_ps(delay), transfer_.effect});
    if (next_clock_hz_ != 0) change_clock(std::exchange(next_clock_hz_, 0), at + answer.cycles);
    end_run_at_next_event();
    return answer;
}

std::uint64_t CoreModule::finish_writes(std::uint64_t at) {
    const Picoseconds until = std::exchange(posted_until_, 0);
    if (until == 0) return 0;
    repetition_.known = false;
    const Picoseconds begin = std::max<Picoseconds>(time_of(at), sc_core::sc_time_stamp().value());
    sc_core::sc_time delay = delay_until(std::max(begin, until));
    in_access_ = true;
    synchronise(delay);
    in_access_ = false;
    std::uint64_t end = std::max(at, cycle_of(until));
    if (time_of(end) < until) ++end;  // no earlier than that, by rounding
    if (next_clock_hz_ != 0) change_clock(std::exchange(next_clock_hz_, 0), end);
    end_run_at_next_event();
    return end - at;
}

void CoreModule::end_run_at_next_event() {
    // What a target announced in answer to an access must find the core on time.
    const sc_core::sc_time next = sc_core::sc_time_to_pending_activity();
    core_.end_run_at(cycle_of((sc_core::sc_time_stamp() + next).value()));
}

void CoreModule::attribute(Transfer& transfer, const core::BusAttributes& attributes) {
    transfer.secure = attributes.secure;
    transfer.privileged = attributes.privileged;
    transfer.instruction = attributes.port == core::Port::Instruction;
    transfer.exclusive = attributes.exclusive;
    transfer.for_store = attributes.for_store;
}

void CoreModule::forget_refusal(std::uint32_t address, const core::BusAttributes& attributes) {
    const auto known = direct_.find(direct_key(address / kPageBytes, attributes));
    if (known == direct_.end() || known->second.bytes != nullptr) return;
    direct_.erase(known);
    last_key_ = kNoKey;
}

core::BusAnswer CoreModule::read(std::uint32_t address, std::span<std::uint8_t> data,
                                 const core::BusAttributes& attributes, std::uint64_t at) {
    return transport(tlm::TLM_READ_COMMAND, address, data.data(), data.size(), attributes, at);
}

void CoreModule::prepare_again(std::uint32_t address, std::span<std::uint8_t> data,
                               const core::BusAttributes& attributes) {
    const auto length = static_cast<unsigned>(data.size());
    payload_.set_command(tlm::TLM_READ_COMMAND);
    payload_.set_address(address);
    payload_.set_data_ptr(data.data());
    payload_.set_data_length(length);
    payload_.set_streaming_width(length);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_response_status(tlm::TLM_OK_RESPONSE);
    attribute(transfer_, attributes);
    repetition_.data = data.data();
    repetition_.target =
        dynamic_cast<RepeatableTarget*>(port_for(address, attributes).operator->());
}

bool CoreModule::read_again(std::uint32_t address, std::span<std::uint8_t> data,
                            const core::BusAttributes& attributes, std::uint64_t at,
                            std::uint64_t& cycles) {
    if (!repetition_.known) {
        const Picoseconds now = sc_core::sc_time_stamp().value();
        const sc_core::sc_time next = sc_core::sc_time_to_pending_activity();
        repetition_ = {.known = true, .now = now, .quiet_until = now + next.value()};
        ++series_;
    }
    const Picoseconds begin = std::max(time_of(at), repetition_.now);
    // A kernel event is due by then: an executed `read` would let its process run first.
    if (begin >= repetition_.quiet_until) return false;
    if (data.data() != repetition_.data) prepare_again(address, data, attributes);
    if (repetition_.target == nullptr) return false;
    transfer_.clear_answer();
    const Picoseconds end = repetition_.target->read_again(
        payload_, address, transfer_, {begin, repetition_.quiet_until, series_});
    if (end == RepeatableTarget::kDeclined) return false;
    cycles = config_.core.timing == core::Timing::Functional ? 0 : cycles_in(end - begin);
    return true;
}

core::BusAnswer CoreModule::write(std::uint32_t address, std::span<const std::uint8_t> data,
                                  const core::BusAttributes& attributes, std::uint64_t at) {
    // TLM's data pointer is not constant; a write command does not change what it points to.
    auto* bytes = const_cast<std::uint8_t*>(data.data());
    return transport(tlm::TLM_WRITE_COMMAND, address, bytes, data.size(), attributes, at);
}

core::DirectMemory CoreModule::direct(std::uint32_t address,
                                      const core::BusAttributes& attributes) {
    const std::uint32_t key = direct_key(address / kPageBytes, attributes);
    // A device that is polled is asked for all the time.
    if (key == last_key_) return last_direct_;
    if (const auto known = direct_.find(key); known != direct_.end()) {
        last_key_ = key;
        return last_direct_ = known->second;
    }
    repetition_.known = false;
    query_.set_command(tlm::TLM_READ_COMMAND);
    query_.set_address(address);
    query_transfer_.asked_at = own_time();
    attribute(query_transfer_, attributes);
    query_.set_extension(&query_transfer_);
    tlm::tlm_dmi dmi;
    // The target may take back what it granted before, while it answers.
    const bool granted = port_for(address, attributes)->get_direct_mem_ptr(query_, dmi);
    query_.clear_extension(&query_transfer_);
    const std::uint64_t page = address & ~std::uint64_t{kPageBytes - 1};
    core::DirectMemory memory;
    if (granted && dmi.is_read_allowed() && dmi.get_start_address() <= page &&
        dmi.get_end_address() >= page + (kPageBytes - 1)) {
        // No more than this page: the rest may be taken back while this stays.
        memory.bytes = dmi.get_dmi_ptr() + (page - dmi.get_start_address());
        memory.start = static_cast<std::uint32_t>(page);
        memory.end = memory.start + (kPageBytes - 1);
        memory.readable = true;
        memory.writable = dmi.is_write_allowed();
    }
    direct_.insert_or_assign(key, memory);
    return memory;
}

bool CoreModule::look(std::uint32_t address, std::span<std::uint8_t> bytes) {
    if (core::CoreBus::look(address, bytes)) return true;
    const auto length = static_cast<unsigned>(bytes.size());
    query_.set_command(tlm::TLM_READ_COMMAND);
    query_.set_address(address);
    query_.set_data_ptr(bytes.data());
    query_.set_data_length(length);
    const unsigned moved = port_for(address, {})->transport_dbg(query_);
    query_.set_data_ptr(nullptr);
    query_.set_data_length(0);
    return moved == length;
}

void CoreModule::invalidate_direct(int /*tag*/, sc_dt::uint64 start, sc_dt::uint64 end) {
    constexpr sc_dt::uint64 kLastAddress = 0xFFFFFFFF;
    if (start > end || start > kLastAddress) return;
    const auto first = static_cast<std::uint32_t>(start);
    const auto last = static_cast<std::uint32_t>(std::min(end, kLastAddress));
    last_key_ = kNoKey;
    std::erase_if(direct_, [first, last](const auto& entry) {
        const std::uint32_t page = entry.first >> 3;
        return page >= first / kPageBytes && page <= last / kPageBytes;
    });
    core_.invalidate(first, last);
}

}  // namespace n6vp::models
