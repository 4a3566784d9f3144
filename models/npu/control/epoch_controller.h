// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "loader/ec_instruction.h"
#include "models/duration.h"
#include "models/npu/base/limit.h"
#include "models/parameter.h"

namespace n6vp::models::npu {

struct EpochControllerParameters {
    Parameter fetch_cycles{
        "fetch_cycles", 16, "NPU cycles", Confidence::Measured,
        "fitted: per 8-byte fetch, execution of the instructions in it included; total of the kws "
        "pair (15.8), img pair alone 16.8"};
    Parameter prefetch{
        "prefetch", 4, counts(4096, "fetches"), Confidence::Assumed,
        "fetches ahead of execution (1 at least), so that the latency of on-chip RAM stays hidden"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.fetch_cycles);
        function(self.prefetch);
    }
};

/// What the epoch controller reaches.
class EpochControllerBus {
  public:
    struct Fetched {
        bool ok = true;
        std::array<std::uint32_t, 2> words{};
        Picoseconds done = 0;  ///< absolute
    };
    struct Value {
        bool ok = true;
        std::uint32_t word = 0;
        bool changes = false;  ///< changes with time, without notification
    };

    virtual ~EpochControllerBus() = default;
    /// Reads 8 bytes at `address`, a multiple of 8.
    virtual Fetched fetch(std::uint32_t address, Picoseconds at) = 0;
    /// Register at byte `offset` of page `ip` of the NPU's window.
    virtual Value read_register(std::uint32_t ip, std::uint32_t offset, Picoseconds at) = 0;
    /// Returns false if nothing takes the write. May start and clear the controller.
    [[nodiscard]] virtual bool write_register(std::uint32_t ip, std::uint32_t offset,
                                              std::uint32_t value, Picoseconds at) = 0;
};

/// Why a program ended before its end.
enum class EpochFaultReason : std::uint8_t {
    Magic,          ///< word 0 is not that of a blob
    Misaligned,     ///< the blob's address is not a multiple of 8
    Encrypted,      ///< not modelled
    AddressSpace,   ///< the blob goes on beyond the last address
    Fetch,          ///< memory answered with an error
    UnknownOpcode,  ///< known by name only, or not at all
    Truncated,      ///< the last instruction goes on beyond the blob's word count
    BitRange,       ///< of a write or poll: msb below lsb
    PageEnd,        ///< a burst goes on beyond the registers of its unit
    Register,       ///< no unit takes the access
};

/// Returns the reason as a sentence about the blob.
[[nodiscard]] const char* text_of(EpochFaultReason reason);

/// Returns the error bit of EPOCHCTRL.IRQ for a reason. Certain for none; magic, opcode and bus
/// errors are inferred, the others assumed.
[[nodiscard]] std::uint32_t irq_bit_of(EpochFaultReason reason);

struct EpochFault {
    EpochFaultReason reason{};
    std::uint32_t blob = 0;    ///< its address
    std::uint64_t offset = 0;  ///< bytes from the blob's start: of the instruction or the fetch
    std::uint32_t word = 0;    ///< there; 0 if it could not be fetched
    std::uint32_t label = 0;   ///< last one before
    Picoseconds at = 0;

    [[nodiscard]] std::uint32_t opcode() const { return loader::ec::Instruction{word}.code(); }
};

/// What the registers say when the controller is enabled.
struct EpochStart {
    std::uint32_t address = 0;  ///< of the blob
    bool single_step = false;   ///< each instruction waits for `allow_one`
    bool encrypted = false;
    Picoseconds cycle = 1000;  ///< of the NPU's clock
    Picoseconds at = 0;
};

/// Runs the program of a blob: fetches it in order, 8 bytes at a time and never beyond its word
/// count, and executes one instruction after the other. Its owner calls `act` when it is due.
///
/// Certain: blob format and the seven instructions. Assumed: which error bit a fault raises; that a
/// program ends with its word count, after `irq` too; that a poll waits without limit and sees
/// every change of its register; that BC counts instructions; that a step asked for before the
/// controller waits for it is kept. Instructions that no known blob has are executed and reported
/// through `on_assumption`.
/// Not modelled: encrypted blobs, the instructions known by name only, the meaning of a poll's
/// first operand. The split of `fetch_cycles` into fetch, decoding and register access is not
/// known: all of it is charged per fetch, before the words in it are executed.
class EpochController {
  public:
    EpochController(const EpochControllerParameters& parameters, EpochControllerBus& bus);

    /// Begins a program, whatever was running before.
    void start(const EpochStart& how);
    /// Stops at once and forgets everything.
    void clear();
    /// Lets one instruction pass in single step.
    void allow_one(Picoseconds at);
    /// A register may have changed that a poll waits for.
    void look_again(Picoseconds at);

    /// Returns when there is something to do; kNever if it waits for others or has stopped.
    [[nodiscard]] Picoseconds due() const { return due_; }
    /// Does the next thing; nothing if none is due.
    void act();

    [[nodiscard]] bool running() const { return running_; }
    [[nodiscard]] std::uint32_t label() const { return label_; }
    /// Returns the instructions executed since the start.
    [[nodiscard]] std::uint32_t executed() const { return executed_; }

    /// Register that a poll waits for.
    struct Poll {
        std::uint32_t ip = 0, offset = 0, mask = 0, expected = 0;
    };
    /// Returns nullptr unless a poll waits.
    [[nodiscard]] const Poll* polling() const { return polling_ ? &poll_ : nullptr; }
    /// Returns true while a poll looks each cycle at a register that changes by itself: the
    /// controller is due, and yet nothing need go on.
    [[nodiscard]] bool watches() const { return polling_ && watches_; }

    /// Called within `start` and `act`: none of these may start or clear the controller.
    std::function<void(Picoseconds at)> on_irq;
    std::function<void(const EpochFault&)> on_fault;
    std::function<void(std::uint32_t label, Picoseconds at)> on_label;
    /// An instruction was executed whose meaning is assumed; `offset` as in EpochFault.
    std::function<void(const Limit&, std::uint64_t offset)> on_assumption;

    struct Counters {
        std::uint64_t fetches = 0, writes = 0, polls = 0;
        Picoseconds polled = 0;  ///< time spent waiting in polls
    };
    /// Returns what happened since the start.
    [[nodiscard]] const Counters& counters() const { return counters_; }

  private:
    using Instruction = loader::ec::Instruction;
    struct Pair {
        std::array<std::uint32_t, 2> words{};
        Picoseconds done = 0;
        std::uint64_t offset = 0;
        std::optional<EpochFaultReason> fault;
    };

    [[nodiscard]] bool waits_for_step() const;
    [[nodiscard]] bool at_end() const { return position_ * 4 >= blob_bytes_; }
    [[nodiscard]] Picoseconds execution_due() const;
    [[nodiscard]] Picoseconds fetch_due() const;
    /// To be called when anything has changed: `due` is asked many times as often.
    void find_due();
    void fetch();
    bool take_pair();
    void take(std::uint32_t word);
    void begin(std::uint32_t word);
    void operand(std::uint32_t word);
    void complete();
    void execute_single();
    void write(std::uint32_t offset, std::uint32_t value);
    void write_bits(unsigned msb, unsigned lsb, std::uint32_t bits);
    void begin_poll(std::uint32_t expected);
    void look();
    void end();
    void stop();
    void assume_if(bool condition, const char* feature, const char* unknown);
    void assume_about(const Instruction& first);
    void fail(EpochFaultReason reason);
    void fail_at(EpochFaultReason reason, std::uint64_t offset, std::uint32_t word);

    EpochControllerParameters parameters_;
    EpochControllerBus& bus_;
    std::uint64_t run_ = 0;  ///< changes with every start and stop
    bool running_ = false, single_step_ = false, allowed_ = false, polling_ = false;
    bool watches_ = false;  ///< what the poll looks at changes by itself
    bool irq_raised_ = false;
    Picoseconds cycle_ = 1000, interval_ = 16000;
    std::uint32_t blob_ = 0;
    std::uint64_t next_fetch_ = 0;  ///< offset
    std::uint64_t blob_bytes_ = 8;  ///< with header; known after the first fetch
    bool fetch_failed_ = false;
    std::deque<Pair> fetched_;                ///< in order
    std::array<std::uint32_t, 2> at_hand_{};  ///< words whose time has come
    std::size_t used_ = 2;                    ///< of them
    std::uint64_t position_ = 0;              ///< of the next word to take
    Instruction first_;                       ///< first word of the instruction under way
    std::uint64_t first_offset_ = 0;
    std::uint32_t words_left_ = 0;  ///< of that instruction
    Picoseconds fetch_free_ = 0, time_ = 0;
    std::uint32_t label_ = 0, executed_ = 0;
    Poll poll_;
    Picoseconds poll_since_ = 0, look_at_ = 0;
    Picoseconds due_ = kNever;
    Counters counters_;
};

}  // namespace n6vp::models::npu
