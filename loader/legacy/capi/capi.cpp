// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "loader/direct_port.h"
#include "loader/legacy/capi/ai_reloc_network.h"
#include "loader/legacy/capi/extensions.h"
#include "loader/legacy/client.h"

static_assert(sizeof(ai_error) == 4 && sizeof(ai_buffer) == 28 && sizeof(ai_network_params) == 56);
static_assert(sizeof(ai_network_report) == 136 && offsetof(ai_network_report, n_macc) == 0x30);
static_assert(offsetof(ai_network_report, n_nodes) == 0x7C);
static_assert(sizeof(ai_observer_node) == 16 && sizeof(ai_observer_exec_ctx) == 20);
static_assert(sizeof(ai_rel_network_info) == 32);

namespace n6vp::loader::legacy {

namespace {

#ifdef N6VP_RELOC_POLICY_COMPAT
constexpr Policy kPolicy = Policy::Compat;
#else
constexpr Policy kPolicy = Policy::Strict;
#endif

constexpr std::uint32_t kRegisterCpuid = 0xE000ED00, kRegisterCpacr = 0xE000ED88;

template <typename T>
GuestAddr address_of(T* pointer) {
    return GuestAddr{static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer))};
}

template <typename T>
T* typed_pointer(GuestAddr address) {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(to_word(address)));
}

std::uint32_t read_register(std::uint32_t address) {
    return *typed_pointer<const volatile std::uint32_t>(GuestAddr{address});
}

GuestAddr allocate(void*, std::uint32_t bytes) {
    return address_of(n6vp_rel_platform()->allocate(bytes));
}

void release(void*, GuestAddr block) {
    if (n6vp_rel_platform()->release != nullptr)
        n6vp_rel_platform()->release(typed_pointer<void>(block));
}

void maintain(void*, CacheOp op, GuestAddr start, std::uint32_t bytes) {
    const n6vp_rel_platform_t* platform = n6vp_rel_platform();
    if (op == CacheOp::McuInstructionInvalidate) {
        if (platform->invalidate_instruction_cache != nullptr)
            platform->invalidate_instruction_cache();
    } else if (platform->clean_data_cache != nullptr) {
        platform->clean_data_cache(typed_pointer<void>(start), bytes);
    }
}

std::uint32_t call_model(void*, const Call& call) {
    return n6vp_rel_call(call.arguments[0], call.arguments[1], call.arguments[2],
                         to_word(call.target), to_word(call.static_base));
}

void report_refusal(void*, const Diagnosis& why) {
    const n6vp_rel_platform_t* platform = n6vp_rel_platform();
    if (platform->refused == nullptr) return;
    platform->refused(static_cast<std::uint32_t>(why.rule), why.file_offset, to_word(why.address),
                      why.expected, why.found);
}

/// This machine, made anew in every call: the library keeps no state.
class Here {
  public:
    Here() {
        memory_.maintain = maintain;
        machine_.port = direct_port(memory_);
        machine_.target.cpu_part = read_register(kRegisterCpuid) >> 4 & 0xFFF;
        machine_.target.fpu_enabled = (read_register(kRegisterCpacr) >> 20 & 0xF) != 0;
        machine_.policy = kPolicy;
        if (n6vp_rel_platform()->allocate != nullptr) machine_.heap = {nullptr, allocate, release};
        machine_.call = call_model;
        machine_.refused = report_refusal;
    }
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;
    [[nodiscard]] const Machine& machine() const { return machine_; }

  private:
    DirectMemory memory_;
    Machine machine_;
};

ai_error error_from(std::uint32_t word) {
    ai_error error;
    error.type = word & 0xFF;
    error.code = word >> 8;
    return error;
}

ai_error load(const LoadRequest& request, ai_handle* hdl) {
    const Here here;
    GuestAddr handle{0};
    const std::uint32_t error =
        load_and_create(here.machine(), request, hdl != nullptr ? &handle : nullptr);
    if (hdl != nullptr && (kPolicy == Policy::Strict || to_word(handle) != 0))
        *hdl = typed_pointer<void>(handle);
    return error_from(error);
}

LoadRequest load_request(const void* obj, ai_handle ram_addr, ai_size ram_size, ai_u32 mode) {
    LoadRequest request;
    request.file = address_of(obj);
    request.ram = address_of(ram_addr);
    request.ram_bytes = ram_size;
    request.mode = mode;
    return request;
}

}  // namespace

}  // namespace n6vp::loader::legacy

using n6vp::loader::legacy::address_of;
using n6vp::loader::legacy::Here;
using n6vp::loader::legacy::typed_pointer;
namespace client = n6vp::loader::legacy;

ai_error ai_rel_network_rt_get_info(const void* obj, ai_rel_network_info* rt) {
    client::Info info;
    if (rt == nullptr) {
        return client::error_from(client::error_word(client::error_type::kInvalidHandle,
                                                     client::error_code::kInvalidPointer));
    }
    const Here here;
    const std::uint32_t error = client::get_info(here.machine(), address_of(obj), info);
    if (error != 0) return client::error_from(error);
    rt->c_name = typed_pointer<const char>(info.name);
    rt->variant = info.variant;
    rt->code_sz = info.code_bytes;
    rt->weights = typed_pointer<void>(info.weights);
    rt->weights_sz = info.weights_bytes;
    rt->acts_sz = info.activations_bytes;
    rt->rt_ram_xip = info.ram_xip;
    rt->rt_ram_copy = info.ram_copy;
    return client::error_from(error);
}

ai_error ai_rel_network_load_and_create(const void* obj, ai_handle ram_addr, ai_size ram_size,
                                        ai_u32 mode, ai_handle* hdl) {
    return client::load(client::load_request(obj, ram_addr, ram_size, mode), hdl);
}

ai_error ai_rel_network_load_and_create_ext(const void* obj, ai_handle ram_addr, ai_size ram_size,
                                            ai_u32 mode, ai_rel_acquire_crc acquire_crc_cb,
                                            ai_rel_release_crc release_crc_cb, ai_handle* hdl) {
    client::LoadRequest request = client::load_request(obj, ram_addr, ram_size, mode);
    request.registers_crc = true;
    request.acquire_crc = address_of(acquire_crc_cb);
    request.release_crc = address_of(release_crc_cb);
    return client::load(request, hdl);
}

ai_bool ai_rel_register_crc_callbacks(ai_handle hdl, ai_rel_acquire_crc acquire_crc_cb,
                                      ai_rel_release_crc release_crc_cb) {
    const Here here;
    return client::register_crc_callbacks(here.machine(), address_of(hdl),
                                          address_of(acquire_crc_cb), address_of(release_crc_cb));
}

ai_bool ai_rel_network_init(ai_handle hdl, const ai_handle* weights, const ai_handle* act) {
    const Here here;
    return client::init(here.machine(), address_of(hdl), address_of(weights), address_of(act));
}

ai_bool ai_rel_network_get_report(ai_handle hdl, ai_network_report* report) {
    const Here here;
    return client::get_report(here.machine(), address_of(hdl), address_of(report));
}

ai_error ai_rel_network_get_error(ai_handle hdl) {
    const Here here;
    return client::error_from(client::get_error(here.machine(), address_of(hdl)));
}

ai_i32 ai_rel_network_run(ai_handle hdl, const ai_buffer* input, ai_buffer* output) {
    const Here here;
    return client::run(here.machine(), address_of(hdl), address_of(input), address_of(output));
}

ai_handle ai_rel_network_destroy(ai_handle hdl) {
    const Here here;
    return typed_pointer<void>(client::destroy(here.machine(), address_of(hdl)));
}

ai_bool ai_rel_platform_observer_register(ai_handle hdl, ai_observer_node_cb cb, ai_handle cookie,
                                          ai_u32 flags) {
    const Here here;
    return client::observer_register(here.machine(), address_of(hdl), address_of(cb),
                                     n6vp::to_word(address_of(cookie)), flags);
}

ai_bool ai_rel_platform_observer_unregister(ai_handle hdl, ai_observer_node_cb, ai_handle) {
    const Here here;
    return client::observer_unregister(here.machine(), address_of(hdl));
}

ai_bool ai_rel_platform_observer_node_info(ai_handle hdl, ai_observer_node* node) {
    const Here here;
    return client::observer_node_info(here.machine(), address_of(hdl), address_of(node));
}
