// SPDX-License-Identifier: Apache-2.0
#include "sim/platform/set_up_check.h"

#include <string_view>

#include "memmap/interrupts.h"
#include "models/soc/system/set_up.h"

namespace n6vp::sim {

using models::SetUpStep;

namespace {

constexpr const char* kBanks[] = {"AXISRAM2", "AXISRAM3", "AXISRAM4", "AXISRAM5", "AXISRAM6"};
constexpr const char* kUnits[] = {"NPU", "CACHEAXI", "XSPI1", "XSPI2"};
constexpr unsigned kNpuPeripheral = models::Rifsc::kNpuPeripheral,
                   kNpuLine = memmap::kNpuDefaultLine;

class Check {
  public:
    explicit Check(Platform& platform) : platform_(platform), soc_(platform.soc()) {}

    std::vector<SetUpGap> run() {
        caches_and_clocks();
        for (const char* const bank : kBanks) clock(SetUpStep::RamClocks, bank);
        clock(SetUpStep::RamClocks, "CACHEAXIRAM");
        for (const char* const bank : kBanks) {
            const models::PowerSwitch* const power = soc_.ram_config.power(bank);
            expect(power == nullptr || power->on(), SetUpStep::RamPower,
                   power != nullptr ? power->reason() : "");
        }
        for (const char* const unit : kUnits) clock(SetUpStep::NpuClocks, unit);
        for (const char* const bank : kBanks) sleep(bank);
        for (const char* const unit : kUnits) sleep(unit);
        isolation();
        expect(soc_.bsec.fast_pins_xspi1(), SetUpStep::FastPins, "BSEC OTP124 bit 16 = 0 (XSPI1)");
        expect(soc_.bsec.fast_pins_xspi2(), SetUpStep::FastPins, "BSEC OTP124 bit 15 = 0 (XSPI2)");
        // A program that is done with the NPU takes its line back.
        expect(platform_.npu_line_was_enabled() ||
                   platform_.core().core().system().interrupt_enabled(kNpuLine),
               SetUpStep::Vectors, "NVIC_ISER1 bit 21 = 0 (line 53)");
        return std::move(gaps_);
    }

  private:
    void expect(bool done, SetUpStep step, std::string bit) {
        if (!done) gaps_.push_back({step, std::move(bit)});
    }
    void caches_and_clocks() {
        const std::uint32_t power = core_register(0xE001E000), control = core_register(0xE000ED14);
        expect((power >> 12 & 1u) != 0, SetUpStep::CacheRam, "MEMSYSCTL_MSCR.DCACTIVE = 0");
        expect((power >> 13 & 1u) != 0, SetUpStep::CacheRam, "MEMSYSCTL_MSCR.ICACTIVE = 0");
        expect((control >> 16 & 1u) != 0, SetUpStep::CacheRam, "SCB_CCR.DC = 0");
        expect((control >> 17 & 1u) != 0, SetUpStep::CacheRam, "SCB_CCR.IC = 0");
        // Runs whose clocks come from the scenario need no PLL.
        const double hsi = platform_.parameters().rcc.hsi.value * 1e6;
        expect(platform_.clocks().hz(memmap::ClockDomain::Cpu) > hsi, SetUpStep::Clocks,
               "RCC_CFGR1.CPUSW = 0");
    }
    void clock(SetUpStep step, const char* unit) {
        const models::ClockGate* const gate = soc_.rcc.gate(unit);
        if (gate != nullptr) expect(gate->open(), step, gate->reason());
    }
    void sleep(const char* unit) {
        const models::ClockGate* const gate = soc_.rcc.gate(unit);
        const bool matters = gate != nullptr && gate->open();
        expect(!matters || gate->runs(true), SetUpStep::SleepClocks,
               matters ? gate->sleep_reason() : "");
    }
    void isolation() {
        const models::MasterAttributes npu = soc_.rifsc.master(models::Rifsc::kNpuMaster);
        expect(npu.compartment == 1 && npu.secure && npu.privileged, SetUpStep::RifMaster,
               "RIFSC_RIMC_ATTR1: MCID is not 1, or MSEC = 0, or MPRIV = 0");
        expect(soc_.rifsc.secure(kNpuPeripheral) && soc_.rifsc.privileged(kNpuPeripheral),
               SetUpStep::RifSlave, "RIFSC_RISC_SECCFGR3 or PRIVCFGR3 bit 10 = 0");
        for (const char* const name : models::kOpenedFilters) {
            constexpr std::uint32_t kFirstRegion = 0x40;
            const bool open = (soc_.risaf(name).read(kFirstRegion, 0).value & 1u) != 0;
            expect(open, SetUpStep::Risaf, std::string(name) + "_REG1_CFGR.BREN = 0");
        }
        const models::ClockGate* const iac = soc_.rcc.gate("IAC");
        expect(iac->open(), SetUpStep::Iac, iac->reason());
        expect(!iac->open() || soc_.iac.read(0, 0).value != 0, SetUpStep::Iac, "IAC_IER0 = 0");
    }
    /// As secure code reads it.
    [[nodiscard]] std::uint32_t core_register(std::uint32_t address) {
        models::core::Core& core = platform_.core().core();
        models::core::CpuState& cpu = core.state();
        const bool secure = cpu.secure;
        cpu.secure = true;
        std::uint32_t value = 0;
        if (!core.system().read_ppb(cpu, address, 4, core.cycles(), value)) value = 0;
        cpu.secure = secure;
        return value;
    }

    Platform& platform_;
    models::Peripherals& soc_;
    std::vector<SetUpGap> gaps_;
};

}  // namespace

std::vector<SetUpGap> set_up_gaps(Platform& platform) {
    return Check(platform).run();
}

}  // namespace n6vp::sim
