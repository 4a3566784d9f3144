// SPDX-License-Identifier: Apache-2.0
// Registers, memory, flash, breakpoints and watchpoints.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "sim/debugger/server.h"

namespace n6vp::sim::debugger {

namespace {

/// Bytes of one answer, as hexadecimal digits.
constexpr std::uint32_t kMostRead = kMaxPayload / 2;
/// Of flash between erase and done.
constexpr std::size_t kMostFlash = std::size_t{256} << 20, kMostPieces = 65'536;

[[nodiscard]] std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Returns the number in `bytes`, of which the first is the lowest.
[[nodiscard]] std::uint64_t value_of(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
    return value;
}

/// The CRC of GDB's compare-sections: polynomial 0x04C11DB7, highest bit first.
[[nodiscard]] std::uint32_t crc_of(std::uint32_t crc, std::span<const std::uint8_t> bytes) {
    constexpr std::uint32_t kPolynomial = 0x04C11DB7, kTop = 1u << 31;
    for (const std::uint8_t byte : bytes) {
        crc ^= std::uint32_t{byte} << 24;
        for (int bit = 0; bit < 8; ++bit) crc = crc << 1 ^ ((crc & kTop) != 0 ? kPolynomial : 0);
    }
    return crc;
}

}  // namespace

const ThreadInfo& Server::thread() {
    const std::vector<ThreadInfo>& all = threads();
    const auto found = std::find_if(all.begin(), all.end(), [this](const ThreadInfo& each) {
        return each.id == chosen_thread_;
    });
    return found == all.end() ? all.front() : *found;
}

std::string Server::register_text(unsigned number) {
    const ThreadInfo& of = thread();
    const unsigned bytes = registers_.bytes(number);
    if (!of.saved) return hex_of(registers_.read(number), bytes);
    if (const auto value = registers_.read_saved(number, *of.saved)) return hex_of(*value, bytes);
    return std::string(std::size_t{2} * bytes, 'x');  // not known
}

void Server::read_registers(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    std::string text;
    for (unsigned i = 0; i < registers_.size(); ++i) text += register_text(i);
    reply(text);
}

void Server::write_registers(PayloadReader arguments) {
    const auto bytes = bytes_of_hex(arguments.rest());
    std::size_t all = 0;
    for (unsigned i = 0; i < registers_.size(); ++i) all += registers_.bytes(i);
    if (!bytes || bytes->size() > all) return reply_error(kMalformed);
    if (thread().saved) return reply_error(kNoRegister);
    std::size_t at = 0;
    for (unsigned i = 0; i < registers_.size(); ++i) {
        const unsigned size = registers_.bytes(i);
        if (at + size > bytes->size()) break;
        registers_.write(i, value_of(std::string_view(*bytes).substr(at, size)));
        at += size;
    }
    reply("OK");
}

void Server::read_register(PayloadReader arguments) {
    const auto number = arguments.number();
    if (!number || !arguments.at_end()) return reply_error(kMalformed);
    if (*number >= registers_.size()) return reply_error(kNoRegister);
    reply(register_text(*number));
}

void Server::write_register(PayloadReader arguments) {
    const auto number = arguments.number();
    if (!number || !arguments.skip("=")) return reply_error(kMalformed);
    const auto bytes = bytes_of_hex(arguments.rest());
    if (!bytes) return reply_error(kMalformed);
    if (*number >= registers_.size() || bytes->size() != registers_.bytes(*number) ||
        thread().saved)
        return reply_error(kNoRegister);
    registers_.write(*number, value_of(*bytes));
    reply("OK");
}

void Server::read_memory(PayloadReader arguments) {
    const auto range = range_of(arguments);
    if (!range || !arguments.at_end()) return reply_error(kMalformed);
    std::vector<std::uint8_t> bytes(std::min(range->bytes, kMostRead));
    if (!machine_.read(range->address, bytes)) return reply_error(kNoMemory);
    reply(hex_of(bytes));
}

void Server::write_memory(PayloadReader arguments) {
    const auto range = range_of(arguments);
    if (!range || !arguments.skip(":")) return reply_error(kMalformed);
    const auto bytes = bytes_of_hex(arguments.rest());
    if (!bytes || bytes->size() != range->bytes) return reply_error(kMalformed);
    if (!bytes->empty() && !machine_.write(range->address, bytes_of(*bytes)))
        return reply_error(kNoMemory);
    reply("OK");
}

void Server::write_binary(PayloadReader arguments) {
    const auto range = range_of(arguments);
    if (!range || !arguments.skip(":") || arguments.rest().size() != range->bytes)
        return reply_error(kMalformed);
    // A client that writes nothing asks whether this packet is known.
    if (range->bytes != 0 && !machine_.write(range->address, bytes_of(arguments.rest())))
        return reply_error(kNoMemory);
    reply("OK");
}

void Server::insert_point(PayloadReader arguments) {
    change_point(arguments, true);
}

void Server::remove_point(PayloadReader arguments) {
    change_point(arguments, false);
}

void Server::change_point(PayloadReader arguments, bool insert) {
    const auto kind = arguments.number();
    if (!kind || !arguments.skip(",")) return reply_error(kMalformed);
    if (*kind > static_cast<unsigned>(PointKind::Access)) return reply("");
    const auto address = arguments.number();
    if (!address || !arguments.skip(",")) return reply_error(kMalformed);
    const auto bytes = arguments.number();
    // Conditions and commands may follow: the client checks them itself.
    if (!bytes || (!arguments.at_end() && !arguments.skip(";"))) return reply_error(kMalformed);
    const auto point = static_cast<PointKind>(*kind);
    if (!insert) {
        points_.remove(point, *address, *bytes);
    } else if (!points_.add(point, *address, *bytes)) {
        return reply_error(kTooMuch);
    }
    reply("OK");
}

void Server::erase_flash(PayloadReader arguments) {
    const auto range = range_of(arguments);
    if (!range || !arguments.at_end()) return reply_error(kMalformed);
    const std::vector<MemoryArea> areas = machine_.areas();
    const bool inside = std::any_of(areas.begin(), areas.end(), [&](const MemoryArea& area) {
        return area.flash && range->address >= area.start && range->bytes <= area.bytes &&
               range->address - area.start <= area.bytes - range->bytes;
    });
    if (!inside) return reply_error(kNoMemory);
    // In pieces: one range may be all of a large flash.
    constexpr std::uint32_t kPiece = 1u << 20;
    const std::vector<std::uint8_t> erased(std::min(range->bytes, kPiece), 0xFF);
    for (std::uint32_t done = 0; done < range->bytes;) {
        const std::uint32_t count = std::min(range->bytes - done, kPiece);
        if (!machine_.program(range->address + done, std::span(erased).first(count)))
            return reply_error(kNoMemory);
        done += count;
    }
    reply("OK");
}

void Server::write_flash(PayloadReader arguments) {
    const auto address = arguments.number();
    if (!address || !arguments.skip(":")) return reply_error(kMalformed);
    if (flash_bytes_ + arguments.rest().size() > kMostFlash) return reply_error(kTooMuch);
    if (flash_.size() >= kMostPieces && !flash_.contains(*address)) return reply_error(kTooMuch);
    std::string& place = flash_[*address];
    flash_bytes_ += arguments.rest().size();
    flash_bytes_ -= place.size();
    place = arguments.rest();
    reply("OK");
}

void Server::finish_flash(PayloadReader arguments) {
    if (!arguments.at_end()) return reply("");
    bool good = true;
    for (const auto& [address, content] : flash_) {
        if (content.empty()) continue;
        const PacketRange range{address, static_cast<std::uint32_t>(content.size())};
        good = range.fits() && machine_.program(address, bytes_of(content)) && good;
    }
    flash_.clear();
    flash_bytes_ = 0;
    if (!good) return reply_error(kNoMemory);
    reply("OK");
}

void Server::compare_memory(PayloadReader arguments) {
    const auto range = range_of(arguments);
    if (!range || !arguments.at_end()) return reply_error(kMalformed);
    constexpr std::uint32_t kMost = 256u << 20, kPiece = 4096;
    if (range->bytes > kMost) return reply_error(kTooMuch);
    std::uint32_t crc = 0xFFFFFFFF;
    std::array<std::uint8_t, kPiece> piece{};
    for (std::uint32_t done = 0; done < range->bytes;) {
        const std::uint32_t count = std::min(range->bytes - done, kPiece);
        const auto part = std::span(piece).first(count);
        if (!machine_.read(range->address + done, part)) return reply_error(kNoMemory);
        crc = crc_of(crc, part);
        done += count;
    }
    reply(fmt::format("C{:08x}", crc));
}

}  // namespace n6vp::sim::debugger
