// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "models/soc/rif/iac.h"
#include "models/soc/rif/rifsc.h"
#include "models/soc/rif/risaf.h"
#include "tests/models/soc/register_words.h"

using namespace n6vp::models;
using n6vp::test::kWord;

namespace {

void write(RegisterBlock& block, std::uint32_t offset, std::uint32_t value) {
    (void)block.write(offset, value, kWord, 0);
}
std::uint32_t read(RegisterBlock& block, std::uint32_t offset) {
    return block.read(offset, 0).value;
}

const RisafRow& row(const std::string& name) {
    for (const RisafRow& candidate : kRisafs) {
        if (name == candidate.name) return candidate;
    }
    FAIL("no such filter");
    return kRisafs[0];
}

Transfer from(std::uint8_t cid, bool secure, bool privileged, std::uint8_t initiator = 0) {
    Transfer transfer;
    transfer.compartment = cid;
    transfer.secure = secure;
    transfer.privileged = privileged;
    transfer.initiator = initiator;
    return transfer;
}
const Transfer kTrusted = from(1, true, true);
const Transfer kStranger = from(3, false, false);
const Transfer kUnset = from(0, false, false);  ///< a master whose RIMC entry was never set

/// AXISRAM1's filter; its filter starts at 0x24064000, so offset 0x1000 is 0x65000 in its 1 MB.
struct RifBench {
    Iac iac;
    Risaf risaf{row("RISAF2"), {}, iac};
    AccessFilter& filter = risaf.filter(0x24064000);

    void region(unsigned number, std::uint32_t first, std::uint32_t last, std::uint32_t cids,
                std::uint32_t config) {
        const std::uint32_t base = 0x40 + 0x40 * number;
        write(risaf, base + 0x4, first);
        write(risaf, base + 0x8, last);
        write(risaf, base + 0xC, cids);
        write(risaf, base, config);
    }
    bool can(const Transfer& who, std::uint32_t offset, bool to_write = false,
             std::uint32_t bytes = 4) {
        return filter.passes(who, {offset, bytes, to_write});
    }
};

}  // namespace

TEST_CASE("risaf: after reset only CID 1, secure, privileged passes") {
    RifBench bench;
    CHECK(bench.can(kTrusted, 0));
    CHECK(bench.can(kTrusted, 0, true));
    CHECK_FALSE(bench.can(from(1, true, false), 0));
    CHECK_FALSE(bench.can(from(1, false, true), 0));
    CHECK_FALSE(bench.can(from(2, true, true), 0));
    CHECK_FALSE(bench.can(kStranger, 0));
}

TEST_CASE("risaf: the two base regions of the validation firmware open a memory to all") {
    RifBench bench;
    // Enabled, all CIDs read and write, no privilege asked: one secure, one not.
    bench.region(0, 0, 0xFFFFF, 0x00FF00FF, 0x101);
    CHECK(bench.can(from(5, true, false), 0, true));
    CHECK_FALSE(bench.can(kStranger, 0));
    bench.region(1, 0, 0xFFFFF, 0x00FF00FF, 0x001);
    CHECK(bench.can(kStranger, 0));
    CHECK(bench.can(kStranger, 0x9BFFC, true));
    CHECK(bench.can(kTrusted, 0));
}

TEST_CASE("risaf: read and write lists, privilege by compartment") {
    RifBench bench;
    bench.region(0, 0, 0xFFFFF, 0x00020006, 0x00040101);  // CID 1 rw, CID 2 r; CID 2 privileged
    CHECK(bench.can(from(1, true, false), 0, true));
    CHECK(bench.can(from(2, true, true), 0));
    CHECK_FALSE(bench.can(from(2, true, true), 0, true));
    CHECK_FALSE(bench.can(from(2, true, false), 0));
    CHECK_FALSE(bench.can(from(3, true, true), 0));
}

TEST_CASE("risaf: addresses count from the filter's space, in granules of 4 KB") {
    RifBench bench;
    bench.region(0, 0x65123, 0x66000, 0x00FF00FF, 0x001);
    CHECK(read(bench.risaf, 0x44) == 0x65000);
    CHECK(read(bench.risaf, 0x48) == 0x66FFF);
    CHECK_FALSE(bench.can(kStranger, 0x0FFC));
    CHECK(bench.can(kStranger, 0x1000));
    CHECK(bench.can(kStranger, 0x2FFC));
    CHECK_FALSE(bench.can(kStranger, 0x3000));
    // A burst over the border is judged as a whole.
    CHECK_FALSE(bench.can(kStranger, 0x0FFC, false, 8));
    CHECK_FALSE(bench.can(kStranger, 0x2FFC, false, 8));
    CHECK(bench.can(kStranger, 0x1000, false, 0x2000));
    // The trusted domain has no say where a region is.
    CHECK_FALSE(bench.can(kTrusted, 0x1000));
    CHECK(bench.can(kTrusted, 0x3000));
}

TEST_CASE("risaf: a subregion decides in place of its region") {
    RifBench bench;
    bench.region(0, 0, 0xFFFFF, 0x00FF00FF, 0x101);
    write(bench.risaf, 0x54, 0x65000);
    write(bench.risaf, 0x58, 0x65FFF);
    write(bench.risaf, 0x50, 1u | 4u << 4 | 1u << 8 | 1u << 12);  // CID 4, secure, read only
    CHECK(bench.can(from(4, true, false), 0x1000));
    CHECK_FALSE(bench.can(from(4, true, false), 0x1000, true));
    CHECK_FALSE(bench.can(kTrusted, 0x1000));
    CHECK(bench.can(kTrusted, 0x2000));
}

TEST_CASE("risaf: a blocked access answers zero, is recorded once and told to the IAC") {
    RifBench bench;
    CHECK(bench.filter.judge(kTrusted, {0x1000, 4, false}) == AccessFilter::Verdict::Pass);
    CHECK(read(bench.risaf, 0x8) == 0);
    CHECK(bench.filter.judge(from(3, false, true), {0x1000, 4, true, 0x34065000}) ==
          AccessFilter::Verdict::Zero);
    CHECK(bench.filter.judge(kStranger, {0x2000, 4, false, 0x24066000}) ==
          AccessFilter::Verdict::Zero);
    CHECK(read(bench.risaf, 0x8) == 2);
    CHECK(read(bench.risaf, 0x20) == (3u | 1u << 4 | 1u << 7));
    CHECK(bench.iac.flagged(140));
    write(bench.risaf, 0xC, 2);
    CHECK(read(bench.risaf, 0x8) == 0);
    CHECK(read(bench.risaf, 0x24) == 0);
}

TEST_CASE("risaf: IADDR gives an offset in place of the address") {
    RifBench bench;
    CHECK(bench.filter.judge(kStranger, {0x1000, 4, true, 0x34065000}) ==
          AccessFilter::Verdict::Zero);
    CHECK(read(bench.risaf, 0x24) == 0x34065000);
    // The first one stays until it is cleared.
    CHECK(bench.filter.judge(kStranger, {0x2000, 4, true, 0x24066000}) ==
          AccessFilter::Verdict::Zero);
    CHECK(read(bench.risaf, 0x24) == 0x34065000);
    write(bench.risaf, 0xC, 2);
    CHECK(bench.filter.judge(kStranger, {0x2000, 4, true, 0x24066000}) ==
          AccessFilter::Verdict::Zero);
    CHECK(read(bench.risaf, 0x24) == 0x24066000);
}

TEST_CASE("risaf: a refusal says whether the master or the regions are to blame") {
    RifBench bench;
    CHECK(bench.filter.judge(kUnset, {0, 8, false}) == AccessFilter::Verdict::Zero);
    CHECK(
        std::string(bench.filter.reason()) ==
        "the master is CID 0, non-secure, unprivileged (NPU: RIFSC_RIMC_ATTR1); RISAF2 (AXISRAM1) "
        "admits CID 1, secure, privileged");
    const std::string kept = bench.filter.reason();
    const char* const first = bench.filter.reason();
    bench.region(0, 0, 0xFFFFF, 0x00FF0000, 0x101);  // writes only
    CHECK(bench.filter.judge(kTrusted, {0, 8, false}) == AccessFilter::Verdict::Zero);
    CHECK(std::string(bench.filter.reason()) ==
          "no region of RISAF2 (AXISRAM1) lets reads through here: REGx_CFGR, REGx_CIDCFGR");
    CHECK(first == kept);
}

TEST_CASE("risaf: what is assumed beside the reset state can be switched off") {
    Iac iac;
    RifParameters open, closed;
    open.cid0_refused.value = 0;
    closed.npu_ports_closed.value = 1;
    Risaf assumed(row("RISAF5"), {}, iac), literal(row("RISAF5"), open, iac),
        shut(row("RISAF5"), closed, iac);
    CHECK(assumed.filter(0).passes(kTrusted, {0, 8, false}));
    CHECK_FALSE(shut.filter(0).passes(kTrusted, {0, 8, false}));
    for (Risaf* risaf : {&assumed, &literal}) {
        write(*risaf, 0x48, kWord);
        write(*risaf, 0x4C, 0x00FF00FF);
        write(*risaf, 0x40, 1);
    }
    CHECK_FALSE(assumed.filter(0).passes(kUnset, {0, 8, false}));
    CHECK(literal.filter(0).passes(kUnset, {0, 8, false}));
    CHECK(assumed.filter(0).passes(kStranger, {0, 8, false}));
}

TEST_CASE("risaf: asking whether something passes records nothing") {
    RifBench bench;
    CHECK_FALSE(bench.can(kStranger, 0));
    CHECK(read(bench.risaf, 0x8) == 0);
    CHECK_FALSE(bench.iac.flagged(140));
}

TEST_CASE("risaf: a filter for some initiators lets the others through") {
    Iac iac;
    Risaf risaf(row("RISAF4"), {}, iac);
    AccessFilter& filter = risaf.filter(0x24200000, 1u << 3);
    CHECK_FALSE(filter.passes(from(2, false, false, 3), {0, 8, false}));
    CHECK(filter.passes(from(2, false, false, 1), {0, 8, false}));
    // Its space is all addresses: both aliases name the same bytes.
    write(risaf, 0x44, 0x34200000);
    write(risaf, 0x48, 0x3426FFFF);
    write(risaf, 0x4C, 0x00040004);
    write(risaf, 0x40, 0x001);
    CHECK(filter.passes(from(2, false, false, 3), {0x6FFF8, 8, true}));
    CHECK_FALSE(filter.passes(from(2, false, false, 3), {0x70000, 8, true}));
}

TEST_CASE("risaf: changes are told, locked ones do not happen") {
    RifBench bench;
    int changes = 0;
    bench.risaf.on_change = [&] { ++changes; };
    write(bench.risaf, 0x40, 1);
    write(bench.risaf, 0x40, 1);
    CHECK(changes == 1);
    write(bench.risaf, 0x0, 1);
    write(bench.risaf, 0x40, 0);
    CHECK(read(bench.risaf, 0x40) == 1);
    write(bench.risaf, 0x0, 0);
    CHECK(read(bench.risaf, 0x0) == 1);
    bench.risaf.reset();
    CHECK(read(bench.risaf, 0x40) == 0);
    CHECK(changes == 2);
}

TEST_CASE("risaf: regions that a filter does not have are not there") {
    Iac iac;
    Risaf small(row("RISAF15"), {}, iac), large(row("RISAF6"), {}, iac);
    CHECK(small.read(0x40 + 0x40, 0).modelled);
    CHECK_FALSE(small.read(0x40 + 0x40 * 2, 0).modelled);
    CHECK(large.read(0x40 + 0x40 * 10, 0).modelled);
    CHECK_FALSE(large.read(0x40 + 0x40 * 11, 0).modelled);
    CHECK_FALSE(large.read(0x70, 0).modelled);
    CHECK(large.read(0x40 + 0x40 * 10 + 0x1C, 0).modelled);  // its subregion A
    CHECK_FALSE(large.read(0x40 + 0x3C, 0).modelled);
    CHECK_FALSE(large.read(0x10, 0).modelled);
}

TEST_CASE("iac: flags, enables, interrupt level") {
    Iac iac;
    std::vector<bool> levels;
    iac.on_interrupt = [&](bool level) { levels.push_back(level); };
    iac.flag(140);
    CHECK(read(iac, 0x80 + 4 * 4) == 1u << 12);
    CHECK(levels.empty());
    write(iac, 0x10, 1u << 12);
    CHECK(levels == std::vector<bool>{true});
    write(iac, 0x80 + 4 * 4, kWord);
    CHECK(read(iac, 0x80 + 4 * 4) == 1u << 12);
    write(iac, 0x100 + 4 * 4, 1u << 12);
    CHECK(read(iac, 0x80 + 4 * 4) == 0);
    CHECK(levels == std::vector<bool>{true, false});
    CHECK_FALSE(iac.read(0x14, 0).modelled);
    CHECK(std::string(iac.read(0x80, 0).name) == "ISR0");
}

TEST_CASE("iac: a reset takes the enables away") {
    Iac iac;
    write(iac, 0x10, 1u << 12);
    iac.reset();
    CHECK(read(iac, 0x10) == 0);
    bool told = false;
    iac.on_interrupt = [&](bool) { told = true; };
    iac.flag(140);
    CHECK_FALSE(told);
}

TEST_CASE("iac: without clock violations are silent") {
    Iac iac;
    bool clocked = false;
    iac.clocked = [&] { return clocked; };
    iac.flag(106);
    CHECK_FALSE(iac.flagged(106));
    clocked = true;
    iac.flag(106);
    CHECK(iac.flagged(106));
    iac.reset();
    CHECK_FALSE(iac.flagged(106));
}

TEST_CASE("rifsc: attributes of the NPU's master") {
    Iac iac;
    Rifsc rifsc({}, iac);
    std::vector<unsigned> told;
    rifsc.on_master = [&](unsigned master) { told.push_back(master); };
    CHECK(rifsc.master(Rifsc::kNpuMaster).compartment == 0);
    CHECK_FALSE(rifsc.master(Rifsc::kNpuMaster).secure);
    write(rifsc, 0xC14, 1u << 4 | 1u << 8 | 1u << 9);
    CHECK(rifsc.master(1).compartment == 1);
    CHECK(rifsc.master(1).secure);
    CHECK(rifsc.master(1).privileged);
    CHECK(told == std::vector<unsigned>{1});
    CHECK(read(rifsc, 0xC14) == 0x310);
    write(rifsc, 0xC00, 1);  // locked from now on
    write(rifsc, 0xC14, 0);
    CHECK(read(rifsc, 0xC14) == 0x310);
    rifsc.reset();
    CHECK(rifsc.master(1).compartment == 0);
}

TEST_CASE("rifsc: entry of the NPU: bit 10 of word 3") {
    Iac iac;
    Rifsc rifsc({}, iac);
    AccessFilter* npu = rifsc.filter("NPU");
    REQUIRE(npu != nullptr);
    CHECK(npu->judge(kTrusted, {0, 4, true}) == AccessFilter::Verdict::Zero);
    CHECK(iac.flagged(106));
    CHECK(std::string(npu->reason()).find("RISC_SECCFGR3") != std::string::npos);
    write(rifsc, 0x1C, 1u << 10);
    write(rifsc, 0x3C, 1u << 10);
    CHECK(npu->passes(kTrusted, {}));
    CHECK_FALSE(npu->passes(from(1, true, false), {}));
    CHECK_FALSE(npu->passes(from(1, false, true), {}));
}

TEST_CASE("rifsc: other peripherals are open after reset, and closed by their bits") {
    Iac iac;
    Rifsc rifsc({}, iac);
    AccessFilter* uart = rifsc.filter("USART1");
    REQUIRE(uart != nullptr);
    CHECK(uart->passes(kTrusted, {}));
    CHECK(uart->passes(kStranger, {}));
    write(rifsc, 0x10, 1u << 15);
    CHECK_FALSE(uart->passes(kStranger, {}));
    CHECK(uart->passes(from(0, true, false), {}));
    write(rifsc, 0x10, 0);
    write(rifsc, 0x30, 1u << 15);
    CHECK_FALSE(uart->passes(kStranger, {}));
    CHECK_FALSE(uart->passes(from(1, true, false), {}));
    CHECK(uart->passes(from(0, false, true), {}));
    CHECK(rifsc.filter("no such unit") == nullptr);
    RifParameters open;
    open.npu_exact.value = 0;
    Rifsc lenient(open, iac);
    CHECK(lenient.filter("NPU")->passes(kTrusted, {}));
}

TEST_CASE("rifsc: locked entries keep their value") {
    Iac iac;
    Rifsc rifsc({}, iac);
    write(rifsc, 0x3C, 1u << 10);
    write(rifsc, 0x5C, 1u << 10);
    write(rifsc, 0x3C, 0);
    CHECK(read(rifsc, 0x3C) == 1u << 10);
    write(rifsc, 0x1C, 3u << 10);
    CHECK(read(rifsc, 0x1C) == 2u << 10);
    write(rifsc, 0x5C, 0);
    CHECK(read(rifsc, 0x5C) == 1u << 10);
}
