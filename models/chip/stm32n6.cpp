// SPDX-License-Identifier: Apache-2.0
#include "models/chip/stm32n6.h"

#include <algorithm>
#include <string>
#include <utility>

#include "memmap/interrupts.h"
#include "models/chip/lower_case.h"
#include "models/chip/memory_present.h"
#include "models/chip/stm32n6_parts.h"
#include "models/memory/ecc_sram.h"
#include "models/memory/sram.h"
#include "models/memory/tcm.h"
#include "models/memory/xspi_memory.h"
#include "models/time_resolution.h"

namespace n6vp::models {

namespace {

constexpr double kHzPerMhz = 1e6;

/// What the chip's own attribution unit says, on top of which the SAU decides.
[[nodiscard]] core::Attribution attribution(std::uint32_t address) {
    core::Attribution result;
    result.exempt = address >> 20 == 0xE00;  // private peripheral bus
    result.region_valid = !result.exempt;
    result.region = static_cast<std::uint8_t>(address >> 28);
    result.secure = result.callable = memmap::idau_secure(GuestAddr{address});
    return result;
}

void set_clocks(ClockTree& clocks, const ClockParameters& values) {
    using memmap::ClockDomain;
    const std::pair<ClockDomain, const Parameter&> rows[] = {
        {ClockDomain::Cpu, values.cpu},     {ClockDomain::Noc, values.noc},
        {ClockDomain::Nic, values.nic},     {ClockDomain::Npu, values.npu},
        {ClockDomain::Ahb, values.ahb},     {ClockDomain::Xspi1, values.xspi1},
        {ClockDomain::Xspi2, values.xspi2},
    };
    for (const auto& [domain, value] : rows) clocks.set(domain, value.value * kHzPerMhz);
}

/// HSI everywhere; HCLK is half of it (HPRE of RCC_CFGR2 out of reset), and what XSPI runs on.
void set_reset_clocks(ClockTree& clocks, const RccParameters& rcc) {
    using memmap::ClockDomain;
    const double hsi = rcc.hsi.value * kHzPerMhz;
    for (const ClockDomain domain :
         {ClockDomain::Cpu, ClockDomain::Noc, ClockDomain::Nic, ClockDomain::Npu}) {
        clocks.set(domain, hsi);
    }
    for (const ClockDomain domain : {ClockDomain::Ahb, ClockDomain::Xspi1, ClockDomain::Xspi2}) {
        clocks.set(domain, hsi / 2);
    }
}

[[nodiscard]] Picoseconds now() {
    return sc_core::sc_time_stamp().value();
}

/// Allows every access to a register and tells nobody.
class NoLog : public RegisterLog {
  public:
    [[nodiscard]] bool accessed(const RegisterAccess&) override { return true; }
};

[[nodiscard]] Stm32n6::OptionalIn<double>* clock_port(const char*, std::size_t domain) {
    const std::string name = "clock_" + lower_case(memmap::kClocks[domain].name);
    return new Stm32n6::OptionalIn<double>(name.c_str());  // owned by the sc_vector
}

}  // namespace

Stm32n6::Stm32n6(const sc_core::sc_module_name& name, const ChipParameters& parameters,
                 const ChipOptions& options, RegisterLog* log, MailboxService* mailbox)
    : sc_module(name),
      host("host"),
      nrst("nrst"),
      irq("irq", memmap::kNvicHighestLine + 1),
      clock("clock", kClocks, clock_port),
      parameters_(parameters),
      options_(options),
      initiator_names_(initiator_names(options)) {
    require_picoseconds();
    set_clocks(clocks_, parameters_.clock);
    if (options_.boot != BootState::Ready) set_reset_clocks(clocks_, parameters_.rcc);
    for (const memmap::Region& region : memmap::kRegions) {
        if (is_modelled(region)) add_memory(region);
    }
    if (log == nullptr) no_log_ = std::make_unique<NoLog>();
    soc_ = std::make_unique<Peripherals>(parameters_, clocks_, log != nullptr ? *log : *no_log_);
    bus_ = std::make_unique<Bus>("bus", initiators(), targets());
    add_core();
    npu_cache_ = std::make_unique<CacheAxi>(
        "npu_cache", clocks_.hz(memmap::ClockDomain::Nic), parameters_.npu_cache,
        options_.coherence,
        std::vector<std::uint8_t>{number(Initiator::Npu0), number(Initiator::Npu1),
                                  number(Initiator::EpochController)});
    add_npu();
    core_view_ = std::make_unique<CoreView>(*this);
    if (mailbox == nullptr) no_service_ = std::make_unique<NoService>();
    mailbox_ = std::make_unique<Mailbox>("mailbox", *core_view_,
                                         mailbox != nullptr ? *mailbox : *no_service_);
    connect_bus();
    connect_npu_side();
    connect_npu();
    add_traffic();
    connect_serial_devices();
    connect_filters();
    connect_clocks();
    connect_events();
}

Stm32n6::~Stm32n6() = default;

void Stm32n6::add_memory(const memmap::Region& region) {
    using memmap::ClockDomain;
    const std::uint32_t bytes = region.fitted_bytes;
    const std::string name = lower_case(region.name);
    const double hz = clocks_.hz(region.clock);
    std::unique_ptr<TimedMemory> model;
    if (region.kind == memmap::RegionKind::Nor || region.kind == memmap::RegionKind::Psram) {
        const bool nor = region.kind == memmap::RegionKind::Nor;
        model = std::make_unique<XspiMemory>(name.c_str(), bytes, hz,
                                             nor ? parameters_.nor : parameters_.psram);
    } else if (region.kind == memmap::RegionKind::Tcm) {
        TcmParameters port = parameters_.tcm;
        port.beat_bytes.value = std::min(port.beat_bytes.value, region.width_bits / 8.0);
        model = std::make_unique<Tcm>(name.c_str(), region.largest_bytes, hz, port);
    } else {
        const SramParameters& kind = region.clock == ClockDomain::Nic   ? parameters_.nic_ram
                                     : region.clock == ClockDomain::Ahb ? parameters_.ahb_ram
                                                                        : parameters_.noc_ram;
        if (std::string_view(region.name) == kCheckedMemory) {
            model = std::make_unique<EccSram>(name.c_str(), bytes, hz, kind);
        } else {
            model = std::make_unique<Sram>(name.c_str(), bytes, hz, kind);
        }
    }
    memories_.push_back({&region, std::move(model)});
}

void Stm32n6::add_core() {
    CoreModuleConfig config;
    config.core_hz = clocks_.hz(memmap::ClockDomain::Cpu);
    config.quantum = to_sc_time(options_.quantum);
    config.core.timing = options_.timing;
    config.core.coherence = options_.coherence;
    config.core.issue = parameters_.pipeline;
    config.core.caches = parameters_.cache;
    config.core.system.exceptions = parameters_.exception;
    config.core.system.vector_table = options_.vectors;
    config.core.system.attribution = attribution;
    config.core.system.unmodelled = [this](std::uint32_t address, bool write) {
        events.unmodelled_core_register(address, write);
    };
    config.core.system.exception = [this](unsigned exception, bool begins) {
        events.exception(exception, begins);
    };
    for (const Memory& memory : memories_) {
        const memmap::Region& region = *memory.region;
        if (region.kind != memmap::RegionKind::Tcm) continue;
        for (const GuestAddr base : {region.non_secure, region.secure}) {
            const std::uint32_t start = to_word(base);
            config.core.tcm.push_back({start, start + (region.largest_bytes - 1)});
        }
    }
    core_ = std::make_unique<CoreModule>("core", config);
    core_->on_start = [this] { return start_of_core(); };
    core_observer_ = std::make_unique<CoreObserver>(core_->core(), initiator_names_);
}

std::function<void(bool)> Stm32n6::drive(unsigned line) {
    driven_lines_.insert(line);
    return [this, line](bool level) { core_->set_interrupt(line, level); };
}

template <typename Value>
void Stm32n6::follow(OptionalIn<Value>& port, std::function<void(Value)> changed) {
    if (port.size() == 0) return;
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.set_sensitivity(&port->value_changed_event());
    sc_core::sc_spawn([&port, changed = std::move(changed)] { changed(port->read()); },
                      sc_core::sc_gen_unique_name("follow"), &options);
}

void Stm32n6::end_of_elaboration() {
    follow<bool>(nrst, [this](bool runs) { follow_reset_pin(runs); });
    for (unsigned line = 0; line < irq.size(); ++line) {
        if (irq[line].size() != 0 && driven_lines_.contains(line)) {
            SC_REPORT_ERROR("n6vp/irq", (std::string(irq[line].name()) +
                                         " is bound, but a unit of the chip drives this line: "
                                         "leave it unbound")
                                            .c_str());
        }
        follow<bool>(irq[line], [this, line](bool level) { core_->set_interrupt(line, level); });
    }
    for (unsigned domain = 0; domain < kClocks; ++domain) {
        follow<double>(clock[domain], [this, domain](double hz) {
            if (hz > 0) clocks_.set(static_cast<memmap::ClockDomain>(domain), hz);
        });
    }
}

void Stm32n6::start_of_simulation() {
    // Filters that change their verdict withdraw direct memory, which needs bound ports.
    reset_units();
}

void Stm32n6::follow_reset_pin(bool runs) {
    if (!runs) {
        core_->stop();
        reset_units();
    } else if (!std::exchange(started_, true)) {
        core_->release_reset();
    } else {
        reset(core::Reset::Warm);
    }
}

void Stm32n6::reset_units() {
    npu_line_was_enabled_ = false;
    soc_->reset(now());
    engine_claims_->set_label(0);
    npu_cache_->reset(now());
    mailbox_->reset();
    bus_->reset();
    if (standby_ == Standby::Asleep) standby_ = Standby::No;  // a reset of another source
    if (standby_ == Standby::Wakes) soc_->set_initial_vectors(standby_vectors_);
    if (options_.boot == BootState::Ready) soc_->set_up(options_.omitted_set_up, now());
    set_master_attributes();
}

void Stm32n6::reset_memories() {
    standby_ = Standby::No;
    for (const Memory& memory : memories_) memory.model->reset();
    nor_->power_on();
    psram_->power_on();
    soc_->bsec.restore_fuses();
    soc_->power_on(now());
    mailbox_->reset_at(now());
}

void Stm32n6::reset(core::Reset kind) {
    if (kind == core::Reset::PowerOn) {
        npu_->registers().reset();
        reset_memories();
    }
    reset_units();
    if (kind == core::Reset::PowerOn) {
        core_->core().invalidate(0, 0xFFFFFFFF);
        restart_traffic();
    }
    core_->reset(kind);
}

bool Stm32n6::present(AddressRange range) const {
    return is_memory_present(range);
}

unsigned Stm32n6::debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                        std::size_t count) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(to_word(at));
    trans.set_data_ptr(bytes);
    trans.set_data_length(static_cast<unsigned>(count));
    return bus_->from[number(Initiator::Host)].get_base_export()->transport_dbg(trans);
}

bool Stm32n6::store(GuestAddr to, std::span<const std::uint8_t> bytes) {
    // TLM has one data pointer for both directions; a write command leaves the bytes alone.
    auto* data = const_cast<std::uint8_t*>(bytes.data());
    return debug(tlm::TLM_WRITE_COMMAND, to, data, bytes.size()) == bytes.size();
}

bool Stm32n6::fetch(GuestAddr from, std::span<std::uint8_t> bytes) {
    return debug(tlm::TLM_READ_COMMAND, from, bytes.data(), bytes.size()) == bytes.size();
}

std::string Stm32n6::target_name(unsigned target) const {
    if (target < memories_.size()) return memories_[target].region->name;
    if (target == peripheral_target()) return "peripherals";
    return target == mailbox_target() ? "mailbox" : "nothing";
}

std::vector<std::string> Stm32n6::target_names() {
    std::vector<std::string> names;
    for (const memmap::Region& region : memmap::kRegions) {
        if (is_modelled(region)) names.emplace_back(region.name);
    }
    names.emplace_back("peripherals");
    names.emplace_back("mailbox");
    return names;
}

int Stm32n6::target_of(std::string_view region) const {
    const auto found = std::find_if(memories_.begin(), memories_.end(),
                                    [region](const Memory& m) { return region == m.region->name; });
    return found == memories_.end() ? -1 : static_cast<int>(found - memories_.begin());
}

}  // namespace n6vp::models
