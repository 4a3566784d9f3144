// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "memmap/guest_addr.h"

/// The mailbox between firmware and simulator. It is not part of the chip: a page of
/// Device memory above the last peripheral of the public device header (the NPU, 0x580E0000), with
/// both aliases. On a board an access there is a bus error; firmware for both checks a build option
/// or its port, never this page.
///
/// Words only. Accesses take no time on the bus. Text and names are bounded here; longer ones are
/// cut or refused, never followed.
namespace n6vp::memmap::mailbox {

inline constexpr AddressRange kSecurePage{GuestAddr{0x5FFFF000}, 0x1000};
inline constexpr AddressRange kNonSecurePage{GuestAddr{0x4FFFF000}, 0x1000};

inline constexpr std::uint32_t kMagic = 0x4D56364E;  ///< "N6VM"
inline constexpr std::uint32_t kVersion = 1;

/// Offsets of the registers.
enum Register : std::uint32_t {
    kId = 0x00,  ///< read: kMagic
    kVersionRegister = 0x04,
    kFeatures = 0x08,     ///< read: bits below
    kResult = 0x0C,       ///< read: `Error` of the last command
    kPhaseName = 0x10,    ///< address of the name that the next kPhaseBegin takes, 0: none
    kPhaseBegin = 0x14,   ///< write: number of the phase that begins; may be inside another
    kPhaseEnd = 0x18,     ///< write: number of the innermost open phase of that number
    kTextAddress = 0x20,  ///< where the text of kTextPut starts
    kTextPut = 0x24,      ///< write: bytes to put out, at most kMaxText
    kCharacter = 0x28,    ///< write: one byte to put out
    kExit = 0x2C,         ///< write: exit code; the run ends
    kCyclesLow = 0x30,    ///< read: core cycles; keeps the upper half for kCyclesHigh
    kCyclesHigh = 0x34,
    kTimeLow = 0x38,  ///< read: nanoseconds since power-on; keeps the upper half for kTimeHigh
    kTimeHigh = 0x3C,
    kSeed = 0x40,  ///< read: a constant of the run
    kFile = 0x48,  ///< write: address of a FileRequest, which is performed
};

inline constexpr std::uint32_t kFeatureFiles = 1;  ///< a folder was granted

/// Words of a FileRequest, aligned to 4 bytes. The first five are read, the last two written.
enum FileWord : std::uint32_t {
    kFileOperation,
    kFileHandle,    ///< of all but Open and Arguments
    kFileAddress,   ///< of the name or the data
    kFileBytes,     ///< of the name or the data
    kFileArgument,  ///< Open: OpenMode; Seek: position
    kFileValue,     ///< out: handle, bytes moved, or size
    kFileError,     ///< out: `Error`, as in kResult
    kFileWords,
};

enum class FileOperation : std::uint32_t {
    Open = 1,
    Close,
    Read,  ///< kFileValue < kFileBytes: the file ends there
    Write,
    Seek,
    Size,
    Arguments,  ///< copies the run's arguments to kFileAddress; kFileValue: their length
};

enum class OpenMode : std::uint32_t { Read, Write, Append };

enum class Error : std::uint32_t {
    None,
    BadAddress,  ///< of the request, name, text or data: not all of it is memory
    BadRequest,  ///< unknown operation, mode or phase; length 0 or too large
    NoFolder,    ///< no folder was granted
    BadName,     ///< see kMaxName
    NoFile,
    TooMany,  ///< files or open phases
    BadHandle,
    Failed,  ///< the host refused
};

inline constexpr std::uint32_t kMaxText = 4096;
/// A name has at most this many bytes, letters, digits, underscore, minus, point and slash only; no
/// component is empty or starts with a point; links are not followed.
inline constexpr std::uint32_t kMaxName = 255;
inline constexpr std::uint32_t kMaxPhaseName = 63;
inline constexpr std::uint32_t kMaxFiles = 16;
inline constexpr std::uint32_t kMaxOpenPhases = 32;

}  // namespace n6vp::memmap::mailbox
