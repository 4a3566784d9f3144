// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/bus.h"

#include <algorithm>
#include <cstring>

#include "models/inlining.h"

namespace n6vp::models {

namespace {

/// All that a filter may judge by, beside the initiator, in one word.
[[nodiscard]] std::uint64_t rights_of(const Transfer& transfer) {
    return static_cast<std::uint64_t>(transfer.secure) |
           static_cast<std::uint64_t>(transfer.privileged) << 1 |
           static_cast<std::uint64_t>(transfer.instruction) << 2 |
           static_cast<std::uint64_t>(transfer.compartment) << 8;
}

/// All that the initiator says, in one word.
[[nodiscard]] std::uint64_t attributes_of(const Transfer& transfer) {
    return rights_of(transfer) | static_cast<std::uint64_t>(transfer.exclusive) << 3 |
           static_cast<std::uint64_t>(transfer.cacheable) << 4 |
           static_cast<std::uint64_t>(transfer.allocate) << 5 |
           static_cast<std::uint64_t>(transfer.single_beats) << 6;
}

[[nodiscard]] std::uint32_t beats_of(std::uint32_t bytes, const Route& way) {
    if (bytes <= way.beat_bytes) return 1;
    return (bytes + way.beat_bytes - 1) / way.beat_bytes;
}

/// Returns true for generated traffic: it takes time of ways and ports, but no data are looked at
/// or changed.
[[nodiscard]] bool takes_time_only(const tlm::tlm_generic_payload& trans,
                                   const Transfer& transfer) {
    const std::uint8_t* const enables = trans.get_byte_enable_ptr();
    return transfer.for_store && enables != nullptr && trans.get_byte_enable_length() == 1 &&
           *enables == TLM_BYTE_DISABLED;
}

}  // namespace

class Bus::Port : public tlm::tlm_fw_transport_if<>, public RepeatableTarget {
  public:
    Port(Bus& bus, unsigned number)
        : bus_(bus), number_(number), kernel_time_(sc_core::sc_time_stamp()) {
        transfer_.initiator = static_cast<std::uint8_t>(number);
    }
    std::vector<BusObserver*> observers;

    [[nodiscard]] const Transfer& transfer() const { return transfer_; }
    /// The next access looks for its window anew.
    void forget_window() {
        window_ = {};
        repeated_ = {};
    }
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t address, Transfer& with,
                           const RepeatTime& when) override;

  private:
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& /*phase*/,
                                       sc_core::sc_time& /*delay*/) override {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& trans) override {
        return bus_.transport_dbg(trans);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) override {
        return bus_.get_direct_mem_ptr(number_, trans, dmi);
    }

    /// Returns true if the current window holds all of the access.
    [[nodiscard]] bool in_window(std::uint64_t address, std::uint32_t bytes) const {
        const std::uint64_t within = address - window_.start;
        return within < window_.bytes && bytes <= window_.bytes - within;
    }
    void take_window(const Window& window);
    /// Returns true if the target can make this read again; its window is the current one then.
    [[nodiscard]] bool repeats(const tlm::tlm_generic_payload& trans, std::uint32_t address,
                               Transfer& with);
    /// Returns true if an observer of this port wants to know of reads.
    [[nodiscard]] bool heeded() const {
        return std::any_of(observers.begin(), observers.end(),
                           [](const BusObserver* observer) { return observer->heeds_reads(); });
    }
    /// Makes the window of the access the current one. If it returns false, the access has been
    /// refused.
    [[nodiscard]] bool enter_window(tlm::tlm_generic_payload& trans, const sc_core::sc_time& delay);
    /// For a transaction that brings no Transfer.
    void transport_alone(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    [[nodiscard]] bool admit(tlm::tlm_generic_payload& trans, Transfer& with, std::uint32_t offset,
                             sc_core::sc_time& delay);
    /// The rest of an access's way to its target.
    struct Leg {
        std::uint32_t offset;
        unsigned target;
        Path& path;
        tlm::tlm_blocking_transport_if<>& port;
    };
    /// For a target that is reached by TLM only.
    void forward(tlm::tlm_generic_payload& trans, Transfer& with, const Leg& leg,
                 sc_core::sc_time& delay);
    /// `sent`: when the access left its initiator.
    void answer_refusal(tlm::tlm_generic_payload& trans, Transfer& with, const Leg& leg,
                        Picoseconds sent, sc_core::sc_time& delay);
    void hold_back_claimed(tlm::tlm_generic_payload& trans, unsigned target,
                           std::uint32_t offset) const;
    /// Moves an answer whose last beat was `served` at the target to the initiator's port; returns
    /// the last beat there. Beats may come faster from the target than the way carries them.
    static Picoseconds bring_back(const Route& way, Transfer& with, Picoseconds served,
                                  std::uint32_t bytes);
    /// `taken`: from the target's port to the last beat there.
    static void count(Flow& flow, const Transfer& with, const tlm::tlm_generic_payload& trans,
                      Picoseconds taken);
    static void count_waiting(Flow& flow, const Transfer& with);

    Bus& bus_;
    unsigned number_;
    Window window_;            ///< of the last access, a guess for the next
    std::uint64_t shift_ = 0;  ///< from address to offset
    Path* path_ = nullptr;
    tlm::tlm_blocking_transport_if<>* target_ = nullptr;
    FabricTarget* quick_ = nullptr;  ///< the same target, if it can be asked without TLM
    /// The kernel's own variable: to ask for it each time shows in the host's time.
    const sc_core::sc_time& kernel_time_;
    Transfer transfer_;  ///< for transactions that bring none
    /// The read made again last, whose window is the current one.
    struct Repeated {
        std::uint64_t series = 0;
        const std::uint8_t* data = nullptr;  ///< tells one read of a series from the other
        bool heeded = true;                  ///< by an observer
    };
    Repeated repeated_;
};

Bus::Bus(const sc_core::sc_module_name& name, unsigned initiators, unsigned targets)
    : sc_module(name),
      from("from", initiators),
      to("to", targets),
      paths_(std::size_t{initiators} * targets),
      targets_(targets) {
    for (Path& each : paths_) each.flow.waited_for.resize(initiators);
    for (unsigned i = 0; i < initiators; ++i) {
        ports_.push_back(std::make_unique<Port>(*this, i));
        from[i].bind(*ports_[i]);
    }
    for (unsigned i = 0; i < targets; ++i) {
        to[i].register_invalidate_direct_mem_ptr(this, &Bus::invalidate_direct_mem_ptr,
                                                 static_cast<int>(i));
    }
}

Bus::~Bus() = default;

void Bus::end_of_elaboration() {
    for (unsigned i = 0; i < targets_.size(); ++i) {
        tlm::tlm_fw_transport_if<>* const bound = to[i].operator->();
        targets_[i].port = bound;
        targets_[i].quick = dynamic_cast<FabricTarget*>(bound);
        targets_[i].repeatable = dynamic_cast<RepeatableTarget*>(bound);
    }
}

void Bus::map(unsigned target, AddressRange range, std::uint32_t offset) {
    const Window window{to_word(range.start), range.bytes, target, offset};
    const auto place = std::upper_bound(
        windows_.begin(), windows_.end(), window.start,
        [](std::uint64_t start, const Window& other) { return start < other.start; });
    windows_.insert(place, window);
    const std::uint64_t last = std::uint64_t{offset} + range.bytes - 1;
    targets_[target].last = std::max(targets_[target].last, static_cast<std::uint32_t>(last));
}

void Bus::resize(unsigned target, GuestAddr start, std::uint32_t bytes) {
    revoke(target, 0, targets_[target].last);
    targets_[target].last = 0;
    for (Window& window : windows_) {
        if (window.target != target) continue;
        if (window.start == to_word(start)) window.bytes = bytes;
        const std::uint64_t last = window.offset + (window.bytes - 1);
        targets_[target].last = std::max(targets_[target].last, static_cast<std::uint32_t>(last));
    }
    for (const auto& port : ports_) port->forget_window();
    filter_changed(target);
}

void Bus::set_route(unsigned initiator, unsigned target, const Route& way) {
    Path& changed = path(initiator, target);
    changed.way = way;
    changed.request = to_sc_time(way.request);
    changed.response = to_sc_time(way.response);
    changed.exists = true;
}

void Bus::add_filter(unsigned target, AccessFilter& filter) {
    targets_[target].filters.push_back(&filter);
    update_watched();
}

void Bus::observe(BusObserver& observer, const std::vector<unsigned>& initiators) {
    for (const unsigned initiator : initiators) ports_[initiator]->observers.push_back(&observer);
    update_watched();
}

void Bus::record(BusRecorder& recorder) {
    recorders_.push_back(&recorder);
    update_watched();
}

void Bus::update_watched() {
    for (unsigned i = 0; i < ports_.size(); ++i) {
        for (unsigned t = 0; t < targets_.size(); ++t) {
            path(i, t).watched = !targets_[t].filters.empty() || !targets_[t].claims.empty() ||
                                 !ports_[i]->observers.empty() || !recorders_.empty();
        }
    }
}

const Bus::Window* Bus::find(std::uint64_t address) const {
    const auto above =
        std::upper_bound(windows_.begin(), windows_.end(), address,
                         [](std::uint64_t at, const Window& window) { return at < window.start; });
    if (above == windows_.begin()) return nullptr;
    const Window& window = *(above - 1);
    return address - window.start < window.bytes ? &window : nullptr;
}

N6VP_ALWAYS_INLINE Picoseconds Bus::Port::bring_back(const Route& way, Transfer& with,
                                                     Picoseconds served, std::uint32_t bytes) {
    const Picoseconds first = with.first_beat + way.response;
    Picoseconds last = served + way.response;
    if (bytes > way.beat_bytes)
        last = std::max(last, first + (beats_of(bytes, way) - 1) * way.beat);
    with.first_beat = first;
    with.last_beat = last;
    return last;
}

N6VP_ALWAYS_INLINE void Bus::Port::count(Flow& flow, const Transfer& with,
                                         const tlm::tlm_generic_payload& trans, Picoseconds taken) {
    if (trans.is_write()) {
        ++flow.writes;
        flow.bytes_written += trans.get_data_length();
    } else {
        ++flow.reads;
        flow.bytes_read += trans.get_data_length();
    }
    flow.busy += taken - std::min(taken, with.waited);
    if (with.waited != 0) count_waiting(flow, with);
}

N6VP_NOINLINE void Bus::Port::count_waiting(Flow& flow, const Transfer& with) {
    flow.waited += with.waited;
    if (with.holder < flow.waited_for.size()) flow.waited_for[with.holder] += with.waited;
}

N6VP_NOINLINE bool Bus::Port::enter_window(tlm::tlm_generic_payload& trans,
                                           const sc_core::sc_time& delay) {
    using Kind = AccessFault::Kind;
    const Picoseconds at = absolute_ps(delay);
    const std::uint64_t address = trans.get_address();
    const Window* window = bus_.find(address);
    if (window == nullptr) {
        bus_.refuse(Kind::Unmapped, trans, number_, -1, at);
        return false;
    }
    const auto target = static_cast<int>(window->target);
    if (trans.get_data_length() > window->bytes - (address - window->start)) {
        bus_.refuse(Kind::CrossesWindow, trans, number_, target, at);
        return false;
    }
    if (!bus_.path(number_, window->target).exists) {
        bus_.refuse(Kind::Unreachable, trans, number_, target, at);
        return false;
    }
    take_window(*window);
    return true;
}

void Bus::Port::take_window(const Window& window) {
    window_ = window;
    shift_ = window_.offset - window_.start;
    path_ = &bus_.path(number_, window.target);
    target_ = bus_.targets_[window.target].port;
    quick_ = bus_.targets_[window.target].quick;
}

N6VP_NOINLINE bool Bus::Port::admit(tlm::tlm_generic_payload& trans, Transfer& with,
                                    std::uint32_t offset, sc_core::sc_time& delay) {
    return bus_.admit({trans, with, number_, window_.target, trans.get_address(), offset,
                       trans.get_data_length(), trans.is_write()},
                      *path_, delay);
}

N6VP_NOINLINE void Bus::Port::answer_refusal(tlm::tlm_generic_payload& trans, Transfer& with,
                                             const Leg& leg, Picoseconds sent,
                                             sc_core::sc_time& delay) {
    delay += leg.path.response;
    bus_.report_refusal_of_target({trans, with, number_, leg.target, trans.get_address(),
                                   leg.offset, trans.get_data_length(), trans.is_write()},
                                  sent);
}

N6VP_NOINLINE void Bus::Port::hold_back_claimed(tlm::tlm_generic_payload& trans, unsigned target,
                                                std::uint32_t offset) const {
    if (bus_.targets_[target].claims.in_use(offset)) trans.set_dmi_allowed(false);
}

void Bus::Port::transport_alone(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    transfer_.clear_answer();
    trans.set_extension(&transfer_);
    b_transport(trans, delay);
    trans.clear_extension(&transfer_);
}

bool Bus::Port::repeats(const tlm::tlm_generic_payload& trans, std::uint32_t address,
                        Transfer& with) {
    const std::uint32_t bytes = trans.get_data_length();
    const Window* const window = bus_.find(address);
    if (window == nullptr || !bus_.path(number_, window->target).exists) return false;
    take_window(*window);
    const Target& target = bus_.targets_[window_.target];
    // The bytes that another master works on are not looked for.
    if (!in_window(address, bytes) || target.repeatable == nullptr || !target.claims.empty())
        return false;
    const auto offset = static_cast<std::uint32_t>(address + shift_);
    return target.filters.empty() || known_to_pass(with, offset, bytes, path_->passed[0]);
}

Picoseconds Bus::Port::read_again(tlm::tlm_generic_payload& trans, std::uint32_t address,
                                  Transfer& with, const RepeatTime& when) {
    if (repeated_.series != when.series || repeated_.data != trans.get_data_ptr()) {
        if (!repeats(trans, address, with)) return kDeclined;
        repeated_ = {when.series, trans.get_data_ptr(), heeded()};
    }
    Path& path = *path_;
    const auto offset = static_cast<std::uint32_t>(address + shift_);
    with.initiator = static_cast<std::uint8_t>(number_);
    const Picoseconds arrival = when.arrival + path.way.request;
    const Picoseconds served = bus_.targets_[window_.target].repeatable->read_again(
        trans, offset, with, {arrival, when.quiet_until, when.series});
    if (served == kDeclined) return kDeclined;
    const std::uint32_t bytes = trans.get_data_length();
    if (path.watched) {
        if (!bus_.recorders_.empty())
            bus_.tell_recorders(trans, with, number_, delay_until(when.arrival));
        if (repeated_.heeded) {
            bus_.tell_observers(
                {trans, with, number_, window_.target, address, offset, bytes, false});
        }
    }
    const Picoseconds last = bring_back(path.way, with, served, bytes);
    count(path.flow, with, trans, served > arrival ? served - arrival : 0);
    return last;
}

void Bus::Port::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    auto* const brought = trans.get_extension<Transfer>();
    if (brought == nullptr) {
        transport_alone(trans, delay);
        return;
    }
    Transfer& with = *brought;
    const std::uint64_t address = trans.get_address();
    const std::uint32_t bytes = trans.get_data_length();
    if (!in_window(address, bytes) && !enter_window(trans, delay)) {
        if (!bus_.recorders_.empty()) bus_.tell_recorders(trans, with, number_, delay);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(address + shift_);
    with.initiator = static_cast<std::uint8_t>(number_);
    // What others do before the access, and what a target does in turn, may change the window.
    Path& path = *path_;
    const unsigned target = window_.target;
    FabricTarget* const quick = quick_;
    auto* const port = target_;
    if (path.watched && !admit(trans, with, offset, delay)) return;
    if (quick == nullptr) {
        forward(trans, with, {offset, target, path, *port}, delay);
        return;
    }
    const Picoseconds sent = kernel_time_.value() + delay.value();
    const Picoseconds served = quick->serve(trans, offset, with, sent + path.way.request);
    if (!trans.is_response_ok()) {
        delay += path.request;
        answer_refusal(trans, with, {offset, target, path, *port}, sent, delay);
        return;
    }
    if (path.watched) hold_back_claimed(trans, target, offset);
    const Picoseconds last = bring_back(path.way, with, served, trans.get_data_length());
    path.delay.add(delay, last - sent);
    count(path.flow, with, trans, served - (sent + path.way.request));
}

N6VP_NOINLINE void Bus::Port::forward(tlm::tlm_generic_payload& trans, Transfer& with,
                                      const Leg& leg, sc_core::sc_time& delay) {
    Path& path = leg.path;
    const std::uint64_t address = trans.get_address();
    const Picoseconds sent = absolute_ps(delay);
    delay += path.request;
    trans.set_address(leg.offset);
    leg.port.b_transport(trans, delay);
    trans.set_address(address);
    if (!trans.is_response_ok()) {
        answer_refusal(trans, with, leg, sent, delay);
        return;
    }
    if (path.watched) hold_back_claimed(trans, leg.target, leg.offset);
    if (with.last_beat == 0) with.first_beat = with.last_beat = absolute_ps(delay);
    const Picoseconds served = with.last_beat;
    const Picoseconds last = bring_back(path.way, with, served, trans.get_data_length());
    path.delay.add(delay, last - served);
    const Picoseconds reached = sent + path.way.request;
    count(path.flow, with, trans, served > reached ? served - reached : 0);
}

bool Bus::known_to_pass(const Transfer& transfer, std::uint32_t offset, std::uint32_t bytes,
                        const Passed& passed) {
    return offset >= passed.start && offset + (bytes - 1) <= passed.end &&
           passed.rights == rights_of(transfer);
}

bool Bus::admit(const Access& access, Path& path, sc_core::sc_time& delay) {
    const Target& target = targets_[access.target];
    if (!target.claims.empty()) wait_for_users(access, delay);
    if (!recorders_.empty()) {
        tell_recorders(access.trans, access.transfer, access.initiator, delay);
    }
    if (!target.filters.empty() && access.bytes != 0) {
        const bool known = known_to_pass(access.transfer, access.offset, access.bytes,
                                         path.passed[access.write ? 1 : 0]);
        const char* reason = "";
        const Entry entry = known ? Entry::Admitted : ask_filters(access, path, reason);
        if (entry != Entry::Admitted) {
            const Picoseconds at = absolute_ps(delay);
            answer_for_filter(access, path, entry == Entry::Zero, delay);
            report(AccessFault::Kind::Refused, access, at, reason, entry == Entry::Zero);
            return false;
        }
    }
    if (takes_time_only(access.trans, access.transfer)) return true;
    if (!target.claims.empty()) report_collisions(access, absolute_ps(delay));
    tell_observers(access);
    return true;
}

void Bus::tell_observers(const Access& access) const {
    const auto number = static_cast<std::uint8_t>(access.initiator);
    for (BusObserver* observer : ports_[access.initiator]->observers) {
        if (access.write) {
            observer->before_write(number, access.target, access.offset, access.bytes);
        } else {
            observer->before_read(number, access.target, access.offset, access.bytes);
        }
    }
}

void Bus::tell_recorders(tlm::tlm_generic_payload& trans, const Transfer& transfer,
                         unsigned initiator, const sc_core::sc_time& delay) const {
    const BusTransaction transaction{absolute_ps(delay),
                                     trans.get_address(),
                                     attributes_of(transfer),
                                     trans.get_data_length(),
                                     trans.is_write(),
                                     static_cast<std::uint8_t>(initiator),
                                     trans.is_write() ? trans.get_data_ptr() : nullptr};
    for (BusRecorder* const recorder : recorders_) recorder->begins(transaction);
}

bool Bus::all_pass(const Target& target, const Transfer& transfer,
                   const AccessFilter::Access& access) const {
    return std::all_of(
        target.filters.begin(), target.filters.end(),
        [&](const AccessFilter* filter) { return filter->passes(transfer, access); });
}

Bus::Entry Bus::ask_filters(const Access& access, Path& path, const char*& reason) {
    const Target& target = targets_[access.target];
    for (AccessFilter* filter : target.filters) {
        const AccessFilter::Verdict verdict =
            filter->judge(access.transfer, {access.offset, access.bytes, access.write,
                                            static_cast<std::uint32_t>(access.address)});
        if (verdict == AccessFilter::Verdict::Pass) continue;
        reason = filter->reason();
        return verdict == AccessFilter::Verdict::Zero ? Entry::Zero : Entry::Error;
    }
    // The whole target, a part around the access, or this access only.
    Passed& passed = path.passed[access.write ? 1 : 0];
    passed = {rights_of(access.transfer), 1, 0};
    if (target.last != 0xFFFFFFFFu &&
        all_pass(target, access.transfer, {0, target.last + 1, access.write})) {
        passed.start = 0;
        passed.end = target.last;
        return Entry::Admitted;
    }
    for (const std::uint32_t part : {1u << 20, 1u << 16, Claims::kPageBytes}) {
        const std::uint32_t start = access.offset / part * part;
        if (!all_pass(target, access.transfer, {start, part, access.write})) continue;
        passed.start = start;
        passed.end = start + (part - 1);
        break;
    }
    return Entry::Admitted;
}

void Bus::wait_for_users(const Access& access, sc_core::sc_time& delay) const {
    if (access.transfer.runs_ahead == nullptr || access.bytes == 0) return;
    const std::uint32_t last = access.offset + (access.bytes - 1);
    if (targets_[access.target].claims.any_in_use(access.offset, last))
        access.transfer.runs_ahead->synchronise(delay);
}

void Bus::report_collisions(const Access& access, Picoseconds at) {
    if (access.bytes == 0 || !on_buffer_in_use) return;
    const Claims& claims = targets_[access.target].claims;
    const std::uint32_t last = access.offset + (access.bytes - 1);
    if (!claims.any_in_use(access.offset, last)) return;
    for (const Claims::Interval& held : claims.intervals()) {
        if (held.initiator == access.initiator || (!held.write && !access.write)) continue;
        if (last < held.first || held.last < access.offset) continue;
        on_buffer_in_use({access.address, access.bytes, access.write,
                          static_cast<std::uint8_t>(access.initiator), held.initiator, held.write,
                          held.what, at});
    }
}

void Bus::answer_for_filter(const Access& access, const Path& path, bool zero,
                            sc_core::sc_time& delay) {
    tlm::tlm_generic_payload& trans = access.trans;
    trans.set_response_status(zero ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
    trans.set_dmi_allowed(false);
    if (zero && trans.is_read()) std::memset(trans.get_data_ptr(), 0, access.bytes);
    const Route& way = path.way;
    const Picoseconds first = absolute_ps(delay) + way.request + way.response;
    access.transfer.refused = true;
    access.transfer.first_beat = first;
    access.transfer.last_beat = first + (beats_of(access.bytes, way) - 1) * way.beat;
    delay = delay_until(access.transfer.last_beat);
}

void Bus::report(AccessFault::Kind kind, const Access& access, Picoseconds at, const char* reason,
                 bool answered_zero) const {
    if (!on_fault) return;
    on_fault({kind, access.address, access.bytes, access.write, answered_zero,
              static_cast<std::uint8_t>(access.initiator), static_cast<int>(access.target), reason,
              at});
}

void Bus::report_refusal_of_target(const Access& access, Picoseconds at) const {
    switch (access.trans.get_response_status()) {
        case tlm::TLM_COMMAND_ERROR_RESPONSE:
            report(access.write ? AccessFault::Kind::ReadOnly : AccessFault::Kind::NotSupported,
                   access, at, access.write ? "" : "command");
            return;
        case tlm::TLM_BURST_ERROR_RESPONSE:
            report(AccessFault::Kind::NotSupported, access, at, "burst");
            return;
        case tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE:
            report(AccessFault::Kind::NotSupported, access, at, "byte enables");
            return;
        default:
            return;  // the target knows more about it and says so itself
    }
}

void Bus::refuse(AccessFault::Kind kind, tlm::tlm_generic_payload& trans, unsigned initiator,
                 int target, Picoseconds at) const {
    AccessFault fault{kind,
                      trans.get_address(),
                      trans.get_data_length(),
                      trans.is_write(),
                      false,
                      static_cast<std::uint8_t>(initiator),
                      target,
                      "",
                      at};
    const char* const posted = fault.write && posts ? posts(fault) : nullptr;
    fault.answered_zero = posted != nullptr;
    if (posted != nullptr) fault.reason = posted;
    trans.set_response_status(fault.answered_zero ? tlm::TLM_OK_RESPONSE
                                                  : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    trans.set_dmi_allowed(false);
    if (on_fault) on_fault(fault);
}

bool Bus::get_direct_mem_ptr(unsigned initiator, tlm::tlm_generic_payload& trans,
                             tlm::tlm_dmi& dmi) {
    const std::uint64_t address = trans.get_address();
    const Window* window = find(address);
    if (window == nullptr || !path(initiator, window->target).exists) return false;
    const Target& target = targets_[window->target];
    const auto offset = static_cast<std::uint32_t>(window->offset + (address - window->start));
    if (target.claims.in_use(offset)) return false;
    const auto* brought = trans.get_extension<Transfer>();
    const Transfer& with = brought != nullptr ? *brought : ports_[initiator]->transfer();
    // A memory takes the question for an access: none that a filter would refuse may reach it.
    constexpr std::uint32_t kPage = Claims::kPageBytes;
    if (!all_pass(target, with, {offset / kPage * kPage, kPage, trans.is_write()})) return false;
    trans.set_address(offset);
    const bool granted = to[window->target]->get_direct_mem_ptr(trans, dmi);
    trans.set_address(address);
    return granted && narrow(target, *window, offset, with, dmi) &&
           (trans.is_write() ? dmi.is_write_allowed() : dmi.is_read_allowed());
}

const Flow& Bus::flow(unsigned initiator, unsigned target) const {
    return paths_[initiator * targets_.size() + target].flow;
}

void Bus::reset() {
    for (Claim claim = 0; claim < claims_.size(); ++claim) release(claim);
    claims_.clear();
    for (Path& each : paths_) {
        for (Passed& passed : each.passed) passed = {};
        each.flow = {};
        each.flow.waited_for.resize(ports_.size());
    }
}

}  // namespace n6vp::models
