// SPDX-License-Identifier: Apache-2.0
#include "tests/shape/chip.h"

#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <string>

#include "sim/platform/platform.h"

namespace n6vp::test {

using memmap::Region;
using models::Picoseconds;

namespace {

/// Lets a generator speak at a port of the fabric that a part of the platform is bound to: the part
/// stands still meanwhile.
class Tap : public sc_core::sc_module {
  public:
    tlm_utils::simple_target_socket<Tap> from;

    Tap(const sc_core::sc_module_name& name, tlm::tlm_target_socket<>& port)
        : sc_module(name), from("from"), port_(port) {
        from.register_b_transport(this, &Tap::b_transport);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
        port_.get_base_export()->b_transport(trans, delay);
    }
    tlm::tlm_target_socket<>& port_;
};

[[nodiscard]] sim::PlatformParameters parameters_for(const Clocks& clocks) {
    sim::PlatformParameters parameters;
    parameters.clock.cpu.value = clocks.cpu;
    parameters.clock.noc.value = clocks.noc;
    parameters.clock.npu.value = clocks.npu;
    parameters.clock.nic.value = clocks.nic;
    parameters.clock.xspi1.value = clocks.xspi1;
    parameters.clock.xspi2.value = clocks.xspi2;
    return parameters;
}

[[nodiscard]] bool is_npu_side(Master master) {
    return master == Master::Npu0 || master == Master::Npu1 || master == Master::EpochController;
}

static_assert(std::size(kMasters) == number(sim::Initiator::Gpdma0));
static_assert(static_cast<unsigned>(Master::Host) == number(sim::Initiator::Host));
static_assert(static_cast<unsigned>(Master::Npu0) == number(sim::Initiator::Npu0));

}  // namespace

const char* name_of(Master master) {
    return sim::initiator_name(static_cast<unsigned>(master));
}

std::uint32_t base_of(const Region& region) {
    return to_word(region.secure);
}

struct Chip::Parts {
    sim::Platform platform;
    std::vector<std::unique_ptr<TrafficGenerator>> masters;
    std::vector<std::unique_ptr<Tap>> taps;

    explicit Parts(const Clocks& clocks) : platform(parameters_for(clocks)) {
        for (const Master master : kMasters) {
            const auto number = static_cast<unsigned>(master);
            const std::string suffix = std::to_string(number);
            masters.push_back(std::make_unique<TrafficGenerator>(("generator_" + suffix).c_str()));
            if (is_npu_side(master)) {
                platform.bind_master(static_cast<sim::Initiator>(number), masters.back()->port);
                continue;
            }
            taps.push_back(
                std::make_unique<Tap>(("tap_" + suffix).c_str(), platform.bus().from[number]));
            masters.back()->port.bind(taps.back()->from);
        }
        platform.elaborate();
    }
};

Chip::Chip(const Clocks& clocks) : parts_(std::make_unique<Parts>(clocks)) {}

Chip::~Chip() = default;

TrafficGenerator& Chip::master(Master which) {
    return *parts_->masters[static_cast<unsigned>(which)];
}

void Chip::set_core_quantum(Picoseconds quantum) {
    for (const Master port : {Master::CoreCode, Master::CoreData, Master::CoreTcm})
        master(port).set_quantum(quantum);
}

void Chip::run() {
    constexpr Picoseconds kStep = 1'000'000;
    const auto busy = [](const auto& master) { return master->busy(); };
    while (std::any_of(parts_->masters.begin(), parts_->masters.end(), busy))
        sc_core::sc_start(models::to_sc_time(kStep));
}

const TrafficResult& Chip::run(Master which, const TrafficPlan& plan) {
    master(which).begin(plan);
    run();
    return master(which).result();
}

void Chip::settle() {
    // More than the horizon of any port schedule and the longest NCS low time.
    constexpr Picoseconds kIdle = 100'000'000;
    sc_core::sc_start(models::to_sc_time(kIdle));
    parts_->platform.reset();
}

std::vector<const Region*> Chip::regions() const {
    std::vector<const Region*> regions;
    for (const sim::Platform::Memory& memory : parts_->platform.memories())
        regions.push_back(memory.region);
    return regions;
}

}  // namespace n6vp::test
