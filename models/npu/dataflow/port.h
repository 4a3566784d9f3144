// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "models/npu/dataflow/link.h"
#include "models/npu/stream/switch.h"

namespace n6vp::models::npu {

/// What a port cannot be told by a link: where a pixel ends.
inline constexpr Limit kPixelTicks{"STRSWITCH", "DST.TICKTYPE", "what marks a pixel on a link"};

/// One destination of the stream switch: what a unit's input sees of the links.
///
/// Frames that come while a disabled context has its turn are taken at the pace at which they come,
/// and thrown away.
/// Assumed: a destination whose contexts name two links holds both of them, so that the one whose
/// turn it is not waits with its words. Not modelled: turns by pixels (`kPixelTicks`).
class Port {
  public:
    struct Words {
        std::span<const Word> words;
        Pace pace;
        bool ends_frame = false;  ///< behind the last of `words`
    };

    explicit Port(Node& owner) : owner_(owner) {}
    ~Port() { disconnect(); }
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    /// `links` by number of their source: those that `config` names are among them and outlive the
    /// connection. Requires a configuration that computes and takes turns by frames. Words that
    /// waited on a link come at `since` at the earliest.
    void connect(const SwitchConfig& config, std::span<Link* const> links, Picoseconds since = 0);
    void disconnect();
    [[nodiscard]] bool connected() const { return contexts_[0].link != nullptr; }
    [[nodiscard]] bool hears(const Link& link) const {
        return contexts_[0].link == &link || contexts_[1].link == &link;
    }

    /// Throws away what a disabled context has its turn for, then returns the words at hand, none
    /// if the unit must wait. A unit looks whenever it is woken, even if it can take nothing.
    [[nodiscard]] Words look();
    /// The unit took the first `count` of them, the last one at `when`.
    void take(std::size_t count, const Moment& when);

  private:
    struct Context {
        Link* link = nullptr;
        std::size_t listener = 0;
    };

    [[nodiscard]] const Context& of(const Route& route) const;

    Node& owner_;
    SwitchDestination destination_;
    Moment since_;
    std::array<Context, 2> contexts_;  ///< the second only if it names another link
};

}  // namespace n6vp::models::npu
