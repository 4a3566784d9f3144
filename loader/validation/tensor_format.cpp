// SPDX-License-Identifier: Apache-2.0
#include "loader/validation/tensor_format.h"

namespace n6vp::validation {

namespace {

// Numbers of DataType from Core 2.2 on: public headers.
enum DataType : std::uint32_t {
    kFloat = 1,
    kUint2 = 2,
    kUint4 = 4,
    kUint8 = 6,
    kUint16 = 8,
    kBool = 13,
    kFloat16 = 14,
    kDouble = 15,
    kUint32 = 16,
    kUint64 = 17,
    kFixedPoint = 100,
};
constexpr std::uint32_t kFirstMoved = kUint2, kMovedBy = 4;  ///< by 2.2

enum Kind : std::uint32_t { kFloating = 1, kInteger = 2, kTruth = 3, kFraction = 15 };

std::uint32_t word(bool is_signed, Kind kind, std::uint32_t bits, std::int32_t fraction) {
    constexpr std::uint32_t kSignBit = 23, kKindBit = 17, kBitsBit = 7, kNoFraction = 64;
    const std::uint32_t point = (kNoFraction + static_cast<std::uint32_t>(fraction)) & 0x7F;
    return (is_signed ? 1u << kSignBit : 0) | kind << kKindBit | bits << kBitsBit | point;
}

bool is_unsigned_type(std::uint32_t type) {
    return type == kUint2 || type == kUint4 || type == kUint8 || type == kUint16 ||
           type == kUint32 || type == kUint64;
}

}  // namespace

std::uint32_t format_word(const Element& element) {
    std::uint32_t type = element.type;
    if (element.before_2_2 && type >= kFirstMoved && type != kFixedPoint) type += kMovedBy;
    switch (type) {
        case kFloat:
        case kFloat16:
        case kDouble:
            return word(true, kFloating, element.bits, 0);
        case kBool:
            return word(false, kTruth, element.bits, 0);
        case kFixedPoint:
            if (element.is_quantised || element.fraction == 0)
                return word(!element.is_unsigned, kInteger, element.bits, 0);
            return word(!element.is_unsigned, kFraction, element.bits, element.fraction);
        default:
            return word(!is_unsigned_type(type), kInteger, element.bits, 0);
    }
}

}  // namespace n6vp::validation
