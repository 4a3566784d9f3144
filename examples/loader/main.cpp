// SPDX-License-Identifier: Apache-2.0
// A user of the installed loader: opens 16 bytes that are no model and expects to be told so.
#include <cstring>

#include "loader/container.h"
#include "loader/ec_check.h"
#include "memmap/regions.h"

namespace {

constexpr unsigned char kBytes[16] = {'n', 'o', 't', ' ', 'a', ' ', 'm', 'o', 'd', 'e', 'l'};

bool read_bytes(void*, n6vp::GuestAddr from, void* to, std::uint32_t bytes) {
    if (n6vp::to_word(from) + std::uint64_t{bytes} > sizeof kBytes) return false;
    std::memcpy(to, kBytes + n6vp::to_word(from), bytes);
    return true;
}

}  // namespace

int main() {
    n6vp::loader::MemoryPort port;
    port.read = read_bytes;
    n6vp::loader::Container container(port, n6vp::GuestAddr{0}, sizeof kBytes);
    n6vp::loader::Diagnosis why;
    const bool refused = container.open(why) == n6vp::loader::Status::InvalidBinary;
    const bool has_registers = n6vp::loader::ec::register_exists(30, 0x08);  // EPOCHCTRL.ADDR
    return refused && has_registers ? 0 : 1;
}
