// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/memory/timed_memory.h"
#include "models/parameter.h"

namespace n6vp::models {

/// Defaults: a flash without accelerator, 64-bit reads.
struct FlashParameters {
    Parameter array_bytes{"array_bytes",
                          8,
                          {"B", {4, 64, true}},
                          Confidence::Documented,
                          "bytes that one read of the array brings"};
    Parameter line_bytes{"line_bytes",
                         32,
                         {"B", {4, 64, true}},
                         Confidence::Documented,
                         "line of the accelerator or cache before the flash"};
    Parameter instruction_lines{"instruction_lines",
                                0,
                                {"lines", {0, 65536, true}},
                                Confidence::Documented,
                                "0: no buffer for instructions"};
    Parameter data_lines{"data_lines",
                         0,
                         {"lines", {0, 65536, true}},
                         Confidence::Documented,
                         "0: no buffer for data; data_in_one decides for a common one"};
    Parameter data_in_one{"data_in_one", 0, kSwitch, Confidence::Documented,
                          "1: data share the lines of instructions"};
    Parameter ways{
        "ways", 0, {"ways", {0, 64, true}}, Confidence::Documented, "0: fully associative"};
    Parameter miss_cycles{
        "miss_cycles", 0, "HCLK cycles", Confidence::Assumed,
        "of the first read of a line beyond its wait states: 1 is the read itself, the "
        "rest bus and look-up"};
    Parameter beat_cycles{"beat_cycles", 0, "HCLK cycles", Confidence::Assumed,
                          "per further 64 bits of what the last read brings; 0: hidden"};
    Parameter pace_cycles{"pace_cycles", 3, "HCLK cycles", Confidence::Assumed,
                          "in which straight code uses up what one read of the array brings, per "
                          "64 bits: hides the next read if prefetch is on"};
    Parameter single_bank{"single_bank", 0, kSwitch, Confidence::Documented,
                          "STM32L4R5: FLASH_OPTR.DBANK = 0, reads of twice the width; a new part "
                          "has two banks"};
    Parameter power_up_byte{
        "power_up_byte", 0xFF, {"", {0, 255, true}}, Confidence::Documented, "erased flash"};

    template <class Self, class Function>
    static void visit(Self& self, Function&& function) {
        function(self.array_bytes);
        function(self.line_bytes);
        function(self.instruction_lines);
        function(self.data_lines);
        function(self.data_in_one);
        function(self.ways);
        function(self.miss_cycles);
        function(self.beat_cycles);
        function(self.pace_cycles);
        function(self.single_bank);
        function(self.power_up_byte);
    }
};

/// Embedded flash with the accelerator or cache of its interface.
///
/// Modelled: wait states per read of the array, the words that were read last for code and for
/// data, prefetch of the next word for straight code, lines for instructions and data with LRU
/// replacement. A miss brings the whole line, one read of the array after the other; who asked for
/// a part waits for all unless it takes the first beat (`Transfer::first_beat`). A hit takes no
/// time beyond the core's own access. Not modelled: banks that work side by side, hits under a
/// miss, writes: programming and erasing.
class FlashMemory : public TimedMemory {
  public:
    /// What registers say.
    struct Setting {
        unsigned wait_states = 0;
        bool prefetch = false, instruction_lines = false, data_lines = false;
        unsigned ways = 0;         ///< 0: as the parameter says
        unsigned array_bytes = 0;  ///< the same

        bool operator==(const Setting&) const = default;
    };
    struct Counters {
        std::uint64_t fetches = 0, fetch_misses = 0;  ///< by line
        std::uint64_t reads = 0, read_misses = 0;
        std::uint64_t array_reads = 0;
    };

    FlashMemory(const sc_core::sc_module_name& name, std::uint32_t bytes, double clock_hz,
                const FlashParameters& parameters);

    void set_clock_hz(double hz) override;
    /// Changed lines are empty.
    void set(const Setting& setting);
    [[nodiscard]] const Setting& setting() const { return setting_; }
    [[nodiscard]] const Counters& counters() const { return counters_; }
    /// Forgets timing state; contents stay.
    void forget();
    Picoseconds serve(tlm::tlm_generic_payload& trans, std::uint32_t offset, Transfer& transfer,
                      Picoseconds arrival) override;
    Picoseconds read_again(tlm::tlm_generic_payload& trans, std::uint32_t offset,
                           Transfer& transfer, const RepeatTime& when) override;

  private:
    /// Lines of one buffer.
    class Lines {
      public:
        void shape(unsigned lines, unsigned ways);
        void clear();
        [[nodiscard]] bool empty() const { return tags_.empty(); }
        /// Returns true for a hit; allocates at a miss.
        bool look_up(std::uint32_t line);

      private:
        static constexpr std::uint32_t kNone = 0xFFFFFFFF;
        unsigned ways_ = 1;
        std::vector<std::uint32_t> tags_;  ///< set by set, the latest first
    };

    friend TimedMemory;
    Picoseconds schedule(Transfer& transfer, const Burst& burst, Picoseconds arrival);
    struct Cost {
        double first = 0, total = 0;  ///< HCLK cycles to the first beat, to the last
    };
    /// Returns what it takes to bring bytes of one line.
    [[nodiscard]] Cost line_cost(std::uint32_t first, std::uint32_t last, bool instruction);
    [[nodiscard]] double array_cycles(std::uint32_t word, bool instruction, bool leads);
    void forget_words();

    FlashParameters parameters_;
    double hz_;
    std::uint32_t array_bytes_, line_bytes_;
    Setting setting_;
    Lines instructions_, data_;
    std::uint32_t last_word_[2] = {};  ///< of the array: read last for data, for code
    Counters counters_;
};

}  // namespace n6vp::models
