// SPDX-License-Identifier: Apache-2.0
#include "sim/console/semihosting.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <istream>
#include <ostream>
#include <vector>

namespace n6vp::sim {

namespace {

enum Operation : std::uint32_t {
    kOpen = 0x01,
    kClose = 0x02,
    kWriteCharacter = 0x03,
    kWriteText = 0x04,
    kWrite = 0x05,
    kRead = 0x06,
    kReadCharacter = 0x07,
    kIsError = 0x08,
    kIsConsole = 0x09,
    kSeek = 0x0A,
    kLength = 0x0C,
    kRemove = 0x0E,
    kRename = 0x0F,
    kClock = 0x10,
    kTime = 0x11,
    kError = 0x13,
    kCommandLine = 0x15,
    kHeapInfo = 0x16,
    kExit = 0x18,
    kExitExtended = 0x20,
    kElapsed = 0x30,
    kTickFrequency = 0x31,
};

constexpr std::uint32_t kFailed = 0xFFFFFFFF;
constexpr std::uint32_t kApplicationExit = 0x20026;
constexpr std::size_t kMaxHandles = 64;
constexpr std::uint32_t kMaxName = 4096;
/// SYS_EXIT_EXTENDED, and stderr apart from stdout.
constexpr std::array<std::uint8_t, 5> kFeatures{'S', 'H', 'F', 'B', 0x03};

/// Flags of the 12 modes r, rb, r+, r+b, w … a+b.
constexpr std::array<int, 3> kPlainModes{O_RDONLY, O_WRONLY | O_CREAT | O_TRUNC,
                                         O_WRONLY | O_CREAT | O_APPEND};
constexpr std::array<int, 3> kPlusModes{O_RDWR, O_RDWR | O_CREAT | O_TRUNC,
                                        O_RDWR | O_CREAT | O_APPEND};

}  // namespace

Semihosting::Semihosting(Setup setup)
    : setup_(std::move(setup)),
      folder_(setup_.folder, setup_.budget),
      out_(setup_.out),
      err_(setup_.err) {}

Semihosting::~Semihosting() {
    for (const auto& [number, open] : handles_) {
        if (open.descriptor >= 0) ::close(open.descriptor);
    }
}

std::uint32_t Semihosting::fail(int error) {
    error_ = static_cast<std::uint32_t>(error);
    return kFailed;
}

std::optional<std::uint32_t> Semihosting::word(std::uint32_t block, unsigned index) {
    const auto bytes = setup_.view(block + 4 * index, 4);
    if (bytes.empty()) return std::nullopt;
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return value;
}

std::span<std::uint8_t> Semihosting::target(std::uint32_t address, std::uint32_t bytes) {
    const auto view = setup_.view(address, bytes);
    if (!view.empty() && about_to_write) about_to_write(address, address + (bytes - 1));
    return view;
}

bool Semihosting::set_word(std::uint32_t address, std::uint32_t value) {
    const auto bytes = target(address, 4);
    if (bytes.empty()) return false;
    std::memcpy(bytes.data(), &value, sizeof(value));
    return true;
}

std::optional<std::string> Semihosting::text(std::uint32_t address, std::uint32_t bytes) {
    if (bytes > kMaxName) return std::nullopt;
    const auto view = setup_.view(address, bytes);
    if (view.size() != bytes) return std::nullopt;
    return std::string(view.begin(), view.end());
}

Semihosting::Handle* Semihosting::handle(std::uint32_t block) {
    const auto number = word(block, 0);
    if (!number) return nullptr;
    const auto place = handles_.find(*number);
    return place == handles_.end() ? nullptr : &place->second;
}

std::uint32_t Semihosting::open(std::uint32_t block) {
    const auto address = word(block, 0), mode = word(block, 1), bytes = word(block, 2);
    if (!address || !mode || !bytes || *mode > 11) return fail(EINVAL);
    const auto name = text(*address, *bytes);
    if (!name || handles_.size() >= kMaxHandles) return fail(name ? EMFILE : EFAULT);
    Handle opened;
    if (*name == ":tt") {
        opened.kind = *mode < 4 ? Kind::In : *mode < 8 ? Kind::Out : Kind::Err;
    } else if (*name == ":semihosting-features") {
        if (*mode > 1) return fail(EACCES);
        opened.kind = Kind::Features;
    } else {
        const unsigned family = *mode / 4;
        const int flags = (*mode & 2) != 0 ? kPlusModes[family] : kPlainModes[family];
        opened.descriptor = folder_.open(*name, flags);
        if (opened.descriptor < 0) return fail(errno);
    }
    const std::uint32_t number = next_handle_++;
    handles_[number] = opened;
    return number;
}

std::uint32_t Semihosting::close(std::uint32_t block) {
    const auto number = word(block, 0);
    const auto place = number ? handles_.find(*number) : handles_.end();
    if (place == handles_.end()) return fail(EBADF);
    if (place->second.descriptor >= 0) ::close(place->second.descriptor);
    handles_.erase(place);
    return 0;
}

std::uint32_t Semihosting::read(std::uint32_t block) {
    Handle* const from = handle(block);
    const auto address = word(block, 1), bytes = word(block, 2);
    if (from == nullptr || !address || !bytes) return fail(EBADF);
    if (*bytes == 0) return 0;
    const auto view = target(*address, *bytes);
    if (view.empty()) return fail(EFAULT);
    std::size_t count = 0;
    if (from->kind == Kind::In && setup_.in != nullptr) {
        // A line at most, as from a terminal.
        char character = 0;
        while (count < view.size() && setup_.in->get(character)) {
            view[count++] = static_cast<std::uint8_t>(character);
            if (character == '\n') break;
        }
    } else if (from->kind == Kind::Features) {
        while (count < view.size() && from->position < kFeatures.size())
            view[count++] = kFeatures[from->position++];
    } else if (from->kind == Kind::File) {
        while (count < view.size()) {
            const ssize_t got = ::read(from->descriptor, view.data() + count, view.size() - count);
            if (got < 0) return fail(errno);
            if (got == 0) break;
            count += static_cast<std::size_t>(got);
        }
    } else {
        return fail(EBADF);
    }
    return *bytes - static_cast<std::uint32_t>(count);
}

std::uint32_t Semihosting::write(std::uint32_t block) {
    Handle* const to = handle(block);
    const auto address = word(block, 1), bytes = word(block, 2);
    if (to == nullptr || !address || !bytes) return fail(EBADF);
    if (*bytes == 0) return 0;
    const auto view = setup_.view(*address, *bytes);
    if (view.empty()) {
        static_cast<void>(fail(EFAULT));
        return *bytes;
    }
    const std::string_view text(reinterpret_cast<const char*>(view.data()), view.size());
    if (to->kind == Kind::Out) {
        say(text);
        return 0;
    }
    if (to->kind == Kind::Err) {
        err_.put(text);
        return 0;
    }
    if (to->kind != Kind::File) return *bytes;
    const std::size_t count = folder_.write(to->descriptor, view);
    if (count < view.size()) static_cast<void>(fail(errno));
    return *bytes - static_cast<std::uint32_t>(count);
}

std::uint32_t Semihosting::seek(std::uint32_t block) {
    Handle* const file = handle(block);
    const auto position = word(block, 1);
    if (file == nullptr || !position) return fail(EBADF);
    if (file->kind == Kind::Features) {
        file->position = *position;
        return 0;
    }
    if (file->kind != Kind::File) return fail(ESPIPE);
    return lseek(file->descriptor, static_cast<off_t>(*position), SEEK_SET) < 0 ? fail(errno) : 0;
}

std::uint32_t Semihosting::length(std::uint32_t block) {
    const Handle* const file = handle(block);
    if (file == nullptr) return fail(EBADF);
    if (file->kind == Kind::Features) return static_cast<std::uint32_t>(kFeatures.size());
    struct stat status {};
    if (file->kind != Kind::File || fstat(file->descriptor, &status) != 0) return fail(EBADF);
    if (status.st_size > 0x7FFFFFFF) return fail(EFBIG);
    return static_cast<std::uint32_t>(status.st_size);
}

std::uint32_t Semihosting::remove(std::uint32_t block) {
    const auto address = word(block, 0), bytes = word(block, 1);
    const auto name = address && bytes ? text(*address, *bytes) : std::nullopt;
    if (!name) return fail(EFAULT);
    std::string last;
    const int at = folder_.parent_of(*name, last);
    if (at < 0) return fail(errno);
    const int result = unlinkat(at, last.c_str(), 0);
    const int error = errno;
    ::close(at);
    return result == 0 ? 0 : fail(error);
}

std::uint32_t Semihosting::rename(std::uint32_t block) {
    const auto from = word(block, 0), from_bytes = word(block, 1);
    const auto to = word(block, 2), to_bytes = word(block, 3);
    if (!from || !from_bytes || !to || !to_bytes) return fail(EFAULT);
    const auto old_name = text(*from, *from_bytes), new_name = text(*to, *to_bytes);
    if (!old_name || !new_name) return fail(EFAULT);
    std::string old_last, new_last;
    const int old_at = folder_.parent_of(*old_name, old_last);
    if (old_at < 0) return fail(errno);
    const int new_at = folder_.parent_of(*new_name, new_last);
    int error = errno;
    int result = -1;
    if (new_at >= 0) {
        result = renameat(old_at, old_last.c_str(), new_at, new_last.c_str());
        error = errno;
        ::close(new_at);
    }
    ::close(old_at);
    return result == 0 ? 0 : fail(error);
}

std::uint32_t Semihosting::command_line(std::uint32_t block) {
    const auto address = word(block, 0), room = word(block, 1);
    const std::string& line = setup_.command_line;
    if (!address || !room || *room <= line.size()) return fail(EINVAL);
    const auto bytes = static_cast<std::uint32_t>(line.size() + 1);
    const auto view = target(*address, bytes);
    if (view.empty()) return fail(EFAULT);
    std::memcpy(view.data(), line.c_str(), bytes);
    return set_word(block + 4, bytes - 1) ? 0 : fail(EFAULT);
}

void Semihosting::say(std::string_view text) {
    if (setup_.on_text) setup_.on_text(text);
    out_.put(text);
}

void Semihosting::say_byte(std::uint32_t address) {
    const auto byte = setup_.view(address, 1);
    if (!byte.empty()) say({reinterpret_cast<const char*>(byte.data()), 1});
}

void Semihosting::finish() {
    out_.finish();
    err_.finish();
}

std::uint32_t Semihosting::write_text(std::uint32_t address) {
    // Every memory ends at a multiple of this: a piece is all there, or not at all.
    constexpr std::uint32_t kPiece = 1024;
    std::uint32_t said = 0;
    while (said < kMaxText) {
        const auto piece = setup_.view(address, kPiece - address % kPiece);
        const auto end = std::find(piece.begin(), piece.end(), std::uint8_t{0});
        const auto count = static_cast<std::uint32_t>(end - piece.begin());
        say({reinterpret_cast<const char*>(piece.data()), count});
        if (piece.empty() || end != piece.end()) return 0;
        said += count;
        address += count;
    }
    if (setup_.err != nullptr) {
        *setup_.err << "n6vp: a text of SYS_WRITE0 has no end within " << kMaxText
                    << " bytes: cut off\n"
                       "      check its address\n";
    }
    return 0;
}

std::uint32_t Semihosting::heap_info(std::uint32_t block) {
    const auto address = word(block, 0);
    if (!address) return fail(EFAULT);
    // Zero leaves heap and stack where the program's linker script puts them.
    for (unsigned i = 0; i < 4; ++i) {
        if (!set_word(*address + 4 * i, 0)) return fail(EFAULT);
    }
    return 0;
}

std::uint32_t Semihosting::elapsed(std::uint32_t block, std::uint64_t ticks) {
    const bool stored = set_word(block, static_cast<std::uint32_t>(ticks)) &&
                        set_word(block + 4, static_cast<std::uint32_t>(ticks >> 32));
    return stored ? 0 : fail(EFAULT);
}

std::uint32_t Semihosting::exit(std::uint32_t reason, std::uint32_t code) {
    exit_code_ = reason == kApplicationExit ? code : 1;
    return 0;
}

std::uint32_t Semihosting::call(std::uint32_t operation, std::uint32_t parameter,
                                std::uint64_t ticks) {
    switch (operation) {
        case kOpen:
            return open(parameter);
        case kClose:
            return close(parameter);
        case kWriteCharacter:
            say_byte(parameter);
            return 0;
        case kWriteText:
            return write_text(parameter);
        case kWrite:
            return write(parameter);
        case kRead:
            return read(parameter);
        case kReadCharacter: {
            char character = 0;
            return setup_.in != nullptr && setup_.in->get(character)
                       ? static_cast<std::uint8_t>(character)
                       : kFailed;
        }
        case kIsError: {
            const auto status = word(parameter, 0);
            return status && *status >> 31 != 0 ? 1 : 0;
        }
        case kIsConsole: {
            const Handle* const file = handle(parameter);
            if (file == nullptr) return fail(EBADF);
            return file->kind == Kind::File || file->kind == Kind::Features ? 0 : 1;
        }
        case kSeek:
            return seek(parameter);
        case kLength:
            return length(parameter);
        case kRemove:
            return remove(parameter);
        case kRename:
            return rename(parameter);
        case kClock:
            return static_cast<std::uint32_t>(
                static_cast<std::uint64_t>(static_cast<double>(ticks) * 100 / setup_.hz));
        case kTime:
            // Simulated time from a fixed start: the same run gives the same answers.
            return static_cast<std::uint32_t>(
                static_cast<std::uint64_t>(static_cast<double>(ticks) / setup_.hz));
        case kError:
            return error_;
        case kCommandLine:
            return command_line(parameter);
        case kHeapInfo:
            return heap_info(parameter);
        case kExit:
            return exit(parameter, 0);
        case kExitExtended: {
            const auto reason = word(parameter, 0), code = word(parameter, 1);
            return reason && code ? exit(*reason, *code) : exit(0, 1);
        }
        case kElapsed:
            return elapsed(parameter, ticks);
        case kTickFrequency:
            return static_cast<std::uint32_t>(setup_.hz);
        default:
            // Also SYS_SYSTEM: there is no command interpreter.
            return fail(ENOSYS);
    }
}

}  // namespace n6vp::sim
