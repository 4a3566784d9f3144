// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "loader/legacy/client.h"
#include "tests/loader/legacy/legacy_bench.h"

/// The functions of the client interface on a chip whose model answers as the test says.
namespace n6vp::test {

namespace legacy = loader::legacy;

/// 64 bytes of RAM for what the application passes.
inline constexpr std::uint32_t kArrays = 0x20020000;

/// A chip with one file and some RAM, whose model answers as the test says.
class Chip {
  public:
    explicit Chip(loader::Policy policy = loader::Policy::Strict, bool has_crc = true)
        : image(build_legacy(sized(has_crc))), bench(image, legacy_addresses().front(), 1, policy) {
        bench.memory.map({GuestAddr{kArrays}, 64}, 0);
        machine.port = bench.memory.port();
        machine.policy = policy;
        machine.context = this;
        machine.heap = {this,
                        [](void* context, std::uint32_t) {
                            return GuestAddr{static_cast<Chip*>(context)->block};
                        },
                        [](void* context, GuestAddr at) {
                            static_cast<Chip*>(context)->released = to_word(at);
                        }};
        machine.call = [](void* context, const legacy::Call& call) {
            auto* self = static_cast<Chip*>(context);
            self->calls.push_back(call);
            return self->answer;
        };
        machine.refused = [](void* context, const loader::Diagnosis& cause) {
            auto* self = static_cast<Chip*>(context);
            self->refusals.push_back(cause.rule);
            self->why = cause;
        };
        load.file = bench.request.file;
        load.ram = bench.request.ram;
        load.ram_bytes = bench.request.ram_bytes;
        load.mode = 1;
    }
    static LegacySpec sized(bool has_crc) {
        LegacySpec spec = legacy_sample(has_crc);
        spec.weights_bytes = 40;
        return spec;
    }
    std::uint32_t create() { return legacy::load_and_create(machine, load, &handle); }
    [[nodiscard]] std::uint32_t word(std::uint32_t at) {
        std::uint32_t value = 0;
        REQUIRE(loader::read_word(machine.port, GuestAddr{at}, value));
        return value;
    }
    void set(std::uint32_t at, std::uint32_t value) {
        REQUIRE(loader::write_word(machine.port, GuestAddr{at}, value));
    }
    /// Returns the index of the function that the last call went to.
    [[nodiscard]] std::uint32_t last_entry() const {
        return (to_word(calls.back().target) - to_word(load.file) - 101) / 2;
    }
    [[nodiscard]] std::uint32_t context() const { return to_word(handle); }

    LegacyImage image;
    LegacyBench bench;
    legacy::Machine machine;
    legacy::LoadRequest load;
    GuestAddr handle{0};
    std::vector<legacy::Call> calls;
    std::vector<loader::Rule> refusals;
    loader::Diagnosis why;  ///< of the last refusal
    std::uint32_t answer = 0, block = 0, released = 0;
};

}  // namespace n6vp::test
