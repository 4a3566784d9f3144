// SPDX-License-Identifier: Apache-2.0
#include "sim/install/timed_port.h"

#include "sim/model_file/member_port.h"

namespace n6vp::sim {

namespace {

static_assert(static_cast<int>(CostRow::Finish) == static_cast<int>(loader::Phase::Finish));

[[nodiscard]] std::uint32_t word_at(Platform& platform, GuestAddr address) {
    std::array<std::uint8_t, 4> raw{};
    if (!platform.fetch(address, raw)) return 0;
    return static_cast<std::uint32_t>(raw[0]) | static_cast<std::uint32_t>(raw[1]) << 8 |
           static_cast<std::uint32_t>(raw[2]) << 16 | static_cast<std::uint32_t>(raw[3]) << 24;
}

}  // namespace

std::string_view to_text(CostRow row) {
    switch (row) {
        case CostRow::Checks:
            return "checks";
        case CostRow::Pools:
            return "pools";
        case CostRow::ReadOnlyCopy:
            return "RO copy";
        case CostRow::DataBss:
            return "data/bss";
        case CostRow::Got:
            return "GOT";
        case CostRow::Relocation:
            return "REL";
        case CostRow::Finish:
            return "finish";
        case CostRow::CacheMaintenance:
            return "cache maintenance";
        case CostRow::Console:
            break;
    }
    return "console";
}

class TimedPort::Charge {
  public:
    Charge(TimedPort& port, CostRow row)
        : port_(port),
          cost_(port.costs_[static_cast<std::size_t>(row)]),
          start_(port.path_.time()),
          before_(port.path_.counters()) {}
    ~Charge() {
        const models::DataPath::Counters& after = port_.path_.counters();
        cost_.time += elapsed();
        cost_.accesses += after.loads - before_.loads + after.stores - before_.stores +
                          after.maintained_lines - before_.maintained_lines;
        cost_.transactions += after.transactions() - before_.transactions();
    }
    Charge(const Charge&) = delete;
    Charge& operator=(const Charge&) = delete;

    void bytes(std::uint64_t count) { cost_.bytes += count; }
    /// Completes `event` with the time since construction and keeps it.
    void log(traces::InstallEvent event) {
        event.phase = port_.phase_;
        event.start_ps = start_ - port_.origin_;
        event.duration_ps = elapsed();
        port_.events_.push_back(event);
    }

  private:
    [[nodiscard]] models::Picoseconds elapsed() const { return port_.path_.time() - start_; }

    TimedPort& port_;
    Cost& cost_;
    models::Picoseconds start_;
    models::DataPath::Counters before_;
};

TimedPort::TimedPort(Platform& platform)
    : platform_(platform), path_(platform.data_path()), origin_(path_.time()) {}

loader::MemoryPort TimedPort::port() {
    return MemberPort::on(*this);
}

bool TimedPort::read(GuestAddr from, void* to, std::uint32_t bytes) {
    Charge charge(*this, row_);
    charge.bytes(bytes);
    return path_.read(to_word(from), static_cast<std::uint8_t*>(to), bytes);
}

bool TimedPort::write(GuestAddr to, const void* from, std::uint32_t bytes) {
    Charge charge(*this, row_);
    charge.bytes(bytes);
    traces::InstallEvent event{traces::InstallEvent::Kind::Patch};
    event.address = to;
    event.bytes = bytes;
    if (bytes == 4) event.before = word_at(platform_, to);
    event.refused = !path_.write(to_word(to), static_cast<const std::uint8_t*>(from), bytes);
    if (bytes == 4) event.after = word_at(platform_, to);
    charge.log(event);
    return !event.refused;
}

bool TimedPort::copy(GuestAddr to, GuestAddr from, std::uint32_t bytes) {
    Charge charge(*this, row_);
    charge.bytes(bytes);
    traces::InstallEvent event{traces::InstallEvent::Kind::Copy};
    event.address = to;
    event.from = from;
    event.bytes = bytes;
    event.refused = !path_.copy(to_word(to), to_word(from), bytes);
    charge.log(event);
    return !event.refused;
}

bool TimedPort::clear(GuestAddr to, std::uint32_t bytes) {
    Charge charge(*this, row_);
    charge.bytes(bytes);
    traces::InstallEvent event{traces::InstallEvent::Kind::Clear};
    event.address = to;
    event.bytes = bytes;
    event.refused = !path_.clear(to_word(to), bytes);
    charge.log(event);
    return !event.refused;
}

void TimedPort::maintain(loader::CacheOp op, GuestAddr start, std::uint32_t bytes) {
    Charge charge(*this, CostRow::CacheMaintenance);
    charge.bytes(bytes);
    const PlatformParameters& parameters = platform_.parameters();
    const double nic_hz = parameters.clock.nic.value * 1e6;
    const std::uint32_t at = to_word(start);
    switch (op) {
        case loader::CacheOp::McuClean:
            path_.maintain_data(at, bytes, true, false);
            break;
        case loader::CacheOp::McuCleanInvalidate:
            path_.maintain_data(at, bytes, true, true);
            break;
        case loader::CacheOp::McuInvalidate:
            path_.maintain_data(at, bytes, false, true);
            break;
        case loader::CacheOp::McuInstructionInvalidate:
            path_.maintain_instructions(at, bytes);
            break;
        case loader::CacheOp::NpuClean:
        case loader::CacheOp::NpuCleanInvalidate:
            if (bytes != 0) path_.spend(parameters.npu_cache.range_ps(bytes, nic_hz));
            break;
        case loader::CacheOp::NpuInvalidateAll:
            path_.spend(parameters.npu_cache.invalidate_ps(nic_hz));
            break;
    }
    traces::InstallEvent event{traces::InstallEvent::Kind::Cache};
    event.address = start;
    event.bytes = bytes;
    event.op = op;
    charge.log(event);
}

void TimedPort::enter(loader::Phase phase) {
    phase_ = phase;
    if (row_ != CostRow::Console) row_ = row_of(phase);
    platform_.synchronise();
}

void TimedPort::print(std::uint32_t characters) {
    Charge charge(*this, CostRow::Console);
    charge.bytes(characters);
    path_.spend(platform_.parameters().console.character_ps() * characters);
    traces::InstallEvent event{traces::InstallEvent::Kind::Console};
    event.bytes = characters;
    charge.log(event);
}

void TimedPort::finish() {
    const Charge charge(*this, row_);
    path_.drain();
}

Cost TimedPort::total() const {
    Cost total;
    for (const Cost& cost : costs_) {
        total.bytes += cost.bytes;
        total.accesses += cost.accesses;
        total.transactions += cost.transactions;
        total.time += cost.time;
    }
    return total;
}

double copy_rate(Platform& platform, GuestAddr to, GuestAddr from, std::uint32_t bytes) {
    platform.reset();
    bool moved = false;
    models::Picoseconds time = 0;
    platform.run([&] {
        models::DataPath& path = platform.data_path();
        const models::Picoseconds start = path.time();
        moved = path.copy(to_word(to), to_word(from), bytes);
        path.drain();
        time = path.time() - start;
    });
    platform.reset();
    return moved && time != 0 ? static_cast<double>(bytes) * 1e6 / static_cast<double>(time) : 0;
}

std::array<CopyRate, 2> copy_rates(Platform& platform) {
    // Fitted rates and intervals: published install and initialise times, see models/README.md.
    constexpr std::uint32_t kBytes = 256 * 1024;
    constexpr GuestAddr kNor{0x71000000}, kSram{0x34070000}, kOtherSram{0x340B0000};
    return {CopyRate{"NOR to AXISRAM", copy_rate(platform, kSram, kNor, kBytes), 350, 280, 470},
            CopyRate{"AXISRAM1 to AXISRAM1", copy_rate(platform, kOtherSram, kSram, kBytes), 480,
                     420, 630}};
}

}  // namespace n6vp::sim
