// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "loader/legacy/install.h"

/// What the functions `ai_rel_network_*` do, on guest addresses: the C interface (`capi/`) is a
/// thin layer over it, and a host can run it over any memory and any caller of model code.
namespace n6vp::loader::legacy {

/// A call into a model: three argument registers, r9 = `static_base`.
struct Call {
    GuestAddr target{}, static_base{};
    std::uint32_t arguments[3] = {};
};

/// The machine that a model runs on.
struct Machine {
    MemoryPort port;
    Target target;
    Policy policy = Policy::Strict;
    Heap heap;
    void* context = nullptr;
    std::uint32_t (*call)(void* context, const Call& call) = nullptr;  ///< returns r0
    /// Receives the cause of a refusal. May be null.
    void (*refused)(void* context, const Diagnosis& why) = nullptr;
};

/// An `ai_error` as the word that r0 holds: type in bits 7..0, code above.
[[nodiscard]] constexpr std::uint32_t error_word(std::uint32_t type, std::uint32_t code) {
    return type | code << 8;
}
namespace error_type {
inline constexpr std::uint32_t kNone = 0x00, kInvalidHandle = 0x10, kInvalidState = 0x11,
                               kInvalidParam = 0x14, kAllocationFailed = 0x31, kCreateFailed = 0x33;
}  // namespace error_type
namespace error_code {
inline constexpr std::uint32_t kNone = 0x00, kNetwork = 0x10, kInvalidPointer = 0x17, kInUse = 0x40,
                               kLock = 0x41;
}  // namespace error_code

/// What `ai_rel_network_load_and_create_ext` is given; callbacks 0 for the plain form.
struct LoadRequest {
    GuestAddr file{}, ram{};
    std::uint32_t ram_bytes = 0, mode = 0;
    bool registers_crc = false;  ///< the extended form
    GuestAddr acquire_crc{}, release_crc{};
};

/// Fills `info`. Strict refuses a file of another family, and one whose rt_ctx or name is not where
/// it can be; Compat whatever lacks the magic.
[[nodiscard]] std::uint32_t get_info(const Machine& machine, GuestAddr file, Info& info);

/// Installs and calls the model's `create`; `handle` is where the handle goes, null for none.
/// Strict: the type of the error tells memory and argument from the file's faults; a failing
/// `create` gives the heap block back and leaves no handle. Compat: CREATE_FAILED for every
/// refusal.
[[nodiscard]] std::uint32_t load_and_create(const Machine& machine, const LoadRequest& load,
                                            GuestAddr* handle);

/// Enters the two callbacks. Fails for an invalid handle; Strict also if rt_ctx has no room.
[[nodiscard]] bool register_crc_callbacks(const Machine& machine, GuestAddr handle,
                                          GuestAddr acquire, GuestAddr release);

/// Calls `init_v2` with the addresses of two arrays of addresses. Strict refuses missing or
/// misaligned weights and activations; only the first of each array is looked at, as the model
/// alone knows how many there are.
[[nodiscard]] bool init(const Machine& machine, GuestAddr handle, GuestAddr weights,
                        GuestAddr activations);
/// Returns the number of batches processed; 0 for an invalid handle.
[[nodiscard]] std::int32_t run(const Machine& machine, GuestAddr handle, GuestAddr inputs,
                               GuestAddr outputs);
/// Notes that a run of `handle` was refused for the running network `other`: reports the rule, and
/// the next `get_error` of `handle` is INVALID_STATE, IN_USE.
void refuse_run(const Machine& machine, GuestAddr handle, Rule rule, GuestAddr other);
[[nodiscard]] bool get_report(const Machine& machine, GuestAddr handle, GuestAddr report);
[[nodiscard]] std::uint32_t get_error(const Machine& machine, GuestAddr handle);

/// Strict: calls the model's `destroy`, returns its result, and on 0 releases the heap block and
/// makes the handle invalid; returns an invalid handle as it is. Compat has the vendor's inverted
/// test: a valid handle returns 0 and nothing happens; an instance whose state is not INITIALIZED
/// is destroyed and gets that state. For any other invalid handle the vendor's loader jumps to what
/// memory holds; Compat stops.
[[nodiscard]] GuestAddr destroy(const Machine& machine, GuestAddr handle);

[[nodiscard]] bool observer_register(const Machine& machine, GuestAddr handle, GuestAddr callback,
                                     std::uint32_t cookie, std::uint32_t flags);
[[nodiscard]] bool observer_unregister(const Machine& machine, GuestAddr handle);
[[nodiscard]] bool observer_node_info(const Machine& machine, GuestAddr handle, GuestAddr node);

}  // namespace n6vp::loader::legacy
