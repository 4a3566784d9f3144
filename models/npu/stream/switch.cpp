// SPDX-License-Identifier: Apache-2.0
#include "models/npu/stream/switch.h"

namespace n6vp::models::npu {

Verdict judge(const SwitchConfig& config) {
    VerdictBuilder builder("STRSWITCH");
    const auto names_no_source = [&config](bool enabled, std::uint8_t ticks, std::uint8_t link) {
        return config.used() && (enabled || ticks != 0) && link >= kSwitchSources;
    };
    builder.illegal_if(names_no_source(config.en0, config.fnr0, config.link0),
                       "LINK0 names no source");
    builder.illegal_if(names_no_source(config.en1, config.fnr1, config.link1),
                       "LINK1 names no source");
    builder.refuse_if(config.used() && !config.permanent() && config.fnr0 == 0, "DST.FNR0",
                      "no tick in context 0 while context 1 is used");
    builder.refuse_if(config.used() && config.fnr0 != 0 && config.fnr1 == 0, "DST.FNR1",
                      "ticks in context 0 and none in context 1");
    builder.assume_if(config.used() && config.ticktype, "DST.TICKTYPE",
                      "what marks a pixel on a link; the consumer's pixel here");
    return builder.take();
}

void SwitchDestination::tick() {
    if (config_.permanent()) return;
    ++ticks_;
    if (ticks_ < (second_ ? config_.fnr1 : config_.fnr0)) return;
    ticks_ = 0;
    second_ = !second_;
}

StreamSwitch::Listeners StreamSwitch::listeners(std::uint32_t source) const {
    Listeners found;
    for (std::uint32_t i = 0; i < kSwitchDestinations; ++i) {
        const Route route = destinations_[i].route();
        if (!route.used || route.source != source) continue;
        (route.deliver ? found.deliver : found.discard) |= DestinationSet{1} << i;
    }
    return found;
}

}  // namespace n6vp::models::npu
