// SPDX-License-Identifier: Apache-2.0
#include "models/soc/dma/dma_controller.h"

#include <algorithm>
#include <bit>

#include "models/duration.h"

namespace n6vp::models::dma {

namespace {

constexpr unsigned kFirst2d = 12;
constexpr std::size_t kMoves = std::size_t{3} * kChannels;
constexpr std::array<const char*, 5> kGlobalNames{"SECCFGR", "PRIVCFGR", "RCFGLOCKR", "MISR",
                                                  "SMISR"};
struct NamedOffset {
    std::uint32_t offset;
    const char* name;
};
constexpr NamedOffset kChannelNames[] = {
    {kLbar, "LBAR"}, {kCidcfgr, "CIDCFGR"}, {kSemcr, "SEMCR"}, {kFcr, "FCR"}, {kSr, "SR"},
    {kCr, "CR"},     {kTr1, "TR1"},         {kTr2, "TR2"},     {kBr1, "BR1"}, {kSar, "SAR"},
    {kDar, "DAR"},   {kTr3, "TR3"},         {kBr2, "BR2"},     {kLlr, "LLR"}};
constexpr std::size_t kNamesPerChannel = std::size(kChannelNames);

[[nodiscard]] std::uint32_t whole(const Parameter& parameter) {
    return static_cast<std::uint32_t>(std::max(0.0, parameter.value));
}

}  // namespace

Controller::Controller(const sc_core::sc_module_name& name, const char* block, Kind kind,
                       Requests& requests, const DmaParameters& parameters, const FlagTimes& flags)
    : sc_module(name),
      RegisterBlock(block),
      to("to", kPorts),
      kind_(kind),
      requests_(requests),
      parameters_(parameters),
      suspend_(std::max<Picoseconds>(1, ns_to_ps(flags.dma_stop.value * 1e3))),
      arbiter_(parameters),
      guard_(*this) {
    const bool high = kind == Kind::HighPerformance;
    plain_ = {whole(high ? parameters.hpdma_fifo : parameters.gpdma_fifo), false, high, high};
    two_d_ = {whole(high ? parameters.hpdma_fifo_2d : parameters.gpdma_fifo_2d), true, high, high};
    for (unsigned i = 0; i < kChannels; ++i) {
        channels_.push_back(
            std::make_unique<Channel>(i < kFirst2d ? plain_ : two_d_, times_, requests,
                                      (high ? kHpdmaComplete : kGpdmaComplete) + i));
        for (const NamedOffset& each : kChannelNames)
            names_.push_back("C" + std::to_string(i) + each.name);
    }
    constexpr double kHz = 100e6;
    set_clock_hz(kHz);
    requests.on_rise.listen(0, [this](unsigned line, Picoseconds at) { requested(line, at); });
    requests.on_pulse.listen(0, [this](unsigned input, Picoseconds at) { pulsed(input, at); });
    SC_HAS_PROCESS(Controller);
    SC_METHOD(work);
    sensitive << due_;
    dont_initialize();
}

void Controller::set_clock_hz(double hz) {
    const auto time = [hz](const Parameter& cycles) {
        return std::max<Picoseconds>(1, cycles_to_ps(cycles.value, hz));
    };
    cycle_ = std::max<Picoseconds>(1, cycles_to_ps(1, hz));
    times_ = {time(parameters_.grant_cycles), time(parameters_.link_cycles), suspend_};
}

// Time ---------------------------------------------------------------------------------------

Picoseconds Controller::due() const {
    Picoseconds next = kNever;
    for (const auto& channel : channels_) {
        if (!channel->active()) continue;
        next = std::min(next, channel->due());
        for (const Move move : {Move::Read, Move::Write, Move::Link}) {
            const Picoseconds ready = channel->ready(move);
            if (ready == kNever) continue;
            next = std::min(next, std::max(ready, port_free_[channel->port(move)]));
        }
    }
    return next;
}

void Controller::work() {
    run(sc_core::sc_time_stamp().value());
    schedule();
}

void Controller::run(Picoseconds until) {
    if (running_ || !runs()) return;
    running_ = true;
    for (Picoseconds next = due(); next <= until; next = due()) {
        reached_ = std::max({reached_, next, Picoseconds{sc_core::sc_time_stamp().value()}});
        step(reached_);
    }
    running_ = false;
    update_lines();
}

void Controller::step(Picoseconds at) {
    for (const auto& channel : channels_) {
        if (channel->active()) channel->settle(at);
    }
    while (const std::optional<Turn> turn = choose(at)) issue(*turn, at);
}

void Controller::schedule() {
    if (running_) return;
    due_.cancel();
    const Picoseconds next = runs() ? due() : kNever;
    if (next != kNever) due_.notify(delay_until(next));
}

void Controller::clock_changed() {
    schedule();
}

void Controller::requested(unsigned line, Picoseconds /*at*/) {
    const bool awaited = std::any_of(channels_.begin(), channels_.end(),
                                     [line](const auto& each) { return each->line() == line; });
    if (awaited) schedule();
}

void Controller::pulsed(unsigned input, Picoseconds at) {
    for (const auto& channel : channels_) channel->hit(input, at);
    if (running_) return;
    update_lines();
    schedule();
}

// Bus ----------------------------------------------------------------------------------------

std::optional<Controller::Turn> Controller::choose(Picoseconds at) {
    std::array<Arbiter::Candidate, kMoves> candidates;
    std::array<Turn, kMoves> turns;
    std::size_t count = 0;
    for (unsigned i = 0; i < kChannels; ++i) {
        const Channel& channel = *channels_[i];
        if (!channel.active()) continue;
        // What leaves a channel first makes room in its FIFO.
        for (const Move move : {Move::Write, Move::Read, Move::Link}) {
            if (channel.ready(move) > at || port_free_[channel.port(move)] > at) continue;
            candidates[count] = {i, channel.priority()};
            turns[count++] = {i, move};
        }
    }
    if (count == 0) return std::nullopt;
    return turns[arbiter_.choose({candidates.data(), count})];
}

void Controller::issue(const Turn& turn, Picoseconds at) {
    Channel& channel = *channels_[turn.channel];
    const Channel::Access access = channel.begin(turn.move);
    attribute(turn.channel, access);
    if (access.answers != Requests::kLines) requests_.on_take(access.answers, at);
    std::uint8_t* data = channel.outgoing().data();
    if (!access.write) {
        buffer_.assign(access.bytes, 0);
        data = buffer_.data();
    }
    const Outcome outcome = transport(access, data, at);
    const bool axi = kind_ == Kind::HighPerformance && access.port == 0;
    port_free_[access.port] = axi ? at + cycle_ : outcome.end;
    const std::span<const std::uint8_t> read =
        access.write ? std::span<const std::uint8_t>() : buffer_;
    channel.end(turn.move, outcome.ok, read, outcome.end);
}

void Controller::attribute(unsigned channel, const Channel::Access& access) {
    const std::uint32_t isolation = channels_[channel]->isolation();
    transfer_.secure = access.secure;
    transfer_.privileged = (privilege_ >> channel & 1) != 0;
    const Parameter& without = kind_ == Kind::HighPerformance ? parameters_.hpdma_compartment
                                                              : parameters_.gpdma_compartment;
    transfer_.compartment = static_cast<std::uint8_t>(
        (isolation & kIsolated) != 0 ? field(isolation, 4, 3) : whole(without));
}

/// A burst to one address is as many accesses as it has beats.
Controller::Outcome Controller::transport(const Channel::Access& access, std::uint8_t* data,
                                          Picoseconds at) {
    const std::uint32_t piece = access.increments ? access.bytes : access.beat_bytes;
    const Picoseconds now = sc_core::sc_time_stamp().value();
    sc_core::sc_time delay = to_sc_time(at > now ? at - now : 0);
    bool ok = true;
    payload_.set_extension(&transfer_);
    for (std::uint32_t done = 0; done < access.bytes && ok; done += piece) {
        transfer_.clear_answer();
        payload_.set_command(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload_.set_address(access.address);
        payload_.set_data_ptr(data + done);
        payload_.set_data_length(piece);
        payload_.set_streaming_width(piece);
        payload_.set_byte_enable_ptr(nullptr);
        payload_.set_dmi_allowed(false);
        payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        to[access.port]->b_transport(payload_, delay);
        ok = payload_.is_response_ok();
    }
    payload_.clear_extension(&transfer_);
    return {ok, std::max(absolute_ps(delay), at + cycle_)};
}

// Registers ----------------------------------------------------------------------------------

Controller::Place Controller::place_of(std::uint32_t offset) {
    if (offset < kFirstChannel) return {};
    const std::uint32_t channel = (offset - kFirstChannel) / kChannelStride;
    return {channel, (offset - kFirstChannel) % kChannelStride, channel < kChannels};
}

const char* Controller::name_of(std::uint32_t offset) const {
    if (offset / 4 < kGlobalNames.size()) return kGlobalNames[offset / 4];
    const Place place = place_of(offset);
    for (std::size_t i = 0; place.exists && i < kNamesPerChannel; ++i) {
        if (kChannelNames[i].offset == place.offset)
            return names_[place.channel * kNamesPerChannel + i].c_str();
    }
    return "";
}

std::uint32_t Controller::pending(bool secure) const {
    std::uint32_t channels = 0;
    for (unsigned i = 0; i < kChannels; ++i) channels |= channels_[i]->interrupt() ? 1u << i : 0;
    return channels & (secure ? security_ : ~security_);
}

RegisterBlock::Answer Controller::read(std::uint32_t offset, Picoseconds at) {
    run(at);
    schedule();
    Answer answer{.name = name_of(offset)};
    switch (offset) {
        case kSeccfgr:
            answer.value = security_;
            return answer;
        case kPrivcfgr:
            answer.value = privilege_;
            return answer;
        case kRcfglockr:
            answer.value = locks_;
            return answer;
        case kMisr:
        case kSmisr:
            answer.value = pending(offset == kSmisr);
            return answer;
        default:
            break;
    }
    const Place place = place_of(offset);
    answer.modelled =
        place.exists && Channel::exists(place.offset, place.channel < kFirst2d ? plain_ : two_d_);
    if (answer.modelled) answer.value = channels_[place.channel]->read(place.offset);
    return answer;
}

RegisterBlock::Answer Controller::write_global(std::uint32_t offset, std::uint32_t written,
                                               std::uint32_t mask) {
    constexpr std::uint32_t kAll = 0xFFFF;
    const std::uint32_t bits = mask & kAll & ~locks_;
    switch (offset) {
        case kSeccfgr:
            security_ = (security_ & ~bits) | (written & bits);
            for (unsigned i = 0; i < kChannels; ++i)
                channels_[i]->set_secure((security_ >> i & 1) != 0);
            break;
        case kPrivcfgr:
            privilege_ = (privilege_ & ~bits) | (written & bits);
            break;
        case kRcfglockr:
            locks_ |= written & kAll;
            break;
        default:
            break;  // MISR and SMISR are read-only
    }
    return {.modelled = offset <= kSmisr, .name = name_of(offset)};
}

RegisterBlock::Answer Controller::write(std::uint32_t offset, std::uint32_t value,
                                        std::uint32_t mask, Picoseconds at) {
    run(at);
    const Place place = place_of(offset);
    Answer answer{.modelled = false, .name = name_of(offset)};
    if (!place.exists) {
        answer = write_global(offset, value & mask, mask);
    } else if (Channel::exists(place.offset, place.channel < kFirst2d ? plain_ : two_d_)) {
        answer.modelled = channels_[place.channel]->write(place.offset, value, mask, at);
    }
    update_lines();
    schedule();
    return answer;
}

void Controller::update_lines() {
    const std::uint32_t levels = pending(false) | pending(true);
    for (std::uint32_t changed = levels ^ lines_; changed != 0; changed &= changed - 1) {
        const auto channel = static_cast<unsigned>(std::countr_zero(changed));
        lines_ ^= 1u << channel;
        if (on_interrupt) on_interrupt(channel, (lines_ >> channel & 1) != 0);
    }
}

void Controller::reset() {
    for (const auto& channel : channels_) channel->reset();
    security_ = privilege_ = locks_ = 0;
    port_free_ = {};
    reached_ = 0;
    arbiter_.reset();
    due_.cancel();
    update_lines();
}

bool Controller::Guard::passes(const Transfer& transfer, const Access& access) const {
    const std::uint32_t offset = access.offset & ~3u;
    if (offset == kSmisr) return transfer.secure;
    if (offset == kSeccfgr || offset == kRcfglockr) return !access.write || transfer.secure;
    if (offset == kPrivcfgr) return !access.write || transfer.privileged;
    const Place place = place_of(offset);
    if (!place.exists) return true;
    if ((owner_.security_ >> place.channel & 1) != 0 && !transfer.secure) return false;
    if ((owner_.privilege_ >> place.channel & 1) != 0 && !transfer.privileged) return false;
    constexpr std::uint8_t kTrusted = 1;
    std::uint8_t compartment = transfer.compartment;
    if (transfer.secure && owner_.perceived_compartment)
        compartment = owner_.perceived_compartment(transfer.privileged);
    if (place.offset == kCidcfgr) return !access.write || compartment == kTrusted;
    const std::uint32_t isolation = owner_.channels_[place.channel]->isolation();
    const bool by_one = (isolation & kIsolated) != 0 && (isolation & kSemaphore) == 0;
    return !by_one || compartment == field(isolation, 4, 3);
}

}  // namespace n6vp::models::dma
