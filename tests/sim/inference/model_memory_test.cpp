// SPDX-License-Identifier: Apache-2.0
// Places of a model in memory, and what is taken by it.
#include "sim/inference/model_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/image_builder.h"

using namespace n6vp;
using sim::model_run::MemoryUse;
using sim::model_run::ModelMemory;

namespace {

constexpr std::uint32_t kFile = 0x71000000, kParams = 0x71800000, kExec = 0x34060000,
                        kExecBytes = 655360, kExternal = 0x90100000, kExternalBytes = 28311552;

sim::ModelFiles files_of(const test::Image& image) {
    sim::ModelFiles files;
    files.file_path = "model.bin";
    files.file = image.file;
    files.params = image.params;
    if (!files.params.empty()) files.params_path = "params.bin";
    return files;
}

bool takes(const ModelMemory& memory, std::uint32_t start, std::uint64_t bytes) {
    return std::any_of(memory.taken().begin(), memory.taken().end(), [&](AddressRange range) {
        return to_word(range.start) == start && range.bytes == bytes;
    });
}

std::string name_at(const ModelMemory& memory, std::uint32_t address) {
    return memory.name_of(memory.place_of(address));
}

}  // namespace

TEST_CASE("model memory: uses of a model with every kind of pool, with their rooms") {
    test::ImageSpec spec = test::sample_spec(test::ImageGeneration::Core30);
    spec.split = true;
    const test::Image image = test::build_image(spec);
    const sim::ModelFiles files = files_of(image);
    for (const bool copy : {false, true}) {
        CAPTURE(copy);
        sim::ModelOptions options;
        options.mode = copy ? "copy" : "xip";
        const sim::InstallPlan plan(options, files);
        const ModelMemory memory(files, plan);
        const std::vector<MemoryUse>& uses = memory.uses();
        // Two COPY pools and a RESET pool; the external one and the weights in place are none.
        REQUIRE(uses.size() == 7);
        const std::uint32_t starts[] = {0x34200000, 0x34270000, 0x342E0000, kExec,
                                        kExternal,  kFile,      kParams};
        for (std::size_t i = 0; i < uses.size(); ++i) {
            CAPTURE(i);
            CHECK(to_word(uses[i].start) == starts[i]);
            CHECK(memory.place_of(starts[i]) == i);
            CHECK(memory.place_of(starts[i] + static_cast<std::uint32_t>(uses[i].used) - 1) == i);
            CHECK(memory.place_of(starts[i] + static_cast<std::uint32_t>(uses[i].used)) != i);
            CHECK(name_at(memory, starts[i]) == uses[i].name);
        }
        CHECK(uses[0].room == 448 * 1024);
        CHECK(uses[3].name == "exec RAM");
        CHECK(uses[3].used == image.exec_bytes(copy));
        CHECK(uses[3].room == kExecBytes);
        CHECK(uses[4].name == "external RAM");
        CHECK(uses[4].room == kExternalBytes);
        CHECK(uses[5].name == "model file");
        CHECK(uses[5].used == image.file.size());
        CHECK(uses[5].room == (128u << 20) - 0x1000000);
        CHECK(uses[6].name == "parameter file");
        CHECK(uses[6].used == image.params.size());
        CHECK(uses[6].room == (128u << 20) - 0x1800000);
    }
}

TEST_CASE("model memory: files, exec RAM, external RAM and pools are taken as a whole") {
    test::ImageSpec spec = test::sample_spec(test::ImageGeneration::Core30);
    spec.split = true;
    const test::Image image = test::build_image(spec);
    const sim::ModelFiles files = files_of(image);
    const sim::InstallPlan plan({}, files);
    const ModelMemory memory(files, plan);
    CHECK(memory.taken().size() == 7);
    CHECK(takes(memory, kFile, image.file.size()));
    CHECK(takes(memory, kParams, image.params.size()));
    CHECK(takes(memory, kExec, kExecBytes));
    CHECK(takes(memory, kExternal, kExternalBytes));
    // A model that needs no external RAM leaves it free.
    const test::Image small = test::build_image(test::minimal_spec(test::ImageGeneration::Core30));
    const sim::ModelFiles few = files_of(small);
    const sim::InstallPlan other({}, few);
    const ModelMemory without(few, other);
    REQUIRE(without.uses().size() == 2);
    CHECK(without.uses()[0].name == "exec RAM");
    CHECK(without.uses()[1].name == "model file");
    CHECK_FALSE(takes(without, kExternal, kExternalBytes));
    CHECK(takes(without, kExec, kExecBytes));
    CHECK(takes(without, kFile, small.file.size()));
}

TEST_CASE("model memory: behind the places of a model come the memories of the chip") {
    const test::Image image = test::build_image(test::sample_spec(test::ImageGeneration::Core30));
    const sim::ModelFiles files = files_of(image);
    const sim::InstallPlan plan({}, files);
    const ModelMemory model(files, plan), none;
    for (const ModelMemory* const memory : {&model, &none}) {
        CHECK(name_at(*memory, 0x00000000) == "ITCM");
        CHECK(name_at(*memory, 0x10000004) == "ITCM");
        CHECK(name_at(*memory, 0x34000000) == "FLEXMEM");
        CHECK(name_at(*memory, 0x24350000) == "AXISRAM6");
        CHECK(name_at(*memory, 0x34350000) == "AXISRAM6");
        CHECK(name_at(*memory, 0x70000000) == "XSPI2");
        CHECK(name_at(*memory, 0x90000000) == "XSPI1");
        CHECK(name_at(*memory, 0xD0000000) == "SDRAM2");
        CHECK(name_at(*memory, 0x50000000) == "no memory");
        CHECK(name_at(*memory, 0xFFFFFFFF) == "no memory");
        CHECK(memory->place_of(0x00000000) == memory->uses().size());
    }
    CHECK(name_at(none, 0x34060000) == "FLEXMEM");
    CHECK(name_at(none, 0x34064000) == "AXISRAM1");
    CHECK(none.uses().empty());
    CHECK(none.taken().empty());
}
