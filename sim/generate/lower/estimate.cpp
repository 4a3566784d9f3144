// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/estimate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "memmap/npu/links.h"
#include "memmap/regions.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

/// Reads the settings of a unit; what was not set has its reset value.
class UnitView {
  public:
    explicit UnitView(const UnitSettings& unit) : unit_(&unit) {}

    [[nodiscard]] npu::Unit unit() const { return unit_->unit(); }
    [[nodiscard]] UnitSettings::Word word(std::string_view name) const {
        const npu::Register& at = find(name);
        const auto found = unit_->words().find(at.offset);
        return found == unit_->words().end() ? UnitSettings::Word{at.reset, Base::Absolute}
                                             : found->second;
    }
    [[nodiscard]] std::uint32_t field(std::string_view path) const {
        const std::size_t dot = path.find('.');
        const npu::Register& at = find(path.substr(0, dot));
        for (std::size_t i = 0; i < at.field_count; ++i) {
            if (path.substr(dot + 1) == at.fields[i].name) {
                return npu::extract(word(path.substr(0, dot)).value, at.fields[i]);
            }
        }
        throw std::logic_error("no such field");
    }

  private:
    [[nodiscard]] const npu::Register& find(std::string_view name) const {
        const npu::UnitType& type = *unit_->unit().type;
        for (std::size_t i = 0; i < type.register_count; ++i) {
            if (name == type.registers[i].name) return type.registers[i];
        }
        throw std::logic_error("no such register");
    }

    const UnitSettings* unit_;
};

/// The address pattern of a stream engine.
struct Stream {
    explicit Stream(const UnitView& unit) {
        const std::uint32_t raw = unit.field("CTRL.RAW");
        element_bytes =
            (unit.field("CTRL.SIZE0") + unit.field("CTRL.SIZE1") + unit.field("CTRL.SIZE2")) / 8;
        const UnitSettings::Word start = unit.word("ADDR");
        address = start.value;
        in_flash = start.base == Base::Weights;
        in_external = start.base == Base::External;
        output = unit.field("CTRL.DIR") != 0;
        frames = std::max(unit.word("LIMIT").value, 1u);
        offset = unit.word("FOFFSET").value;
        loop = unit.word("FRAME_RPT").value;
        loop_offset = unit.word("FRPTOFF").value;
        if (raw != 0) {
            width = unit.word("FSIZE").value;
            pixel_pitch = element_bytes;
            line_pitch = width * element_bytes;
            return;
        }
        width = unit.field("FSIZE.WIDTH");
        height = unit.field("FSIZE.HEIGHT");
        size = unit.field("DEPTH.SIZE");
        pixel_pitch = unit.field("DEPTH.OFFSET") | unit.field("LIMITEN.DOFF_MSB") << 16;
        line_pitch = unit.field("STRD.LOFF") | unit.field("CID_CACHE.LOFF_MSB") << 16;
    }

    [[nodiscard]] std::uint64_t frame_words() const { return std::uint64_t{width} * height * size; }
    [[nodiscard]] std::uint64_t words() const { return frame_words() * frames; }
    [[nodiscard]] std::uint64_t bytes() const { return words() * element_bytes; }
    [[nodiscard]] std::uint64_t frame_address(std::uint32_t frame) const {
        if (loop == 0) return address + std::uint64_t{frame} * offset;
        return address + std::uint64_t{frame / loop} * loop_offset +
               std::uint64_t{frame % loop} * offset;
    }
    /// Calls visit(address, bytes) for every run.
    template <class Visit>
    void for_each_run(const Visit& visit) const {
        const std::uint64_t pixel = std::uint64_t{size} * element_bytes;
        const bool dense_pixels = width == 1 || pixel_pitch == pixel;
        const bool dense_lines = height == 1 || line_pitch == width * pixel;
        for (std::uint32_t frame = 0; frame < frames; ++frame) {
            const std::uint64_t start = frame_address(frame);
            if (dense_pixels && dense_lines) {
                visit(start, pixel * width * height);
                continue;
            }
            for (std::uint32_t y = 0; y < height; ++y) {
                const std::uint64_t line = start + std::uint64_t{y} * line_pitch;
                if (dense_pixels) {
                    visit(line, pixel * width);
                    continue;
                }
                for (std::uint32_t x = 0; x < width; ++x) {
                    visit(line + std::uint64_t{x} * pixel_pitch, pixel);
                }
            }
        }
    }

    std::uint32_t element_bytes = 1, frames = 1;
    std::uint64_t address = 0;
    std::uint32_t offset = 0, loop = 0, loop_offset = 0;
    std::uint32_t width = 1, height = 1, size = 1, pixel_pitch = 1, line_pitch = 1;
    bool in_flash = false, in_external = false, output = false;
};

/// A term of the time with what it stands for.
struct Term {
    double cycles = 0;
    EpochBound bound = EpochBound::Features;
};

/// The feature map of a convolution unit, and its output.
struct Passage {
    explicit Passage(const UnitView& unit)
        : deep(unit.field("CTRL.DEEPMODE") != 0),
          depth(unit.field("KFORMAT.BTCDEPTH")),
          kernels(unit.field("KFORMAT.NR")),
          height(unit.field("KFORMAT.HEIGHT")),
          width(unit.field("KFORMAT.WIDTH")),
          stride_height(unit.field("SAMPLE.VSTRD")),
          stride_width(unit.field("SAMPLE.HSTRD")),
          top(unit.field("SAMPLE.TPAD") + unit.field("ZFRAME.TOP")),
          bottom(unit.field("SAMPLE.BPAD") + unit.field("ZFRAME.BOTTOM")),
          left(unit.field("SAMPLE.LPAD") + unit.field("ZFRAME.LEFT") / depth),
          right(unit.field("SAMPLE.RPAD") + unit.field("ZFRAME.RIGHT") / depth) {
        lines = unit.field("FVCROP.BOTTOM") - unit.field("FVCROP.TOP") + 1;
        columns = (unit.field("FHCROP.RIGHT") - unit.field("FHCROP.LEFT") + 1) / depth;
        out_lines = (lines + top + bottom - height) / stride_height + 1;
        out_columns = (columns + left + right - width) / stride_width + 1;
    }

    [[nodiscard]] std::uint64_t out_words() const {
        return std::uint64_t{out_lines} * out_columns * kernels;
    }
    /// Words that go in before the first result: lines above it, and pixels of its own line.
    [[nodiscard]] std::uint64_t fill_words() const {
        const std::uint32_t ahead = height > top + 1 ? height - top - 1 : 0;
        const std::uint32_t pixels = width > left + 1 ? width - left - 1 : 0;
        return (std::uint64_t{ahead} * columns + pixels) * depth;
    }
    /// Results that only the last line makes possible, but for one line of them.
    [[nodiscard]] std::uint64_t drain_words() const {
        std::uint32_t late = 0;
        for (std::uint32_t y = out_lines; y-- > 0;) {
            if (y * stride_height + height < lines + top) break;
            ++late;
        }
        return late > 1 ? std::uint64_t{late - 1} * out_columns * kernels : 0;
    }
    /// Words that each line costs more where all multipliers are in use.
    [[nodiscard]] std::uint64_t line_words(double multipliers) const {
        const std::uint32_t taps = height * ((width + stride_width - 1) / stride_width);
        const bool full = real(std::uint64_t{taps} * kernels) > 0.9 * multipliers;
        return full && width > 1 && stride_width == 1 && right > 0 ? depth : 0;
    }

    bool deep;
    std::uint32_t depth, kernels, height, width, stride_height, stride_width;
    std::uint32_t top, bottom, left, right;
    std::uint32_t lines = 1, columns = 1, out_lines = 1, out_columns = 1;
};

constexpr std::uint32_t kFeaturePort = 0, kKernelPort = 1;

class Estimator {
  public:
    Estimator(const NpuEpoch& epoch, const CostParameters& cost) : epoch_(epoch), cost_(cost) {
        for (const UnitSettings& unit : epoch.units) {
            if (unit.is_stream()) streams_.emplace(unit.unit().index, Stream(UnitView(unit)));
            if (unit.unit().type == &npu::kConvacc) convolutions_.emplace_back(unit);
        }
    }

    EpochEstimate run() {
        add_engines();
        first_ = first_set();
        add_banks();
        add_flash();
        add_cache();
        for (const UnitView& unit : convolutions_) add_convolution(unit);
        result_.cycles = best_.cycles;
        result_.least_cycles = least_cycles();
        result_.bound = best_.bound;
        return result_;
    }

  private:
    [[nodiscard]] double least_cycles() const {
        constexpr double kBeat = 8;
        const double products = real(epoch_.multiplications) / cost_.all_multipliers();
        const double byte = result_.flash_bytes != 0 ? cost_.flash_byte : cost_.long_beat / kBeat;
        return std::max(products, real(epoch_.weight_bytes) * byte);
    }

    void offer(double cycles, EpochBound bound) {
        if (cycles > best_.cycles) best_ = {cycles, bound};
    }

    void add_engines() {
        for (const auto& [index, stream] : streams_) {
            // Frames cost a restart where no convolution hides it.
            const double restarts =
                convolutions_.empty() ? cost_.frame_restart * real(stream.frames) : 0;
            offer(real(stream.words()) + restarts,
                  stream.output ? EpochBound::Outputs : EpochBound::Features);
            std::uint64_t& bytes = stream.in_flash ? result_.flash_bytes
                                   : stream.output ? result_.written_bytes
                                                   : result_.read_bytes;
            bytes += stream.bytes();
        }
    }

    void add_banks() {
        std::map<std::string_view, BurstCount> reads;
        std::map<std::string_view, BurstCount> writes;
        for (const auto& [index, stream] : streams_) {
            if (stream.in_flash || stream.in_external) continue;
            auto& banks = stream.output ? writes : reads;
            stream.for_each_run([&](std::uint64_t address, std::uint64_t bytes) {
                const memmap::Location place =
                    memmap::find_region(GuestAddr{static_cast<std::uint32_t>(address)});
                const char* const name = place.region == nullptr ? "" : place.region->name;
                banks[name].add_run(address, bytes);
            });
        }
        // No feature is taken before a unit has its first kernels, and no result made.
        for (const auto& [name, count] : reads) {
            offer(first_ + real(count.single) * cost_.read_beat +
                      real(count.longer) * cost_.long_beat,
                  EpochBound::MemoryRead);
        }
        for (const auto& [name, count] : writes) {
            offer(first_ + real(count.single) * cost_.write_beat +
                      real(count.longer) * cost_.long_beat,
                  EpochBound::MemoryWrite);
        }
    }

    /// A unit's kernels and how long they take to come.
    struct Sets {
        const Stream* features = nullptr;
        double load = 0;        ///< of one frame's
        double first = 0;       ///< of the first ones
        bool by_flash = false;  ///< which they wait for, not for their link
    };
    [[nodiscard]] std::optional<Sets> sets_of(const UnitView& unit) const {
        const Stream* const features = engine_of(unit.unit(), kFeaturePort);
        const Stream* const kernels = engine_of(unit.unit(), kKernelPort);
        if (features == nullptr || kernels == nullptr) return std::nullopt;
        const double frames = real(features->frames);
        const double words = real(kernels->words()) / frames;
        // Kernels of all units come over one flash.
        const double flash =
            kernels->in_flash ? real(result_.flash_bytes) / frames * flash_byte() : 0;
        Sets sets;
        sets.features = features;
        sets.load = std::max(words, flash);
        sets.first = sets.load + (kernels->in_flash ? cost_.flash_first : cost_.ram_first);
        sets.by_flash = flash > words;
        return sets;
    }

    /// Returns when the first unit has its kernels; 0 without convolutions.
    [[nodiscard]] double first_set() const {
        std::optional<double> first;
        for (const UnitView& unit : convolutions_) {
            const std::optional<Sets> sets = sets_of(unit);
            if (sets) first = std::min(first.value_or(sets->first), sets->first);
        }
        return first.value_or(0);
    }

    /// One cache serves all that is in external memory, one access after the other.
    void add_cache() {
        BurstCount hits;
        for (const auto& [index, stream] : streams_) {
            if (!stream.in_external) continue;
            stream.for_each_run(
                [&](std::uint64_t address, std::uint64_t bytes) { hits.add_run(address, bytes); });
        }
        if (hits.bursts == 0) return;
        offer(real(hits.bursts) * cost_.cache_access +
                  real(hits.single + hits.longer) * cost_.cache_beat +
                  real(result_.flash_bytes) / cost_.cache_line * cost_.cache_miss,
              EpochBound::Cache);
    }

    void add_flash() {
        if (result_.flash_bytes == 0) return;
        offer(cost_.flash_first + real(result_.flash_bytes) * flash_byte(), EpochBound::Flash);
    }

    /// Engines that take turns at the flash make it begin anew with every line.
    [[nodiscard]] double flash_byte() const {
        const auto readers = std::count_if(streams_.begin(), streams_.end(),
                                           [](const auto& item) { return item.second.in_flash; });
        return cost_.flash_byte + (readers > 1 ? cost_.flash_first / cost_.cache_line : 0);
    }

    /// Returns the engine behind an input port of a unit.
    [[nodiscard]] const Stream* engine_of(npu::Unit unit, std::uint32_t port) const {
        constexpr npu::Field kEnable1 = npu::field(npu::kStrswitch, "DST.EN1");
        constexpr npu::Field kLink0 = npu::field(npu::kStrswitch, "DST.LINK0");
        constexpr npu::Field kLink1 = npu::field(npu::kStrswitch, "DST.LINK1");
        for (const auto& [destination, word] : epoch_.links) {
            const npu::LinkEnd end = npu::link_destination(destination);
            if (end.type != unit.type || end.index != unit.index || end.port != port) continue;
            const bool second = npu::extract(word, kEnable1) != 0;
            const npu::LinkEnd source =
                npu::link_source(npu::extract(word, second ? kLink1 : kLink0));
            if (source.type != &npu::kStreng) return nullptr;
            const auto found = streams_.find(source.index);
            return found == streams_.end() ? nullptr : &found->second;
        }
        return nullptr;
    }

    void add_convolution(const UnitView& unit) {
        const std::optional<Sets> sets = sets_of(unit);
        if (!sets) return;
        const Passage passage(unit);
        const double frames = real(sets->features->frames);
        const double load = sets->load, first = sets->first;
        const double in = real(sets->features->frame_words());
        const double out = real(passage.out_words());
        const double lines = real(passage.deep ? 0 : passage.line_words(cost_.multipliers));
        const bool plain = passage.deep || passage.height * passage.width == 1;
        const double fed =
            in + (plain ? 0 : real(passage.lines) * lines + real(passage.drain_words()));
        const double made =
            out + (plain ? 0 : real(passage.fill_words()) + real(passage.out_lines) * lines);
        const double frame = std::max(fed, made) + cost_.frame_restart;
        const double cycles = first + (frames - 1) * std::max(frame, load) + frame;
        EpochBound bound = made > fed ? EpochBound::Outputs : EpochBound::Features;
        // One set alone is a wait that nothing hides, more of them only if they last longer.
        if (frames > 1 ? load > frame : first > frame) {
            bound = sets->by_flash ? EpochBound::Flash : EpochBound::Kernels;
        }
        offer(cycles, bound);
    }

    const NpuEpoch& epoch_;
    const CostParameters& cost_;
    std::map<std::uint32_t, Stream> streams_;
    std::vector<UnitView> convolutions_;
    double first_ = 0;  ///< until the first kernels are there
    EpochEstimate result_;
    Term best_;
};

}  // namespace

const char* bound_name(EpochBound bound) {
    switch (bound) {
        case EpochBound::Features:
            return "features";
        case EpochBound::Outputs:
            return "outputs";
        case EpochBound::Kernels:
            return "kernels";
        case EpochBound::Flash:
            return "flash";
        case EpochBound::MemoryRead:
            return "memory reads";
        case EpochBound::MemoryWrite:
            return "memory writes";
        case EpochBound::Cache:
            return "NPU cache";
    }
    return "?";
}

void BurstCount::add_run(std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    constexpr std::uint64_t kBeat = 8, kLongest = 8;
    std::uint64_t beat = address / kBeat;
    const std::uint64_t end = (address + bytes + kBeat - 1) / kBeat;
    while (beat < end) {
        std::uint64_t length = kLongest;
        while (length > 1 && (length > end - beat || beat % length != 0)) length /= 2;
        (length == 1 ? single : longer) += length;
        ++bursts;
        beat += length;
    }
}

EpochEstimate estimate_epoch(const NpuEpoch& epoch, const CostParameters& cost) {
    return Estimator(epoch, cost).run();
}

}  // namespace n6vp::sim::generate
