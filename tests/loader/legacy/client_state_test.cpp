// SPDX-License-Identifier: Apache-2.0
// What the functions of the client interface leave in the state of an instance, and what they say
// when they refuse. Errors are those of section 4.2 of the format's description.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "tests/loader/legacy/legacy_chip.h"

namespace n6vp::test {
namespace {

using loader::kNotApplicable;
using loader::Policy;
using loader::Rule;
using loader::Severity;

/// Fields of rt_ctx.
constexpr std::uint32_t kRam = 0x08, kRom = 0x0C, kActivations = 0x18, kWeights = 0x1C,
                        kAcquire = 0x34, kRelease = 0x38;
/// INITIALIZED and XIP, as the mode of Chip leaves them; then three bits of this loader's own.
constexpr std::uint32_t kInstalled = 3, kRunRefused = 1u << 8, kReady = 1u << 9,
                        kDestroyed = 1u << 10;

/// A chip with an installed model and an array of each kind that init accepts.
struct Installed : Chip {
    explicit Installed(Policy policy = Policy::Strict, bool has_crc = true)
        : Chip(policy, has_crc) {
        REQUIRE(create() == 0);
        set(kArrays, 0x08060000);
        set(kArrays + 16, 0x20010000);
        answer = 1;
    }
    bool init() {
        return legacy::init(machine, handle, GuestAddr{kArrays}, GuestAddr{kArrays + 16});
    }
    std::int32_t run() { return legacy::run(machine, handle, GuestAddr{0x100}, GuestAddr{0x200}); }
    [[nodiscard]] std::uint32_t state() { return word(context()); }
    void check_why(Rule rule, std::uint32_t address, std::uint32_t expected, std::uint32_t found) {
        CHECK(why.rule == rule);
        CHECK(why.severity == Severity::Error);
        CHECK(to_word(why.address) == address);
        CHECK(why.file_offset == kNotApplicable);
        CHECK(why.expected == expected);
        CHECK(why.found == found);
    }
};

TEST_CASE("an init makes the instance ready, one that fails no longer, the rest of it stays") {
    Installed chip;
    for (const std::uint32_t other : {0u, kRunRefused}) {
        chip.set(chip.context(), kInstalled | other);
        chip.answer = 1;
        CHECK(chip.init());
        CHECK(chip.state() == (kInstalled | other | kReady));
        CHECK(chip.init());
        CHECK(chip.state() == (kInstalled | other | kReady));
        CHECK(chip.refusals.empty());
        chip.answer = 0x100;  // the ai_bool is its lowest byte
        CHECK_FALSE(chip.init());
        CHECK(chip.state() == (kInstalled | other));
        chip.check_why(Rule::LegacyNotInitialised, chip.context(), 1, 0);
        chip.refusals.clear();
    }
    Installed compat(Policy::Compat);
    CHECK(compat.init());
    CHECK(compat.state() == kInstalled);
    compat.answer = 0;
    CHECK_FALSE(compat.init());
    CHECK(compat.refusals.back() == Rule::LegacyNotInitialised);
    CHECK(compat.state() == kInstalled);
}

TEST_CASE("a model that needs no weights or activations gets none") {
    Installed chip;
    chip.set(chip.context() + kWeights, 0);
    CHECK(legacy::init(chip.machine, chip.handle, GuestAddr{0}, GuestAddr{kArrays + 16}));
    chip.set(chip.context() + kActivations, 0);
    CHECK(legacy::init(chip.machine, chip.handle, GuestAddr{0}, GuestAddr{0}));
    chip.set(chip.context() + kWeights, 40);
    CHECK_FALSE(legacy::init(chip.machine, chip.handle, GuestAddr{0}, GuestAddr{0}));
    chip.check_why(Rule::LegacyWeightsMissing, 0, 40, 0);
    CHECK_FALSE(legacy::init(chip.machine, chip.handle, GuestAddr{0x50000000}, GuestAddr{0}));
    chip.check_why(Rule::LegacyWeightsMissing, 0x50000000, 40, 0);
    chip.set(kArrays, 0x08060003);
    CHECK_FALSE(legacy::init(chip.machine, chip.handle, GuestAddr{kArrays}, GuestAddr{0}));
    chip.check_why(Rule::LegacyWeightsGivenAlignment, 0x08060003, 4, 3);
}

TEST_CASE("a run that processes nothing tells whether the init is missing") {
    Installed chip;
    chip.answer = 5;
    CHECK(chip.run() == 5);
    CHECK(chip.refusals.empty());
    for (const std::uint32_t answer : {0u, 0xFFFFFFFFu}) {
        chip.answer = answer;
        CHECK(chip.run() == static_cast<std::int32_t>(answer));
        chip.check_why(Rule::LegacyMissingInit, chip.context(), 1, answer);
    }
    chip.answer = 1;
    REQUIRE(chip.init());
    chip.answer = 0;
    CHECK(chip.run() == 0);
    chip.check_why(Rule::LegacyNotRun, chip.context(), 1, 0);
    Installed compat(Policy::Compat);
    compat.answer = 0;
    CHECK(compat.run() == 0);
    CHECK(compat.refusals.back() == Rule::LegacyNotRun);
}

TEST_CASE("a refused run is the next error, once, and the model is not asked") {
    Installed chip;
    chip.answer = 0x1612;
    legacy::refuse_run(chip.machine, chip.handle, Rule::LegacyRunsAlready, GuestAddr{0x20001234});
    chip.check_why(Rule::LegacyRunsAlready, chip.context(), kNotApplicable, 0x20001234);
    CHECK(chip.state() == (kInstalled | kRunRefused));
    const std::size_t calls = chip.calls.size();
    CHECK(legacy::get_error(chip.machine, chip.handle) == 0x4011);  // INVALID_STATE, IN_USE
    CHECK(chip.calls.size() == calls);
    CHECK(chip.state() == kInstalled);
    CHECK(legacy::get_error(chip.machine, chip.handle) == 0x1612);
    CHECK(chip.calls.size() == calls + 1);
    // A handle into nowhere is reported and not written to.
    legacy::refuse_run(chip.machine, GuestAddr{0x50000000}, Rule::LegacyActivationsInUse,
                       chip.handle);
    CHECK(chip.refusals.back() == Rule::LegacyActivationsInUse);
    Installed compat(Policy::Compat);
    compat.set(compat.context(), kInstalled | kRunRefused);
    compat.answer = 0x1612;
    CHECK(legacy::get_error(compat.machine, compat.handle) == 0x1612);
    CHECK(compat.state() == (kInstalled | kRunRefused));
}

TEST_CASE("a destroyed instance is marked, one that is still in use is not") {
    Installed chip;
    chip.answer = 0x20001230;
    CHECK(to_word(legacy::destroy(chip.machine, chip.handle)) == 0x20001230);
    chip.check_why(Rule::LegacyNotDestroyed, chip.context(), 0, 0x20001230);
    CHECK(chip.state() == kInstalled);
    chip.answer = 0;
    CHECK(to_word(legacy::destroy(chip.machine, chip.handle)) == 0);
    CHECK(chip.state() == kDestroyed);
    CHECK(chip.released == 0);  // the application's own RAM
    CHECK(chip.run() == 0);
    chip.check_why(Rule::LegacyHandleStale, chip.context(), 1, kDestroyed);
}

TEST_CASE("a create that fails says what the model said") {
    const std::pair<std::uint32_t, Rule> rows[] = {{0x1030, Rule::LegacyNotCreated},
                                                   {0x4130, Rule::LegacyCrcUnitOff},
                                                   {0x4030, Rule::LegacyNotCreated},
                                                   {0x4230, Rule::LegacyNotCreated}};
    for (const auto& each : rows) {
        const auto& [error, rule] = each;
        CAPTURE(each.first);
        Chip chip;
        chip.answer = error;
        CHECK(chip.create() == error);
        CHECK(chip.why.rule == rule);
        CHECK(chip.why.expected == 0);
        CHECK(chip.why.found == error);
        const std::uint32_t context =
            to_word(chip.load.ram) + chip.image.context - chip.image.ro_bytes;
        CHECK(to_word(chip.why.address) == context);
        CHECK(chip.word(context) == 0);
        CHECK(chip.context() == 0);
    }
    // Only the type tells; a code alone is none.
    Chip code;
    code.answer = 0x1000;
    CHECK(code.create() == 0x1000);
    CHECK(code.refusals.empty());
    CHECK(code.context() != 0);
}

TEST_CASE("callbacks of the CRC unit are entered only by the extended form") {
    for (const bool registers : {false, true}) {
        Chip chip;
        chip.load.registers_crc = registers;
        chip.load.release_crc = GuestAddr{0x08000201};
        CHECK(chip.create() == 0);
        CHECK(chip.word(chip.context() + kAcquire) == 0);
        CHECK(chip.word(chip.context() + kRelease) == (registers ? 0x08000201 : 0));
    }
    Chip none(Policy::Strict, false);
    none.load.registers_crc = true;
    none.load.release_crc = GuestAddr{0x08000201};
    CHECK(none.create() == 0x1033);
    CHECK(none.why.rule == Rule::LegacyCrcNoRoom);
    Installed late(Policy::Strict, false);
    CHECK_FALSE(legacy::register_crc_callbacks(late.machine, late.handle, GuestAddr{0x08000301},
                                               GuestAddr{0}));
    late.check_why(Rule::LegacyCrcNoRoom, late.context(), 60, 52);
}

TEST_CASE("a refusal says where, what and instead of what") {
    const std::uint32_t magic = 0x4E49424E;
    const auto refused = [](Installed& chip) {
        const std::size_t calls = chip.calls.size();
        CHECK(chip.run() == 0);
        CHECK(chip.calls.size() == calls);
    };
    {
        Installed chip;
        chip.handle = GuestAddr{chip.context() + 3};
        refused(chip);
        chip.check_why(Rule::LegacyHandleAlignment, chip.context(), 4, 3);
    }
    {
        Installed chip;
        chip.set(chip.context() + kRom, kArrays);
        chip.set(kArrays, 0x1234);
        refused(chip);
        chip.check_why(Rule::HandleMagic, kArrays, magic, 0x1234);
    }
    {
        Installed chip;
        chip.set(chip.context(), 2);
        refused(chip);
        chip.check_why(Rule::HandleState, chip.context(), 1, 2);
    }
    {
        Installed chip;
        chip.set(chip.context() + kRam, 0x20002000);
        refused(chip);
        const std::uint32_t inside = chip.image.context - chip.image.ro_bytes;
        chip.check_why(Rule::LegacyHandleForeign, chip.context(), 0x20002000 + inside,
                       chip.context());
    }
    {
        Installed chip;
        chip.handle = GuestAddr{0};
        refused(chip);
        chip.check_why(Rule::HandleNull, 0, kNotApplicable, kNotApplicable);
    }
}

TEST_CASE("an entry is a Thumb function between header and data") {
    Chip chip;
    chip.load.mode = 2;
    chip.load.ram_bytes = chip.image.ram_bytes(true);
    chip.bench.memory.map({GuestAddr{0x24000000}, chip.load.ram_bytes}, 0);
    chip.load.ram = GuestAddr{0x24000000};
    REQUIRE(chip.create() == 0);
    chip.answer = 1;
    const std::uint32_t run_entry = to_word(chip.load.ram) + 0x34 + 4 * 3;
    const std::uint32_t ro = chip.image.ro_bytes;
    const std::pair<std::uint32_t, bool> rows[] = {
        {0x20000065, true},  // 100 bytes of header
        {0x20000063, false},          {0x20000064, false}, {0x20000000 + ro - 1, true},
        {0x20000000 + ro + 1, false}, {0x80000065, false}};
    for (const auto& each : rows) {
        const auto& [word, good] = each;
        CAPTURE(each.first);
        chip.set(run_entry, word);
        const std::size_t calls = chip.calls.size();
        CHECK(legacy::run(chip.machine, chip.handle, GuestAddr{4}, GuestAddr{8}) == good);
        CHECK(chip.calls.size() == calls + (good ? 1 : 0));
        if (good) {
            CHECK(to_word(chip.calls.back().target) == to_word(chip.load.ram) + word - 0x20000000);
            continue;
        }
        CHECK(chip.why.rule == Rule::LegacyEntry);
        CHECK(to_word(chip.why.address) == run_entry);
        CHECK(chip.why.found == word);
    }
}

TEST_CASE("without a way to call models or to report, nothing is called and nothing reported") {
    Installed chip;
    chip.machine.call = nullptr;
    chip.machine.refused = nullptr;
    CHECK(chip.run() == 0);
    CHECK_FALSE(chip.init());
    CHECK(legacy::get_error(chip.machine, chip.handle) == 0x1010);
    CHECK(chip.create() == 0x1033);
    chip.handle = GuestAddr{0};
    CHECK(chip.run() == 0);
    chip.load.mode = 0;
    CHECK(chip.create() == 0x1014);
    CHECK(chip.refusals.empty());
}

TEST_CASE("get_info judges context and name by the header, to the byte") {
    const struct {
        std::uint32_t at, inside, outside;  ///< header word; from the end of data or RO
        Rule rule;
    } rows[] = {{0x60, 52, 51, Rule::ContextOutsideData}, {0, 1, 0, Rule::ContextNameOutside}};
    for (const auto& row : rows) {
        for (const bool good : {true, false}) {
            Chip chip;
            LegacyImage& image = chip.image;
            const bool name = row.at == 0;
            const std::uint32_t end =
                name ? 0x20000000 + image.ro_bytes : 0x80000000 + image.data_end;
            const std::uint32_t place = end - (good ? row.inside : row.outside);
            // A context at another place needs a name of its own.
            if (!name) image.set(image.ro_bytes + image.data_end - 52 + 0x14, 0x20000064);
            image.set(name ? image.context + 0x14 : row.at, place);
            chip.bench.memory.store(chip.load.file, image.file);
            legacy::Info info;
            const std::uint32_t error = legacy::get_info(chip.machine, chip.load.file, info);
            CHECK(error == (good ? 0 : 0x1710));
            CHECK(chip.refusals.empty() == good);
            if (!good) CHECK(chip.why.rule == row.rule);
        }
    }
}

}  // namespace
}  // namespace n6vp::test
