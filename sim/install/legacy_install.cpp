// SPDX-License-Identifier: Apache-2.0
#include "sim/install/legacy_install.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/host/errors.h"
#include "sim/model_file/member_port.h"

namespace n6vp::sim {

namespace {

namespace legacy = loader::legacy;
using traces::InstallEvent;

/// Counts and logs what a loader does to memory.
class Recorder {
  public:
    Recorder(const loader::MemoryPort& memory, LegacyOutcome& outcome)
        : memory_(memory), outcome_(outcome) {}

    [[nodiscard]] loader::MemoryPort port() { return MemberPort::on(*this); }

  private:
    friend struct ::n6vp::sim::MemberPort;

    [[nodiscard]] bool read(GuestAddr from, void* to, std::uint32_t bytes) const {
        return memory_.read(memory_.context, from, to, bytes);
    }
    void maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes) {
        InstallEvent event{InstallEvent::Kind::Cache};
        event.address = start;
        event.bytes = bytes;
        event.op = op;
        log(event, true);
    }
    void enter(loader::Phase phase) { phase_ = phase; }
    [[nodiscard]] LegacyPhase& now() { return outcome_.phases[static_cast<std::size_t>(phase_)]; }
    bool log(InstallEvent event, bool done) {
        event.phase = phase_;
        event.refused = !done;
        outcome_.events.push_back(event);
        return done;
    }
    bool write(GuestAddr to, const void* from, std::uint32_t bytes) {
        InstallEvent event{InstallEvent::Kind::Patch};
        event.address = to;
        event.bytes = bytes;
        static_cast<void>(loader::read_word(memory_, to, event.before));
        event.after = loader::format::load_word(from);
        const bool done = memory_.write(memory_.context, to, from, bytes);
        if (done) ++now().words;
        return log(event, done);
    }
    bool copy(GuestAddr to, GuestAddr from, std::uint32_t bytes) {
        InstallEvent event{InstallEvent::Kind::Copy};
        event.address = to;
        event.from = from;
        event.bytes = bytes;
        const bool done = memory_.copy(memory_.context, to, from, bytes);
        if (done) now().copied += bytes;
        return log(event, done);
    }
    bool clear(GuestAddr to, std::uint32_t bytes) {
        InstallEvent event{InstallEvent::Kind::Clear};
        event.address = to;
        event.bytes = bytes;
        const bool done = memory_.clear(memory_.context, to, bytes);
        if (done) now().cleared += bytes;
        return log(event, done);
    }

    loader::MemoryPort memory_;
    LegacyOutcome& outcome_;
    loader::Phase phase_ = loader::Phase::Checks;
};

bool is_external(GuestAddr address) {
    return to_word(address) >= 0x60000000u && to_word(address) < 0xA0000000u;
}

void require_place(const memmap::Chip& chip, AddressRange range, std::string_view what,
                   std::string_view option, bool written) {
    if (to_word(range.start) == 0 || range.bytes == 0 || range.wraps()) return;
    const GuestAddr last = wrapping_add(range.start, range.bytes - 1);
    if (is_external(range.start) && is_external(last)) return;
    // Memories may follow each other: the RAM of an STM32U585 is one range of three.
    using Kind = memmap::ChipMemoryKind;
    const char* read_only = nullptr;
    const std::uint64_t room = memmap::for_memories(
        chip, to_word(range.start), range.bytes,
        [&](const memmap::ChipMemory& memory, std::uint32_t, std::uint64_t) {
            if (written && (memory.kind == Kind::Flash || memory.kind == Kind::Rom))
                read_only = memory.name;
            return read_only == nullptr;
        });
    if (room == range.bytes) return;
    const std::string place =
        fmt::format("{} at 0x{:08x}, {} bytes: ", what, to_word(range.start), range.bytes);
    if (read_only != nullptr) {
        throw UserError(fmt::format("{}{} is read-only", place, read_only),
                        fmt::format("choose RAM with {}", option));
    }
    throw UserError(fmt::format("{}the {} has no memory there, or too little", place, chip.title),
                    fmt::format("choose another place with {}", option));
}

}  // namespace

AddressRange largest_ram(const memmap::Chip& chip) {
    AddressRange largest{};
    for (const memmap::ChipMemory& memory : chip.memories) {
        if (memory.kind == memmap::ChipMemoryKind::Ram && memory.bytes > largest.bytes)
            largest = {GuestAddr{memory.start}, memory.bytes};
    }
    return largest;
}

void require_memory(const memmap::Chip& chip, const LegacyPlan& plan) {
    const legacy::Request& request = plan.request();
    const auto known = [](std::uint32_t bytes) {
        return bytes == loader::kUnknownBytes ? 4 : bytes;
    };
    require_place(chip, plan.file(), "the model file", "--at", false);
    require_place(chip, {request.ram, request.ram_bytes}, "the RAM for the model", "--exec", true);
    require_place(chip, {request.weights, known(request.weights_bytes)}, "the weights",
                  "--params-at", false);
    require_place(chip, {request.activations, known(request.activations_bytes)}, "the activations",
                  "--ext", true);
}

std::string_view memory_name(const memmap::Chip* chip, GuestAddr address) {
    if (chip == nullptr) return "memory";
    const memmap::ChipMemory* const memory = memmap::memory_at(*chip, to_word(address));
    if (memory != nullptr) return memory->name;
    return is_external(address) ? "external memory" : "no memory";
}

LegacyOutcome install_legacy(const ModelFiles& files, const LegacyPlan& plan,
                             loader::Policy policy) {
    LegacyOutcome outcome;
    HostMemory memory;
    plan.place(memory, files);
    Recorder recorder(memory.port(), outcome);
    const loader::MemoryPort port = recorder.port();
    outcome.status = legacy::install(port, plan.request(policy), outcome.result, outcome.why);
    const AddressRange ram{plan.request().ram, plan.request().ram_bytes};
    if (ram.bytes != 0 && !ram.wraps()) {
        const auto bytes = std::as_const(memory).bytes(ram);
        outcome.ram.assign(bytes.begin(), bytes.end());
    }
    return outcome;
}

}  // namespace n6vp::sim
