// SPDX-License-Identifier: Apache-2.0
#include "models/soc/crypto/pka.h"

#include <algorithm>
#include <span>

namespace n6vp::models::crypto {

namespace {

enum PkaOffset : std::uint32_t { kPkaCr = 0x0, kPkaSr = 0x4, kPkaClrfr = 0x8 };
constexpr std::uint32_t kPkaEnable = 1, kPkaStart = 2, kPkaControl = 0x003A3F01;
constexpr std::uint32_t kPkaBusy = 1u << 16, kPkaEnd = 1u << 17, kPkaOperationError = 1u << 21;
constexpr std::uint32_t kPkaFlags = 0x003A0000;

enum PkaMode : std::uint32_t {
    kExponentiation = 0x00,
    kMontgomeryParameter = 0x01,
    kFastExponentiation = 0x02,
    kCrtExponentiation = 0x07,
    kInverse = 0x08,
    kAdd = 0x09,
    kSubtract = 0x0A,
    kMultiply = 0x0B,
    kCompare = 0x0C,
    kReduce = 0x0D,
    kModularAdd = 0x0E,
    kModularSubtract = 0x0F,
    kMontgomeryProduct = 0x10,
    kPointMultiply = 0x20,
    kSign = 0x24,
    kVerify = 0x26,
    kPointCheck = 0x28,
};
// Places of operands that several operations share.
constexpr std::uint32_t kFirstLength = 0x400, kLength = 0x408, kSignOfA = 0x410, kA = 0x418,
                        kB = 0x520, kOperand1 = 0xA50, kOperand2 = 0xC68, kOperand3 = 0x1088,
                        kResult = 0xE78;
// Results, as the driver compares them.
constexpr std::uint32_t kGood = 0xD60D, kBad = 0xA3B7, kFailed = 0xCBC9, kNoS = 0xF946;
constexpr std::uint32_t kEqual = 0xED2C, kGreater = 0x7AF8, kLess = 0x6A08;
constexpr std::uint32_t kMostBits = 4160;
/// Of a curve, its points and factors. Assumed: the limit that RM0456 gives for the PKA of the
/// STM32U5; the N6 has room for operands of 704 bits.
constexpr std::uint32_t kMostCurveBits = 640;

}  // namespace

Pka::Pka(const sc_core::sc_module_name& name, const char* block, const PkaParameters& parameters)
    : sc_module(name), RegisterBlock(block), parameters_(parameters) {
    SC_HAS_PROCESS(Pka);
    SC_METHOD(step);
    sensitive << done_;
    dont_initialize();
}

void Pka::reset() {
    ram_ = {};
    control_ = flags_ = 0;
    ready_ = false;
    busy_until_ = 0;
    update();
}

// Operations ---------------------------------------------------------------------------------

Natural Pka::operand(std::uint32_t offset, std::uint32_t bits) const {
    const std::size_t first = (offset - kRam) / 4;
    const std::size_t words = std::min<std::size_t>((bits + 31) / 32, kWords - first);
    return Natural(std::span(ram_).subspan(first, words));
}

void Pka::result(std::uint32_t offset, const Natural& value, std::uint32_t bits) {
    const std::size_t first = (offset - kRam) / 4;
    for (std::size_t i = 0; i < (bits + 31) / 32 && first + i < kWords; ++i)
        computed_[first + i] = value.word(i);
}

Natural Pka::coefficient(std::uint32_t sign, std::uint32_t offset, const Natural& prime) const {
    const Natural a = operand(offset, prime.bits()) % prime;
    return (word(sign) & 1) != 0 ? subtract(Natural(), a, prime) : a;
}

bool Pka::arithmetic(std::uint32_t mode) {
    const std::uint32_t bits = word(mode == kReduce ? kFirstLength : kLength);
    if (bits == 0 || bits > kMostBits) return false;
    const Natural a = operand(kOperand1, bits);
    const std::uint32_t other_bits = mode == kReduce ? word(kLength) : bits;
    const Natural b = operand(kOperand2, other_bits), modulus = operand(kOperand3, bits);
    const bool by_second = mode == kInverse || mode == kReduce;
    const bool by_third = mode >= kModularAdd;
    if ((by_second && b.zero()) || (by_third && modulus.zero())) return false;
    const Natural top = Natural(1) << (bits + 31) / 32 * 32;
    switch (mode) {
        case kInverse: {
            const std::optional<Natural> inverted = inverse(a, b);
            if (inverted) result(kResult, *inverted, bits);
            return inverted.has_value();
        }
        case kAdd:
            result(kResult, a + b, bits + 32);
            return true;
        case kSubtract:
            // Below zero it is the complement, with a word of ones.
            result(kResult, a >= b ? a - b : a + (top << 32) - b, bits + 32);
            return true;
        case kMultiply:
            result(kResult, a * b, 2 * bits);
            return true;
        case kCompare:
            result(kResult, a == b ? kEqual : a > b ? kGreater : kLess, 32);
            return true;
        case kReduce:
            result(kResult, a % b, other_bits);
            return true;
        case kModularAdd:
            result(kResult, (a + b) % modulus, bits);
            return true;
        case kModularSubtract:
            result(kResult, subtract(a % modulus, b % modulus, modulus), bits);
            return true;
        default: {
            const std::optional<Natural> back = inverse(top % modulus, modulus);
            if (back) result(kResult, a * b % modulus * *back % modulus, bits);
            return back.has_value();
        }
    }
}

bool Pka::exponentiate(std::uint32_t mode) {
    constexpr std::uint32_t kParameter = 0x620, kExponent = 0xE78, kOut = 0x838;
    const std::uint32_t bits = word(kLength);
    if (bits == 0 || bits > kMostBits) return false;
    if (mode == kCrtExponentiation) {
        constexpr std::uint32_t kDp = 0x730, kDq = 0xE78, kQInverse = 0x948, kP = 0xB60,
                                kBase = 0x12A0;
        const Natural p = operand(kP, bits / 2), q = operand(kOperand3, bits / 2);
        if (p.zero() || q.zero()) return false;
        const Natural base = operand(kBase, bits);
        const Natural one = power(base, operand(kDp, bits / 2), p);
        const Natural two = power(base, operand(kDq, bits / 2), q);
        const Natural step = operand(kQInverse, bits / 2) * subtract(one, two % p, p) % p;
        result(kOut, two + step * q, bits);
        return true;
    }
    const Natural modulus = operand(kOperand3, bits);
    if (modulus.zero()) return false;
    if (mode == kMontgomeryParameter) {
        result(kParameter, (Natural(1) << (bits + 31) / 32 * 64) % modulus, bits);
        return true;
    }
    const std::uint32_t exponent_bits = word(kFirstLength);
    if (exponent_bits > kMostBits) return false;
    result(kOut, power(operand(kOperand2, bits), operand(kExponent, exponent_bits), modulus), bits);
    return true;
}

bool Pka::on_curves(std::uint32_t mode) {
    constexpr std::uint32_t kX = 0x578, kY = 0x470, kFactor = 0x12A0, kError = 0x680, kOutY = 0x5D0;
    const std::uint32_t bits = word(kLength), factor_bits = word(kFirstLength);
    const bool check = mode == kPointCheck;
    const Natural prime = operand(check ? kY : kOperand3, bits);
    if (bits > kMostCurveBits || factor_bits > kMostCurveBits || prime.zero()) return false;
    const Curve curve{prime, coefficient(kSignOfA, kA, prime), operand(kB, bits) % prime};
    const Point point{operand(kX, bits), operand(check ? kOutY : kY, bits)};
    if (check) {
        result(kError, on_curve(curve, point) ? kGood : kBad, 32);
        return true;
    }
    const std::optional<Point> product = on_curve(curve, point)
                                             ? multiply(curve, operand(kFactor, factor_bits), point)
                                             : std::nullopt;
    result(kError, product ? kGood : kFailed, 32);
    if (!product) return true;
    result(kX, product->x, bits);
    result(kOutY, product->y, bits);
    return true;
}

bool Pka::sign() {
    constexpr std::uint32_t kX = 0x578, kY = 0x470, kFactor = 0x12A0, kHash = 0xFE8, kKey = 0xF28,
                            kOrder = 0xF88, kError = 0xFE0, kR = 0x730, kS = 0x788;
    const std::uint32_t bits = word(kLength), order_bits = word(kFirstLength);
    const Natural prime = operand(kOperand3, bits), order = operand(kOrder, order_bits);
    const bool fits = bits <= kMostCurveBits && order_bits <= kMostCurveBits;
    if (!fits || prime.zero() || order.zero()) return false;
    const Curve curve{prime, coefficient(kSignOfA, kA, prime), operand(kB, bits) % prime};
    const Natural factor = operand(kFactor, order_bits);
    const std::optional<Point> product =
        multiply(curve, factor, {operand(kX, bits), operand(kY, bits)});
    const std::optional<Natural> back = inverse(factor, order);
    if (!product || !back) {
        result(kError, kFailed, 32);
        return true;
    }
    const Natural r = product->x % order;
    const Natural sum = operand(kHash, order_bits) + r * operand(kKey, order_bits);
    const Natural s = *back * (sum % order) % order;
    result(kError, r.zero() ? kBad : s.zero() ? kNoS : kGood, 32);
    result(kR, r, order_bits);
    result(kS, s, order_bits);
    return true;
}

bool Pka::verify() {
    constexpr std::uint32_t kModulusLength = 0x4C8, kSign2 = 0x468, kA2 = 0x470, kModulus = 0x4D0,
                            kX = 0x678, kY = 0x6D0, kKeyX = 0x12F8, kKeyY = 0x1350, kR = 0x10E0,
                            kS = 0xC68, kHash = 0x13A8, kOut = 0x5D0;
    const std::uint32_t bits = word(kModulusLength), order_bits = word(kLength);
    const Natural prime = operand(kModulus, bits), order = operand(kOperand3, order_bits);
    const bool fits = bits <= kMostCurveBits && order_bits <= kMostCurveBits;
    if (!fits || prime.zero() || order.zero()) return false;
    const Curve curve{prime, coefficient(kSign2, kA2, prime), Natural()};
    const Natural r = operand(kR, order_bits), s = operand(kS, order_bits);
    const std::optional<Natural> back = inverse(s, order);
    bool valid = !r.zero() && r < order && !s.zero() && s < order && back.has_value();
    if (valid) {
        const Natural one = operand(kHash, order_bits) % order * *back % order;
        const Natural two = r * *back % order;
        const std::optional<Point> sum =
            add(curve, multiply(curve, one, {operand(kX, bits), operand(kY, bits)}),
                multiply(curve, two, {operand(kKeyX, bits), operand(kKeyY, bits)}));
        valid = sum.has_value() && sum->x % order == r;
    }
    result(kOut, valid ? kGood : kBad, 32);
    return true;
}

bool Pka::compute() {
    computed_ = ram_;
    const std::uint32_t mode = control_ >> 8 & 0x3F;
    switch (mode) {
        case kExponentiation:
        case kMontgomeryParameter:
        case kFastExponentiation:
        case kCrtExponentiation:
            return exponentiate(mode);
        case kPointMultiply:
        case kPointCheck:
            return on_curves(mode);
        case kSign:
            return sign();
        case kVerify:
            return verify();
        default:
            return mode >= kInverse && mode <= kMontgomeryProduct && arithmetic(mode);
    }
}

const Parameter& Pka::time_of(std::uint32_t mode) const {
    if (mode >= kPointMultiply) return parameters_.curve;
    const bool quick = mode >= kInverse || mode == kMontgomeryParameter;
    return quick ? parameters_.arithmetic : parameters_.exponentiation;
}

// Registers ----------------------------------------------------------------------------------

std::uint32_t Pka::status() const {
    return flags_ | (ready_ ? 1u : 0u) | (ready_ && busy_until_ != 0 ? kPkaBusy : 0u);
}

void Pka::settle(Picoseconds at) {
    if (busy_until_ == 0 || busy_until_ > at) return;
    busy_until_ = 0;
    if (!ready_) {
        ready_ = true;
        return;
    }
    ram_ = computed_;
    flags_ |= good_ ? kPkaEnd : kPkaEnd | kPkaOperationError;
}

void Pka::step() {
    settle(sc_core::sc_time_stamp().value());
    update();
}

void Pka::update() {
    level_.set((flags_ & control_ & kPkaFlags) != 0, on_interrupt);
    done_.cancel();
    if (busy_until_ != 0) done_.notify(delay_until(busy_until_));
}

void Pka::write_control(std::uint32_t next, Picoseconds at) {
    const bool rises = (next & kPkaEnable) != 0 && (control_ & kPkaEnable) == 0;
    control_ = next & kPkaControl;
    const auto work = [&](const Parameter& time) {
        busy_until_ = at + std::max<Picoseconds>(1, ns_to_ps(time.value * 1e3));
    };
    if ((control_ & kPkaEnable) == 0) {
        ready_ = false;
        busy_until_ = 0;
    } else if (rises) {
        ram_ = {};
        work(parameters_.start);
    } else if ((next & kPkaStart) != 0 && ready_ && busy_until_ == 0) {
        good_ = compute();
        work(time_of(control_ >> 8 & 0x3F));
    }
}

RegisterBlock::Answer Pka::read(std::uint32_t offset, Picoseconds at) {
    settle(at);
    if (offset >= kRam && offset < kRamEnd) {
        // While it works the RAM is its own.
        const bool free = ready_ && busy_until_ == 0;
        return {.value = free ? word(offset) : 0, .name = "RAM"};
    }
    switch (offset) {
        case kPkaCr:
            return {.value = control_, .name = "CR"};
        case kPkaSr:
            return {.value = status(), .name = "SR"};
        case kPkaClrfr:
            return {.name = "CLRFR"};
        default:
            return {.modelled = false};
    }
}

RegisterBlock::Answer Pka::write(std::uint32_t offset, std::uint32_t value, std::uint32_t mask,
                                 Picoseconds at) {
    Answer answer = read(offset, at);
    answer.value = 0;
    if (offset == kPkaCr) {
        write_control((control_ & ~mask) | (value & mask), at);
        answer.modelled = (value & mask & kPkaStart) == 0 || busy_until_ == 0 || good_;
    } else if (offset == kPkaClrfr) {
        flags_ &= ~(value & mask);
    } else if (offset >= kRam && offset < kRamEnd && ready_ && busy_until_ == 0) {
        std::uint32_t& held = ram_[(offset - kRam) / 4];
        held = (held & ~mask) | (value & mask);
    }
    update();
    return answer;
}

}  // namespace n6vp::models::crypto
