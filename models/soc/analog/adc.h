// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>

#include "models/parameter.h"
#include "models/picoseconds.h"
#include "models/soc/base/register_block.h"
#include "models/soc/base/signal_level.h"

namespace n6vp::models {

struct AdcParameters {
    Parameter enable{"enable", 5, "us", Confidence::Assumed,
                     "from ADEN to ADRDY; no public value: a few microseconds"};
    Parameter conversion{"conversion", 12.5, "clocks", Confidence::Assumed,
                         "12 bits, beside the sampling time; each bit less takes a clock less"};
    Parameter offset{"offset", 8, ParameterUnit{"LSB", {1, 511, true}}, Confidence::Assumed,
                     "what a conversion with ADCAL measures: more than 0, or the driver fails"};
    Parameter reference{"reference", 1800, ParameterUnit{"mV", {1, 3600}}, Confidence::Documented,
                        "public examples: VREF+ of the boards"};
    Parameter input{"input", 0, ParameterUnit{"mV", {0, 3600}}, Confidence::Assumed,
                    "at every pin channel that nothing drives"};
    Parameter vrefint{"vrefint", 1210, ParameterUnit{"mV", {0, 3600}}, Confidence::Assumed,
                      "internal reference, channel 17 of ADC1"};
    Parameter vddcore{"vddcore", 810, ParameterUnit{"mV", {0, 3600}}, Confidence::Assumed,
                      "core supply, channel 17 of ADC2"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.enable);
        function(self.conversion);
        function(self.offset);
        function(self.reference);
        function(self.input);
        function(self.vrefint);
        function(self.vddcore);
    }
};

/// One ADC of the STM32N6 with its regular conversions.
///
/// Modelled: DEEPPWD, ADEN with ADRDY, ADDIS, ADSTART, ADSTP; sequences of SQR1 to SQR4, single,
/// continuous and discontinuous, by software or by a hardware trigger that is connected;
/// resolutions, sampling times, oversampling with its shifts; EOSMP EOC EOS OVR; analog watchdog 1;
/// AUTDLY; calibration conversions; interrupt and DMA request.
/// Not modelled: injected conversions, other hardware triggers, offsets, gain compensation,
/// watchdogs 2 and 3, dual mode, MDF: switching one on answers "not modelled".
/// Assumed: AdcParameters; sampling starts with the edge of its trigger; a channel reads
/// round(voltage / VREF+ * 2^bits), at most the largest code; a differential channel reads half of
/// the range for its input and a grounded other one.
/// Sources: registers of the public register description; behaviour of the HAL driver; numbers of
/// triggers in the LL driver.
class Adc : public sc_core::sc_module, public RegisterBlock {
  public:
    static constexpr unsigned kChannels = 20;

    struct Statistics {
        std::uint64_t conversions = 0;  ///< results
        std::uint64_t overruns = 0;
    };

    /// `internal`: millivolts at channel 17.
    Adc(const sc_core::sc_module_name& name, const char* block, double internal,
        const AdcParameters& parameters = {});
    using RegisterBlock::name;

    std::function<void(bool level)> on_interrupt;
    /// DMA request, level and the absolute time of its change. While it is not connected, DMNGT
    /// answers "not modelled".
    std::function<void(bool level, Picoseconds at)> on_request;

    /// Triggers that are connected, by their numbers in EXTSEL; others answer "not modelled".
    std::uint32_t triggers = 0;
    static constexpr unsigned kNoTrigger = 32;
    /// Called after the trigger that the unit waits for has changed.
    std::function<void(Picoseconds at)> on_trigger_source;
    /// Returns its number, or kNoTrigger.
    [[nodiscard]] unsigned trigger_source() const;
    /// The trigger of that number has changed at the absolute time `at`.
    void trigger(unsigned source, bool level, Picoseconds at);

    /// Voltage at a channel, 0 to 19, for conversions that end from now on.
    void set_millivolts(unsigned channel, double millivolts);
    /// Frequency of the conversion clock from now on; the conversion under way keeps its time.
    void set_kernel_hz(double hz);
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t offset) const override;
    void reset() override;

  private:
    void step();
    /// All that happens up to `at` has happened.
    void settle(Picoseconds at);
    void start(Picoseconds at);
    void convert(Picoseconds at);
    void sampled(Picoseconds at);
    void converted(Picoseconds at);
    void write_control(std::uint32_t written, Picoseconds at);
    [[nodiscard]] bool modelled(std::uint32_t offset) const;
    [[nodiscard]] std::uint32_t code() const;
    [[nodiscard]] unsigned channel() const;
    [[nodiscard]] unsigned ranks() const;
    [[nodiscard]] unsigned bits() const;
    [[nodiscard]] unsigned samples() const;  ///< of one result
    [[nodiscard]] Picoseconds clocks(double count) const;
    void update(Picoseconds at);
    [[nodiscard]] std::uint32_t& at(std::uint32_t offset) { return held_[offset / 4]; }
    [[nodiscard]] std::uint32_t get(std::uint32_t offset) const { return held_[offset / 4]; }

    enum class Phase : std::uint8_t { Idle, Sampling, Converting, AwaitRead };

    const AdcParameters parameters_;
    std::array<double, kChannels> millivolts_{};
    double hz_ = 0;
    std::array<std::uint32_t, 0x100 / 4> held_{};
    Phase phase_ = Phase::Idle;
    unsigned rank_ = 0;        ///< of the sequence, from 0
    unsigned of_trigger_ = 0;  ///< ranks since ADSTART, for DISCEN
    Picoseconds due_ = 0;      ///< end of the phase; 0: none
    Picoseconds sampling_from_ = 0;
    Picoseconds ready_at_ = 0;  ///< when ADRDY comes; 0: not under way
    unsigned told_source_ = kNoTrigger;
    SignalLevel level_, request_level_;
    sc_core::sc_event next_;
    Statistics statistics_;
};

/// The registers that two ADCs share. Modelled: CSR; CCR keeps what is written, and what switches
/// dual mode on answers "not modelled".
class AdcCommon : public RegisterBlock {
  public:
    AdcCommon(const char* name, Adc& first, Adc& second);

    [[nodiscard]] Answer read(std::uint32_t offset, Picoseconds at) override;
    [[nodiscard]] Answer write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                               Picoseconds at) override;
    [[nodiscard]] bool reads_freely(std::uint32_t /*offset*/) const override { return true; }
    void reset() override { control_ = 0; }

  private:
    Adc &first_, &second_;
    std::uint32_t control_ = 0;
};

}  // namespace n6vp::models
