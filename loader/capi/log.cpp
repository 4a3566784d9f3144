// SPDX-License-Identifier: Apache-2.0
// Apart from the rest, so that only a program that logs links the text.
#include "loader/capi/environment.h"
#include "loader/log_info.h"

namespace {

void write_text(void* context, const char* characters, std::uint32_t count) {
    static_cast<const n6vp::loader::capi::Environment*>(context)->print(characters, count);
}

}  // namespace

void ll_aton_reloc_log_info(const uintptr_t file_ptr) {
    using namespace n6vp::loader;
    capi::Environment environment;
    if (file_ptr == 0 || environment.platform().text == nullptr) return;
    Container container(environment.port(), capi::address_of(file_ptr), kUnknownBytes);
    Diagnosis why;
    if (container.open(why) != Status::Ok) return;
    log_info(container, environment.profile(), {&environment, write_text});
}
