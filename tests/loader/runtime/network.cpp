// SPDX-License-Identifier: Apache-2.0
#include "tests/loader/runtime/network.h"

#include <doctest/doctest.h>

#include <array>

namespace n6vp::test {

namespace {

/// inst_reloc of NN_Instance_TypeDef, by asynchronous and NDEBUG.
std::uint32_t handle_offset(const loader::RuntimeProfile& profile) {
    if (profile.async) return profile.ndebug ? 0x28 : 0x30;
    return profile.ndebug ? 0x20 : 0x28;
}

}  // namespace

Network::Network(FakeMachine& machine, const std::vector<BlockSpec>& blocks)
    : machine_(machine), count_(static_cast<std::uint32_t>(blocks.size())) {
    const std::uint32_t bytes = machine.profile.dbg_info ? 48 : 20;
    items_ = machine.allocate(bytes * (count_ + 1));
    for (std::uint32_t i = 0; i < count_; ++i) {
        const std::uint32_t at = items_ + i * bytes;
        const BlockSpec& block = blocks[i];
        if (block.start) runtime::store(at, machine.function(block.start));
        if (block.end) runtime::store(at + 4, machine.function(block.end));
        runtime::store(at + 8, block.blob);
        runtime::store(at + 12, block.wait_mask);
        runtime::store(at + 16, static_cast<std::uint16_t>(block.flags));
        if (machine.profile.dbg_info) runtime::store(at + 18, block.epoch);
    }
    runtime::store(items_ + count_ * bytes + 16, static_cast<std::uint16_t>(kLast));
    const std::uint32_t context = machine.allocate(68);
    runtime::store(context + 8, kRamBase);
    const std::uint32_t interface = machine.allocate(52);
    instance_ = machine.allocate(0x34);
    runtime::store(instance_, interface);
    runtime::store(instance_ + handle_offset(machine.profile), context);
    machine.items = items_;
}

std::uint32_t Network::item(std::uint32_t index) const {
    return items_ + index * (machine_.profile.dbg_info ? 48u : 20u);
}

void Network::record_callbacks() {
    const std::uint32_t function =
        machine_.function([this](std::uint32_t type, std::uint32_t, std::uint32_t at) {
            constexpr std::array kNames = {"pre-start", "post-start", "pre-end",
                                           "post-end",  "init",       "de-init"};
            std::string text = kNames.at(type);
            const bool own = at >= items_ && at < item(count_);
            if (own) text += " " + std::to_string((at - items_) / (item(1) - item(0)));
            if (!own && at != 0) text += " list";
            calls.push_back(text);
            return 0u;
        });
    runtime::set_network_callback(instance_, function);
}

std::uint32_t put_tensors(FakeMachine& machine, const std::vector<TensorSpec>& specs) {
    const std::uint32_t first = machine.allocate(56 * static_cast<std::uint32_t>(specs.size()));
    std::uint32_t at = first;
    for (const TensorSpec& spec : specs) {
        runtime::store(at + 0x04, spec.user != 0 ? machine.put<std::uint32_t>({spec.at}) : spec.at);
        runtime::store(at + 0x0C, spec.bytes);
        runtime::store(at + 0x14, spec.user);
        runtime::store(at + 0x18, spec.batch);
        runtime::store(at + 0x23, spec.type);
        runtime::store(at + 0x24, spec.qm);
        runtime::store(at + 0x25, spec.qn);
        runtime::store(at + 0x26, spec.is_unsigned);
        runtime::store(at + 0x27, static_cast<std::uint8_t>(spec.shape.size()));
        runtime::store(at + 0x28, spec.bits);
        runtime::store(at + 0x29, spec.per_channel);
        runtime::store(at + 0x2C, machine.put(spec.shape));
        if (!spec.scale.empty()) runtime::store(at + 0x30, machine.put(spec.scale));
        if (!spec.zero_point.empty()) runtime::store(at + 0x34, machine.put(spec.zero_point));
        at += 56;
    }
    return first;
}

void run_operator(FakeMachine& machine, const std::function<int(const runtime::Route&)>& body,
                  int expected) {
    int result = -1;
    BlockSpec block;
    block.flags = kHybridBlock;
    runtime::Route route = kOperatorRoute;
    block.end = [&result, &body, &route](std::uint32_t, std::uint32_t, std::uint32_t) {
        result = body(route);
        return 0u;
    };
    const Network network(machine, {block});
    const bool named = machine.profile.generation == loader::Generation::Core4x;
    route.instance = named ? network.instance() : 0;
    const std::optional<Stop> stop = machine.run([&machine, &network] {
        runtime::runtime_init();
        runtime::init_network(network.instance());
        machine.infer(network.instance());
        runtime::de_init_network(network.instance());
        runtime::runtime_de_init();
    });
    CHECK_FALSE(stop.has_value());
    CHECK(result == expected);
    CHECK(runtime::owner() == 0);
}

}  // namespace n6vp::test
