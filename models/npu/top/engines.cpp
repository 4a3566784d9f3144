// SPDX-License-Identifier: Apache-2.0
#include "models/npu/top/engines.h"

#include <algorithm>
#include <utility>

#include "models/npu/registers/field_value.h"
#include "models/npu/stream/stream_registers.h"

namespace n6vp::models::npu {

namespace {

using memmap::npu::kIntctrl;
using memmap::npu::kStreng;

constexpr Register kEvent = reg(kStreng, "EVENT");
constexpr Register kIrq = reg(kStreng, "IRQ");
constexpr std::uint32_t kFrameLimit = field(kStreng, "IRQ.RAW_OFLOW_FRM").mask();
constexpr std::uint32_t kAddressLimit = field(kStreng, "IRQ.RAW_OFLOW_ADD").mask();
constexpr std::uint32_t kIllegal = field(kStreng, "IRQ.RAW_ILLCFG").mask();
/// The flags that the enable bits of EVENT let through, which lie in the same order.
constexpr unsigned kFirstEnable = field(kStreng, "EVENT.EN_BUFBL").lsb;
constexpr std::uint32_t kErrorFlags =
    kAddressLimit | kIllegal | field(kStreng, "IRQ.RAW_FMTMM").mask();
constexpr std::uint32_t kEventFlags =
    kFrameLimit | field(kStreng, "IRQ.RAW_BUFBL").mask() | field(kStreng, "IRQ.RAW_MRK").mask();
constexpr unsigned kFirstErrorSource = field(kIntctrl, "INTREG.STRENG_0_1").lsb;

constexpr Limit kForeignTrigger{kStreng.name, "EVENT.FRMTRG_SRC",
                                "what a trigger from an engine that stores nothing does; none is "
                                "waited for here"};

}  // namespace

Engines::Engines(const NpuContext& context, BusInterface& bus, EventQueue& event_queue,
                 const Listener& listener)
    : context_(context), bus_(bus), events_(event_queue), listener_(listener) {}

Engines::~Engines() {
    for (unsigned i = 0; i < kCount; ++i) {
        stop_following(i);
        if (engines_[i].input) context_.switchboard.source_gone(Switchboard::source_of(unit_of(i)));
    }
}

memmap::npu::Unit Engines::unit_of(unsigned engine) {
    return {&kStreng, engine};
}

const EngineCounters& Engines::counters_of(const Engine& engine) {
    return engine.input ? engine.input->counters() : engine.output->counters();
}

void Engines::on_enable(unsigned engine, bool on) {
    stop(engine);
    if (on) start(engine);
}

void Engines::on_clear(unsigned engine) {
    stop(engine);
    context_.window.set_word(unit_of(engine), kIrq, 0);
    update_sources(engine);
}

void Engines::on_write(unsigned engine, const Register& at) {
    if (at.offset == kIrq.offset || at.offset == kEvent.offset) update_sources(engine);
}

void Engines::start(unsigned engine) {
    const RegisterFile& registers = context_.window.registers(unit_of(engine).page());
    EngineSetup setup;
    setup.engine = engine;
    setup.config = decode_stream(registers);
    setup.cacheable = field_value<kStreng, "CID_CACHE.CACHEABLE">(registers);
    setup.allocate = field_value<kStreng, "CID_CACHE.ALLOC">(registers);
    setup.cycle = context_.cycle;
    setup.start = context_.now;
    const Verdict verdict = judge(setup.config);
    const bool computes = context_.report.verdict(name_of(unit_of(engine)), verdict);
    if (verdict.illegal != nullptr) {
        raise(engine, kIllegal);
        return;
    }
    context_.window.set_running(unit_of(engine), true);
    if (computes) build(engine, setup);
}

void Engines::build(unsigned number, const EngineSetup& setup) {
    Engine& engine = engines_[number];
    bus_.begin(number);
    const auto ends = [this, number, run = engine.run](Picoseconds at) {
        events_.add({std::max(at, context_.now), EventQueue::Kind::EngineEnds, number, run});
    };
    const auto stops = [this, number, run = engine.run] {
        events_.add({context_.now, EventQueue::Kind::BeyondLimit, number, run});
    };
    const EngineParameters& parameters = context_.parameters.engines;
    if (setup.config.dir) {
        engine.output = std::make_unique<OutputEngine>(setup, parameters, context_.network, bus_);
        engine.output->on_finished = ends;
        engine.output->on_limit = stops;
        context_.switchboard.attach(Switchboard::destination_of(unit_of(number)),
                                    engine.output->port(), context_.now);
        find_followers(number);
    } else {
        engine.input = std::make_unique<InputEngine>(
            setup, parameters, context_.network, bus_,
            context_.switchboard.link(Switchboard::source_of(unit_of(number))));
        engine.input->on_finished = ends;
        engine.input->on_limit = stops;
        find_followed(number);
    }
    if (listener_) listener_(number, setup.config, nullptr, context_.now);
}

void Engines::follow(unsigned input, unsigned output) {
    InputEngine& reader = *engines_[input].input;
    reader.follow(*engines_[output].output, reader.config().frmtrg_en);
    engines_[input].follows = output;
}

/// An input may have been switched on before the output that it follows.
void Engines::find_followers(unsigned output) {
    const StreamConfig& config = engines_[output].output->config();
    for (unsigned i = 0; i < kCount; ++i) {
        const Engine& other = engines_[i];
        if (!other.input || other.ended || other.follows != kCount) continue;
        const StreamConfig& reader = other.input->config();
        const bool triggered = reader.frmtrg_en && reader.frmtrg_src == output;
        if (triggered || feeds_back(config, reader)) follow(i, output);
    }
}

void Engines::find_followed(unsigned input) {
    const StreamConfig& reader = engines_[input].input->config();
    if (reader.frmtrg_en) {
        const unsigned source = reader.frmtrg_src;
        if (source < kCount && engines_[source].output && !engines_[source].ended) {
            follow(input, source);
            return;
        }
        context_.report.assumed(name_of(unit_of(input)), kForeignTrigger);
    }
    for (unsigned i = 0; i < kCount; ++i) {
        const Engine& other = engines_[i];
        if (other.output && !other.ended && feeds_back(other.output->config(), reader)) {
            follow(input, i);
            return;
        }
    }
}

void Engines::stop_following(unsigned number) {
    Engine& engine = engines_[number];
    if (engine.input && engine.follows != kCount) engine.input->stop_following();
    engine.follows = kCount;
    if (!engine.output) return;
    for (Engine& other : engines_) {
        if (!other.input || other.follows != number) continue;
        other.input->stop_following();
        other.follows = kCount;
    }
}

/// Takes away what is at work, whatever has come of it.
void Engines::stop(unsigned number) {
    Engine& engine = engines_[number];
    ++engine.run;
    if (engine.input || engine.output) {
        engine.active[engine.output ? 1 : 0] = active(number, engine.output != nullptr);
        engine.words[engine.output ? 1 : 0] = words(number, engine.output != nullptr);
        stop_following(number);
        if (listener_ && !engine.ended) {
            const StreamConfig& config =
                engine.input ? engine.input->config() : engine.output->config();
            // An end that was computed ahead of time does not come any more.
            EngineCounters counters = counters_of(engine);
            counters.finished = 0;
            counters.spent = {};
            listener_(number, config, &counters, context_.now);
        }
    }
    if (engine.input) {
        context_.switchboard.source_gone(Switchboard::source_of(unit_of(number)));
        context_.network.remove(*engine.input);
        engine.input.reset();
    }
    if (engine.output) {
        context_.switchboard.detach(Switchboard::destination_of(unit_of(number)));
        context_.network.remove(*engine.output);
        engine.output.reset();
    }
    engine.ended = false;
    context_.window.set_running(unit_of(number), false);
}

void Engines::act(const EventQueue::Item& item) {
    Engine& engine = engines_[item.who];
    if (item.run != engine.run || (!engine.input && !engine.output)) return;
    if (item.kind == EventQueue::Kind::BeyondLimit) {
        raise(item.who, kAddressLimit);
        context_.report.tell(NpuEvent::Kind::BeyondLimit, name_of(unit_of(item.who)),
                             "has reached its address limit and stopped");
        return;
    }
    engine.ended = true;
    context_.window.set_running(unit_of(item.who), false);
    if (engine.output) raise(item.who, kFrameLimit);
    if (!listener_) return;
    const StreamConfig& config = engine.input ? engine.input->config() : engine.output->config();
    listener_(item.who, config, &counters_of(engine), item.at);
}

void Engines::reset() {
    for (unsigned i = 0; i < kCount; ++i) {
        stop(i);
        engines_[i].active = {};
        engines_[i].words = {};
    }
}

Picoseconds Engines::active(unsigned number, bool output) const {
    const Engine& engine = engines_[number];
    const Picoseconds before = engine.active[output ? 1 : 0];
    if (output ? !engine.output : !engine.input) return before;
    const EngineCounters& counters = counters_of(engine);
    const Picoseconds enabled = context_.now - counters.started;
    return before + (enabled > counters.stalled ? enabled - counters.stalled : 0);
}

std::uint64_t Engines::words(unsigned number, bool output) const {
    const Engine& engine = engines_[number];
    const std::uint64_t before = engine.words[output ? 1 : 0];
    if (output ? !engine.output : !engine.input) return before;
    return before + counters_of(engine).words;
}

bool Engines::at_work() const {
    bool inputs = false, outputs_ended = false;
    for (unsigned i = 0; i < kCount; ++i) {
        const Engine& engine = engines_[i];
        const bool running = context_.window.running(unit_of(i));
        if (running && !engine.input) return true;
        inputs = inputs || running;
        outputs_ended = outputs_ended || engine.output;
    }
    return inputs && !outputs_ended;
}

std::vector<std::string> Engines::waiting() const {
    std::vector<std::string> found;
    for (unsigned i = 0; i < kCount; ++i) {
        if (!context_.window.running(unit_of(i))) continue;
        const Engine& engine = engines_[i];
        const memmap::npu::Unit unit = unit_of(i);
        std::string text = name_of(unit) + " waits for ";
        if (engine.input) {
            text += engine.input->waits_for() + " (received by " +
                    context_.switchboard.listeners_text(Switchboard::source_of(unit)) + ")";
        } else if (engine.output) {
            text += engine.output->waits_for() + " (from " +
                    context_.switchboard.sources_text(Switchboard::destination_of(unit)) + ")";
        } else {
            text += "nothing: its configuration was refused";
        }
        found.push_back(std::move(text));
    }
    return found;
}

void Engines::raise(unsigned engine, std::uint32_t flag) {
    const memmap::npu::Unit unit = unit_of(engine);
    const std::uint32_t old = context_.window.registers(unit.page()).word(kIrq);
    context_.window.set_word(unit, kIrq, old | flag);
    update_sources(engine);
}

void Engines::update_sources(unsigned engine) {
    const RegisterFile& registers = context_.window.registers(unit_of(engine).page());
    const std::uint32_t flags = registers.word(kIrq) & registers.word(kEvent) >> kFirstEnable;
    context_.window.set_source(engine, (flags & kEventFlags) != 0);
    context_.window.set_source(kFirstErrorSource + engine, (flags & kErrorFlags) != 0);
}

}  // namespace n6vp::models::npu
