// SPDX-License-Identifier: Apache-2.0
#include "loader/firmware/chip/models.h"

#include "loader/firmware/chip/bump.h"
#include "loader/firmware/chip/jobs.h"
#include "loader/firmware/text.h"

alignas(32) std::uint8_t
    n6vp_instances[n6vp::firmware::chip::kMaxModels * n6vp::firmware::chip::kInstanceBytes];

namespace n6vp::firmware::chip {

namespace {

static_assert(sizeof(NN_Instance_TypeDef) <= kInstanceBytes);

constinit std::uint32_t selected = 0;
constinit Bump exec_ram, ext_ram, user_ram;

[[nodiscard]] bool is_too_small(const char* what, std::uint32_t bytes, const Bump& memory) {
    Text line;
    line.put("error: ").put(what).put(" does not suffice: model ").decimal(selected + 1);
    line.put(" needs ").decimal(bytes).put(" bytes, ").decimal(memory.left());
    say(line.put(" are left\n").text());
    return false;
}

}  // namespace

void select_model(std::uint32_t index) {
    selected = index;
    if (!several_models()) return;
    describe_platform();
    Text line;
    say(line.put("model ").decimal(index + 1).put("\n").text());
}

std::uint32_t model_index() {
    return selected;
}

Model& model() {
    return job().models[selected];
}

NN_Instance_TypeDef* instance() {
    return reinterpret_cast<NN_Instance_TypeDef*>(n6vp_instances + selected * kInstanceBytes);
}

void free_memory() {
    exec_ram = Bump(job().exec_ram, job().exec_ram_bytes);
    ext_ram = Bump(job().ext_ram, job().ext_ram_bytes);
    user_ram = Bump(job().user_ram, job().user_ram_bytes);
    result().user_bytes = 0;
}

bool take_place(std::uint32_t exec_bytes, std::uint32_t ext_bytes, Place& place) {
    if (!several_models() || wanted(kOverlay)) {
        place = {job().exec_ram, job().exec_ram_bytes, job().ext_ram, job().ext_ram_bytes};
        return true;
    }
    place = {0, exec_bytes, 0, ext_bytes};
    if (!exec_ram.take(exec_bytes, place.exec))
        return is_too_small("exec RAM", exec_bytes, exec_ram);
    if (ext_bytes == 0 || ext_ram.take(ext_bytes, place.ext)) return true;
    return is_too_small("external RAM", ext_bytes, ext_ram);
}

bool take_user_memory(std::uint32_t bytes, std::uint32_t& at) {
    if (!user_ram.take(bytes, at))
        return is_too_small("memory for buffers of the user", bytes, user_ram);
    result().user_bytes = user_ram.used();
    return true;
}

}  // namespace n6vp::firmware::chip
