// SPDX-License-Identifier: Apache-2.0
#include "kernel_inner.h"

/// Windows of any kind, element by element: dilated and grouped convolutions, pools.

struct reach {
    int32_t origin, first, last;
};
static struct reach reach_of(int32_t output, int32_t stride, int32_t pad, int32_t window,
                             int32_t dilation, int32_t length) {
    struct reach reach = {output * stride - pad, 0, window};
    while (reach.first < window && reach.origin + reach.first * dilation < 0) ++reach.first;
    while (reach.last > reach.first && reach.origin + (reach.last - 1) * dilation >= length)
        --reach.last;
    return reach;
}
static struct reach lines_of(const struct kernel_window* window, int32_t y) {
    return reach_of(y, window->stride_height, window->pad_top, window->height,
                    window->dilation_height, window->in_height);
}
static struct reach columns_of(const struct kernel_window* window, int32_t x) {
    return reach_of(x, window->stride_width, window->pad_left, window->width,
                    window->dilation_width, window->in_width);
}
/// Returns the first element of a pixel under the window.
static const int8_t* pixel(const struct kernel_window* window, const int8_t* in,
                           const struct reach* lines, const struct reach* columns, int32_t dy,
                           int32_t dx) {
    const int32_t line = lines->origin + dy * window->dilation_height;
    const int32_t column = columns->origin + dx * window->dilation_width;
    return in + (line * window->in_width + column) * window->channels;
}

void kernel_convolution_plain(const struct kernel_convolution* layer, const int8_t* in, int8_t* out,
                              const uint8_t* weights) {
    const struct kernel_window* const window = &layer->window;
    const struct kernel_scale* const scales =
        (const struct kernel_scale*)(weights + layer->finish.scales);
    const int32_t factor = kernel_sum_factor(&layer->finish);
    for (int32_t y = 0; y < window->out_height; ++y) {
        const struct reach lines = lines_of(window, y);
        for (int32_t x = 0; x < window->out_width; ++x) {
            const struct reach columns = columns_of(window, x);
            const int8_t* kernel = (const int8_t*)weights;
            for (int32_t k = 0; k < layer->out_channels; ++k) {
                int32_t sum = 0;
                for (int32_t dy = lines.first; dy < lines.last; ++dy) {
                    for (int32_t dx = columns.first; dx < columns.last; ++dx) {
                        const int8_t* const from = pixel(window, in, &lines, &columns, dy, dx);
                        const int8_t* const w = kernel + (dy * window->width + dx) * window->channels;
                        for (int32_t c = 0; c < window->channels; ++c)
                            sum += (from[c] - layer->input_zero) * w[c];
                    }
                }
                kernel += window->height * window->width * window->channels;
                *out++ = (int8_t)kernel_rescale(sum * factor + scales[k].bias, &scales[k],
                                                 &layer->finish);
            }
        }
    }
}

void kernel_depthwise_plain(const struct kernel_depthwise_plain* layer, const int8_t* in,
                            int8_t* out, const uint8_t* weights) {
    const struct kernel_window* const window = &layer->window;
    const int32_t channels = window->channels * layer->multiplier;
    const struct kernel_scale* const scales =
        (const struct kernel_scale*)(weights + layer->finish.scales);
    const int32_t factor = kernel_sum_factor(&layer->finish);
    for (int32_t y = 0; y < window->out_height; ++y) {
        const struct reach lines = lines_of(window, y);
        for (int32_t x = 0; x < window->out_width; ++x) {
            const struct reach columns = columns_of(window, x);
            for (int32_t k = 0, source = 0, turn = 0; k < channels; ++k) {
                int32_t sum = 0;
                for (int32_t dy = lines.first; dy < lines.last; ++dy) {
                    for (int32_t dx = columns.first; dx < columns.last; ++dx) {
                        const int32_t at = (dy * window->width + dx) * channels + k;
                        sum += (pixel(window, in, &lines, &columns, dy, dx)[source] -
                                layer->input_zero) *
                               (int8_t)weights[at];
                    }
                }
                *out++ = (int8_t)kernel_rescale(sum * factor + scales[k].bias, &scales[k],
                                                 &layer->finish);
                if (++turn == layer->multiplier) turn = 0, ++source;
            }
        }
    }
}

void kernel_average_pool(const struct kernel_pool* layer, const int8_t* in, int8_t* out) {
    const struct kernel_window* const window = &layer->window;
    for (int32_t y = 0; y < window->out_height; ++y) {
        const struct reach lines = lines_of(window, y);
        for (int32_t x = 0; x < window->out_width; ++x) {
            const struct reach columns = columns_of(window, x);
            const int32_t count = (lines.last - lines.first) * (columns.last - columns.first);
            for (int32_t c = 0; c < window->channels; ++c) {
                int32_t sum = 0;
                for (int32_t dy = lines.first; dy < lines.last; ++dy) {
                    const int8_t* from = pixel(window, in, &lines, &columns, dy, columns.first) + c;
                    for (int32_t dx = columns.first; dx < columns.last; ++dx) {
                        sum += *from;
                        from += window->channels;
                    }
                }
                const int32_t half = sum > 0 ? count / 2 : -(count / 2);
                *out++ = (int8_t)kernel_clamp(count == 0 ? 0 : (sum + half) / count, layer->low,
                                              layer->high);
            }
        }
    }
}

void kernel_max_pool(const struct kernel_pool* layer, const int8_t* in, int8_t* out) {
    const struct kernel_window* const window = &layer->window;
    for (int32_t y = 0; y < window->out_height; ++y) {
        const struct reach lines = lines_of(window, y);
        for (int32_t x = 0; x < window->out_width; ++x) {
            const struct reach columns = columns_of(window, x);
            for (int32_t c = 0; c < window->channels; ++c) {
                int32_t most = layer->low;
                for (int32_t dy = lines.first; dy < lines.last; ++dy) {
                    const int8_t* from = pixel(window, in, &lines, &columns, dy, columns.first) + c;
                    for (int32_t dx = columns.first; dx < columns.last; ++dx) {
                        most = *from > most ? *from : most;
                        from += window->channels;
                    }
                }
                *out++ = (int8_t)(most > layer->high ? layer->high : most);
            }
        }
    }
}
