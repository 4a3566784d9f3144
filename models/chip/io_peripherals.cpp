// SPDX-License-Identifier: Apache-2.0
#include "models/chip/io_peripherals.h"

#include <algorithm>
#include <string>
#include <utility>

#include "memmap/interrupts.h"
#include "models/chip/lower_case.h"

namespace n6vp::models {

namespace {

/// Source: CMSIS device header and HAL, request numbers of GPDMA1 and HPDMA1.
struct Requests {
    std::string_view unit;
    unsigned receive, transmit;
};
constexpr Requests kRequests[] = {
    {"SPI1", 79, 80},      {"SPI2", 81, 82},    {"SPI3", 83, 84},     {"SPI4", 85, 86},
    {"SPI5", 87, 88},      {"SPI6", 89, 90},    {"I2C1", 95, 96},     {"I2C2", 97, 98},
    {"I2C3", 99, 100},     {"I2C4", 101, 102},  {"USART1", 107, 108}, {"USART2", 109, 110},
    {"USART3", 111, 112},  {"UART4", 113, 114}, {"UART5", 115, 116},  {"USART6", 117, 118},
    {"UART7", 119, 120},   {"UART8", 121, 122}, {"UART9", 123, 124},  {"USART10", 125, 126},
    {"LPUART1", 127, 128},
};

/// The same for timers; channels count up from the first.
struct TimerRequests {
    std::string_view unit;
    unsigned update, first_channel;
};
constexpr TimerRequests kTimerRequests[] = {
    {"TIM1", 18, 14},  {"TIM2", 25, 21},  {"TIM3", 31, 27},  {"TIM4", 37, 33},
    {"TIM5", 43, 39},  {"TIM6", 45, 0},   {"TIM7", 46, 0},   {"TIM8", 51, 47},
    {"TIM15", 58, 56}, {"TIM16", 62, 61}, {"TIM17", 65, 64}, {"TIM18", 68, 0},
};

/// SPI4 and SPI5 have limited features: half the FIFO (public driver).
[[nodiscard]] unsigned spi_fifo_bytes(std::string_view name) {
    return name == "SPI4" || name == "SPI5" ? 8 : 16;
}

/// Number of a port in EXTICR: A to H and N to Q.
[[nodiscard]] unsigned port_code(std::string_view name) {
    const char letter = name.back();
    return static_cast<unsigned>(letter <= 'H' ? letter - 'A' : letter - 'N' + 8);
}

template <class Instances>
[[nodiscard]] auto* unit_named(const Instances& instances, std::string_view name) {
    const auto found = std::find_if(instances.begin(), instances.end(),
                                    [name](const auto& each) { return name == each.row->name; });
    return found == instances.end() ? nullptr : found->model.get();
}

}  // namespace

IoPeripherals::IoPeripherals(const ChipParameters& parameters, ClockTree& clocks, Rcc& rcc)
    : rcc_(rcc) {
    for (const memmap::Peripheral& row : memmap::kPeripherals) make(row, parameters);
    connect_triggers();
    connect_pins();
    rcc_.on_peripheral_clocks = [this](Picoseconds at) { update_clocks(at); };
    for (const memmap::ClockDomain domain : {memmap::ClockDomain::Ahb, memmap::ClockDomain::Noc}) {
        clocks.follow(domain, [this](double) {
            if (!rcc_.writing()) update_clocks(sc_core::sc_time_stamp().value());
        });
    }
}

void IoPeripherals::make(const memmap::Peripheral& row, const ChipParameters& parameters) {
    const std::string_view type = row.type, name = row.name;
    const std::string module = lower_case(name);
    if (type == "USART") {
        const Uart::Kind kind =
            name.starts_with("LPUART") ? Uart::Kind::LowPower : Uart::Kind::Usart;
        uarts_.push_back(
            {&row, std::make_unique<Uart>(module.c_str(), row.name, kind, parameters.uart)});
    } else if (type == "I2C") {
        i2cs_.push_back({&row, std::make_unique<I2c>(module.c_str(), row.name, parameters.i2c)});
    } else if (type == "SPI") {
        spis_.push_back({&row, std::make_unique<Spi>(module.c_str(), row.name, spi_fifo_bytes(name),
                                                     parameters.spi)});
    } else if (type == "ADC") {
        const Parameter& internal =
            name == "ADC1" ? parameters.adc.vrefint : parameters.adc.vddcore;
        adcs_.push_back({&row, std::make_unique<Adc>(module.c_str(), row.name, internal.value,
                                                     parameters.adc)});
    } else if (type == "ADC_COMMON") {
        // Behind both of its ADCs in the address map.
        adc_common_ = std::make_unique<AdcCommon>(row.name, *adcs_.at(0).model, *adcs_.at(1).model);
    } else if (type == "TIM") {
        timers_.push_back(
            {{&row, std::make_unique<Timer>(module.c_str(), row.name, timer_layout(name, true))},
             rcc_.gate(name)});
    } else if (type == "LPTIM") {
        low_power_timers_.push_back(
            {{&row, std::make_unique<LowPowerTimer>(module.c_str(), row.name, parameters.lptim)},
             rcc_.gate(name)});
    } else if (type == "SDMMC") {
        sdmmcs_.push_back({&row, std::make_unique<sdmmc::Controller>(module.c_str(), row.name,
                                                                     parameters.sdmmc)});
    } else if (type == "GPIO") {
        make_port(row);
    } else if (type == "EXTI") {
        exti_ = std::make_unique<Exti>(row.name);
        exti_->on_selection = [this] { follow_selection(); };
    } else {
        sound.make(row, parameters);
    }
}

void IoPeripherals::connect_triggers() {
    std::vector<Adc*> adcs;
    for (const auto& each : adcs_) adcs.push_back(each.model.get());
    timer_triggers_.connect([this](std::string_view name) { return unit_named(timers_, name); },
                            std::move(adcs));
}

void IoPeripherals::connect_pins() {
    const auto port = [this](std::string_view name) { return gpio(name); };
    timer_pins_.connect([this](std::string_view name) { return unit_named(timers_, name); }, port);
    low_power_timer_pins_.connect(
        [this](std::string_view name) { return unit_named(low_power_timers_, name); }, port);
    for (const auto& each : gpios_) pin_functions_.add(*each.model);
}

std::vector<TimerPins::Output> IoPeripherals::timer_outputs(Picoseconds at) {
    std::vector<TimerPins::Output> list = timer_pins_.outputs(at);
    low_power_timer_pins_.add_outputs(list, at);
    return list;
}

void IoPeripherals::make_port(const memmap::Peripheral& row) {
    gpios_.push_back({&row, std::make_unique<Gpio>(row.name)});
    Gpio& port = *gpios_.back().model;
    port.on_levels = [this, code = port_code(row.name), &port](std::uint16_t levels,
                                                               Picoseconds at) {
        follow_pins(code, levels);
        pin_functions_.follow_levels(port, levels, at);
    };
}

void IoPeripherals::follow_pins(unsigned code, std::uint16_t levels) {
    for (unsigned line = 0; line < selected_.size(); ++line) {
        if (selected_[line] == code) exti_->set_line(line, (levels >> line & 1) != 0);
    }
}

void IoPeripherals::follow_selection() {
    for (unsigned line = 0; line < selected_.size(); ++line)
        selected_[line] = exti_->selected_port(line);
    for (const auto& each : gpios_) follow_pins(port_code(each.row->name), each.model->levels());
}

void IoPeripherals::for_each(const std::function<void(RegisterBlock&, const char*)>& add) {
    for (const auto& each : uarts_) add(*each.model, each.row->name);
    for (const auto& each : i2cs_) add(*each.model, each.row->name);
    for (const auto& each : spis_) add(*each.model, each.row->name);
    for (const auto& each : sdmmcs_) add(*each.model, each.row->name);
    for (const auto& each : adcs_) add(*each.model, each.row->name);
    add(*adc_common_, adc_common_->name());
    for (const auto& each : timers_) add(*each.model, each.row->name);
    for (const auto& each : low_power_timers_) add(*each.model, each.row->name);
    for (const auto& each : gpios_) add(*each.model, each.row->name);
    add(*exti_, exti_->name());
    sound.for_each(add);
}

void IoPeripherals::connect_interrupts(const InterruptLines& drive) {
    sound.connect_interrupts(drive);
    for (const auto& each : uarts_) each.model->on_interrupt = drive(each.row->interrupts[0].first);
    for (const auto& each : i2cs_) {
        each.model->on_event_interrupt = drive(each.row->interrupts[0].first);
        each.model->on_error_interrupt = drive(each.row->interrupts[1].first);
    }
    for (const auto& each : spis_) each.model->on_interrupt = drive(each.row->interrupts[0].first);
    for (const auto& each : sdmmcs_)
        each.model->on_interrupt = drive(each.row->interrupts[0].first);
    adc_levels_.assign(adcs_.size(), false);
    for (std::size_t i = 0; i < adcs_.size(); ++i) {
        adcs_[i].model->on_interrupt =
            [this, i, line = drive(memmap::interrupt_line("ADC1_2"))](bool level) {
                adc_levels_[i] = level;
                line(std::find(adc_levels_.begin(), adc_levels_.end(), true) != adc_levels_.end());
            };
    }
    for (const auto& each : timers_) {
        for (const memmap::Interrupt& line : each.row->interrupts) {
            if (line.name == nullptr) continue;
            const std::string_view kind = line.name;
            if (kind == each.row->name || kind.ends_with("_UP"))
                each.model->on_interrupt = drive(line.first);
            if (kind.ends_with("_TRG_COM")) each.model->on_trigger_interrupt = drive(line.first);
            if (kind.ends_with("_CC")) each.model->on_compare_interrupt = drive(line.first);
        }
    }
    for (const auto& each : low_power_timers_)
        each.model->on_interrupt = drive(each.row->interrupts[0].first);
    std::vector<std::function<void(bool)>> lines;
    for (unsigned line = 0; line < selected_.size(); ++line)
        lines.push_back(drive(memmap::interrupt_line("EXTI") + line));
    exti_->on_interrupt = numbered_lines(std::move(lines));
}

void IoPeripherals::connect_requests(const RequestLines& request) {
    const auto connect = [&request](auto* unit, const Requests& row) {
        if (unit == nullptr) return;
        unit->on_receive_request = request(row.receive);
        unit->on_transmit_request = request(row.transmit);
    };
    sound.connect_requests(request);
    for (const Requests& row : kRequests) {
        connect(i2c(row.unit), row);
        connect(spi(row.unit), row);
        connect(uart(row.unit), row);
    }
    constexpr unsigned kFirstAdcRequest = 7;
    for (std::size_t i = 0; i < adcs_.size(); ++i)
        adcs_[i].model->on_request = request(kFirstAdcRequest + static_cast<unsigned>(i));
    for (const TimerRequests& row : kTimerRequests) {
        Timer* const timer = unit_named(timers_, row.unit);
        if (timer == nullptr) continue;
        std::vector<std::function<void(bool, Picoseconds)>> lines;
        for (unsigned source = 0; source <= timer_layout(row.unit, true).channels; ++source) {
            const unsigned number =
                source == Timer::kUpdateRequest ? row.update : row.first_channel + source - 1;
            lines.push_back(request(number));
            timer_requests_.push_back({number, timer, source});
        }
        timer->on_request = numbered_lines(std::move(lines));
    }
}

void IoPeripherals::request_taken(unsigned number, Picoseconds at) {
    const auto found =
        std::find_if(timer_requests_.begin(), timer_requests_.end(),
                     [number](const TimerRequest& each) { return each.number == number; });
    if (found != timer_requests_.end()) found->timer->request_taken(found->source, at);
}

Uart* IoPeripherals::uart(std::string_view name) {
    return unit_named(uarts_, name);
}

I2c* IoPeripherals::i2c(std::string_view name) {
    return unit_named(i2cs_, name);
}

Spi* IoPeripherals::spi(std::string_view name) {
    return unit_named(spis_, name);
}

Adc* IoPeripherals::adc(std::string_view name) {
    return unit_named(adcs_, name);
}

Gpio* IoPeripherals::gpio(std::string_view name) {
    return unit_named(gpios_, name);
}

sdmmc::Controller* IoPeripherals::sdmmc(std::string_view name) {
    return unit_named(sdmmcs_, name);
}

void IoPeripherals::power_on() {
    for (const auto& each : sdmmcs_) {
        sdmmc::Card* const card = each.model->card();
        if (card == nullptr) continue;
        card->power_on();
        card->restore();
    }
}

void IoPeripherals::update_clocks(Picoseconds at) {
    const auto update = [this](const auto& instances) {
        for (const auto& each : instances) {
            if (const double hz = rcc_.kernel_hz(each.row->name); hz > 0)
                each.model->set_kernel_hz(hz);
        }
    };
    update(uarts_);
    update(i2cs_);
    update(spis_);
    update(sdmmcs_);
    update(adcs_);
    const auto count = [this, at](auto& counters) {
        for (auto& each : counters) {
            const double hz = each.gate->open() ? rcc_.kernel_hz(each.row->name) : 0;
            if (hz == each.hz) continue;
            each.hz = hz;
            each.model->set_kernel_hz(hz, at);
        }
    };
    count(timers_);
    count(low_power_timers_);
    sound.update_clocks(rcc_, at);
}

}  // namespace n6vp::models
