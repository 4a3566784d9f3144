// SPDX-License-Identifier: Apache-2.0
#include "models/simulator/mailbox.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace n6vp::models {

namespace {

namespace mb = memmap::mailbox;

/// Guest data move in pieces, so that a length that a guest made up costs no host memory.
constexpr std::uint32_t kPiece = 4096;

struct Row {
    std::uint32_t offset;
    const char* name;
};
constexpr Row kRows[] = {
    {mb::kId, "ID"},
    {mb::kVersionRegister, "VERSION"},
    {mb::kFeatures, "FEATURES"},
    {mb::kResult, "RESULT"},
    {mb::kPhaseName, "PHASE_NAME"},
    {mb::kPhaseBegin, "PHASE_BEGIN"},
    {mb::kPhaseEnd, "PHASE_END"},
    {mb::kTextAddress, "TEXT_ADDRESS"},
    {mb::kTextPut, "TEXT_PUT"},
    {mb::kCharacter, "CHARACTER"},
    {mb::kExit, "EXIT"},
    {mb::kCyclesLow, "CYCLES_LOW"},
    {mb::kCyclesHigh, "CYCLES_HIGH"},
    {mb::kTimeLow, "TIME_LOW"},
    {mb::kTimeHigh, "TIME_HIGH"},
    {mb::kSeed, "SEED"},
    {mb::kFile, "FILE"},
};

const char* name_of(std::uint32_t offset) {
    for (const Row& row : kRows) {
        if (row.offset == offset) return row.name;
    }
    return nullptr;
}

constexpr std::uint32_t upper(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}
constexpr std::uint32_t lower(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

bool is_name_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/';
}

bool is_legal_name(std::string_view name) {
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character)) return false;
    char before = '/';
    for (const char c : name) {
        if (before == '/' && (c == '/' || c == '.')) return false;
        before = c;
    }
    return before != '/';
}

}  // namespace

Mailbox::Mailbox(const sc_core::sc_module_name& name, GuestView& memory, MailboxService& service)
    : sc_module(name), RegisterBlock("MAILBOX"), port("port"), memory_(memory), service_(service) {
    port.register_b_transport(this, &Mailbox::b_transport);
    port.register_transport_dbg(this, &Mailbox::transport_dbg);
}

void Mailbox::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    trans.set_dmi_allowed(false);
    if (trans.get_data_length() != 4 || trans.get_address() % 4 != 0 ||
        trans.get_address() >= mb::kSecurePage.bytes) {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(trans.get_address());
    const Picoseconds at = absolute_ps(delay);
    Answer answer;
    if (trans.is_read()) {
        answer = read(offset, at);
        std::memcpy(trans.get_data_ptr(), &answer.value, sizeof answer.value);
    } else if (trans.is_write()) {
        std::uint32_t value = 0;
        std::memcpy(&value, trans.get_data_ptr(), sizeof value);
        answer = write(offset, value, 0xFFFFFFFF, at);
    }
    trans.set_response_status(answer.ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

unsigned Mailbox::transport_dbg(tlm::tlm_generic_payload&) {
    return 0;  // reading would keep halves of counters, writing would act
}

RegisterBlock::Answer Mailbox::read(std::uint32_t offset, Picoseconds at) {
    Answer answer;
    const char* const name = name_of(offset);
    if (name == nullptr) {
        answer.ok = answer.modelled = false;
        return answer;
    }
    answer.name = name;
    switch (offset) {
        case mb::kId:
            answer.value = mb::kMagic;
            break;
        case mb::kVersionRegister:
            answer.value = mb::kVersion;
            break;
        case mb::kFeatures:
            answer.value = service_.has_folder() ? mb::kFeatureFiles : 0;
            break;
        case mb::kResult:
            answer.value = static_cast<std::uint32_t>(result_);
            break;
        case mb::kPhaseName:
            answer.value = phase_name_;
            break;
        case mb::kTextAddress:
            answer.value = text_address_;
            break;
        case mb::kCyclesLow: {
            const std::uint64_t cycles = service_.cycles(at);
            cycles_high_ = upper(cycles);
            answer.value = lower(cycles);
            break;
        }
        case mb::kCyclesHigh:
            answer.value = cycles_high_;
            break;
        case mb::kTimeLow: {
            const std::uint64_t nanoseconds = (at > start_ ? at - start_ : 0) / 1000;
            time_high_ = upper(nanoseconds);
            answer.value = lower(nanoseconds);
            break;
        }
        case mb::kTimeHigh:
            answer.value = time_high_;
            break;
        case mb::kSeed:
            answer.value = service_.seed();
            break;
        default:
            break;  // commands read as 0
    }
    return answer;
}

RegisterBlock::Answer Mailbox::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                     Picoseconds at) {
    Answer answer;
    const char* const name = name_of(offset);
    // A part of a word would be a command with half an argument.
    if (name == nullptr || mask != 0xFFFFFFFF) {
        answer.ok = false;
        answer.modelled = name != nullptr;
        return answer;
    }
    answer.name = name;
    command(offset, value, at);
    return answer;
}

void Mailbox::command(std::uint32_t offset, std::uint32_t value, Picoseconds at) {
    switch (offset) {
        case mb::kPhaseName:
            phase_name_ = value;
            break;
        case mb::kPhaseBegin:
            result_ = begin_phase(value, at);
            break;
        case mb::kPhaseEnd:
            result_ = service_.end_phase(value, at);
            break;
        case mb::kTextAddress:
            text_address_ = value;
            break;
        case mb::kTextPut:
            result_ = put_text(value);
            break;
        case mb::kCharacter: {
            const auto character = static_cast<std::uint8_t>(value);
            service_.put({&character, 1});
            result_ = Error::None;
            break;
        }
        case mb::kExit:
            service_.exit(value, at);
            break;
        case mb::kFile:
            result_ = perform_at(value);
            break;
        default:
            break;  // the others are read-only
    }
}

std::optional<std::string> Mailbox::text_at(std::uint32_t address, std::uint32_t longest) {
    std::string text;
    for (std::uint32_t i = 0; i < longest; ++i) {
        std::uint8_t character = 0;
        // Not past the top of the address space: what wraps is no text.
        if (address > 0xFFFFFFFF - i || !memory_.fetch(address + i, {&character, 1}))
            return std::nullopt;
        if (character == 0) break;
        text.push_back(static_cast<char>(character));
    }
    return text;
}

Mailbox::Error Mailbox::begin_phase(std::uint32_t id, Picoseconds at) {
    std::string name;
    if (phase_name_ != 0) {
        const auto text = text_at(phase_name_, mb::kMaxPhaseName);
        phase_name_ = 0;
        if (!text) return Error::BadAddress;
        name = *text;
    }
    return service_.begin_phase(id, name, at);
}

Mailbox::Error Mailbox::put_text(std::uint32_t bytes) {
    if (bytes > mb::kMaxText) return Error::BadRequest;
    if (bytes == 0) return Error::None;
    std::array<std::uint8_t, mb::kMaxText> text{};
    const auto view = std::span(text).first(bytes);
    if (text_address_ > 0xFFFFFFFF - (bytes - 1) || !memory_.fetch(text_address_, view))
        return Error::BadAddress;
    service_.put(view);
    return Error::None;
}

Mailbox::Error Mailbox::perform_at(std::uint32_t address) {
    constexpr std::uint32_t kBytes = mb::kFileWords * 4;
    if (address % 4 != 0 || address > 0xFFFFFFFF - (kBytes - 1)) return Error::BadAddress;
    std::array<std::uint8_t, kBytes> raw{};
    if (!memory_.fetch(address, raw)) return Error::BadAddress;
    Request request{};
    std::memcpy(request.data(), raw.data(), kBytes);
    const Outcome outcome = perform(request);
    const std::array<std::uint32_t, 2> answer{outcome.value,
                                              static_cast<std::uint32_t>(outcome.error)};
    std::array<std::uint8_t, sizeof answer> answer_bytes{};
    std::memcpy(answer_bytes.data(), answer.data(), sizeof answer);
    if (!memory_.store(address + 4 * mb::kFileValue, answer_bytes)) return Error::BadAddress;
    return outcome.error;
}

Mailbox::Outcome Mailbox::perform(const Request& request) {
    using Operation = mb::FileOperation;
    const auto operation = static_cast<Operation>(request[mb::kFileOperation]);
    if (operation == Operation::Arguments) return arguments(request);
    if (!service_.has_folder()) return {Error::NoFolder, 0};
    const std::uint32_t handle = request[mb::kFileHandle];
    switch (operation) {
        case Operation::Open:
            return open(request);
        case Operation::Close:
            return {service_.close(handle), 0};
        case Operation::Read:
            return move(request, false);
        case Operation::Write:
            return move(request, true);
        case Operation::Seek:
            return {service_.seek(handle, request[mb::kFileArgument]), 0};
        case Operation::Size:
            return service_.size(handle);
        default:
            return {Error::BadRequest, 0};
    }
}

Mailbox::Outcome Mailbox::open(const Request& request) {
    const std::uint32_t bytes = request[mb::kFileBytes], mode = request[mb::kFileArgument];
    if (bytes == 0 || bytes > mb::kMaxName) return {Error::BadName, 0};
    if (mode > static_cast<std::uint32_t>(mb::OpenMode::Append)) return {Error::BadRequest, 0};
    std::array<std::uint8_t, mb::kMaxName> raw{};
    const std::uint32_t address = request[mb::kFileAddress];
    if (address > 0xFFFFFFFF - (bytes - 1) || !memory_.fetch(address, std::span(raw).first(bytes)))
        return {Error::BadAddress, 0};
    const std::string name(raw.begin(), raw.begin() + bytes);
    if (!is_legal_name(name)) return {Error::BadName, 0};
    return service_.open(name, static_cast<mb::OpenMode>(mode));
}

Mailbox::Outcome Mailbox::move(const Request& request, bool to_file) {
    const std::uint32_t handle = request[mb::kFileHandle], address = request[mb::kFileAddress];
    const std::uint32_t bytes = request[mb::kFileBytes];
    if (bytes == 0) return {};
    if (address > 0xFFFFFFFF - (bytes - 1)) return {Error::BadAddress, 0};
    std::vector<std::uint8_t> piece(std::min(bytes, kPiece));
    std::uint32_t done = 0;
    while (done < bytes) {
        const std::span<std::uint8_t> part = std::span(piece).first(std::min(bytes - done, kPiece));
        if (to_file && !memory_.fetch(address + done, part)) return {Error::BadAddress, done};
        const Outcome moved = to_file ? service_.write(handle, part) : service_.read(handle, part);
        if (moved.error != Error::None) return {moved.error, done};
        if (!to_file && !memory_.store(address + done, part.first(moved.value)))
            return {Error::BadAddress, done};
        done += moved.value;
        if (moved.value < part.size()) break;
    }
    return {Error::None, done};
}

Mailbox::Outcome Mailbox::arguments(const Request& request) {
    const std::string_view text = service_.arguments();
    const auto length = static_cast<std::uint32_t>(text.size());
    const std::uint32_t room = request[mb::kFileBytes], address = request[mb::kFileAddress];
    if (room < length) return {Error::BadRequest, length};
    if (length == 0) return {};
    if (address > 0xFFFFFFFF - (length - 1)) return {Error::BadAddress, length};
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    if (!memory_.store(address, {bytes, text.size()})) return {Error::BadAddress, length};
    return {Error::None, length};
}

void Mailbox::reset() {
    phase_name_ = text_address_ = cycles_high_ = time_high_ = 0;
    result_ = Error::None;
}

void Mailbox::reset_at(Picoseconds at) {
    start_ = at;
    reset();
}

}  // namespace n6vp::models
