// SPDX-License-Identifier: Apache-2.0
#include "models/npu/dataflow/port.h"

#include <algorithm>

namespace n6vp::models::npu {

void Port::connect(const SwitchConfig& config, std::span<Link* const> links, Picoseconds since) {
    disconnect();
    since_ = {since, {}};
    destination_ = SwitchDestination(config);
    if (!config.used()) return;
    Link* const first = links[config.link0];
    contexts_[0] = {first, first->listen(owner_)};
    if (config.permanent() || config.link1 == config.link0) return;
    Link* const second = links[config.link1];
    contexts_[1] = {second, second->listen(owner_)};
}

void Port::disconnect() {
    breaks_ = breaks() + 1;
    for (Context& context : contexts_) {
        if (context.link != nullptr) context.link->leave(context.listener);
        context = {};
    }
}

const Port::Context& Port::of(const Route& route) const {
    const bool second = contexts_[1].link != nullptr && route.source != destination_.config().link0;
    return contexts_[second ? 1 : 0];
}

Port::Words Port::look_by_turns() {
    while (connected()) {
        const Route route = destination_.route();
        const Context& now = of(route);
        const Link& link = *now.link;
        const std::size_t count = link.offered().size(), taken = link.taken(now.listener);
        if (taken >= count) return {};
        if (route.deliver) return {link, taken, since_};
        take_in_turn(count - taken, std::max(link.pace().last, since_));
    }
    return {};
}

void Port::take_in_turn(std::size_t count, const PathTime& when) {
    const Context now = of(destination_.route());
    Link& link = *now.link;
    const bool last = link.taken(now.listener) + count == link.offered().size();
    if (last && link.ends_frame()) destination_.tick();
    link.take(now.listener, count, when);
}

}  // namespace n6vp::models::npu
