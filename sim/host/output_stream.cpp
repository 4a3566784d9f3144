// SPDX-License-Identifier: Apache-2.0
#include "sim/host/output_stream.h"

#include <unistd.h>

#include <cerrno>

namespace n6vp::sim {

DescriptorBuffer::DescriptorBuffer(int descriptor) : descriptor_(descriptor) {
    setp(bytes_.data(), bytes_.data() + bytes_.size());
}

bool DescriptorBuffer::drain() {
    const char* from = pbase();
    while (error_ == 0 && from != pptr()) {
        const ssize_t written = write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
        if (written >= 0) {
            from += written;
        } else if (errno != EINTR) {
            error_ = errno;
        }
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return error_ == 0;
}

DescriptorBuffer::int_type DescriptorBuffer::overflow(int_type character) {
    if (!drain()) return traits_type::eof();
    if (!traits_type::eq_int_type(character, traits_type::eof())) {
        *pptr() = traits_type::to_char_type(character);
        pbump(1);
    }
    return traits_type::not_eof(character);
}

int DescriptorBuffer::sync() {
    return drain() ? 0 : -1;
}

}  // namespace n6vp::sim
