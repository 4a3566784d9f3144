// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/platform.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "memmap/mailbox.h"
#include "sim/host/log.h"
#include "sim/platform/platform_log.h"
#include "sim/platform/platform_parts.h"

namespace n6vp::sim {

namespace {

constexpr double kHzPerMhz = 1e6;

[[nodiscard]] bool is_modelled(const memmap::Region& region) {
    switch (region.kind) {
        case memmap::RegionKind::Tcm:
        case memmap::RegionKind::Ram:
        case memmap::RegionKind::NpuCacheRam:
        case memmap::RegionKind::Nor:
        case memmap::RegionKind::Psram:
            return true;
        default:
            return false;
    }
}

[[nodiscard]] std::string lower(std::string_view name) {
    std::string text(name);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return text;
}

/// What the chip's own attribution unit says, on top of which the SAU decides.
[[nodiscard]] models::core::Attribution attribution(std::uint32_t address) {
    models::core::Attribution result;
    result.exempt = address >> 20 == 0xE00;  // private peripheral bus
    result.region_valid = !result.exempt;
    result.region = static_cast<std::uint8_t>(address >> 28);
    result.secure = result.callable = memmap::idau_secure(GuestAddr{address});
    return result;
}

void set_clocks(models::ClockTree& clocks, const ClockParameters& values) {
    using memmap::ClockDomain;
    const std::pair<ClockDomain, const models::Parameter&> rows[] = {
        {ClockDomain::Cpu, values.cpu},     {ClockDomain::Noc, values.noc},
        {ClockDomain::Nic, values.nic},     {ClockDomain::Npu, values.npu},
        {ClockDomain::Ahb, values.ahb},     {ClockDomain::Xspi1, values.xspi1},
        {ClockDomain::Xspi2, values.xspi2},
    };
    for (const auto& [domain, value] : rows) clocks.set(domain, value.value * kHzPerMhz);
}

/// HSI everywhere; HCLK is half of it (HPRE of RCC_CFGR2 out of reset), and what XSPI runs on.
void set_reset_clocks(models::ClockTree& clocks, const models::RccParameters& rcc) {
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

}  // namespace

Platform::Platform(const PlatformParameters& parameters, const PlatformOptions& options,
                   models::RegisterLog* log, models::MailboxService* mailbox)
    : parameters_(parameters), options_(options) {
    if (sc_core::sc_get_curr_simcontext()->elaboration_done()) {
        throw std::logic_error("one platform per process: SystemC has elaborated already");
    }
    // The kernel must not write into reports on standard output.
    log_kernel_reports();
    Log::set_clock([this] { return time(); });
    set_clocks(clocks_, parameters_.clock);
    if (options_.boot == BootState::Reset) set_reset_clocks(clocks_, parameters_.rcc);
    for (const memmap::Region& region : memmap::kRegions) {
        if (is_modelled(region)) add_memory(region);
    }
    digest_ = std::make_unique<Digest>(log);
    soc_ = std::make_unique<PlatformSoc>(parameters_, clocks_, *digest_);
    bus_ = std::make_unique<models::Bus>("bus", kInitiators, targets());
    add_core();
    data_path_ = std::make_unique<models::DataPath>(
        "cpu_data", clocks_.hz(memmap::ClockDomain::Cpu), parameters_.cpu, parameters_.cache);
    npu_cache_ = std::make_unique<models::CacheAxi>(
        "npu_cache", clocks_.hz(memmap::ClockDomain::Nic), parameters_.npu_cache,
        options_.coherence,
        std::vector<std::uint8_t>{number(Initiator::Npu0), number(Initiator::Npu1),
                                  number(Initiator::EpochController)});
    add_npu();
    core_view_ = std::make_unique<CoreView>(*this);
    if (mailbox == nullptr) no_service_ = std::make_unique<NoService>();
    mailbox_ = std::make_unique<models::Mailbox>("mailbox", *core_view_,
                                                 mailbox != nullptr ? *mailbox : *no_service_);
    connect_bus();
    connect_npu_side();
    connect_npu();
    connect_filters();
    connect_clocks();
    connect_hooks();
    log_clocks(clocks_);
}

Platform::~Platform() {
    Log::set_clock({});
}

void Platform::add_memory(const memmap::Region& region) {
    using memmap::ClockDomain;
    const std::uint32_t bytes = region.fitted_bytes;
    const std::string name = lower(region.name);
    const double hz = clocks_.hz(region.clock);
    std::unique_ptr<models::TimedMemory> model;
    if (region.kind == memmap::RegionKind::Nor || region.kind == memmap::RegionKind::Psram) {
        const bool nor = region.kind == memmap::RegionKind::Nor;
        model = std::make_unique<models::XspiMemory>(name.c_str(), bytes, hz,
                                                     nor ? parameters_.nor : parameters_.psram);
    } else if (region.kind == memmap::RegionKind::Tcm) {
        models::TcmParameters port = parameters_.tcm;
        port.beat_bytes.value = std::min(port.beat_bytes.value, region.width_bits / 8.0);
        model = std::make_unique<models::Tcm>(name.c_str(), bytes, hz, port);
    } else {
        const models::SramParameters& kind = region.clock == ClockDomain::Nic ? parameters_.nic_ram
                                             : region.clock == ClockDomain::Ahb
                                                 ? parameters_.ahb_ram
                                                 : parameters_.noc_ram;
        model = std::make_unique<models::Sram>(name.c_str(), bytes, hz, kind);
    }
    memories_.push_back({&region, std::move(model)});
}

void Platform::add_core() {
    models::CoreModuleConfig config;
    config.core_hz = clocks_.hz(memmap::ClockDomain::Cpu);
    config.quantum = models::to_sc_time(options_.quantum);
    config.core.timing = options_.timing;
    config.core.coherence = options_.coherence;
    config.core.issue = parameters_.pipeline;
    config.core.caches = parameters_.cache;
    config.core.system.exceptions = parameters_.exception;
    config.core.system.vector_table = options_.vectors;
    config.core.system.attribution = attribution;
    config.core.system.unmodelled = [this](std::uint32_t address, bool write) {
        if (hooks.unmodelled_core_register) hooks.unmodelled_core_register(address, write);
    };
    config.core.system.exception = [this](unsigned exception, bool begins) {
        if (hooks.exception) hooks.exception(exception, begins);
    };
    for (const Memory& memory : memories_) {
        const memmap::Region& region = *memory.region;
        if (region.kind != memmap::RegionKind::Tcm) continue;
        for (const GuestAddr base : {region.non_secure, region.secure}) {
            const std::uint32_t start = to_word(base);
            config.core.tcm.push_back({start, start + (region.fitted_bytes - 1)});
        }
    }
    core_ = std::make_unique<models::CoreModule>("core", config);
    core_observer_ = std::make_unique<CoreObserver>(core_->core());
}

void Platform::bind_master(Initiator port, tlm::tlm_initiator_socket<>& master) {
    const unsigned index = number(port) - number(Initiator::Npu0);
    if (index >= kNpuPorts) throw std::logic_error("not a port of the NPU's side");
    master.bind(npu_ports_[index]->beside);
}

void Platform::elaborate() {
    if (std::exchange(elaborated_, true)) return;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    log(LogComponent::Platform, LogLevel::Debug, "elaborated: {} targets on the bus", targets());
    // Guards that change their mind withdraw direct memory, which needs bound ports.
    chip_reset();
}

void Platform::synchronise() {
    elaborate();
    const sc_core::sc_time lead = models::delay_until(data_path_->time());
    if (lead != sc_core::SC_ZERO_TIME) sc_core::sc_start(lead);
}

void Platform::run(const std::function<void()>& work) {
    elaborate();
    work();
    synchronise();
}

bool Platform::present(AddressRange range) const {
    std::uint64_t at = to_word(range.start);
    while (at < range.end()) {
        if (at > 0xFFFFFFFFu) return false;
        const memmap::Location location =
            memmap::find_region(GuestAddr{static_cast<std::uint32_t>(at)});
        if (!location || !is_modelled(*location.region) ||
            !reaches(Initiator::Host, *location.region) ||
            location.offset >= location.region->fitted_bytes) {
            return false;
        }
        at += location.region->fitted_bytes - location.offset;
    }
    return true;
}

unsigned Platform::debug(tlm::tlm_command command, GuestAddr at, std::uint8_t* bytes,
                         std::size_t count) {
    elaborate();
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(to_word(at));
    trans.set_data_ptr(bytes);
    trans.set_data_length(static_cast<unsigned>(count));
    return data_path_->m_axi->transport_dbg(trans);
}

bool Platform::store(GuestAddr to, std::span<const std::uint8_t> bytes) {
    // TLM has one data pointer for both directions; a write command leaves the bytes alone.
    auto* data = const_cast<std::uint8_t*>(bytes.data());
    return debug(tlm::TLM_WRITE_COMMAND, to, data, bytes.size()) == bytes.size();
}

bool Platform::fetch(GuestAddr from, std::span<std::uint8_t> bytes) {
    return debug(tlm::TLM_READ_COMMAND, from, bytes.data(), bytes.size()) == bytes.size();
}

bool Platform::load(GuestAddr to, std::vector<std::uint8_t> bytes) {
    if (!store(to, bytes)) return false;
    const auto [last, is_new] = last_image_at_.try_emplace(to, images_.size());
    if (!is_new) {
        // The newer one may also go over others that were put after the old one.
        images_[last->second].bytes.clear();
        last->second = images_.size();
    }
    images_.push_back({to, std::move(bytes)});
    return true;
}

std::string Platform::target_name(unsigned target) const {
    if (target < memories_.size()) return memories_[target].region->name;
    if (target == peripheral_target()) return "peripherals";
    return target == mailbox_target() ? "mailbox" : "nothing";
}

std::vector<std::string> Platform::target_names() {
    std::vector<std::string> names;
    for (const memmap::Region& region : memmap::kRegions) {
        if (is_modelled(region)) names.emplace_back(region.name);
    }
    names.emplace_back("peripherals");
    names.emplace_back("mailbox");
    return names;
}

models::GuestView& Platform::core_view() {
    return *core_view_;
}

int Platform::target_of(std::string_view region) const {
    const auto found = std::find_if(memories_.begin(), memories_.end(),
                                    [region](const Memory& m) { return region == m.region->name; });
    return found == memories_.end() ? -1 : static_cast<int>(found - memories_.begin());
}

}  // namespace n6vp::sim
