// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "loader/runtime/machine.h"
#include "loader/runtime/runtime.h"

/// A machine under the runtime: memory at 32-bit addresses of the host, functions of a model as
/// lambdas, and an NPU that knows its registers, moves data by engine pairs and ends blobs.
/// Everything it does about the NPU is written from the text of the specification, not from the
/// runtime.
namespace n6vp::test {

/// Where the runtime stopped.
struct Stop {
    runtime::Failure failure{};
    std::uint32_t first = 0, second = 0;
};

/// Cache maintenance, in order.
struct Maintained {
    loader::CacheOp op{};
    std::uint32_t start = 0, bytes = 0;
};

class FakeMachine {
  public:
    static constexpr std::uint32_t kArenaBytes = 1u << 20;

    FakeMachine();
    ~FakeMachine();
    FakeMachine(const FakeMachine&) = delete;
    FakeMachine& operator=(const FakeMachine&) = delete;

    /// The one that exists.
    static FakeMachine& it();

    loader::RuntimeProfile profile;

    /// Memory, zeroed; 8-aligned unless wanted otherwise.
    std::uint32_t allocate(std::uint32_t bytes, std::uint32_t alignment = 8);
    template <typename T>
    std::uint32_t put(const std::vector<T>& values) {
        const auto bytes = static_cast<std::uint32_t>(values.size() * sizeof(T));
        const std::uint32_t at = allocate(bytes);
        if (bytes != 0) std::memcpy(runtime::bytes_at(at), values.data(), bytes);
        return at;
    }
    template <typename T>
    [[nodiscard]] std::vector<T> get(std::uint32_t at, std::size_t count) const {
        std::vector<T> values(count);
        if (count != 0) std::memcpy(values.data(), runtime::bytes_at(at), count * sizeof(T));
        return values;
    }

    using Function = std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>;
    /// Returns a number by which the runtime can call it.
    std::uint32_t function(Function body);
    std::uint32_t last_static_base = 0;

    /// What an installed model's entries answer.
    bool network_init_result = true, inference_init_result = true;
    std::uint32_t network_inits = 0, inference_inits = 0;
    std::uint32_t items = 0;

    /// Runs `body`; returns how it stopped, nothing if it did not.
    std::optional<Stop> run(const std::function<void()>& body);

    /// Lets the NPU work until nothing is left, then delivers its interrupt if line and core let
    /// it. Returns false if no interrupt came.
    bool sleep();
    /// Runs the instance to the end of its inference. Returns how often it slept.
    std::uint32_t infer(std::uint32_t instance);

    [[nodiscard]] std::uint32_t reg(const char* unit, std::uint32_t index, const char* name) const;
    void set_reg(const char* unit, std::uint32_t index, const char* name, std::uint32_t value);
    /// Reads that a CLR, CONFCLR or RUNNING bit stays up for.
    std::uint32_t busy_reads = 2;
    bool clear_never_ends = false;

    std::vector<Maintained> maintained;
    std::vector<runtime::LibraryError> errors;
    std::uint32_t transfers = 0, blobs = 0;
    std::uint32_t last_blob = 0;
    bool line_enabled = false;
    /// What the runtime wanted of an operating system, in order.
    std::vector<std::string> system;
    /// Writes of the runtime, by offset in the window.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> written;

    // For the functions of runtime::machine.
    std::uint32_t read(std::uint32_t address);
    void write(std::uint32_t address, std::uint32_t value);
    std::uint32_t call(std::uint32_t function, std::uint32_t a, std::uint32_t b, std::uint32_t c);
    [[noreturn]] void stop(const Stop& stop);

  private:
    [[nodiscard]] std::uint32_t window_offset(std::uint32_t address) const;
    void enabled_engine(std::uint32_t engine);
    bool move_data();
    void end_engine(std::uint32_t engine);
    [[nodiscard]] bool line_up() const;

    std::uint8_t* arena_ = nullptr;
    std::uint32_t used_ = 0;
    std::map<std::uint32_t, std::uint32_t> registers_;  ///< by offset in the window
    std::map<std::uint32_t, std::uint32_t> busy_;       ///< reads left
    std::vector<Function> functions_;
    std::jmp_buf back_{};
    bool can_stop_ = false;
    Stop stop_;
};

/// The addresses that one engine visits, from its registers: npu-stream-engine.md section 3.
[[nodiscard]] std::vector<std::uint32_t> visited(const FakeMachine& machine, std::uint32_t engine,
                                                 std::uint32_t& element_bytes);

}  // namespace n6vp::test
