// SPDX-License-Identifier: Apache-2.0
#include "loader/runtime/operators.h"
#include "loader/runtime/raster.h"
#include "loader/runtime/tensor.h"

/// Images and rows of their blocks: rows[n, y, x, (ky * bw + kx) * C + c] =
/// image[n, y * sy + ky, x * sx + kx, c], in both directions.
namespace n6vp::runtime {

namespace {

struct Work {
    Tensor image, rows;
    Block block;
    bool to_rows;
    std::uint32_t next, images_at_once;
};
constinit Work work{};

/// All blocks of one image; of several where their rows of blocks follow each other.
Pattern block_pattern(std::uint32_t first_image) {
    const Tensor& image = work.image;
    const std::uint32_t bytes = image.element_bytes();
    const std::uint32_t pixel = image.last(kC) * bytes, line = image.last(kW) * pixel;
    const Block& block = work.block;
    const std::uint32_t start = image.start + first_image * image.last(kH) * line;
    Pattern pattern =
        raster_pattern(start, {block.height, block.width, image.last(kC)}, {line, pixel}, bytes);
    if (block.height * block.width * pattern.depth == 1)
        pattern = linear_pattern(start, bytes, bytes);
    pattern.frames_in_loop = work.rows.last(kW);
    pattern.frames = work.images_at_once * work.rows.last(kH) * work.rows.last(kW);
    pattern.frame_pitch = block.stride_x * pixel;
    pattern.loop_pitch = block.stride_y * line;
    return pattern;
}

bool next_image(Transfer& transfer) {
    if (work.next >= work.image.last(kN)) return false;
    const Pattern blocks = block_pattern(work.next);
    const std::uint32_t row_bytes =
        work.rows.last(kH) * work.rows.last(kW) * work.rows.last(kC) * work.rows.element_bytes();
    const Pattern rows = linear_side(work.rows.start + work.next * row_bytes, blocks);
    transfer.in = work.to_rows ? blocks : rows;
    transfer.out = work.to_rows ? rows : blocks;
    transfer.in.limit = (work.to_rows ? work.image : work.rows).limit;
    work.next += work.images_at_once;
    return true;
}

bool geometry_fits(const Tensor& image, const Tensor& rows, const Block& block) {
    if (block.height == 0 || block.width == 0 || block.stride_y == 0 || block.stride_x == 0)
        return false;
    const std::uint32_t height = image.last(kH), width = image.last(kW);
    if (image.last(kN) != rows.last(kN) || height < block.height || width < block.width)
        return false;
    if (rows.last(kC) != image.last(kC) * block.height * block.width) return false;
    if ((height - block.height) % block.stride_y != 0) return false;
    if ((width - block.width) % block.stride_x != 0) return false;
    return rows.last(kH) == (height - block.height) / block.stride_y + 1 &&
           rows.last(kW) == (width - block.width) / block.stride_x + 1;
}

bool rank_fits(const Tensor& tensor) {
    return tensor.rank >= 1 && tensor.rank <= 4;
}

int run_blocks(std::uint32_t input, std::uint32_t count, std::uint32_t output, const Block& block,
               const Route& route, bool to_rows) {
    if (count != 1) return N6VP_REFUSE(NInputs);
    operation::begin(route);
    const Tensor from(input);
    const Tensor to(output);
    if (from.bits != to.bits) return N6VP_REFUSE(NBits);
    if (!rank_fits(to)) return N6VP_REFUSE(ShapeOut);
    if (!rank_fits(from)) return N6VP_REFUSE(ShapeIn);
    work.image = to_rows ? from : to;
    work.rows = to_rows ? to : from;
    if (!geometry_fits(work.image, work.rows, block)) return N6VP_REFUSE(Shape);
    work.block = block;
    work.to_rows = to_rows;
    work.next = 0;
    // Behind the last row of blocks of one image comes the first of the next only if no line is
    // left out or used twice.
    const bool continuous = block.stride_y == block.height;
    work.images_at_once = continuous ? work.image.last(kN) : 1;
    return operation::run(to_rows ? operation::Number::InputCopy : operation::Number::OutputCopy,
                          {next_image});
}

}  // namespace

int image_to_rows(std::uint32_t inputs, std::uint32_t count, std::uint32_t output, Block block,
                  const Route& route) {
    return run_blocks(inputs, count, output, block, route, true);
}

int rows_to_image(std::uint32_t inputs, std::uint32_t count, std::uint32_t output, Block block,
                  const Route& route) {
    return run_blocks(inputs, count, output, block, route, false);
}

}  // namespace n6vp::runtime
