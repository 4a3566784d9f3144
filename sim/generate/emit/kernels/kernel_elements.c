// SPDX-License-Identifier: Apache-2.0
#include "kernel_inner.h"

/// Element by element, and means over elements.

/// Places of an operand that repeats, in the order of the output.
struct places {
    int32_t at[4], lengths[4];
};
static int32_t next(struct places* places, const int32_t* steps) {
    int32_t offset = 0;
    for (int32_t i = 3; i >= 0; --i) {
        offset += steps[i];
        if (++places->at[i] < places->lengths[i]) return offset;
        offset -= steps[i] * places->lengths[i];
        places->at[i] = 0;
    }
    return offset;
}
static struct places start(const int32_t* lengths) {
    return (struct places){{0}, {lengths[0], lengths[1], lengths[2], lengths[3]}};
}
static int32_t count_of(const int32_t* lengths) {
    return lengths[0] * lengths[1] * lengths[2] * lengths[3];
}

/// Returns true if both operands have the elements of the output, one by one.
static bool is_dense(const struct kernel_pair* layer) {
    int32_t step = 1;
    for (int32_t i = 3; i >= 0; --i) {
        if (layer->lengths[i] == 1) continue;
        if (layer->left_steps[i] != step || layer->right_steps[i] != step) return false;
        step *= layer->lengths[i];
    }
    return true;
}

/// All 256 terms of one operand, 20 bits more exact than its step.
static void terms(int32_t* to, int32_t zero, const struct kernel_factor* factor, int32_t sign) {
    for (int32_t i = 0; i < 256; ++i)
        to[i] = sign * kernel_multiply((i - 128 - zero) << 20, factor);
}

void kernel_sum(const struct kernel_pair* layer, const int8_t* left, const int8_t* right,
                int8_t* out, void* scratch) {
    int32_t* const left_terms = scratch;
    int32_t* const right_terms = left_terms + 256;
    const struct kernel_factor factor = layer->output;
    const int32_t zero = layer->output_zero, low = layer->low, high = layer->high;
    const int32_t count = count_of(layer->lengths);
    terms(left_terms, layer->left_zero, &layer->left, 1);
    terms(right_terms, layer->right_zero, &layer->right, layer->sign);
    if (is_dense(layer)) {
        for (int32_t i = 0; i < count; ++i) {
            const int32_t sum = left_terms[left[i] + 128] + right_terms[right[i] + 128];
            out[i] = (int8_t)kernel_clamp(kernel_multiply(sum, &factor) + zero, low, high);
        }
        return;
    }
    struct places at_left = start(layer->lengths), at_right = at_left;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t sum = left_terms[*left + 128] + right_terms[*right + 128];
        out[i] = (int8_t)kernel_clamp(kernel_multiply(sum, &factor) + zero, low, high);
        left += next(&at_left, layer->left_steps);
        right += next(&at_right, layer->right_steps);
    }
}

void kernel_product(const struct kernel_pair* layer, const int8_t* left, const int8_t* right,
                    int8_t* out) {
    const int32_t count = count_of(layer->lengths);
    struct places at_left = start(layer->lengths), at_right = at_left;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t product = (*left - layer->left_zero) * (*right - layer->right_zero);
        out[i] = (int8_t)kernel_clamp(
            kernel_multiply(product, &layer->output) + layer->output_zero, layer->low, layer->high);
        left += next(&at_left, layer->left_steps);
        right += next(&at_right, layer->right_steps);
    }
}

void kernel_mean(const struct kernel_mean* layer, const int8_t* in, int8_t* out) {
    const struct kernel_factor factor = {layer->significand, layer->exponent};
    const int32_t count = layer->count, inner = layer->inner;
    for (int32_t block = 0; block < layer->outer; ++block, in += count * inner) {
        for (int32_t c = 0; c < inner; ++c) {
            const int8_t* from = in + c;
            int32_t sum = -count * layer->input_zero;
            for (int32_t i = 0; i < count; ++i, from += inner) sum += *from;
            const int32_t scaled = kernel_multiply(sum, &factor);
            const int32_t half = scaled > 0 ? count / 2 : -(count / 2);
            *out++ = (int8_t)kernel_clamp((scaled + half) / count + layer->output_zero, -128, 127);
        }
    }
}

void kernel_table(const uint8_t* table, const uint8_t* in, uint8_t* out, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) out[i] = table[in[i]];
}

void kernel_softmax(const struct kernel_softmax* layer, const int8_t* in, int8_t* out,
                    const float* powers) {
    for (int32_t row = 0; row < layer->rows; ++row, in += layer->length, out += layer->length) {
        int32_t largest = in[0];
        for (int32_t i = 1; i < layer->length; ++i) largest = in[i] > largest ? in[i] : largest;
        float sum = 0;
        for (int32_t i = 0; i < layer->length; ++i) sum += powers[largest - in[i]];
        const float steps = 1.0f / (sum * layer->output_scale);
        for (int32_t i = 0; i < layer->length; ++i) {
            // Never negative: the conversion rounds downwards.
            const float value = powers[largest - in[i]] * steps + 0.5f;
            out[i] = (int8_t)kernel_clamp((int32_t)value + layer->output_zero, -128, 127);
        }
    }
}
