// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/npu_driver.h"
#include "loader/runtime/runtime.h"

namespace n6vp::runtime {

namespace {

/// Names the first cause that is known by more than its bit, then stops.
[[noreturn]] void stop_for(std::uint32_t sources, std::uint32_t item) {
    for (std::uint32_t engine = 0; engine < npu::kEngines; ++engine) {
        if ((sources >> (npu::kEngineErrorSource + engine) & 1) != 0)
            machine::stop(Failure::EngineError, engine, npu::engine_status(engine));
    }
    for (std::uint32_t interface = 0; interface < 2; ++interface) {
        if ((sources >> (npu::kBusSource + interface) & 1) != 0)
            machine::stop(Failure::BusError, interface, npu::bus_status(interface));
    }
    if ((sources & npu::kBlobErrors) != 0)
        machine::stop(Failure::EpochControllerError, npu::blob_status(), npu::blob_label());
    machine::stop(Failure::InterruptUnexpected, sources, item);
}

void end_engines(Instance instance, Item item, std::uint32_t sources) {
    // Engines that nobody waits for keep their status.
    const std::uint32_t ended = sources & item.wait_mask();
    for (std::uint32_t engine = 0; engine < npu::kEngines; ++engine) {
        if ((ended >> engine & 1) == 0) continue;
        npu::acknowledge_engine(engine);
        instance.set_triggered(instance.triggered() | 1u << engine);
    }
}

void end_blob(Instance instance, Item item) {
    npu::acknowledge_blob();
    instance.set_triggered(instance.triggered() | item.awaited());
}

}  // namespace

void interrupt() {
    const std::uint32_t sources = npu::pending_sources();
    require(machine::profile().async, Failure::InterruptWhilePolling, sources);
    require(owner() != 0, Failure::InterruptNoOwner, sources);
    require(sources != 0, Failure::InterruptNothing);
    const Instance instance(owner());
    const Item item = instance.current();
    const std::uint32_t awaited = item.has(kBlob) ? 1u << npu::kBlobEndSource : npu::kAllEngines;
    if ((sources & ~awaited) != 0) stop_for(sources, item.address());
    if (item.has(kBlob)) {
        end_blob(instance, item);
    } else {
        end_engines(instance, item, sources);
    }
    machine::barrier();
    npu::clear_sources(sources);
    // Read back, so that the line has fallen when the exception returns.
    static_cast<void>(npu::pending_sources());
    machine::barrier();
    if constexpr (machine::kHasSystem) machine::signal_event();
}

}  // namespace n6vp::runtime
