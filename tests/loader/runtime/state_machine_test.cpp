// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "tests/loader/runtime/network.h"

using namespace n6vp;
using namespace n6vp::test;
using runtime::Failure;
using runtime::Progress;

namespace {

using Calls = std::vector<std::string>;

/// A hardware block that moves 64 bytes by engines 1 and 4, programmed by "the model".
BlockSpec copy_block(FakeMachine& machine, std::uint32_t to, std::uint32_t from) {
    BlockSpec block;
    block.flags = kHwBlock;
    block.wait_mask = 1u << 4;
    block.start = [&machine, to, from](std::uint32_t, std::uint32_t, std::uint32_t) {
        machine.set_reg("CLKCTRL", 0, "BGATES", 0x12);
        constexpr std::uint32_t kEngines[] = {1, 4};
        for (const std::uint32_t engine : kEngines) {
            machine.set_reg("STRENG", engine, "ADDR", engine == 1 ? from : to);
            machine.set_reg("STRENG", engine, "FSIZE", 64);
            machine.set_reg("STRENG", engine, "LIMIT", 1);
            machine.set_reg("STRENG", engine, "LIMITEN", 4);
            machine.set_reg("STRENG", engine, "EVENT", engine == 4 ? 1u << 19 : 0);
            machine.set_reg("STRENG", engine, "CTRL", 0x80080105u | (engine == 4 ? 1u << 3 : 0));
        }
        machine.write(0x580E0000 + 0x4008 + 4 * 4, 1 | 1 << 1);
        return 0u;
    };
    block.end = [&machine](std::uint32_t, std::uint32_t, std::uint32_t) {
        machine.write(0x580E0000 + 0x4008 + 4 * 4, 0);
        return 0u;
    };
    return block;
}

std::vector<std::uint8_t> ramp(std::size_t count) {
    std::vector<std::uint8_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint8_t>(i * 7 + 3);
    return values;
}

}  // namespace

TEST_CASE("the runtime's init and de-init leave the NPU as documented") {
    FakeMachine machine;
    std::vector<std::uint32_t> moments;
    runtime::set_runtime_callback(
        machine.function([&moments](std::uint32_t type, std::uint32_t, std::uint32_t) {
            moments.push_back(type);
            return 0u;
        }));
    runtime::runtime_init();
    CHECK(machine.reg("CLKCTRL", 0, "CTRL") == 1);
    CHECK(machine.reg("CLKCTRL", 0, "AGATES0") == 0xFFFFFFFF);
    CHECK(machine.reg("CLKCTRL", 0, "BGATES") == 0);
    CHECK(machine.reg("BUSIF", 0, "CTRL") == 1);
    CHECK(machine.reg("BUSIF", 1, "CTRL") == 1);
    CHECK(machine.reg("INTCTRL", 0, "CTRL") == 1);
    CHECK(machine.reg("INTCTRL", 0, "INTORMSK0") == 0x3FF);
    CHECK(machine.reg("INTCTRL", 0, "INTANDMSK0") == 0xFFFFFFFF);
    CHECK(machine.line_enabled);
    runtime::runtime_de_init();
    CHECK(machine.reg("CLKCTRL", 0, "CTRL") == 0);
    CHECK(machine.reg("CLKCTRL", 0, "AGATES1") == 0);
    CHECK(machine.reg("INTCTRL", 0, "CTRL") == 0);
    CHECK_FALSE(machine.line_enabled);
    CHECK(moments == std::vector<std::uint32_t>{6, 7});
    runtime::set_runtime_callback(0);
}

TEST_CASE("a unit of another version stops the init") {
    FakeMachine machine;
    machine.set_reg("CONVACC", 0, "VERSION", 0x00065118);
    const std::optional<Stop> stop = machine.run(runtime::runtime_init);
    REQUIRE(stop.has_value());
    CHECK(stop->failure == Failure::WrongVersion);
    CHECK(stop->first == 0x580E0000 + 0xF004);
    CHECK(stop->second == 0x00065118);
}

TEST_CASE("the upper half of a version is no reason to stop") {
    FakeMachine machine;
    machine.set_reg("BUSIF", 0, "VERSION", 0x0009501D);
    CHECK_FALSE(machine.run(runtime::runtime_init).has_value());
}

TEST_CASE("non-secure firmware uses the non-secure window") {
    FakeMachine machine;
    machine.profile.secure = false;
    runtime::runtime_init();  // the fake machine knows no other window then
    CHECK(machine.reg("INTCTRL", 0, "CTRL") == 1);
}

TEST_CASE("a unit that never finishes clearing is named") {
    FakeMachine machine;
    machine.clear_never_ends = true;
    const std::optional<Stop> stop = machine.run(runtime::runtime_init);
    REQUIRE(stop.has_value());
    CHECK(stop->failure == Failure::UnitBusy);
    CHECK(stop->first == 0x580E1000);
}

TEST_CASE("blocks of each kind run in order, and callbacks hear of each step") {
    for (const bool dbg_info : {true, false}) {
        for (const bool ndebug : {true, false}) {
            FakeMachine machine;
            machine.profile.dbg_info = dbg_info;
            machine.profile.ndebug = ndebug;
            const std::uint32_t from = machine.put(ramp(64)), to = machine.allocate(64);
            Calls order;
            BlockSpec software;
            software.flags = kSwBlock;
            software.end = [&order](std::uint32_t, std::uint32_t, std::uint32_t) {
                order.emplace_back("kernel");
                return 0u;
            };
            BlockSpec blob;
            blob.flags = kBlobBlock;
            blob.blob = 0x34200000;
            blob.start = [&order, &machine](std::uint32_t, std::uint32_t, std::uint32_t) {
                // Before the controller starts: caches only.
                order.push_back(machine.last_blob == 0 ? "before the blob" : "behind the blob");
                return 0u;
            };
            Network network(machine, {copy_block(machine, to, from), software, blob});
            network.record_callbacks();
            runtime::runtime_init();
            runtime::init_network(network.instance());
            CHECK(machine.network_inits == 1);
            CHECK(machine.inference_inits == 0);
            CHECK(machine.infer(network.instance()) == 2);
            CHECK(machine.inference_inits == 1);
            CHECK(machine.get<std::uint8_t>(to, 64) == ramp(64));
            CHECK(machine.blobs == 1);
            CHECK(machine.last_blob == 0x34200000);
            CHECK(machine.last_static_base != 0x34200000);
            CHECK(order == Calls{"kernel", "before the blob"});
            CHECK(network.calls == Calls{"init", "pre-start 0", "post-start 0", "pre-end 0",
                                         "post-end 0", "pre-start 1", "post-start 1", "pre-end 1",
                                         "post-end 1", "pre-start 2", "post-start 2", "pre-end 2",
                                         "post-end 2"});
            // The end of a blob leaves its gate closed and the masks shut.
            CHECK((machine.reg("CLKCTRL", 0, "BGATES") >> 25 & 1) == 0);
            CHECK(machine.reg("INTCTRL", 0, "INTANDMSK0") == 0xFFFFFFFF);
            CHECK(runtime::owner() == 0);
            runtime::de_init_network(network.instance());
            CHECK(network.calls.back() == "de-init");
            runtime::runtime_de_init();
        }
    }
}

TEST_CASE("functions of a model get their block, the instance and the model's data pointer") {
    FakeMachine machine;
    machine.profile.generation = loader::Generation::Core4x;
    std::uint32_t got_item = 0, got_instance = 0, base = 0;
    BlockSpec software;
    software.flags = kSwBlock;
    software.end = [&](std::uint32_t item, std::uint32_t instance, std::uint32_t) {
        got_item = item;
        got_instance = instance;
        base = machine.last_static_base;
        return 0u;
    };
    const Network network(machine, {software});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    machine.infer(network.instance());
    CHECK(got_item == network.item(0));
    CHECK(got_instance == network.instance());
    CHECK(base == Network::kRamBase);
}

TEST_CASE("RunEpochBlock advances one block at a time and sleeps only when something is awaited") {
    FakeMachine machine;
    BlockSpec software;
    software.flags = kSwBlock;
    BlockSpec blob;
    blob.flags = kBlobBlock;
    const Network network(machine, {software, blob, software});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::NoWfe);
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::Wfe);
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::Wfe);  // still not over
    REQUIRE(machine.sleep());
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::NoWfe);
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::NoWfe);
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::Done);
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::Done);
}

TEST_CASE("the last block's end and the end of the network come in one call") {
    FakeMachine machine;
    BlockSpec blob;
    blob.flags = kBlobBlock;
    const Network network(machine, {blob});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::Wfe);
    REQUIRE(machine.sleep());
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::Done);
}

TEST_CASE("a reset repeats the inference and its init, but not the network's") {
    FakeMachine machine;
    std::uint32_t kernels = 0;
    BlockSpec software;
    software.flags = kSwBlock;
    software.end = [&kernels](std::uint32_t, std::uint32_t, std::uint32_t) { return ++kernels; };
    const Network network(machine, {software});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    for (std::uint32_t run = 1; run <= 3; ++run) {
        machine.infer(network.instance());
        CHECK(kernels == run);
        CHECK(machine.inference_inits == run);
        runtime::reset_network(network.instance());
    }
    CHECK(machine.network_inits == 1);
}

TEST_CASE("a reset in the middle of a block starts it again, and forgets what has ended of it") {
    FakeMachine machine;
    std::uint32_t starts = 0, ends = 0;
    BlockSpec software;
    software.flags = kSwBlock;
    BlockSpec blob;
    blob.flags = kBlobBlock;
    blob.start = [&starts](std::uint32_t, std::uint32_t, std::uint32_t) { return ++starts; };
    blob.end = [&ends](std::uint32_t, std::uint32_t, std::uint32_t) { return ++ends; };
    const Network network(machine, {software, blob, software});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    for (std::uint32_t run = 1; run <= 3; ++run) {
        CAPTURE(run);
        CHECK(runtime::run_epoch_block(network.instance()) == Progress::NoWfe);
        CHECK(runtime::run_epoch_block(network.instance()) == Progress::Wfe);
        CHECK(starts == run);
        CHECK(runtime::owner() == network.instance());
        if (run == 2) REQUIRE(machine.sleep());  // its end has come, but was not looked at
        runtime::reset_network(network.instance());
        CHECK(runtime::owner() == 0);
        CHECK(ends == 0);
    }
    machine.infer(network.instance());
    CHECK(starts == 4);
    CHECK(ends == 1);
}

TEST_CASE("polling runs one block a call without interrupts, and refuses blobs by name") {
    FakeMachine machine;
    machine.profile.async = false;
    const std::uint32_t from = machine.put(ramp(64)), to = machine.allocate(64);
    BlockSpec blob;
    blob.flags = kBlobBlock;
    const Network network(machine, {copy_block(machine, to, from), blob});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::NoWfe);
    CHECK(machine.get<std::uint8_t>(to, 64) == ramp(64));
    const std::optional<Stop> stop = machine.run(
        [&network] { static_cast<void>(runtime::run_epoch_block(network.instance())); });
    REQUIRE(stop.has_value());
    CHECK(stop->failure == Failure::BlobWhilePolling);
    CHECK(stop->first == network.item(1));
}

TEST_CASE("an encrypted blob is refused by name") {
    FakeMachine machine;
    BlockSpec blob;
    blob.flags = kBlobBlock | 0x100;
    blob.blob = 0x71002000;
    const Network network(machine, {blob});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    const std::optional<Stop> stop = machine.run(
        [&network] { static_cast<void>(runtime::run_epoch_block(network.instance())); });
    REQUIRE(stop.has_value());
    CHECK(stop->failure == Failure::EncryptedBlob);
    CHECK(stop->second == 0x71002000);
    CHECK(std::string(runtime::name_of(stop->failure)) == "EncryptedBlob");
}

TEST_CASE("inits of the model that fail, and calls without an init, stop by name") {
    FakeMachine machine;
    BlockSpec software;
    software.flags = kSwBlock;
    const Network network(machine, {software});
    runtime::runtime_init();
    const auto run_block = [&network] {
        static_cast<void>(runtime::run_epoch_block(network.instance()));
    };
    const std::optional<Stop> early = machine.run(run_block);
    REQUIRE(early.has_value());
    CHECK(early->failure == Failure::NotInitialised);

    machine.network_init_result = false;
    const std::optional<Stop> init =
        machine.run([&network] { runtime::init_network(network.instance()); });
    REQUIRE(init.has_value());
    CHECK(init->failure == Failure::NetworkInitFailed);

    machine.network_init_result = true;
    machine.inference_init_result = false;
    runtime::init_network(network.instance());
    const std::optional<Stop> inference = machine.run(run_block);
    REQUIRE(inference.has_value());
    CHECK(inference->failure == Failure::InferenceInitFailed);
}

TEST_CASE("instances without a network, and none, are passed over") {
    FakeMachine machine;
    const std::uint32_t empty = machine.allocate(0x34);
    CHECK_FALSE(machine
                    .run([empty] {
                        runtime::init_network(0);
                        runtime::init_network(empty);
                        runtime::reset_network(empty);
                        runtime::de_init_network(0);
                    })
                    .has_value());
    CHECK(machine.network_inits == 0);
}

TEST_CASE("unexpected interrupts say what came") {
    struct Case {
        const char* unit;
        std::uint32_t index;
        const char* status;
        std::uint32_t status_word, source;
        Failure failure;
        std::uint32_t first, second;
    };
    const Case cases[] = {
        {"STRENG", 3, "IRQ", 0x10, 1u << 13, Failure::EngineError, 3, 0x10},
        {"BUSIF", 1, "ERR", 0x4, 1u << 26, Failure::BusError, 1, 0x4},
        {"EPOCHCTRL", 0, "IRQ", 0x20, 1u << 30, Failure::EpochControllerError, 0x20, 0},
        {"STRSWITCH", 0, "CTRL", 0, 1u << 27, Failure::InterruptUnexpected, 1u << 27, 0},
    };
    for (const Case& one : cases) {
        FakeMachine machine;
        BlockSpec blob;
        blob.flags = kBlobBlock;
        const Network network(machine, {blob});
        runtime::runtime_init();
        runtime::init_network(network.instance());
        static_cast<void>(runtime::run_epoch_block(network.instance()));
        machine.set_reg(one.unit, one.index, one.status, one.status_word);
        machine.set_reg("INTCTRL", 0, "INTREG", one.source);
        const std::optional<Stop> stop = machine.run(runtime::interrupt);
        REQUIRE(stop.has_value());
        CHECK(stop->failure == one.failure);
        CHECK(stop->first == one.first);
        if (one.failure != Failure::InterruptUnexpected) CHECK(stop->second == one.second);
        runtime::de_init_network(network.instance());  // gives the NPU back
    }
    FakeMachine machine;
    machine.set_reg("INTCTRL", 0, "INTREG", 1);
    const std::optional<Stop> stop = machine.run(runtime::interrupt);
    REQUIRE(stop.has_value());
    CHECK(stop->failure == Failure::InterruptNoOwner);
    CHECK(stop->first == 1);
}

TEST_CASE("engines that nobody waits for keep their status") {
    FakeMachine machine;
    const std::uint32_t from = machine.put(ramp(64)), to = machine.allocate(64);
    const Network network(machine, {copy_block(machine, to, from)});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    static_cast<void>(runtime::run_epoch_block(network.instance()));
    CHECK(machine.reg("INTCTRL", 0, "INTANDMSK0") == ~(1u << 4));
    REQUIRE(machine.sleep());
    CHECK(machine.reg("STRENG", 4, "IRQ") == 0);
    CHECK(machine.reg("STRENG", 1, "IRQ") == 1u << 3);
    CHECK(machine.reg("INTCTRL", 0, "INTREG") == 0);
    CHECK(runtime::run_epoch_block(network.instance()) == Progress::Done);
}

TEST_CASE("networks linked into the firmware run by their own functions") {
    FakeMachine machine;
    BlockSpec software;
    software.flags = kSwBlock;
    std::uint32_t kernels = 0;
    software.end = [&kernels](std::uint32_t, std::uint32_t, std::uint32_t) { return ++kernels; };
    const Network network(machine, {software});
    const std::uint32_t interface = machine.allocate(52), instance = machine.allocate(0x34);
    std::vector<std::string> called;
    const auto answer = [&](const char* name, std::uint32_t result) {
        return machine.function(
            [&called, name, result](std::uint32_t, std::uint32_t, std::uint32_t) {
                called.emplace_back(name);
                return result;
            });
    };
    runtime::store(interface + 0x04, answer("network init", 1));
    runtime::store(interface + 0x08, answer("inference init", 0x101));  // a bool is a byte
    runtime::store(interface + 0x1C, answer("items", network.item(0)));
    runtime::store(instance, interface);
    runtime::runtime_init();
    runtime::init_network(instance);
    machine.infer(instance);
    CHECK(kernels == 1);
    CHECK(called == std::vector<std::string>{"network init", "items", "inference init"});
    CHECK(machine.network_inits == 0);
}

TEST_CASE("a second network cannot start while the first has the NPU, and can afterwards") {
    FakeMachine machine;
    BlockSpec blob;
    blob.flags = kBlobBlock;
    const Network first(machine, {blob});
    runtime::runtime_init();
    runtime::init_network(first.instance());
    const Network second(machine, {blob});
    runtime::init_network(second.instance());
    CHECK(runtime::run_epoch_block(first.instance()) == Progress::Wfe);
    const std::optional<Stop> stop =
        machine.run([&second] { static_cast<void>(runtime::run_epoch_block(second.instance())); });
    REQUIRE(stop.has_value());
    CHECK(stop->failure == Failure::NpuOwned);
    CHECK(stop->first == first.instance());
    CHECK(stop->second == second.instance());
    runtime::reset_network(second.instance());
    REQUIRE(machine.sleep());
    CHECK(runtime::run_epoch_block(first.instance()) == Progress::Done);
    CHECK(machine.infer(second.instance()) == 1);
}

TEST_CASE("what cannot be is named") {
    FakeMachine machine;
    BlockSpec blob;
    blob.flags = kBlobBlock;
    blob.wait_mask = 1;  // a second epoch controller
    const Network network(machine, {blob});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    const std::optional<Stop> unit = machine.run(
        [&network] { static_cast<void>(runtime::run_epoch_block(network.instance())); });
    REQUIRE(unit.has_value());
    CHECK(unit->failure == Failure::BlobUnit);
    CHECK(unit->second == 1);

    machine.items = 0;
    const std::optional<Stop> items =
        machine.run([&network] { runtime::init_network(network.instance()); });
    REQUIRE(items.has_value());
    CHECK(items->failure == Failure::NoEpochItems);

    const std::optional<Stop> null =
        machine.run([] { static_cast<void>(runtime::run_epoch_block(0)); });
    REQUIRE(null.has_value());
    CHECK(null->failure == Failure::NullInstance);

    runtime::lock(network.instance());
    const std::optional<Stop> nothing = machine.run(runtime::interrupt);
    REQUIRE(nothing.has_value());
    CHECK(nothing->failure == Failure::InterruptNothing);
    runtime::unlock(network.instance());
    const std::optional<Stop> owner =
        machine.run([&network] { runtime::unlock(network.instance()); });
    REQUIRE(owner.has_value());
    CHECK(owner->failure == Failure::NpuNotOwned);

    machine.profile.async = false;
    const std::optional<Stop> polling = machine.run(runtime::interrupt);
    REQUIRE(polling.has_value());
    CHECK(polling->failure == Failure::InterruptWhilePolling);
}
