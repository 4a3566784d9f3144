// SPDX-License-Identifier: Apache-2.0
// Where a model of the older family is on a chip, what the firmware is told of it, and which part
// of it an address belongs to. Memories are those of the chip: the firmware has 64 KB of the flash
// and the first 24 KB of the RAM at 0x20000000. Ranges begin at lines of 32 bytes.
#include "sim/microcontroller/mcu_model_plan.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "loader/legacy/container.h"
#include "memmap/chips/chips.h"
#include "sim/host/errors.h"
#include "sim/microcontroller/mcu_board.h"
#include "sim/microcontroller/mcu_model_report.h"
#include "tests/support/legacy_builder.h"

using namespace n6vp;
using sim::McuVariant;

namespace {

constexpr std::uint32_t kFlash = 0x08010000, kRam = 0x20006000, kActivations = 736;

std::uint32_t line(std::uint32_t bytes) {
    return (bytes + 31) / 32 * 32;
}

/// A plan and what it refers to.
struct Planned {
    explicit Planned(const char* chip_name, const sim::ModelOptions& given = {},
                     const test::LegacySpec& spec = test::legacy_sample(),
                     const std::string& external = "", std::uint32_t params = 0)
        : image(test::build_legacy(spec)),
          board(*memmap::find_chip(chip_name), {external, "--external"}),
          options(given) {
        files.file_path = "network_rel.bin";
        files.file = image.file;
        files.params.resize(params);
        if (params != 0) files.params_path = "network_data.bin";
        plan.emplace(options, files, board.chip(), 0);
    }
    [[nodiscard]] const std::vector<McuVariant>& variants() const { return plan->variants(); }
    [[nodiscard]] std::string place(std::size_t variant, std::uint32_t address) const {
        return sim::place_in_model(*plan, variants()[variant], address);
    }
    [[nodiscard]] std::uint32_t file_bytes() const {
        return static_cast<std::uint32_t>(image.file.size());
    }

    test::LegacyImage image;
    sim::McuBoard board;
    sim::ModelOptions options;
    sim::ModelFiles files;
    std::optional<sim::McuModelPlan> plan;
};

sim::ModelOptions with_mode(const char* mode) {
    sim::ModelOptions options;
    options.mode = mode;
    return options;
}

std::string refusal(const char* chip, const sim::ModelOptions& options,
                    const test::LegacySpec& spec = test::legacy_sample(),
                    const std::string& external = "", std::uint32_t params = 0) {
    try {
        const Planned planned(chip, options, spec, external, params);
    } catch (const sim::UserError& error) {
        return std::string(error.what()) + "|" + error.remedy();
    }
    return "";
}

void check_range(AddressRange found, std::uint32_t start, std::uint32_t bytes) {
    CHECK(to_word(found.start) == start);
    CHECK(found.bytes == bytes);
}

}  // namespace

TEST_CASE("places of a model: one after the other behind the firmware, in each mode") {
    for (const bool copy : {false, true}) {
        CAPTURE(copy);
        const Planned planned("stm32u575", with_mode(copy ? "copy" : "xip"));
        REQUIRE(planned.variants().size() == 1);
        const McuVariant& one = planned.variants()[0];
        const std::uint32_t ram = planned.image.ram_bytes(copy), behind = kRam + line(ram),
                            end = behind + line(kActivations);
        CHECK(one.mode == (copy ? loader::legacy::kModeCopy : loader::legacy::kModeXip));
        CHECK_FALSE(one.heap);
        check_range(one.file, kFlash, planned.file_bytes());
        check_range(one.weights, 0, 0);
        check_range(one.ram, kRam, ram);
        check_range(one.activations, behind, kActivations);
        check_range(one.spare, end, 0x20000000 + 768 * 1024 - end);
        CHECK(one.title == (copy ? "COPY into sram1" : "XIP in flash, data in sram1"));
        const auto bases = one.bases(planned.plan->model().header());
        CHECK(to_word(bases.ro_base) == (copy ? kRam : kFlash));
        CHECK(to_word(bases.ram_base) ==
              (copy ? kRam + (planned.image.ro_bytes + 3) / 4 * 4 : kRam));
    }
}

TEST_CASE("places of a model: weights follow the model in flash, or are where the user says") {
    const Planned planned("stm32l4r5", {}, test::legacy_sample(), "", 100);
    const McuVariant& one = planned.variants()[0];
    check_range(one.weights, kFlash + line(planned.file_bytes()), 100);
    sim::ModelOptions options;
    options.params_at = "0x08080000";
    const Planned elsewhere("stm32l4r5", options, test::legacy_sample(), "", 100);
    check_range(elsewhere.variants()[0].weights, 0x08080000, 100);
    check_range(elsewhere.variants()[0].file, kFlash, planned.file_bytes());
    // Up to the model's last byte, and behind it.
    char text[16];
    const std::uint32_t end = kFlash + planned.file_bytes();
    std::snprintf(text, sizeof text, "0x%x", end - 1);
    options.params_at = text;
    CHECK(refusal("stm32l4r5", options, test::legacy_sample(), "", 100) ==
          "the weights overlap the model|choose another place with --params-at");
    std::snprintf(text, sizeof text, "0x%x", end);
    options.params_at = text;
    CHECK(refusal("stm32l4r5", options, test::legacy_sample(), "", 100).empty());
    options.params_at = "0x081fff9d";
    CHECK_FALSE(refusal("stm32l4r5", options, test::legacy_sample(), "", 100).empty());
    options.params_at = "0x081fff9c";
    CHECK(refusal("stm32l4r5", options, test::legacy_sample(), "", 100).empty());
}

TEST_CASE("places of a model: those of the user are left out of the rest") {
    sim::ModelOptions options;
    options.exec = "0x20006000:0x1000";
    options.ext = "0x20008000:0x400";
    const Planned given("stm32u575", options);
    const McuVariant& one = given.variants()[0];
    check_range(one.ram, 0x20006000, 0x1000);
    check_range(one.activations, 0x20008000, 0x400);
    check_range(one.spare, 0x20008400, 768 * 1024 - 0x8400);
    options = {};
    options.ext = "0x20006800:0x400";
    options.at = "0x20007000";
    const Planned in_ram("stm32u575", options);
    const McuVariant& other = in_ram.variants()[0];
    check_range(other.file, 0x20007000, in_ram.file_bytes());
    check_range(other.activations, 0x20006800, 0x400);
    check_range(other.ram, 0x20006000, in_ram.image.ram_bytes(false));
    check_range(other.spare, 0x20007000 + in_ram.file_bytes(),
                768 * 1024 - 0x7000 - in_ram.file_bytes());
    options = {};
    options.exec = "heap";
    const Planned heap("stm32u575", options);
    const McuVariant& third = heap.variants()[0];
    CHECK(third.heap);
    check_range(third.activations, kRam, kActivations);
    const std::uint32_t spare = kRam + line(kActivations);
    CHECK(to_word(third.spare.start) == spare);
    // The loader aligns its block to eight bytes, at most four behind the start.
    check_range(third.ram, spare, heap.image.ram_bytes(false) + 4);
    CHECK(third.title == "XIP in flash, data in sram1, from the heap");
}

TEST_CASE("places of a model: all modes of a chip with external memories") {
    const std::string two = "0x90000000:64K,0x60000000:1M";
    const Planned planned("stm32u575", with_mode("all"), test::legacy_sample(), two);
    const auto& all = planned.variants();
    REQUIRE(all.size() == 4);
    CHECK(all[0].title == "XIP in flash, data in sram1");
    CHECK(all[1].title == "XIP in external_90000000, data in sram1");
    CHECK(all[2].title == "XIP in external_60000000, data in sram1");
    CHECK(all[3].title == "COPY into sram1");
    check_range(all[1].file, 0x90000000, planned.file_bytes());
    check_range(all[2].file, 0x60000000, planned.file_bytes());
    check_range(all[3].file, kFlash, planned.file_bytes());
    // A memory takes part if it has room for the files and a line.
    const std::uint32_t least = line(planned.file_bytes() + 100 + 32);
    for (const std::uint32_t bytes : {least, least - 1}) {
        CAPTURE(bytes);
        const Planned small("stm32u575", with_mode("all"), test::legacy_sample(),
                            "0x90000000:" + std::to_string(bytes), 100);
        CHECK(small.variants().size() == (bytes == least ? 3 : 2));
    }
    const std::string four = two + ",0x70000000:64K,0x80000000:64K";
    CHECK(refusal("stm32u575", with_mode("all"), test::legacy_sample(), four).empty());
    CHECK(refusal("stm32u575", with_mode("all"), test::legacy_sample(), four + ",0x9c000000:64K")
              .ends_with("|give --external at most 4 memories"));
}

TEST_CASE("places of a model: all modes of a chip with TCM, as far as there is room") {
    const Planned planned("stm32h743", with_mode("all"));
    const auto& all = planned.variants();
    REQUIRE(all.size() == 4);
    const std::uint32_t xip = planned.image.ram_bytes(false), copy = planned.image.ram_bytes(true);
    check_range(all[0].ram, 0x24000000, xip);
    check_range(all[1].ram, 0x24000000, copy);
    check_range(all[2].ram, kRam, xip);
    check_range(all[2].activations, kRam + line(xip), kActivations);
    // Address 0 is no place for an image.
    check_range(all[3].ram, 0x00000020, copy);
    check_range(all[3].activations, kRam, kActivations);
    check_range(all[3].spare, kRam + line(kActivations), 0x20020000 - kRam - line(kActivations));
    CHECK(all[2].mode == loader::legacy::kModeXip);
    CHECK(all[3].mode == loader::legacy::kModeCopy);
    CHECK(all[2].title == "XIP in flash, data in dtcm_ram");
    CHECK(all[3].title == "COPY into itcm_ram, data in dtcm_ram");

    const auto count = [](const test::LegacySpec& spec) {
        return Planned("stm32h743", with_mode("all"), spec).variants().size();
    };
    constexpr std::uint32_t kDtcm = (128 - 24) * 1024, kItcm = 64 * 1024 - 32;
    test::LegacySpec spec = test::legacy_sample();
    spec.activations_bytes = kDtcm - line(xip);
    CHECK(count(spec) == 4);
    spec.activations_bytes += 1;
    CHECK(count(spec) == 3);
    spec.activations_bytes = kDtcm;
    CHECK(count(spec) == 3);
    spec.activations_bytes += 1;
    CHECK(count(spec) == 2);
    spec = test::legacy_sample();
    spec.code_bytes += kItcm - copy;
    CHECK(count(spec) == 4);
    spec.code_bytes += 4;
    CHECK(count(spec) == 3);
}

TEST_CASE("places of a model: what does not fit is refused with the option that helps") {
    test::LegacySpec spec = test::legacy_sample();
    // All RAM but one line for the image, and a byte more.
    const std::uint32_t image = line(test::build_legacy(spec).ram_bytes(false)),
                        room = (768 - 24) * 1024 - image;
    spec.activations_bytes = room;
    CHECK(refusal("stm32u575", {}, spec).empty());
    spec.activations_bytes = room + 1;
    CHECK(refusal("stm32u575", {}, spec) ==
          "no room for the activations: " + std::to_string(room + 1) +
              " bytes, the largest free part has " + std::to_string(room) +
              "|name other memory with --ext");
    sim::ModelOptions options = with_mode("both");
    CHECK(refusal("stm32u575", options) ==
          "--mode 'both'|a model of the older family takes xip, copy or all");
    for (std::string sim::ModelOptions::*const member :
         {&sim::ModelOptions::exec, &sim::ModelOptions::ext, &sim::ModelOptions::at}) {
        options = with_mode("all");
        options.*member = "0x20010000:4K";
        CHECK(refusal("stm32u575", options).starts_with("--mode all with --exec, --ext or --at|"));
    }
    spec = test::legacy_sample();
    spec.weights_bytes = 88;
    CHECK(refusal("stm32u575", {}, spec) ==
          "network_rel.bin: its weights are missing, 88 bytes in a file of their own|"
          "name it with --params network_data.bin");
    CHECK(refusal("stm32u575", {}, spec, "", 88).empty());
    spec.weights.assign(88, 1);
    CHECK(refusal("stm32u575", {}, spec).empty());
}

TEST_CASE("the firmware's job: steps, caches and the words of each variant") {
    for (const char* chip : {"stm32u575", "stm32h743", "stm32l4r5"}) {
        CAPTURE(chip);
        const Planned planned(chip, with_mode("all"), test::legacy_sample(), "", 64);
        const firmware::mcu::Job job = planned.plan->job(7);
        CHECK(job.magic == 0x4A4C364E);
        CHECK(job.repeat == 7);
        CHECK(job.core_caches == (std::string(chip) == "stm32h743" ? 1 : 0));
        const auto& steps = planned.plan->clocks().steps;
        REQUIRE(job.step_count == steps.size());
        CHECK(job.steps[steps.size() - 1].address == steps.back().address);
        CHECK(job.steps[0].mask == steps.front().mask);
        REQUIRE(job.variant_count == planned.variants().size());
        for (std::size_t i = 0; i < planned.variants().size(); ++i) {
            CAPTURE(i);
            const McuVariant& from = planned.variants()[i];
            const firmware::mcu::Variant& to = job.variants[i];
            CHECK(to.mode == from.mode);
            const auto same = [](AddressRange range, std::uint32_t start, std::uint32_t bytes) {
                return to_word(range.start) == start && range.bytes == bytes;
            };
            CHECK(same(from.file, to.file, to.file_bytes));
            CHECK(same(from.ram, to.ram, to.ram_bytes));
            CHECK(same(from.activations, to.activations, to.activations_bytes));
            CHECK(same(from.spare, to.spare, to.spare_bytes));
            CHECK(to.weights == to_word(from.weights.start));
            CHECK(to.weights != 0);
        }
    }
    sim::ModelOptions options;
    options.exec = "heap";
    const firmware::mcu::Job job = Planned("stm32u575", options).plan->job(1);
    CHECK(job.variants[0].ram == 0);
    CHECK(job.variants[0].ram_bytes == 0);
    CHECK(job.variants[0].weights == 0);
    CHECK(job.variant_count == 1);
}

TEST_CASE("an address in a model: sections, entries, and links of an image in place") {
    const Planned planned("stm32u575");
    const test::LegacyImage& image = planned.image;
    const auto code = [&](std::uint32_t offset) { return planned.place(0, kFlash + offset); };
    const auto data = [&](std::uint32_t offset) { return planned.place(0, kRam + offset); };
    CHECK(code(0) == "model, header + 0x0");
    CHECK(code(0x33) == "model, header + 0x33");
    CHECK(code(0x34) == "model, vector + 0x34");
    CHECK(code(99) == "model, vector + 0x63");
    // Functions of two bytes each, in the order of the vector.
    CHECK(code(100) == "model, code + 0x64, 0 bytes behind the start of create");
    CHECK(code(101) == "model, code + 0x65, 1 bytes behind the start of create");
    CHECK(code(102) == "model, code + 0x66, 0 bytes behind the start of init");
    CHECK(code(106) == "model, code + 0x6a, 0 bytes behind the start of run");
    CHECK(code(121) == "model, code + 0x79, 1 bytes behind the start of plt_obs_node_info");
    CHECK(code(140) == "model, code + 0x8c, 20 bytes behind the start of plt_obs_node_info");
    CHECK(code(image.ro_bytes - 1).starts_with("model, code + 0x"));
    CHECK(code(image.ro_bytes).empty());
    CHECK(planned.place(0, kFlash - 1).empty());

    CHECK(data(0) == "model, data + 0x0");
    CHECK(data(3) == "model, data + 0x3");
    CHECK(data(4) == "model, data + 0x4, relocation 0");
    CHECK(data(7) == "model, data + 0x7, relocation 0");
    CHECK(data(8) == "model, data + 0x8, relocation 1");
    CHECK(data(12) == "model, data + 0xc");
    CHECK(data(20) == "model, data + 0x14, relocation 3");
    const std::uint32_t context = image.context - image.ro_bytes;
    char text[64];
    std::snprintf(text, sizeof text, "model, rt_ctx + 0x%x, relocation 4", context + 0x14);
    CHECK(data(context + 0x14) == text);
    std::snprintf(text, sizeof text, "model, GOT + 0x%x, GOT word 1", image.got_start + 4);
    CHECK(data(image.got_start + 4) == text);
    std::snprintf(text, sizeof text, "model, bss + 0x%x", image.bss_start);
    CHECK(data(image.bss_start) == text);
    std::snprintf(text, sizeof text, "model, bss + 0x%x", image.bss_end - 1);
    CHECK(data(image.bss_end - 1) == text);
    CHECK(data(image.bss_end).empty());

    const std::uint32_t activations = to_word(planned.variants()[0].activations.start);
    CHECK(planned.place(0, activations) == "activations + 0x0");
    CHECK(planned.place(0, activations + kActivations - 1) == "activations + 0x2df");
    CHECK(planned.place(0, activations + kActivations).empty());
    CHECK(planned.place(0, 0).empty());
}

TEST_CASE("an address in a model: an image that was copied, and weights") {
    const Planned planned("stm32u575", with_mode("copy"), test::legacy_sample(), "", 100);
    const std::uint32_t data = kRam + (planned.image.ro_bytes + 3) / 4 * 4;
    CHECK(planned.place(0, kRam + 102) == "model, code + 0x66, 0 bytes behind the start of init");
    CHECK(planned.place(0, data + 4) == "model, data + 0x4, relocation 0");
    CHECK(planned.place(0, kFlash + 102).empty());
    const std::uint32_t weights = to_word(planned.variants()[0].weights.start);
    CHECK(planned.place(0, weights) == "weights + 0x0");
    CHECK(planned.place(0, weights + 99) == "weights + 0x63");
    CHECK(planned.place(0, weights + 100).empty());
}
