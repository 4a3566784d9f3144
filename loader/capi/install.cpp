// SPDX-License-Identifier: Apache-2.0
#include "loader/install.h"

#include "loader/capi/environment.h"
#include "loader/capi/handle.h"

namespace n6vp::loader::capi {

namespace {

/// One line in a fixed buffer.
class Message {
  public:
    Message& put(const char* text) {
        while (*text != '\0' && count_ < sizeof text_) text_[count_++] = *text++;
        return *this;
    }
    Message& hex(const char* label, std::uint32_t value) {
        if (value == kNotApplicable) return *this;
        put(label);
        for (std::uint32_t i = 8; i-- != 0 && count_ < sizeof text_;) {
            text_[count_++] = "0123456789ABCDEF"[value >> (4 * i) & 0xF];
        }
        return *this;
    }
    void print(const Environment& environment) const { environment.print(text_, count_); }

  private:
    char text_[160];
    std::uint32_t count_ = 0;
};

/// The vendor's loader is silent for memory and parameter errors; this one always says why.
void print_cause(const Environment& environment, int code, const Diagnosis& why) {
    const char digit[2] = {static_cast<char>('0' - code), '\0'};
    const auto rule = static_cast<std::uint32_t>(why.rule);
    Message message;
    message.put("AI RELOC ERROR: ");
    const auto name = environment.platform().rule_name;
    if (name != nullptr) message.put(name(rule));
    if (name == nullptr) message.hex("rule 0x", rule);
    message.put(" code=-").put(digit).hex(" offset=0x", why.file_offset);
    message.hex(" index=0x", why.index).hex(" address=0x", to_word(why.address));
    message.hex(" expected=0x", why.expected).hex(" found=0x", why.found).put("\r\n");
    message.print(environment);
}

InstallRequest request_of(const Environment& environment, std::uintptr_t file,
                          const ll_aton_reloc_config* config, const NN_Instance_TypeDef* instance) {
    InstallRequest request;
    request.file = address_of(file);
    request.instance = address_of(instance);
    request.callbacks = address_of(environment.platform().callbacks);
    request.grants = environment.grants();
    request.grant_count = environment.grant_count();
    request.policy = kCompat ? Policy::Compat : Policy::Strict;
    request.profile = environment.profile();
    if (config == nullptr) return request;
    request.exec_ram = address_of(config->exec_ram_addr);
    request.exec_ram_bytes = config->exec_ram_size;
    request.ext_ram = address_of(config->ext_ram_addr);
    request.ext_ram_bytes = config->ext_ram_size;
    request.params = address_of(config->ext_param_addr);
    request.mode = config->mode;
    return request;
}

void maintain_nothing(void*, CacheOp, GuestAddr, std::uint32_t) {}

/// Without a configuration the file is still judged first, and no cache is touched. The empty
/// request cannot install: it has no mode.
int judge_without_config(const Environment& environment, const InstallRequest& request,
                         Diagnosis& why) {
    MemoryPort port = environment.port();
    port.maintain = maintain_nothing;
    InstallResult result;
    const Status status = install(port, request, result, why);
    const bool file_is_bad = status == Status::InvalidBinary && why.rule != Rule::ExecNothingNeeded;
    return file_is_bad ? AI_RELOC_RT_ERR_INVALID_BIN : AI_RELOC_RT_ERR_ARG;
}

/// Returns the slot of this instance, else a free one, else nullptr.
const NN_Instance_TypeDef** slot_for(const n6vp_reloc_registry& registry,
                                     const NN_Instance_TypeDef* instance) {
    const NN_Instance_TypeDef** found = nullptr;
    for (std::uint32_t i = 0; i < registry.slot_count; ++i) {
        if (registry.slots[i] == instance) return &registry.slots[i];
        if (registry.slots[i] == nullptr && found == nullptr) found = &registry.slots[i];
    }
    return found;
}

/// Enters the instance, and drops every other one whose model was in the same exec RAM.
void register_instance(const Environment& environment, const InstallRequest& request,
                       const NN_Instance_TypeDef** slot, const NN_Instance_TypeDef* instance) {
    const n6vp_reloc_registry& registry = environment.platform().registry;
    const AddressRange exec{request.exec_ram, request.exec_ram_bytes};
    for (std::uint32_t i = 0; i < registry.slot_count; ++i) {
        const NN_Instance_TypeDef*& other = registry.slots[i];
        if (other != instance && exec.contains(GuestAddr{handle_of(environment, other)}))
            other = nullptr;
    }
    *slot = instance;
}

int refuse(const Environment& environment, const char* cause, int code) {
    Message message;
    message.put("AI RELOC ERROR: ").put(cause).put("\r\n");
    message.print(environment);
    return code;
}

int install_with(const Environment& environment, const InstallRequest& request,
                 const ll_aton_reloc_config* config, const NN_Instance_TypeDef* instance) {
    Diagnosis why;
    if (config == nullptr) {
        const int code = judge_without_config(environment, request, why);
        print_cause(environment, code, why);
        return code;
    }
    const bool registered = !kCompat && environment.platform().registry.slots != nullptr;
    const NN_Instance_TypeDef** slot =
        registered ? slot_for(environment.platform().registry, instance) : nullptr;
    if (registered && slot == nullptr)
        return refuse(environment, "the list of instances is full", AI_RELOC_RT_ERR_MEMORY);
    InstallResult result;
    const Status status = install(environment.port(), request, result, why);
    if (status != Status::Ok) {
        print_cause(environment, vendor_code(status), why);
        return vendor_code(status);
    }
    if (slot != nullptr) register_instance(environment, request, slot, instance);
    return AI_RELOC_RT_ERR_NONE;
}

}  // namespace

}  // namespace n6vp::loader::capi

int ll_aton_reloc_install(const uintptr_t file_ptr, const ll_aton_reloc_config* config,
                          NN_Instance_TypeDef* nn_instance) {
    using namespace n6vp::loader;
    using namespace n6vp::loader::capi;
    const Environment environment;
    if (nn_instance == nullptr)
        return refuse(environment, "no instance", AI_RELOC_RT_ERR_INVALID_BIN);
    if (file_ptr == 0) return refuse(environment, "no file", AI_RELOC_RT_ERR_INVALID_BIN);
    if (!environment.usable())
        return refuse(environment, "the platform names too many ranges", AI_RELOC_RT_ERR_ARG);
    return install_with(environment, request_of(environment, file_ptr, config, nn_instance), config,
                        nn_instance);
}

bool n6vp_reloc_forget(const NN_Instance_TypeDef* nn_instance) {
    const n6vp_reloc_registry& registry = n6vp_reloc_platform()->registry;
    if (registry.slots == nullptr || nn_instance == nullptr) return false;
    for (std::uint32_t i = 0; i < registry.slot_count; ++i) {
        if (registry.slots[i] != nn_instance) continue;
        registry.slots[i] = nullptr;
        return true;
    }
    return false;
}
