// SPDX-License-Identifier: Apache-2.0
#include "loader/ec_container.h"

// The loader's container code, compiled position-independent into a model.
namespace ec = n6vp::loader::ec;

namespace {
ec::Bytes bytes_of(const void* container, std::uint32_t bytes) {
    return {static_cast<const std::uint8_t*>(container), bytes};
}
}  // namespace

extern "C" bool ec_load(const void* container, std::uint32_t bytes, void* blob,
                        std::uint32_t blob_words) {
    ec::Container opened;
    n6vp::loader::Diagnosis why;
    using n6vp::loader::Status;
    if (ec::open(bytes_of(container, bytes), opened, why) != Status::Ok) return false;
    return ec::copy_blob(opened, static_cast<std::uint32_t*>(blob), blob_words, why) == Status::Ok;
}

extern "C" bool ec_relocate(const void* container, std::uint32_t bytes, void* blob,
                            const char* symbol, const void* base, std::uint32_t* previous) {
    ec::Container opened;
    n6vp::loader::Diagnosis why;
    using n6vp::loader::Status;
    if (ec::open(bytes_of(container, bytes), opened, why) != Status::Ok) return false;
    const auto address = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(base));
    return ec::relocate_by_name(opened, static_cast<std::uint32_t*>(blob), symbol, address,
                                *previous, why) == Status::Ok;
}
