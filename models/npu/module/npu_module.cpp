// SPDX-License-Identifier: Apache-2.0
#include "models/npu/module/npu_module.h"

#include <algorithm>
#include <cstring>

#include "memmap/npu/units.h"

namespace n6vp::models {

namespace {

constexpr unsigned kControllerPort = 2;
constexpr unsigned kHostLines = 4;

}  // namespace

NpuModule::NpuModule(const sc_core::sc_module_name& name, const npu::NpuParameters& parameters,
                     const NpuModuleConfig& config)
    : sc_module(name),
      to("to", kPorts),
      config_(config),
      npu_(parameters, *this),
      registers_(*this),
      kernel_time_(sc_core::sc_time_stamp()) {
    for (Port& port : ports_) {
        port.trans.set_extension(&port.transfer);
        port.transfer.untimed = !config.timed;
    }
    npu_.set_cycle(cycles_to_ps(1, config.hz));
    connect();
    const auto spawn = [](sc_core::sc_event& event, const char* process, auto action) {
        sc_core::sc_spawn_options options;
        options.spawn_method();
        options.dont_initialize();
        options.set_sensitivity(&event);
        sc_core::sc_spawn(action, process, &options);
    };
    spawn(due_, "work", [this] { work(); });
    spawn(lines_due_, "lines", [this] { publish_lines(now()); });
}

NpuModule::~NpuModule() {
    // Payloads delete what extensions they have.
    for (Port& port : ports_) port.trans.clear_extension(&port.transfer);
}

void NpuModule::connect() {
    npu_.on_lines = [this](std::uint32_t lines, Picoseconds at) { change_lines(lines, at); };
    npu_.on_event = [this](const npu::NpuEvent& event) { on_event(event); };
    npu_.on_label = [this](std::uint32_t label, Picoseconds at) { on_label(label, at); };
    npu_.on_engine = [this](unsigned engine, const npu::StreamConfig& stream,
                            const npu::EngineCounters* counters,
                            Picoseconds at) { on_engine(engine, stream, counters, at); };
    npu_.on_convolution = [this](unsigned unit, const npu::ConvolutionNode::Counters& counters,
                                 Picoseconds at) { on_convolution(unit, counters, at); };
}

void NpuModule::set_clock_hz(double hz) {
    run_until(now());
    npu_.set_cycle(cycles_to_ps(1, hz));
    schedule();
}

// Time -----------------------------------------------------------------------------------------

Picoseconds NpuModule::lead() const {
    return reached_ > now() ? reached_ - now() : 0;
}

Picoseconds NpuModule::due() const {
    return writes_.empty() ? npu_.due() : std::min(writes_.front().at, npu_.due());
}

Picoseconds NpuModule::run_until(Picoseconds until) {
    while (!writes_.empty() && writes_.front().at <= until) {
        const Write write = writes_.front();
        writes_.pop_front();
        reached_ = std::max(reached_, write.at);
        (void)npu_.write(write.offset, write.value, reached_, write.mask);
    }
    reached_ = std::max(reached_, until);
    const Picoseconds next = npu_.run_until(reached_);
    return writes_.empty() ? next : std::min(writes_.front().at, next);
}

void NpuModule::work() {
    due_.cancel();  // so that it is not among what the kernel has to do
    const Picoseconds start = now();
    for (Picoseconds next = due(); next != kNever;) {
        if (next > start) {
            // Asked each time: what the NPU does may concern others at once.
            const Picoseconds free = sc_core::sc_time_to_pending_activity().value();
            if (next - start >= std::min(free, config_.ahead)) break;
        }
        next = run_until(next);
    }
    schedule();
}

void NpuModule::schedule() {
    due_.cancel();
    const Picoseconds next = due();
    if (next == kNever) return;
    const Picoseconds start = now();
    due_.notify(next > start ? to_sc_time(next - start) : sc_core::SC_ZERO_TIME);
}

// Registers ------------------------------------------------------------------------------------

const char* NpuModule::name_of(std::uint32_t offset) {
    const auto known = names_.find(offset);
    if (known != names_.end()) return known->second.c_str();
    namespace map = memmap::npu;
    std::string name;
    const map::Unit unit = map::unit_at(offset / map::kPageBytes);
    if (unit.type != nullptr) {
        const map::Place place = map::register_at(*unit.type, offset % map::kPageBytes);
        if (place.at != nullptr) {
            name = unit.type->name;
            if (unit.type->count > 1) name += std::to_string(unit.index);
            name += std::string(".") + place.at->name;
            if (place.at->count > 1) name += std::to_string(place.index);
        }
    }
    return names_.emplace(offset, std::move(name)).first->second.c_str();
}

RegisterBlock::Answer NpuModule::Registers::read(std::uint32_t offset, Picoseconds at) {
    owner_.run_until(at);
    const npu::RegisterWindow::Value value = owner_.npu_.read(offset, owner_.reached_);
    owner_.access_done();
    return {value.word, true, value.exists, owner_.name_of(offset)};
}

RegisterBlock::Answer NpuModule::Registers::write(std::uint32_t offset, std::uint32_t value,
                                                  std::uint32_t mask, Picoseconds at) {
    const Picoseconds last = owner_.writes_.empty() ? 0 : owner_.writes_.back().at;
    owner_.writes_.push_back({std::max(at, last), offset, value, mask});
    if (!owner_.config_.timed) owner_.run_until(owner_.writes_.back().at);
    owner_.access_done();
    const char* const name = owner_.name_of(offset);
    return {0, true, *name != '\0', name};
}

void NpuModule::access_done() {
    // Who does not wait for its accesses must find what they did behind them.
    if (!config_.timed) publish_lines(reached_);
    schedule();
}

void NpuModule::Registers::reset() {
    owner_.reset_all();
}

void NpuModule::reset_all() {
    writes_.clear();
    npu_.reset();
    // Changes that are still to come are none any more.
    lines_.clear();
    lines_due_.cancel();
    change_lines(npu_.lines(), now());
    if (on_reset) on_reset();
    schedule();
}

// Interrupts -----------------------------------------------------------------------------------

void NpuModule::change_lines(std::uint32_t levels, Picoseconds at) {
    const Picoseconds last = lines_.empty() ? now() : lines_.back().at;
    lines_.push_back({std::max(at, last), levels});
    publish_lines(now());
}

void NpuModule::publish_lines(Picoseconds until) {
    while (!lines_.empty() && lines_.front().at <= until) {
        const std::uint32_t levels = lines_.front().levels;
        lines_.pop_front();
        const std::uint32_t changed = levels ^ levels_;
        levels_ = levels;
        for (unsigned line = 0; line < kHostLines; ++line) {
            if ((changed >> line & 1) != 0) on_interrupt(line, (levels >> line & 1) != 0);
        }
    }
    if (!lines_.empty()) lines_due_.notify(delay_until(lines_.front().at));
}

// Memory ---------------------------------------------------------------------------------------

npu::BurstAnswer NpuModule::transact(const Request& request, Picoseconds at) {
    Port& port = ports_[request.port];
    Transfer& transfer = port.transfer;
    transfer.cacheable = request.cacheable;
    transfer.allocate = request.allocate;
    transfer.single_beats = request.single_beat;
    transfer.clear_answer();
    const auto length = static_cast<unsigned>(request.bytes);
    tlm::tlm_generic_payload& trans = port.trans;
    trans.set_command(request.command);
    trans.set_address(request.address);
    trans.set_data_ptr(request.data);
    trans.set_data_length(length);
    trans.set_streaming_width(length);
    trans.set_byte_enable_ptr(nullptr);
    trans.set_dmi_allowed(false);
    trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const Picoseconds start = now();
    sc_core::sc_time delay = to_sc_time(at > start ? at - start : 0);
    to[request.port]->b_transport(trans, delay);
    npu::BurstAnswer answer{trans.is_response_ok(), at, at};
    if (!config_.timed) return answer;
    answer.waited = transfer.waited;
    answer.service = transfer.service;
    answer.last = std::max<Picoseconds>(at, now() + delay.value());
    answer.first =
        transfer.first_beat == 0 ? answer.last : std::clamp(transfer.first_beat, at, answer.last);
    return answer;
}

void NpuModule::explain(const npu::EngineBurst& burst, bool write, npu::BurstAnswer& answer) {
    const Place place = place_of ? place_of(burst.address, burst.cacheable) : Place{};
    answer.memory = place.cause;
    answer.held = place.held;
    unsigned& holder = holders_[place.memory][write ? 1 : 0];
    const Transfer& transfer = ports_[port_of(burst.engine)].transfer;
    // An engine that waits for its own bursts is bound by the port, not by others.
    if (transfer.holder == transfer.initiator && holder == burst.engine) answer.waited = 0;
    holder = burst.engine;
}

npu::BurstAnswer NpuModule::read(const npu::EngineBurst& burst, std::span<std::uint8_t> bytes,
                                 Picoseconds at) {
    npu::BurstAnswer answer =
        transact({port_of(burst.engine), tlm::TLM_READ_COMMAND, burst.address, bytes.data(),
                  bytes.size(), burst.cacheable, burst.allocate, burst.beats == 1},
                 at);
    explain(burst, false, answer);
    return answer;
}

npu::BurstAnswer NpuModule::write(const npu::EngineBurst& burst,
                                  std::span<const std::uint8_t> bytes, Picoseconds at) {
    // TLM has one data pointer for both directions; a write command leaves the bytes alone.
    auto* const data = const_cast<std::uint8_t*>(bytes.data());
    npu::BurstAnswer answer =
        transact({port_of(burst.engine), tlm::TLM_WRITE_COMMAND, burst.address, data, bytes.size(),
                  burst.cacheable, burst.allocate, burst.beats == 1},
                 at);
    explain(burst, true, answer);
    return answer;
}

npu::EpochControllerBus::Fetched NpuModule::fetch(std::uint32_t address, Picoseconds at) {
    npu::EpochControllerBus::Fetched fetched;
    std::array<std::uint8_t, sizeof fetched.words> bytes{};
    const npu::BurstAnswer answer = transact({kControllerPort, tlm::TLM_READ_COMMAND, address,
                                              bytes.data(), bytes.size(), false, false, true},
                                             at);
    std::memcpy(fetched.words.data(), bytes.data(), bytes.size());
    fetched.ok = answer.ok;
    fetched.done = answer.last;
    return fetched;
}

}  // namespace n6vp::models
