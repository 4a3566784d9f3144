// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/container.h"
#include "loader/install.h"
#include "loader/runtime/machine.h"

/// Records that models, applications and the runtime share, read and written by offset: one
/// firmware serves every layout.
namespace n6vp::runtime {

enum ItemFlag : std::uint32_t {
    kEpochStart = 0x1,
    kEpochEnd = 0x2,
    kBlob = 0x4,
    kLastBlock = 0x8,
    kPureHw = 0x10,
    kPureSw = 0x20,
    kHybrid = 0x40,
    kInternal = 0x80,
    kBlobEncrypted = 0x100,
};

/// One epoch block, somewhere in memory.
class Item {
  public:
    static constexpr std::uint32_t kStart = 0x00, kEnd = 0x04, kBlobAddress = 0x08,
                                   kWaitMask = 0x0C, kFlags = 0x10, kEpoch = 0x12,
                                   kLastEpoch = 0x14;
    /// With and without LL_ATON_EB_DBG_INFO.
    static constexpr std::uint32_t kLongBytes = 48, kShortBytes = 20;

    explicit Item(std::uint32_t address) : address_(address) {}

    [[nodiscard]] std::uint32_t address() const { return address_; }
    [[nodiscard]] std::uint32_t start_function() const {
        return load<std::uint32_t>(address_ + kStart);
    }
    [[nodiscard]] std::uint32_t end_function() const {
        return load<std::uint32_t>(address_ + kEnd);
    }
    [[nodiscard]] std::uint32_t blob() const {
        return load<std::uint32_t>(address_ + kBlobAddress);
    }
    [[nodiscard]] std::uint32_t wait_mask() const {
        return load<std::uint32_t>(address_ + kWaitMask);
    }
    [[nodiscard]] bool has(std::uint32_t flags) const {
        return (load<std::uint16_t>(address_ + kFlags) & flags) != 0;
    }
    /// Returns the events that end the block: engines, or the epoch controller of a blob.
    [[nodiscard]] std::uint32_t awaited() const {
        return has(kBlob) ? 1u << wait_mask() : wait_mask();
    }
    [[nodiscard]] static std::uint32_t bytes() {
        return machine::profile().dbg_info ? kLongBytes : kShortBytes;
    }

  private:
    std::uint32_t address_;
};

/// NN_Instance_TypeDef, somewhere in memory. What a build leaves out reads as zero and is not
/// written.
class Instance {
  public:
    static constexpr std::uint32_t kNetwork = 0x00, kCurrent = 0x04, kFirst = 0x08, kNext = 0x0C,
                                   kSavedCurrent = 0x10, kSavedFirst = 0x14,
                                   kInferenceStarted = 0x18, kTriggered = 0x1C, kStarted = 0x20;

    explicit Instance(std::uint32_t address) : address_(address) {}

    [[nodiscard]] std::uint32_t address() const { return address_; }
    [[nodiscard]] std::uint32_t network() const { return word(kNetwork); }
    [[nodiscard]] Item current() const { return Item(word(kCurrent)); }
    [[nodiscard]] std::uint32_t word(std::uint32_t offset) const {
        return load_shared(address_ + offset);
    }
    void set(std::uint32_t offset, std::uint32_t value) const {
        store_shared(address_ + offset, value);
    }

    [[nodiscard]] bool inference_started() const {
        return load<std::uint8_t>(address_ + kInferenceStarted) != 0;
    }
    void set_inference_started(bool value) const {
        store<std::uint8_t>(address_ + kInferenceStarted, value ? 1 : 0);
    }
    [[nodiscard]] std::uint32_t triggered() const {
        return machine::profile().async ? word(kTriggered) : 0;
    }
    void set_triggered(std::uint32_t events) const {
        if (machine::profile().async) set(kTriggered, events);
    }
    [[nodiscard]] bool started() const {
        return machine::profile().async && load<std::uint8_t>(address_ + kStarted) != 0;
    }
    void set_started(bool value) const {
        if (machine::profile().async) store<std::uint8_t>(address_ + kStarted, value ? 1 : 0);
    }
    [[nodiscard]] std::uint32_t callback() const { return word(callback_offset()); }
    void set_callback(std::uint32_t function) const { set(callback_offset(), function); }
    /// Returns the handle of the installed model, 0 for a network linked into the firmware.
    [[nodiscard]] std::uint32_t handle() const { return word(handle_offset()); }
    /// Returns what the network's functions want in r9.
    [[nodiscard]] std::uint32_t static_base() const {
        const std::uint32_t context = handle();
        return context == 0 ? 0 : load<std::uint32_t>(context + loader::context_offset::kRamAddr);
    }

  private:
    [[nodiscard]] static std::uint32_t handle_offset() {
        return loader::instance_layout(machine::profile()).inst_reloc;
    }
    [[nodiscard]] static std::uint32_t callback_offset() { return handle_offset() - 4; }

    std::uint32_t address_;
};

/// Offsets of NN_Interface_TypeDef, the same in all generations.
namespace interface_offset {
inline constexpr std::uint32_t kNetworkInit = 0x04, kInferenceInit = 0x08, kInputSetter = 0x0C,
                               kInputGetter = 0x10, kOutputSetter = 0x14, kOutputGetter = 0x18,
                               kEpochItems = 0x1C, kOutputBuffers = 0x20, kInputBuffers = 0x24;
/// The last one moved behind two others in 1.1.3.
[[nodiscard]] constexpr std::uint32_t internal_buffers(loader::Generation generation) {
    return generation >= loader::Generation::Core30 ? 0x30u : 0x28u;
}
}  // namespace interface_offset

}  // namespace n6vp::runtime
