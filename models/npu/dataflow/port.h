// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/npu/dataflow/link.h"
#include "models/npu/stream/switch.h"

namespace n6vp::models::npu {

/// Information that a link does not carry: the end of a pixel.
inline constexpr Limit kPixelTicks{"STRSWITCH", "DST.TICKTYPE", "what marks a pixel on a link"};

/// One destination of the stream switch: what a unit's input sees of the links.
///
/// Frames that come while a disabled context has its turn are taken at the pace at which they come,
/// and thrown away.
/// Assumed: a destination whose contexts name two links holds both of them, so that the one whose
/// turn it is not waits with its words. Not modelled: turns by pixels (`kPixelTicks`).
class Port {
  public:
    /// Words that wait on a link; valid until some of them are taken.
    class Words {
      public:
        Words() = default;
        Words(const Link& link, std::size_t taken, const PathTime& since)
            : words(link.offered().subspan(taken)),
              ends_frame(link.ends_frame()),
              link_(&link),
              taken_(taken),
              since_(&since) {}

        /// Returns when the first and the last of the next `count` are there. Requires that many.
        [[nodiscard]] WordTimes pace(std::size_t count) const {
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): where words are, there is a link
            WordTimes pace = link_->pace().part(taken_, count, link_->offered().size());
            pace.first.wait_for(*since_);
            pace.last.wait_for(*since_);
            return pace;
        }

        std::span<const Word> words;
        bool ends_frame = false;  ///< behind the last of `words`

      private:
        const Link* link_ = nullptr;
        std::size_t taken_ = 0;
        const PathTime* since_ = nullptr;
    };

    explicit Port(Node& owner) : owner_(owner) {}
    ~Port() { disconnect(); }
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    /// `links` by number of their source: those that `config` names are among them and outlive the
    /// connection. Requires a configuration that computes and alternates by frames. Words that
    /// waited on a link arrive at `since` at the earliest.
    void connect(const SwitchConfig& config, std::span<Link* const> links, Picoseconds since = 0);
    void disconnect();
    [[nodiscard]] bool connected() const { return contexts_[0].link != nullptr; }
    /// Returns a number that changes when words that were seen but not yet accepted may be gone:
    /// the port is connected differently, or its source offers none any more.
    [[nodiscard]] std::uint64_t breaks() const {
        std::uint64_t sum = breaks_;
        for (const Context& context : contexts_) {
            if (context.link != nullptr) sum += context.link->clears();
        }
        return sum;
    }
    [[nodiscard]] bool hears(const Link& link) const {
        return contexts_[0].link == &link || contexts_[1].link == &link;
    }

    /// Throws away what a disabled context has its turn for. A unit does so whenever it is woken,
    /// even if it can take nothing.
    void discard() {
        if (!destination_.config().permanent()) (void)look_by_turns();
    }
    /// Does that, then returns the words at hand, none if the unit must wait.
    [[nodiscard]] Words look() {
        if (!destination_.config().permanent()) return look_by_turns();
        const Context& only = contexts_[0];
        if (only.link == nullptr) return {};
        const std::size_t taken = only.link->taken(only.listener);
        if (taken >= only.link->offered().size()) return {};
        return {*only.link, taken, since_};
    }
    /// The unit took the first `count` of them, the last one at `when`.
    void take(std::size_t count, const PathTime& when) {
        if (destination_.config().permanent()) {
            contexts_[0].link->take(contexts_[0].listener, count, when);
        } else {
            take_in_turn(count, when);
        }
    }

  private:
    struct Context {
        Link* link = nullptr;
        std::size_t listener = 0;
    };

    [[nodiscard]] Words look_by_turns();
    void take_in_turn(std::size_t count, const PathTime& when);
    [[nodiscard]] const Context& of(const Route& route) const;

    Node& owner_;
    SwitchDestination destination_;
    PathTime since_;
    std::uint64_t breaks_ = 0;         ///< but for those of the links
    std::array<Context, 2> contexts_;  ///< the second only if it names another link
};

}  // namespace n6vp::models::npu
