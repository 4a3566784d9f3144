// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace n6vp::models {

/// A date from 2000 to 2099 and a time of day, in the form of RTC_TR and RTC_DR.
struct Calendar {
    static constexpr std::uint32_t kDay = 24 * 60 * 60, kYears = 100;

    std::uint32_t days = 0;     ///< since 1 January 2000
    std::uint32_t weekday = 1;  ///< 1 Monday to 7 Sunday, as software set it
    std::uint32_t second = 0;   ///< of the day

    struct Date {
        std::uint32_t year = 0, month = 1, day = 1;
    };

    [[nodiscard]] static constexpr std::uint32_t month_days(std::uint32_t year,
                                                            std::uint32_t month) {
        constexpr std::array<std::uint32_t, 12> kDays{31, 28, 31, 30, 31, 30,
                                                      31, 31, 30, 31, 30, 31};
        return kDays[month - 1] + (month == 2 && year % 4 == 0 ? 1 : 0);
    }
    [[nodiscard]] static constexpr std::uint32_t year_days(std::uint32_t year) {
        return year % 4 == 0 ? 366 : 365;
    }
    [[nodiscard]] constexpr Date date() const {
        Date result;
        std::uint32_t left = days;
        while (left >= year_days(result.year)) {
            left -= year_days(result.year);
            result.year = (result.year + 1) % kYears;
        }
        while (left >= month_days(result.year, result.month)) {
            left -= month_days(result.year, result.month);
            ++result.month;
        }
        result.day = left + 1;
        return result;
    }
    /// The same after some seconds; a century is no limit.
    [[nodiscard]] constexpr Calendar after(std::uint64_t seconds) const {
        constexpr std::uint64_t kCentury = 36525;
        const std::uint64_t whole = second + seconds;
        Calendar result = *this;
        result.second = static_cast<std::uint32_t>(whole % kDay);
        result.days = static_cast<std::uint32_t>((days + whole / kDay) % kCentury);
        result.weekday = static_cast<std::uint32_t>((weekday - 1 + whole / kDay) % 7) + 1;
        return result;
    }

    [[nodiscard]] static constexpr std::uint32_t bcd(std::uint32_t value) {
        return value / 10 << 4 | value % 10;
    }
    [[nodiscard]] static constexpr std::uint32_t number(std::uint32_t bcd) {
        return (bcd >> 4) * 10 + (bcd & 0xF);
    }
    /// RTC_TR in 24 hours, or in 12 with PM.
    [[nodiscard]] constexpr std::uint32_t tr(bool twelve) const {
        std::uint32_t hour = second / 3600;
        const bool afternoon = twelve && hour >= 12;
        if (twelve) hour = hour % 12 == 0 ? 12 : hour % 12;
        return (afternoon ? 1u << 22 : 0) | bcd(hour) << 16 | bcd(second / 60 % 60) << 8 |
               bcd(second % 60);
    }
    [[nodiscard]] constexpr std::uint32_t dr() const {
        const Date today = date();
        return bcd(today.year) << 16 | weekday << 13 | bcd(today.month) << 8 | bcd(today.day);
    }
    /// What the registers say; values that no calendar has become the nearest that it has.
    [[nodiscard]] static constexpr Calendar from(std::uint32_t tr, std::uint32_t dr, bool twelve) {
        const std::uint32_t shown = number(tr >> 16 & 0x3F);
        const std::uint32_t hour = twelve ? shown % 12 + (tr >> 22 & 1) * 12 : shown;
        Calendar result;
        result.second = std::min(hour, 23u) * 3600 + std::min(number(tr >> 8 & 0x7F), 59u) * 60 +
                        std::min(number(tr & 0x7F), 59u);
        const std::uint32_t year = std::min(number(dr >> 16 & 0xFF), kYears - 1);
        const std::uint32_t month = std::clamp(number(dr >> 8 & 0x1F), 1u, 12u);
        const std::uint32_t day = std::clamp(number(dr & 0x3F), 1u, month_days(year, month));
        for (std::uint32_t each = 0; each < year; ++each) result.days += year_days(each);
        for (std::uint32_t each = 1; each < month; ++each) result.days += month_days(year, each);
        result.days += day - 1;
        result.weekday = std::max(dr >> 13 & 7, 1u);
        return result;
    }
    /// Returns true if the date of RTC_ALRMxR is this day.
    [[nodiscard]] constexpr bool matches_day(std::uint32_t alarm) const {
        if ((alarm >> 31 & 1) != 0) return true;
        const std::uint32_t wanted = number(alarm >> 24 & 0x3F);
        return (alarm >> 30 & 1) != 0 ? (alarm >> 24 & 0xF) == weekday : wanted == date().day;
    }
    /// Returns the hour of RTC_ALRMxR; it may be one that no day has.
    [[nodiscard]] static constexpr std::uint32_t alarm_hour(std::uint32_t alarm, bool twelve) {
        const std::uint32_t shown = number(alarm >> 16 & 0x3F);
        return twelve ? shown % 12 + (alarm >> 22 & 1) * 12 : shown;
    }
    /// Returns true if there is a time of day that the alarm allows.
    [[nodiscard]] static constexpr bool is_time(std::uint32_t alarm, bool twelve) {
        return ((alarm >> 23 & 1) != 0 || alarm_hour(alarm, twelve) < 24) &&
               ((alarm >> 15 & 1) != 0 || number(alarm >> 8 & 0x7F) < 60) &&
               ((alarm >> 7 & 1) != 0 || number(alarm & 0x7F) < 60);
    }
    /// Returns the first second of the day from `from` on that the alarm, whose time is one,
    /// allows, kDay if none.
    [[nodiscard]] static constexpr std::uint32_t first_match(std::uint32_t alarm, bool twelve,
                                                             std::uint32_t from) {
        const std::uint32_t hour = alarm_hour(alarm, twelve);
        const std::uint32_t minute = number(alarm >> 8 & 0x7F), sec = number(alarm & 0x7F);
        std::uint32_t at = from;
        while (at < kDay) {
            if ((alarm >> 23 & 1) == 0 && at / 3600 != hour) {
                at = (at / 3600 + 1) * 3600;
            } else if ((alarm >> 15 & 1) == 0 && at / 60 % 60 != minute) {
                at = (at / 60 + 1) * 60;
            } else if ((alarm >> 7 & 1) == 0 && at % 60 != sec) {
                at = at / 60 * 60 + (at % 60 < sec ? sec : 60);
            } else {
                break;
            }
        }
        return std::min(at, kDay);
    }
    /// Returns the seconds to the next match of the alarm, one at least, 0 if there is none.
    [[nodiscard]] constexpr std::uint64_t to_match(std::uint32_t alarm, bool twelve) const {
        // Alarms have no month: from the 31st to the next one it is 61 days at most.
        constexpr std::uint32_t kDaysAhead = 62;
        if (!is_time(alarm, twelve)) return 0;
        Calendar day = *this;
        std::uint32_t from = second + 1;
        for (std::uint32_t ahead = 0; ahead < kDaysAhead; ++ahead) {
            const std::uint32_t at =
                day.matches_day(alarm) ? first_match(alarm, twelve, from) : kDay;
            if (at < kDay) return std::uint64_t{ahead} * kDay + at - second;
            day.second = 0;
            day = day.after(kDay);
            from = 0;
        }
        return 0;
    }
};

}  // namespace n6vp::models
