// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/capi/environment.h"

namespace n6vp::loader::capi {

/// Entry points of a model, by what they do.
enum class Entry : std::uint8_t {
    EcNetworkInit,
    EcInferenceInit,
    InputSetter,
    InputGetter,
    OutputSetter,
    OutputGetter,
    EpochItems,
    OutputBuffers,
    InputBuffers,
    InternalBuffers,
    WeightEncryption,
    BlobEncryption,
};

struct Arguments {
    std::uint32_t a = 0, b = 0, c = 0;
};

/// An installed model behind the handle `exec_state.inst_reloc`, the address of its rt_ctx.
class Handle {
  public:
    /// Looks at the handle. In Strict it must also fit its own header and, with a registry, be in
    /// it.
    Handle(const Environment& environment, std::uint32_t context);
    /// As above for the handle of an instance; 0 for a null one. In Strict rt_ctx must name this
    /// instance as owner.
    Handle(const Environment& environment, const NN_Instance_TypeDef* instance);

    /// Returns AI_RELOC_RT_ERR_NONE, _INVALID_HDL or _INVALID_BIN.
    [[nodiscard]] int state() const { return state_; }
    [[nodiscard]] bool good() const { return state_ == AI_RELOC_RT_ERR_NONE; }
    [[nodiscard]] std::uint32_t context() const { return context_; }
    [[nodiscard]] std::uint32_t file() const { return file_; }

    /// Calls an entry with r9 = RAM base. Fails, leaving `result` alone, if the handle is not good
    /// or its vector has no such entry; Strict also if the entry is not a Thumb function of the
    /// model.
    [[nodiscard]] bool call(Entry entry, Arguments arguments, std::uint32_t& result) const;

  private:
    void open();
    [[nodiscard]] int judge() const;
    [[nodiscard]] bool fits_header() const;
    [[nodiscard]] bool is_registered() const;
    [[nodiscard]] bool entry_word(Entry entry, std::uint32_t& word) const;

    const Environment& environment_;
    std::uint32_t context_ = 0, owner_ = 0;
    std::uint32_t rom_ = 0, ram_ = 0, file_ = 0, run_state_ = 0;
    int state_ = AI_RELOC_RT_ERR_INVALID_HDL;
};

/// Returns `exec_state.inst_reloc` of an instance laid out as the profile says, 0 for a null one.
[[nodiscard]] std::uint32_t handle_of(const Environment& environment,
                                      const NN_Instance_TypeDef* instance);

}  // namespace n6vp::loader::capi
