// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/npu/control/register_window.h"
#include "models/npu/npu.h"
#include "models/npu/top/event_queue.h"
#include "models/npu/top/reporter.h"

namespace n6vp::models::npu {

/// BUSIF: the two masters, with their error flags and keys. Engines 0 to 4 are ports 0 to 4 of the
/// first, engines 5 to 9 those of the second, whose port 5 is the epoch controller.
///
/// Assumed: those numbers of ports; that an engine goes on after an error; that a key is valid when
/// all four words were written and stays so until the registers are reset, by CONFCLR too.
/// Not modelled: priorities (PRIO1, PRIO2) and the cipher.
class BusInterface final : public EngineBus {
  public:
    /// All outlive this.
    BusInterface(NpuBus& bus, RegisterWindow& window, EventQueue& event_queue, Reporter& report,
                 const Picoseconds& now);

    BurstAnswer read(const EngineBurst& burst, std::span<std::uint8_t> to, Picoseconds at) override;
    BurstAnswer write(const EngineBurst& burst, std::span<const std::uint8_t> from,
                      Picoseconds at) override;
    EpochControllerBus::Fetched fetch(std::uint32_t address, Picoseconds at);

    /// Each burst: which master, how many beats.
    std::function<void(unsigned master, std::uint32_t beats, bool write)> on_burst;

    /// An engine begins: its first error is reported again.
    void begin(unsigned engine) { masters_[engine].told = false; }
    /// An error becomes visible.
    void show_error(unsigned who);
    void on_write(const memmap::npu::Unit& unit, const Register& at);
    void on_configuration_clear(const memmap::npu::Unit& unit);
    void reset();

  private:
    struct Master {
        bool told = false;  ///< its first error is an event
        std::uint32_t address = 0;
    };

    void note_error(unsigned who, std::uint32_t address, Picoseconds at);

    NpuBus& bus_;
    RegisterWindow& window_;
    EventQueue& events_;
    Reporter& report_;
    const Picoseconds& now_;
    std::array<Master, EventQueue::kController + 1> masters_;
    std::array<std::array<std::uint8_t, 2>, 2> key_words_{};  ///< written, by BUSIF and key
};

}  // namespace n6vp::models::npu
