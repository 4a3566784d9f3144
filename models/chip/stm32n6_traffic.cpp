// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include "models/chip/stm32n6.h"

namespace n6vp::models {

void Stm32n6::add_traffic() {
    if (options_.masters.size() > kMaxTrafficMasters)
        throw std::logic_error("too many masters with generated traffic");
    for (const TrafficMaster& master : options_.masters) {
        const unsigned port = kInitiators + static_cast<unsigned>(traffic_.size());
        const std::string name = "traffic_" + std::to_string(traffic_.size());
        auto generator =
            std::make_unique<TrafficGenerator>(name.c_str(), master.pattern, parameters_.traffic);
        generator->attributes = [this, granted = master.granted, rimc = master.place.rimc] {
            if (granted || rimc < 0) return MasterAttributes{1, true, true};
            return soc_->rifsc.master(static_cast<unsigned>(rimc));
        };
        generator->port.bind(bus_->from[port]);
        // Contents that stay as they are leave no cache stale.
        if (master.pattern.fill) {
            bus_->observe(*core_observer_, {port});
            bus_->observe(*npu_cache_, {port});
        }
        traffic_.push_back(std::move(generator));
    }
}

void Stm32n6::restart_traffic() {
    for (const auto& generator : traffic_) generator->restart(sc_core::sc_time_stamp().value());
}

std::vector<std::string> Stm32n6::initiator_names(const ChipOptions& options) {
    std::vector<std::string> names;
    for (unsigned i = 0; i < kInitiators; ++i) names.emplace_back(initiator_name(i));
    for (const TrafficMaster& master : options.masters) names.push_back(master.pattern.name);
    return names;
}

}  // namespace n6vp::models
