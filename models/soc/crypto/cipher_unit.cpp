// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/cipher_unit.h"

#include <algorithm>

#include "models/soc/crypto/cipher_words.h"

namespace n6vp::models::crypto {

CipherUnit::CipherUnit(const sc_core::sc_module_name& name, const char* block)
    : sc_module(name), RegisterBlock(block) {
    SC_HAS_PROCESS(CipherUnit);
    SC_METHOD(step);
    sensitive << done_;
    dont_initialize();
}

void CipherUnit::step() {
    const Picoseconds now = sc_core::sc_time_stamp().value();
    settle(now);
    update(now);
}

void CipherUnit::update(Picoseconds at) {
    const Levels now = levels();
    level_.set(now.interrupt, on_interrupt);
    input_request_.set(now.input, at, on_input_request);
    output_request_.set(now.output, at, on_output_request);
    done_.cancel();
    if (busy()) done_.notify(delay_until(busy_until_));
}

void CipherUnit::busy_for(const Parameter& cycles, Picoseconds at) {
    busy_until_ = at + std::max<Picoseconds>(1, cycles_to_ps(cycles.value, hz_));
}

void CipherUnit::reset_work() {
    key_ = {};
    key_written_ = 0;
    chain_ = {};
    result_.reset();
    busy_until_ = 0;
}

std::uint32_t CipherUnit::vector_word(unsigned index) const {
    return word_of(chain_.vector(), index);
}

void CipherUnit::set_vector_word(unsigned index, std::uint32_t word) {
    Block vector = chain_.vector();
    set_word(vector, index, word);
    chain_.set_vector(vector);
}

void CipherUnit::set_key_word(std::size_t index, std::uint32_t word) {
    key_[index] = word;
    key_written_ |= 1u << index;
}

}  // namespace n6vp::models::crypto
