// SPDX-License-Identifier: Apache-2.0
#include "sim/generate/lower/copy_layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/generate/lower/streams.h"

namespace n6vp::sim::generate {

namespace npu = memmap::npu;

namespace {

/// Product of the lengths of dimensions first...last - 1.
std::uint32_t lengths(const Tensor& tensor, std::size_t first, std::size_t last) {
    std::uint32_t product = 1;
    for (std::size_t i = first; i < last; ++i) product *= tensor.shape[i];
    return product;
}

/// Returns how often every place is repeated, or 0 if they are not repeated alike.
std::uint32_t repetitions(std::uint32_t from, std::uint32_t to, const Resize& op) {
    if (to % from != 0) return 0;
    const std::uint32_t times = to / from;
    const std::vector<std::uint32_t> places = nearest_places(from, to, op);
    for (std::uint32_t i = 0; i < to; ++i) {
        if (places[i] != i / times) return 0;
    }
    return times;
}

bool is_one_run(const CopyTarget& target) {
    return target.width == 1 && target.height == 1;
}

UnitSettings writer_of(npu::Unit engine, const CopyTarget& target, const Extent& extent) {
    if (is_one_run(target)) {
        return row_engine(engine, Direction::Output, extent, {target.size, 1, false}, {});
    }
    Raster raster;
    raster.width = target.width;
    raster.height = target.height;
    raster.size = target.size;
    raster.pitch = target.pitch;
    raster.line_pitch = target.line_pitch;
    return raster_engine(engine, Direction::Output, extent, raster, {});
}

}  // namespace

std::optional<CopyRefusal> copy_refusal(const CopyLayer& layer) {
    std::size_t engines = layer.sources.size();
    constexpr std::uint32_t kMaxSide = 65535;
    for (const CopySource& source : layer.sources) {
        engines += source.targets.size();
        for (const CopyTarget& target : source.targets) {
            const bool fits = std::max({target.width, target.height, target.size}) <= kMaxSide;
            if (fits || is_one_run(target)) continue;
            return CopyRefusal{fmt::format("a side of more than {}", kMaxSide),
                               "use smaller feature maps"};
        }
    }
    if (engines > EnginePool::kEngines) {
        return CopyRefusal{
            fmt::format("{} streams, more than the {} engines", engines, EnginePool::kEngines),
            fmt::format("join at most {} tensors at a time", EnginePool::kEngines / 2)};
    }
    return std::nullopt;
}

NpuEpoch lower_copies(const CopyLayer& layer, Address output) {
    NpuEpoch epoch;
    epoch.name = layer.name;
    epoch.choice = layer.choice;
    EnginePool engines;
    std::vector<UnitSettings> inputs;
    for (const CopySource& source : layer.sources) {
        const npu::Unit reader = engines.next();
        inputs.push_back(row_engine(reader, Direction::Input,
                                    {source.from, source.from, source.elements},
                                    {source.elements, 1, false}, {}));
        for (const CopyTarget& target : source.targets) {
            const npu::Unit writer = engines.next();
            epoch.units.push_back(writer_of(
                writer, target, {output.plus(target.offset), output, layer.output_bytes}));
            epoch.link(reader, writer);
        }
    }
    // Outputs are enabled first, inputs last.
    for (UnitSettings& unit : inputs) epoch.units.push_back(std::move(unit));
    return epoch;
}

CopyLayer concatenation_copies(const Graph& graph, const Node& node, std::uint32_t axis) {
    const Tensor& result = graph.output(node);
    const std::size_t rank = result.shape.size();
    CopyLayer layer;
    layer.choice = fmt::format("copies, {} engines", 2 * node.inputs.size());
    layer.output_bytes = result.bytes();
    const std::uint32_t blocks = lengths(result, 0, axis);
    const std::uint32_t line = lengths(result, axis, rank);
    std::uint32_t offset = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const Tensor& part = graph.input(node, i);
        const std::uint32_t length = lengths(part, axis, rank);
        CopyTarget target;
        target.offset = offset;
        if (blocks == 1) {  // all of it follows the part before
            target.size = length;
        } else if (axis + 1 == rank) {  // a part of every pixel
            target.size = length;
            target.width = result.shape[axis - 1];
            target.height = blocks / target.width;
            target.pitch = line;
            target.line_pitch = line * target.width;
        } else {  // lines of whole pixels
            target.size = part.shape.back();
            target.width = length / target.size;
            target.height = blocks;
            target.pitch = target.size;
            target.line_pitch = line;
        }
        offset += length;
        layer.sources.push_back({{}, part.element_count(), {target}});
    }
    return layer;
}

CopyLayer enlargement_copies(const Graph& graph, const Node& node, const Resize& op) {
    const PictureShape from = picture_shape(graph.input(node)).value();
    const PictureShape to = picture_shape(graph.output(node)).value();
    const std::uint32_t down = repetitions(from.height, to.height, op);
    const std::uint32_t right = repetitions(from.width, to.width, op);
    CopyLayer layer;
    // As many engines as there are copies of a pixel: a file may want 2^28 of them.
    const std::uint64_t engines = 1 + std::uint64_t{down} * right;
    layer.choice = fmt::format("copies, {} engines", engines);
    layer.output_bytes = to.elements();
    if (engines == 1 || engines > EnginePool::kEngines) return layer;
    CopySource source;
    source.elements = from.elements();
    for (std::uint32_t y = 0; y < down; ++y) {
        for (std::uint32_t x = 0; x < right; ++x) {
            CopyTarget target;
            target.offset = (y * to.width + x) * to.channels;
            target.width = from.width;
            target.height = from.height;
            target.size = from.channels;
            target.pitch = right * to.channels;
            target.line_pitch = down * to.width * to.channels;
            source.targets.push_back(target);
        }
    }
    layer.sources.push_back(std::move(source));
    return layer;
}

}  // namespace n6vp::sim::generate
