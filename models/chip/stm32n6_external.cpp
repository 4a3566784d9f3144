// SPDX-License-Identifier: Apache-2.0
// What stands between the bus and the external memories: cipher engines and swapped ports.
#include "models/chip/stm32n6.h"
#include "models/chip/stm32n6_parts.h"
#include "models/memory/xspi_memory.h"

namespace n6vp::models {

namespace {

using memmap::RegionKind;

}  // namespace

int Stm32n6::external_memory(unsigned instance) const {
    const RegionKind kind = instance == 1 ? RegionKind::Psram : RegionKind::Nor;
    for (unsigned i = 0; i < memories_.size(); ++i)
        if (memories_[i].region->kind == kind) return static_cast<int>(i);
    return -1;
}

XspiMemory* Stm32n6::xspi_memory(unsigned instance) const {
    const int target = external_memory(instance);
    if (target < 0) return nullptr;
    return dynamic_cast<XspiMemory*>(memories_[static_cast<unsigned>(target)].model.get());
}

void Stm32n6::connect_external_memories() {
    for (const unsigned instance : {1u, 2u}) {
        XspiMemory* const memory = xspi_memory(instance);
        if (memory == nullptr) continue;
        direct_filters_.push_back(std::make_unique<DirectFilter>(*memory));
        add_filter(static_cast<unsigned>(external_memory(instance)), direct_filters_.back().get());
        crypto::Mce& engine = soc_->mce(instance);
        engine.on_change = [this, instance, memory, &engine] {
            memory->set_cipher(engine.active() ? &engine : nullptr);
            external_contents_changed(instance);
        };
    }
    soc_->xspim.on_swap = [this](bool swapped) { swap_ports(swapped); };
}

/// The same bytes look different from now on: nobody keeps a direct pointer or decoded code.
void Stm32n6::external_contents_changed(unsigned instance) {
    bus_->filter_changed(static_cast<unsigned>(external_memory(instance)));
}

/// Port 1 of the discovery kit has the PSRAM, port 2 the NOR flash.
void Stm32n6::swap_ports(bool swapped) {
    XspiMemory *const first = xspi_memory(1), *const second = xspi_memory(2);
    if (first == nullptr || second == nullptr) return;
    SerialDevice *const ram = psram_.get(), *const flash = nor_.get();
    soc_->xspi(1).connect(swapped ? flash : ram);
    soc_->xspi(2).connect(swapped ? ram : flash);
    first->set_instead(swapped ? second : nullptr);
    second->set_instead(swapped ? first : nullptr);
    set_xspi_clocks();
    for (const unsigned instance : {1u, 2u}) external_contents_changed(instance);
}

}  // namespace n6vp::models
