// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/platform.h"

#include <stdexcept>
#include <utility>

#include "sim/host/log.h"
#include "sim/platform/object_names.h"
#include "sim/platform/platform_digest.h"
#include "sim/platform/platform_log.h"

namespace n6vp::sim {

namespace {

/// The kernel must not write into reports on standard output, and elaborates once.
[[nodiscard]] const char* prepare_kernel(const char* chip) {
    if (sc_core::sc_get_curr_simcontext()->elaboration_done()) {
        throw std::logic_error("one platform per process: SystemC has elaborated already");
    }
    log_kernel_reports();
    return chip;
}

}  // namespace

Platform::Platform(const PlatformParameters& parameters, const PlatformOptions& options,
                   models::RegisterLog* log, models::MailboxService* mailbox)
    : parameters_(parameters),
      options_(options),
      digest_(std::make_unique<Digest>(log)),
      chip_(prepare_kernel(kChipName), parameters_, options_, digest_.get(), mailbox),
      data_path_("cpu_data", chip_.clocks().hz(memmap::ClockDomain::Cpu), parameters_.cpu,
                 parameters_.cache) {
    Log::set_clock([this] { return time(); });
    data_path_.m_axi.bind(chip_.host);
    connect_hooks();
    log_events();
}

Platform::~Platform() {
    Log::set_clock({});
}

void Platform::hash_transactions() {
    bus().record(*digest_);
}

void Platform::connect_hooks() {
    core().on_semihosting = [this](models::core::Core& core) {
        return hooks.semihosting && hooks.semihosting(core);
    };
    chip_.on_reset_request = [this] {
        if (hooks.reset_request) {
            hooks.reset_request();
        } else {
            reset(models::core::Reset::Warm);
        }
    };
    core().on_stop = [] { sc_core::sc_pause(); };
}

void Platform::log_events() {
    models::ChipEvents& events = chip_.events;
    events.access_fault.listen(
        kLogPlace, [this](const models::AccessFault& what) { log_fault(what, time_of(what.at)); });
    events.buffer_in_use.listen(kLogPlace, [this](const models::BufferInUse& what) {
        log_buffer_in_use(what, time_of(what.at));
    });
    events.unwritten_read.listen(
        kLogPlace, [this](unsigned target, std::uint32_t offset, models::Picoseconds at) {
            if (!Log::enabled(LogComponent::Bus, LogLevel::Info)) return;
            log_unwritten_read(target_name(target), offset, time_of(at));
        });
    npu().on_event.listen(kLogPlace, [this](const models::npu::NpuEvent& event) {
        log_npu_event(event, time_of(event.at));
    });
    npu().on_label.listen(kLogPlace, [this](std::uint32_t label, models::Picoseconds at) {
        log_epoch_label(label, time_of(at));
    });
    npu().on_engine.listen(
        kLogPlace, [this](unsigned engine, const models::npu::StreamConfig& stream,
                          const models::npu::EngineCounters* counters, models::Picoseconds at) {
            log_engine(engine, stream, counters, time_of(at));
        });
    log_clocks(clocks());
}

void Platform::bind_master(Initiator port, tlm::tlm_initiator_socket<>& master) {
    const unsigned index = number(port) - number(Initiator::Npu0);
    if (index >= models::Stm32n6::kNpuPorts) throw std::logic_error("not a port of the NPU's side");
    master.bind(chip_.beside_npu(index));
}

void Platform::elaborate() {
    if (std::exchange(elaborated_, true)) return;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    log(LogComponent::Platform, LogLevel::Debug, "{} is elaborated, {} targets on {}", chip_.name(),
        targets(), bus().name());
}

void Platform::synchronise() {
    elaborate();
    const sc_core::sc_time lead = models::delay_until(data_path_.time());
    if (lead != sc_core::SC_ZERO_TIME) sc_core::sc_start(lead);
}

void Platform::run(const std::function<void()>& work) {
    elaborate();
    work();
    synchronise();
}

bool Platform::store(GuestAddr to, std::span<const std::uint8_t> bytes) {
    elaborate();
    return chip_.store(to, bytes);
}

bool Platform::fetch(GuestAddr from, std::span<std::uint8_t> bytes) {
    elaborate();
    return chip_.fetch(from, bytes);
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

}  // namespace n6vp::sim
