// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <list>
#include <string>

#include "models/soc/system/set_up.h"

using namespace n6vp::models;

namespace {

/// Blocks and filters wired as on the chip, for AXISRAM5 and the NPU's registers.
/// With them step 9 is needed.
RifParameters closed_ports() {
    RifParameters rif;
    rif.npu_ports_closed.value = 1;
    return rif;
}

struct SetUpBench {
    explicit SetUpBench(unsigned omitted_step = 0) {
        iac.clocked = [this] { return rcc.gate("IAC")->open(); };
        iac.on_interrupt = [this](bool level) { interrupt = level; };
        for (const RisafRow& row : kRisafs) risafs.emplace_back(row, rif, iac);
        SetUpBlocks blocks{rcc, ram_config, rifsc, iac, {}};
        for (Risaf& risaf : risafs) blocks.risafs.push_back(&risaf);
        set_up(blocks, omitted_step == 0 ? 0 : 1u << omitted_step);
    }
    Risaf& risaf(const std::string& name) {
        for (Risaf& candidate : risafs) {
            if (name == candidate.name()) return candidate;
        }
        FAIL("no such filter");
        return risafs.front();
    }
    /// Returns "" if everybody passes, else the reason of the first filter that refuses.
    std::string ask(const std::vector<AccessFilter*>& filters, const Transfer& who, bool write) {
        for (AccessFilter* filter : filters) {
            if (filter->judge(who, {0, 8, write}) != AccessFilter::Verdict::Pass)
                return filter->reason();
        }
        return "";
    }
    std::string npu_reads_axisram5() {
        Transfer npu;
        const MasterAttributes attributes = rifsc.master(Rifsc::kNpuMaster);
        npu.compartment = attributes.compartment;
        npu.secure = attributes.secure;
        npu.privileged = attributes.privileged;
        npu.initiator = 3;
        return ask({rcc.gate("AXISRAM5"), ram_config.power("AXISRAM5"),
                    &risaf("RISAF4").filter(0x242E0000, 1u << 3)},
                   npu, false);
    }
    std::string core_writes_npu() {
        return ask({rcc.gate("NPU"), rifsc.filter("NPU")}, Transfer{}, true);
    }

    ClockTree clocks;
    RifParameters rif = closed_ports();
    Iac iac;
    Rcc rcc{{}, clocks};
    RamConfig ram_config{{}};
    Rifsc rifsc{rif, iac};
    std::list<Risaf> risafs;
    bool interrupt = false;
};

std::string step_text(const std::string& reason) {
    return set_up_text(set_up_step(reason));
}

}  // namespace

TEST_CASE("set-up: with all steps the core reaches the NPU and the NPU its memory") {
    SetUpBench bench;
    CHECK(bench.npu_reads_axisram5().empty());
    CHECK(bench.core_writes_npu().empty());
    CHECK(bench.rcc.gate("NPU")->runs(true));
    CHECK(bench.rcc.gate("AXISRAM5")->runs(true));
    CHECK_FALSE(bench.interrupt);
}

TEST_CASE("set-up: without step 3 the memory has no clock") {
    SetUpBench bench(3);
    CHECK(bench.npu_reads_axisram5() == "RCC_MEMENR.AXISRAM5EN = 0");
    CHECK(step_text(bench.npu_reads_axisram5()).find("RAM clocks") == 0);
    CHECK(bench.core_writes_npu().empty());
}

TEST_CASE("set-up: without step 4 the memory is shut down") {
    SetUpBench bench(4);
    CHECK(bench.npu_reads_axisram5() == "RAMCFG_AXISRAM5CR.SRAMSD = 1");
    CHECK(step_text(bench.npu_reads_axisram5()).find("RAM power") == 0);
}

TEST_CASE("set-up: without step 5 the NPU's registers are dead") {
    SetUpBench bench(5);
    CHECK(bench.core_writes_npu() == "RCC_AHB5ENR.NPUEN = 0");
    CHECK(set_up_step(bench.core_writes_npu()) == SetUpStep::NpuClocks);
    CHECK(bench.npu_reads_axisram5().empty());
}

TEST_CASE("set-up: without step 6 the NPU stops while the core sleeps") {
    SetUpBench bench(6);
    const ClockGate& npu = *bench.rcc.gate("NPU");
    CHECK(npu.runs(false));
    CHECK_FALSE(npu.runs(true));
    CHECK(set_up_step(npu.sleep_reason()) == SetUpStep::SleepClocks);
}

TEST_CASE("set-up: without step 7 the NPU's traffic is blocked and flagged") {
    SetUpBench bench(7);
    CHECK(set_up_step(bench.npu_reads_axisram5()) == SetUpStep::RifMaster);
    CHECK(bench.iac.flagged(142));
    CHECK(bench.interrupt);
}

TEST_CASE("set-up: without step 8 the core cannot access the NPU") {
    SetUpBench bench(8);
    CHECK(set_up_step(bench.core_writes_npu()) == SetUpStep::RifSlave);
    CHECK(bench.iac.flagged(106));
}

TEST_CASE("set-up: without step 9 the NPU reads zero and it is flagged") {
    SetUpBench bench(9);
    CHECK(set_up_step(bench.npu_reads_axisram5()) == SetUpStep::Risaf);
    CHECK(bench.iac.flagged(142));
}

TEST_CASE("set-up: without step 10 violations are silent") {
    SetUpBench bench(10);
    Transfer unprivileged;
    unprivileged.privileged = false;
    CHECK_FALSE(bench.ask({bench.rifsc.filter("NPU")}, unprivileged, true).empty());
    CHECK_FALSE(bench.iac.flagged(106));
    CHECK_FALSE(bench.interrupt);
    SetUpBench complete;
    CHECK_FALSE(complete.ask({complete.rifsc.filter("NPU")}, unprivileged, true).empty());
    CHECK(complete.iac.flagged(106));
    CHECK(complete.interrupt);
}

TEST_CASE("set-up: the step that a reason belongs to, and none for all others") {
    struct Row {
        const char* reason;
        SetUpStep step;
    };
    for (const Row& row :
         {Row{"RCC_MEMENR.AXISRAM3EN = 0", SetUpStep::RamClocks},
          Row{"RCC_MEMLPENR.AXISRAM3LPEN = 0", SetUpStep::SleepClocks},
          Row{"RCC_AHB5LPENR.NPULPEN = 0", SetUpStep::SleepClocks},
          Row{"RCC_AHB5ENR.NPUEN = 0", SetUpStep::NpuClocks},
          Row{"RCC_AHB5RSTR.NPURST = 1", SetUpStep::NpuClocks},
          Row{"RCC_AHB5ENR.CACHEAXIEN = 0", SetUpStep::NpuClocks},
          Row{"RCC_AHB5ENR.XSPI2EN = 0", SetUpStep::NpuClocks},
          Row{"RCC_AHB5ENR.ETH1EN = 0", SetUpStep::None},
          Row{"RCC_AHB3ENR.IACEN = 0", SetUpStep::Iac},
          Row{"RCC_AHB3ENR.RNGEN = 0", SetUpStep::None},
          Row{"RCC_APB1ENR1.TIM2EN = 0", SetUpStep::None}, Row{"IAC", SetUpStep::None},
          Row{"NPU", SetUpStep::None}, Row{"RAMCFG_AXISRAM5CR.SRAMSD = 1", SetUpStep::RamPower},
          Row{"RIFSC_RIMC_ATTR1", SetUpStep::RifMaster},
          Row{"RIFSC_RISC_SECCFGR3", SetUpStep::RifSlave},
          Row{"RISAF2: region 1", SetUpStep::Risaf}, Row{"", SetUpStep::None}}) {
        CAPTURE(row.reason);
        CHECK(set_up_step(row.reason) == row.step);
    }
}
