// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <vector>

#include "loader/runtime/npu_cipher.h"
#include "tests/loader/runtime/network.h"

using namespace n6vp;
using namespace n6vp::test;
using runtime::Failure;

namespace {

BlockSpec blob_block() {
    BlockSpec block;
    block.flags = kBlobBlock;
    block.blob = 0x34100000;
    return block;
}

}  // namespace

TEST_CASE("an operating system is there from init to de-init, and has the NPU block by block") {
    using Calls = std::vector<std::string>;
    FakeMachine machine;
    BlockSpec software;
    software.flags = kSwBlock;
    const Network network(machine, {blob_block(), software, blob_block()});
    runtime::runtime_init();
    CHECK(machine.system == Calls{"open"});
    machine.system.clear();
    runtime::init_network(network.instance());
    CHECK(machine.infer(network.instance()) == 2);
    CHECK(machine.system == Calls{"lock", "signal", "unlock", "lock", "signal", "unlock"});
    machine.system.clear();
    runtime::de_init_network(network.instance());
    runtime::runtime_de_init();
    CHECK(machine.system == Calls{"close"});
}

TEST_CASE("an inference that is given up gives the NPU back") {
    FakeMachine machine;
    const Network network(machine, {blob_block()});
    runtime::runtime_init();
    runtime::init_network(network.instance());
    CHECK(runtime::run_epoch_block(network.instance()) == runtime::Progress::Wfe);
    CHECK(machine.system.back() == "lock");
    runtime::de_init_network(network.instance());
    CHECK(machine.system.back() == "unlock");
}

TEST_CASE("keys go to the registers of their interface, the lowest word first") {
    FakeMachine machine;
    // npu-architecture.md: BUSIF pages 2 and 3; KEY0 from 0x14, KEY1 from 0x24 on.
    struct Place {
        std::uint32_t interface, key, first;
    };
    for (const Place place :
         {Place{0, 0, 0x2014}, Place{0, 1, 0x2024}, Place{1, 0, 0x3014}, Place{1, 1, 0x3024}}) {
        CAPTURE(place.first);
        machine.written.clear();
        runtime::npu::set_key(place.interface, place.key, 0x1111111122222222, 0x3333333344444444);
        using Written = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
        CHECK(machine.written == Written{{place.first, 0x22222222},
                                         {place.first + 4, 0x11111111},
                                         {place.first + 8, 0x44444444},
                                         {place.first + 12, 0x33333333}});
    }
}

TEST_CASE("the cipher of an engine and of the epoch controller, field by field") {
    FakeMachine machine;
    runtime::npu::Cipher cipher;
    cipher.enabled = true;
    cipher.identifier = 0x5A589ABCDEF;
    cipher.rounds = 1;
    cipher.key = 1;
    cipher.increment = 0x1234;
    runtime::npu::set_engine_cipher(7, cipher);
    // ecblob.md: ENCR_MSB is identifier bits 42..32, EN 12, ROUNDS 13, KEY_SEL from 14 on.
    CHECK(machine.reg("STRENG", 7, "ENCR_LSB") == 0x89ABCDEF);
    CHECK(machine.reg("STRENG", 7, "ENCR_MSB") ==
          (0x5A5u | 1u << 12 | 1u << 13 | 1u << 14 | 0x1234u << 16));
    runtime::npu::set_controller_cipher(cipher);
    CHECK(machine.reg("EPOCHCTRL", 0, "ENCR_LSB") == 0x89ABCDEF);
    CHECK(machine.reg("EPOCHCTRL", 0, "ENCR_MSB") == (0x5A5u | 1u << 12 | 1u << 13 | 1u << 14));
}
