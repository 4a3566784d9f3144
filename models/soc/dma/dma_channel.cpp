// SPDX-License-Identifier: Apache-2.0
#include "models/soc/dma/dma_channel.h"

#include <algorithm>

namespace n6vp::models::dma {

namespace {

constexpr unsigned kBlockEvents = 0, kItemEvents = 2, kListEvents = 3;  ///< CTR2.TCEM
/// CTR2.TRIGM: what waits for a trigger each.
constexpr unsigned kEachBlock = 0, kEachRepeatedBlock = 1, kEachLink = 2, kEachBurst = 3;
constexpr std::uint32_t kAhbBorder = 1024, kAxiBorder = 4096;

[[nodiscard]] std::uint32_t moved(std::uint32_t address, std::uint32_t by, bool down) {
    return down ? address - by : address + by;
}

}  // namespace

unsigned Channel::event_mode() const {
    const unsigned mode = field(tr2_, 30, 2);
    return mode == 1 && !traits_.two_d ? kBlockEvents : mode;
}

unsigned Channel::line() const {
    return phase_ == Phase::Data && (tr2_ & kSoftwareRequest) == 0 ? field(tr2_, 0, 8)
                                                                   : Requests::kLines;
}

bool Channel::user_error() const {
    const std::uint32_t source = format_.source_bytes(), dest = format_.dest_bytes();
    const auto too_wide = [this](std::uint32_t bytes, std::uint32_t port_1) {
        return bytes > 4 && (!traits_.wide_port_0 || (tr1_ & port_1) != 0);
    };
    if (too_wide(source, kSourcePort) || too_wide(dest, kDestPort)) return true;
    if (left() % source != 0 || (format_.packs() && left() % dest != 0)) return true;
    if (sar_ % source != 0 || dar_ % dest != 0) return true;
    if (!traits_.two_d) return false;
    return field(tr3_, 0, 13) % source != 0 || field(tr3_, 16, 13) % dest != 0 ||
           field(br2_, 0, 16) % source != 0 || field(br2_, 16, 16) % dest != 0;
}

void Channel::start(Picoseconds at) {
    cr_ |= kEnable;
    first_item_ = true;
    hit_at_ = kNever;
    begin_item(at + times_.grant);
}

/// What the registers say from now on.
void Channel::begin_item(Picoseconds at) {
    format_ = Format(tr1_);
    programmed_br1_ = br1_;
    phase_ = Phase::Data;
    unit_hit_ = false;
    blocks_done_ = 0;
    half_told_ = false;
    if (left() != 0 && user_error()) {
        stop(kUserError);
        return;
    }
    begin_block(at);
    if (left() == 0) end_item(at);
}

void Channel::begin_block(Picoseconds at) {
    source_left_ = burst(true);
    dest_left_ = burst(false);
    delivered_ = 0;
    if (event_mode() == kBlockEvents) half_told_ = false;
    if (trigger_mode() == kEachBlock) unit_hit_ = false;
    block_granted_ = read_granted_ = write_granted_ = false;
    read_from_ = write_from_ = at;
}

std::uint32_t Channel::burst(bool of_source) const {
    return of_source ? (field(tr1_, 4, 6) + 1) * format_.source_bytes()
                     : (field(tr1_, 20, 6) + 1) * format_.dest_bytes();
}

std::uint32_t Channel::to_border(bool of_source) const {
    if ((tr1_ & (of_source ? kSourceIncrements : kDestIncrements)) == 0) return UINT32_MAX;
    const unsigned port = this->port(of_source ? Move::Read : Move::Write);
    const std::uint32_t border = traits_.wide_port_0 && port == 0 ? kAxiBorder : kAhbBorder;
    return border - (of_source ? sar_ : dar_) % border;
}

std::uint32_t Channel::level() const {
    return static_cast<std::uint32_t>(fifo_.size()) + writing_.bytes +
           format_.produced(reading_.bytes);
}

std::uint32_t Channel::readable() const {
    const std::uint32_t beat = format_.source_bytes();
    const std::uint32_t room = traits_.fifo_bytes - std::min(traits_.fifo_bytes, level());
    const std::uint32_t beats = room / format_.produced(beat);
    const std::uint32_t bytes = std::min({source_left_, left(), beats * beat, to_border(true)});
    return bytes / beat * beat;
}

/// Of the FIFO: a burst, as far as FIFO and address allow; less at the end of a block, or if no
/// beat of the source has room any more.
std::uint32_t Channel::writable_now() const {
    const std::uint32_t beat = format_.dest_bytes();
    const auto held = static_cast<std::uint32_t>(fifo_.size());
    const std::uint32_t wanted =
        std::min({dest_left_, traits_.fifo_bytes / beat * beat, to_border(false)});
    if (held >= wanted) return wanted;
    const bool all_read = left() == 0 && !reading_.busy();
    const bool stuck = !reading_.busy() && readable() == 0;
    return all_read || stuck ? held / beat * beat : 0;
}

std::uint32_t Channel::link_bytes() const {
    std::uint32_t bytes = 0;
    for (const LinkWord& word : kLinkWords) bytes += (llr_ & word.update) != 0 ? 4 : 0;
    return bytes;
}

bool Channel::gated(Move move) const {
    if ((tr2_ & kSoftwareRequest) != 0) return false;
    if ((tr2_ & kBlockRequest) != 0) return move == Move::Read && !block_granted_;
    if ((tr2_ & kDestRequest) == 0) return move == Move::Read && !read_granted_;
    return move == Move::Read ? !block_granted_ : !write_granted_;
}

bool Channel::triggered() const {
    const unsigned edge = field(tr2_, 24, 2), input = field(tr2_, 16, 7);
    return (edge == 1 || edge == 2) && input >= kFirstTrigger && input < kTriggersEnd;
}

unsigned Channel::trigger_mode() const {
    const unsigned mode = field(tr2_, 14, 2);
    return mode == kEachRepeatedBlock && !traits_.two_d ? kEachBlock : mode;
}

bool Channel::waits_for_hit(Move move) const {
    if (!triggered()) return false;
    const unsigned mode = trigger_mode();
    if (mode == kEachLink) return move == Move::Link;
    if (mode != kEachBurst) return move == Move::Read && !unit_hit_;
    const bool by_dest = (tr2_ & (kSoftwareRequest | kBlockRequest | kDestRequest)) == kDestRequest;
    return by_dest ? move == Move::Write && !write_granted_ : move == Move::Read && !read_granted_;
}

/// One trigger is kept for what comes next; a further one is lost. A pulse has both edges.
void Channel::hit(unsigned input, Picoseconds at) {
    if (phase_ == Phase::Off || !triggered() || field(tr2_, 16, 7) != input) return;
    if (hit_at_ != kNever) {
        flags_ |= kTriggerOverrun;
    } else {
        hit_at_ = at;
    }
}

void Channel::take_hit(Move move) {
    if (!waits_for_hit(move)) return;
    hit_at_ = kNever;
    unit_hit_ = true;
}

void Channel::complete(Picoseconds at) {
    flags_ |= kComplete;
    requests_.on_pulse(output_, at);
}

unsigned Channel::port(Move move) const {
    switch (move) {
        case Move::Read:
            return (tr1_ & kSourcePort) != 0 ? 1 : 0;
        case Move::Write:
            return (tr1_ & kDestPort) != 0 ? 1 : 0;
        case Move::Link:
            return (cr_ & kLinkPort) != 0 ? 1 : 0;
    }
    return 0;
}

Picoseconds Channel::ready(Move move) const {
    if ((cr_ & kSuspend) != 0 || phase_ == Phase::Off) return kNever;
    if (move == Move::Link) {
        const bool wants = phase_ == Phase::Link && !linking_.busy() && link_bytes() != 0;
        return wants ? hit_or(move, link_from_) : kNever;
    }
    if (phase_ != Phase::Data) return kNever;
    const bool read = move == Move::Read;
    if ((read ? reading_ : writing_).busy()) return kNever;
    if ((read ? readable() : writable_now()) == 0) return kNever;
    const Picoseconds from = hit_or(move, read ? read_from_ : write_from_);
    return gated(move) ? std::max(from, requests_.high_since(field(tr2_, 0, 8))) : from;
}

Channel::Access Channel::begin(Move move) {
    Access access;
    access.port = port(move);
    take_hit(move);
    if (move == Move::Link) {
        access.address = lbar_ | (llr_ & kLinkAddress);
        access.bytes = linking_.bytes = link_bytes();
        access.secure = secure_;
        return access;
    }
    const bool read = move == Move::Read;
    // A request of the destination is for its burst, also where it lets the source be read ahead.
    const bool by_dest = (tr2_ & kDestRequest) != 0 && (tr2_ & kBlockRequest) == 0;
    if (gated(move) && (!read || !by_dest)) access.answers = line();
    access.write = !read;
    access.bytes = read ? readable() : writable_now();
    access.address = read ? sar_ : dar_;
    access.beat_bytes = read ? format_.source_bytes() : format_.dest_bytes();
    access.increments = (tr1_ & (read ? kSourceIncrements : kDestIncrements)) != 0;
    access.secure = secure_ && (tr1_ & (read ? kSourceSecure : kDestSecure)) != 0;
    block_granted_ = true;
    (read ? reading_ : writing_).bytes = access.bytes;
    std::uint32_t& address = read ? sar_ : dar_;
    if (access.increments) address += access.bytes;
    std::uint32_t& burst_left = read ? source_left_ : dest_left_;
    burst_left -= access.bytes;
    bool& granted = read ? read_granted_ : write_granted_;
    granted = burst_left != 0;
    if (burst_left == 0) {
        burst_left = burst(read);
        const std::uint32_t offset = field(tr3_, read ? 0 : 16, 13);
        const bool down = (br1_ & (read ? kSourceDecrements : kDestDecrements)) != 0;
        if (traits_.two_d) address = moved(address, offset, down);
    }
    if (read) {
        br1_ -= access.bytes;
        return access;
    }
    const auto end = fifo_.begin() + access.bytes;
    outgoing_.assign(fifo_.begin(), end);
    fifo_.erase(fifo_.begin(), end);
    format_.exchange(outgoing_);
    return access;
}

void Channel::end(Move move, bool ok, std::span<const std::uint8_t> data, Picoseconds at) {
    Flight& flight = move == Move::Read ? reading_ : move == Move::Write ? writing_ : linking_;
    flight.until = at;
    flight.ok = ok;
    if (move != Move::Write) flight.data.assign(data.begin(), data.end());
}

Picoseconds Channel::empty_item_at() const {
    const bool empty_item = phase_ == Phase::Link && !linking_.busy() && link_bytes() == 0;
    return empty_item && (cr_ & kSuspend) == 0 ? hit_or(Move::Link, link_from_) : kNever;
}

Picoseconds Channel::due() const {
    Picoseconds next = kNever;
    for (const Flight* flight : {&reading_, &writing_, &linking_}) {
        if (flight->busy()) next = std::min(next, flight->until);
    }
    if (suspend_at_ != kNever && !in_flight()) next = std::min(next, suspend_at_);
    return std::min(next, empty_item_at());
}

void Channel::settle(Picoseconds now) {
    if (reading_.busy() && reading_.until <= now) take_read(now);
    if (writing_.busy() && writing_.until <= now) take_write(now);
    if (linking_.busy() && linking_.until <= now) take_item(now);
    if (empty_item_at() <= now) {
        take_hit(Move::Link);
        take_item(now);
    }
    if (suspend_at_ <= now && !in_flight()) {
        suspend_at_ = kNever;
        suspended_ = true;
        flags_ |= kSuspended;
    }
}

void Channel::take_read(Picoseconds at) {
    reading_.bytes = 0;
    if (!reading_.ok) {
        stop(kDataError);
        return;
    }
    format_.take(reading_.data, fifo_);
    read_from_ = at + times_.grant;
    write_from_ = std::max(write_from_, at + times_.grant);
}

void Channel::take_write(Picoseconds at) {
    const std::uint32_t bytes = writing_.bytes;
    writing_.bytes = 0;
    if (!writing_.ok) {
        stop(kDataError);
        return;
    }
    delivered_ += format_.consumed(bytes);
    write_from_ = at + times_.grant;
    read_from_ = std::max(read_from_, at + times_.grant);
    tell_half_of_block();
    if (delivered_ >= programmed()) end_block(at);
}

void Channel::tell_half_of_block() {
    const unsigned mode = event_mode();
    if (half_told_ || delivered_ < (programmed() + 1) / 2) return;
    if (mode != kBlockEvents && repeats() != 0) return;
    if (mode == kListEvents && llr_ != 0) return;
    half_told_ = true;
    flags_ |= kHalf;
}

void Channel::end_block(Picoseconds at) {
    const unsigned mode = event_mode();
    const std::uint32_t repeats_left = traits_.two_d ? field(br1_, 16, 11) : 0;
    ++blocks_done_;
    if (traits_.two_d) {
        sar_ = moved(sar_, field(br2_, 0, 16), (br1_ & kSourceRepeatDecrements) != 0);
        dar_ = moved(dar_, field(br2_, 16, 16), (br1_ & kDestRepeatDecrements) != 0);
    }
    const bool counts = mode != kBlockEvents && (mode != kListEvents || llr_ == 0);
    if (counts && repeats() != 0 && blocks_done_ == (repeats() + 2) / 2) flags_ |= kHalf;
    if (mode == kBlockEvents || (mode == 1 && repeats_left == 0)) complete(at);
    if (repeats_left == 0) {
        end_item(at);
        return;
    }
    br1_ = (br1_ - (1u << 16)) | programmed();
    begin_block(at + times_.grant);
}

void Channel::end_item(Picoseconds at) {
    const unsigned mode = event_mode();
    const bool nothing = first_item_ && programmed() == 0;
    link_event_ = mode == kItemEvents;
    if (llr_ == 0) {
        if ((mode == kItemEvents || mode == kListEvents) && !nothing) complete(at);
        const unsigned served = line();
        stop(0);
        if (served != Requests::kLines && !nothing) requests_.on_end(served, at);
        return;
    }
    br1_ = programmed_br1_;
    phase_ = Phase::Link;
    link_from_ = at + times_.link;
}

void Channel::take_item(Picoseconds at) {
    if (linking_.busy() && !linking_.ok) {
        stop(kLinkError);
        return;
    }
    if (linking_.busy()) load(linking_.data);
    linking_.bytes = 0;
    first_item_ = false;
    if (link_event_) complete(at);
    if ((cr_ & kLinkStep) != 0) {
        stop(0);
        return;
    }
    begin_item(at + times_.link);
}

void Channel::load(std::span<const std::uint8_t> words) {
    constexpr std::uint32_t kTrigger = 0x037F0000;  // CTR2: TRIGPOL, TRIGSEL
    const std::uint32_t updates = llr_, before = tr2_;
    std::size_t at = 0;
    for (const LinkWord& word : kLinkWords) {
        if ((updates & word.update) == 0 || at + 4 > words.size()) continue;
        std::uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{words[at + i]} << 8 * i;
        at += 4;
        *stored(word.offset) = value & writable(word.offset);
    }
    if (((before ^ tr2_) & kTrigger) != 0) hit_at_ = kNever;
}

/// The channel is disabled; what it has begun is forgotten.
void Channel::stop(std::uint32_t flags) {
    flags_ |= flags;
    cr_ &= ~kEnable;
    phase_ = Phase::Off;
    hit_at_ = kNever;
    fifo_.clear();
    reading_.bytes = writing_.bytes = linking_.bytes = 0;
}

}  // namespace n6vp::models::dma
