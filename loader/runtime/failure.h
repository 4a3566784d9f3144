// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace n6vp::runtime {

/// Why the runtime stopped: name, text. Where two numbers follow, the text says what they are.
#define N6VP_RUNTIME_FAILURES(ROW)                                                            \
    ROW(NullInstance, "no instance was given")                                                \
    ROW(WrongVersion, "an NPU unit has another version: register, value")                     \
    ROW(NetworkInitFailed, "ec_network_init failed: instance")                                \
    ROW(InferenceInitFailed, "ec_inference_init failed: instance")                            \
    ROW(NoEpochItems, "the network has no epoch items: instance")                             \
    ROW(NotInitialised, "RunEpochBlock before Init_Network: instance")                        \
    ROW(ListPending, "an epoch block starts while another list waits: instance, item")        \
    ROW(EventPending, "an event of an earlier epoch block is left: instance, events")         \
    ROW(NpuOwned, "the NPU belongs to another epoch block: owner, instance")                  \
    ROW(NpuNotOwned, "the NPU is given back by who does not have it: owner, instance")        \
    ROW(EncryptedBlob, "encrypted blobs are not supported: item, blob")                       \
    ROW(BlobWhilePolling, "epoch-controller blobs need the asynchronous runtime: item, blob") \
    ROW(BlobUnit, "there is one epoch controller: item, unit")                                \
    ROW(PollingTimeOut, "an engine does not end: item, engine")                               \
    ROW(UnitBusy, "an NPU unit does not finish clearing: register, value")                    \
    ROW(InterruptNoOwner, "an NPU interrupt, and nobody has the NPU: INTREG")                 \
    ROW(InterruptNothing, "an NPU interrupt without a cause")                                 \
    ROW(InterruptWhilePolling, "an NPU interrupt while polling: INTREG")                      \
    ROW(InterruptUnexpected,                                                                  \
        "an NPU interrupt that the epoch block does not wait for: INTREG, item")              \
    ROW(EngineError, "a stream engine reports an error: engine, IRQ")                         \
    ROW(BusError, "an NPU bus interface reports an error: interface, ERR")                    \
    ROW(EpochControllerError, "the epoch controller reports an error: IRQ, LABEL")            \
    ROW(OperatorBusy, "an operator starts while another is under way")                        \
    ROW(OperatorOutside, "an operator is called outside of an epoch block")                   \
    ROW(EngineNumber, "no such stream engines: input, output")                                \
    ROW(ScratchTooSmall, "softmax has too little scratch: bytes, needed")                     \
    ROW(SplitOfOneElement, "a channel split of one element: output")                          \
    ROW(SliceWidth, "the size of a slice is no multiple of its width: size, width")           \
    ROW(PadRank, "the pad has more axes than the record holds: rank")                         \
    ROW(PadNothingStored, "a pad goes on that never began")                                   \
    ROW(UserBuffersUnknown, "the network has no function for user buffers: instance")         \
    ROW(ModelAssertion, "an assertion of the model failed: line")                             \
    ROW(LibraryError, "an operator refused its arguments: code, line")

enum class Failure : std::uint8_t {
#define N6VP_ROW(name, text) name,
    N6VP_RUNTIME_FAILURES(N6VP_ROW)
#undef N6VP_ROW
};

/// Codes of `ll_lib_error`, and the ends of the texts that debug builds print.
#define N6VP_LIBRARY_ERRORS(ROW)                                   \
    ROW(Unknown, "Unknown")                                        \
    ROW(NInputs, "Wrong number of inputs")                         \
    ROW(NOutputs, "Wrong number of outputs")                       \
    ROW(Axis, "Axis mismatch or not supported")                    \
    ROW(Fractional, "Fractional bits not supported")               \
    ROW(DataType, "Datatype not supported")                        \
    ROW(NBits, "Number of bits unsupported or in/out mismatch")    \
    ROW(NBitsIn, "Number of bits unsupported or in(s) mismatch")   \
    ROW(NBitsOut, "Number of bits unsupported or out(s) mismatch") \
    ROW(Shape, "Shape unsupported or in/out mismatch")             \
    ROW(ShapeIn, "Shape unsupported or in(s) mismatch")            \
    ROW(ShapeOut, "Shape unsupported or out(s) mismatch")          \
    ROW(Buffer, "Buffer sizes in/out mismatch")                    \
    ROW(BufferIn, "Buffer sizes in(s) mismatch")                   \
    ROW(BufferOut, "Buffer sizes out(s) mismatch")                 \
    ROW(Rank, "Inconsistent or unexpected rank value(s)")          \
    ROW(Mode, "Unknown or not supported modality")

enum class LibraryError : std::uint8_t {
#define N6VP_ROW(name, text) name,
    N6VP_LIBRARY_ERRORS(N6VP_ROW)
#undef N6VP_ROW
};

[[nodiscard]] const char* name_of(Failure failure);
[[nodiscard]] const char* text_of(Failure failure);
[[nodiscard]] const char* text_of(LibraryError error);

}  // namespace n6vp::runtime
