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

/// A report as models of tools 7.2 write it: without the padding that a number of 64 bits asks for.
struct ShortReport {
    std::uint32_t before_macc[11];
    std::uint32_t n_macc;
    std::uint16_t n_inputs, n_outputs;
    ai_buffer *inputs, *outputs;
    ai_network_params parameters;
    std::uint32_t n_nodes, signature;
};
static_assert(sizeof(ShortReport) == 124 && offsetof(ShortReport, n_macc) == 0x2C);
static_assert(offsetof(ShortReport, parameters) == 0x3C && offsetof(ShortReport, n_nodes) == 0x74);

constexpr std::uint8_t kUntouched = 0xA5;

/// Gets a report in this header's layout. A model that left the end alone wrote the short one.
bool get_report_of_any(const Machine& machine, ai_handle hdl, ai_network_report& report) {
    ai_network_report written;
    auto* const bytes = reinterpret_cast<std::uint8_t*>(&written);
    for (std::size_t i = sizeof(ShortReport); i < sizeof written; ++i) bytes[i] = kUntouched;
    if (!get_report(machine, address_of(hdl), address_of(&written))) return false;
    report = written;
    for (std::size_t i = sizeof(ShortReport); i < sizeof written; ++i) {
        if (bytes[i] != kUntouched) return true;
    }
    ShortReport given;
    __builtin_memcpy(&given, &written, sizeof given);
    report.n_macc = given.n_macc;
    report.n_inputs = given.n_inputs;
    report.n_outputs = given.n_outputs;
    report.inputs = given.inputs;
    report.outputs = given.outputs;
    report.params = given.parameters.params;
    report.activations = given.parameters.activations;
    report.n_nodes = given.n_nodes;
    report.signature = given.signature;
    return true;
}

bool overlap(const ai_buffer& one, const ai_buffer& other) {
    const std::uint32_t a = to_word(address_of(one.data)), b = to_word(address_of(other.data));
    return a < b + other.size && b < a + one.size;
}

ai_buffer_array activations_of(ai_network_report& report) {
    if (report.map_signature == AI_MAGIC_SIGNATURE) return report.map_activations;
    return {0, 1, &report.activations};
}

/// Returns true if a buffer of activations of one network lies in one of the other.
bool share_activations(const Machine& machine, ai_handle one, ai_handle other) {
    ai_network_report reports[2];
    if (!get_report_of_any(machine, one, reports[0]) ||
        !get_report_of_any(machine, other, reports[1]))
        return false;
    const ai_buffer_array a = activations_of(reports[0]), b = activations_of(reports[1]);
    for (std::uint32_t i = 0; i < a.size; ++i) {
        for (std::uint32_t j = 0; j < b.size; ++j) {
            if (overlap(a.buffer[i], b.buffer[j])) return true;
        }
    }
    return false;
}

/// A place among the running networks while one runs. An interrupt handler that claims one gives it
/// back before the interrupted claim goes on; threads that preempt each other need a lock.
class RunClaim {
  public:
    RunClaim(const Machine& machine, ai_handle hdl) {
        const n6vp_rel_platform_t* const platform = n6vp_rel_platform();
        const std::uint32_t places = platform->running != nullptr ? platform->running_places : 0;
        for (std::uint32_t i = 0; i < places; ++i) {
            ai_handle& place = platform->running[i];
            if (place == nullptr && place_ == nullptr) place_ = &place;
            if (place == nullptr || hdl == nullptr) continue;
            const bool again = place == hdl;
            if (!again && !share_activations(machine, hdl, place)) continue;
            refuse_run(machine, address_of(hdl),
                       again ? Rule::LegacyRunsAlready : Rule::LegacyActivationsInUse,
                       address_of(place));
            granted_ = false;
            return;
        }
        if (place_ != nullptr) *place_ = hdl;
    }
    ~RunClaim() {
        if (granted_ && place_ != nullptr) *place_ = nullptr;
    }
    RunClaim(const RunClaim&) = delete;
    RunClaim& operator=(const RunClaim&) = delete;
    [[nodiscard]] bool granted() const { return granted_; }

  private:
    ai_handle* place_ = nullptr;
    bool granted_ = true;
};

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
    if (report == nullptr) return client::get_report(here.machine(), address_of(hdl), {});
    return client::get_report_of_any(here.machine(), hdl, *report);
}

ai_error ai_rel_network_get_error(ai_handle hdl) {
    const Here here;
    return client::error_from(client::get_error(here.machine(), address_of(hdl)));
}

ai_i32 ai_rel_network_run(ai_handle hdl, const ai_buffer* input, ai_buffer* output) {
    const Here here;
    const client::RunClaim claim(here.machine(), hdl);
    if (!claim.granted()) return 0;
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
