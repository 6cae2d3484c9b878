// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// What a device, its host, an inference server or a pod did in an hour, beside usage: it tells why something is idle,
// and whether work writes checkpoints. Plain values.
namespace gpuledger::model {

enum class HourSignal : std::uint8_t {
    PcieBytes = 1, // of a device: bytes per second, both directions
    NvlinkBytes = 2, // of a device: bytes per second, both directions
    MemoryCopies = 3, // of a device: share of the time in which its memory was read or written
    HostCpu = 4, // of a node: share of all its CPU time, without waits for input and output
    HostIoWait = 5, // of a node: share of all its CPU time that waited for input or output
    StorageWait = 6, // of a node: share of the time in which some process waited for storage (pressure stall)
    Requests = 7, // of a subject: how many an inference server completed, about; at least one where it is not 0
    WriteBursts = 8, // of a subject that worked: how often it began to write kMuchWritten or more in five minutes
};
inline constexpr int kHourSignals = 8;
inline constexpr std::int64_t kMuchWritten = std::int64_t{64} << 20; // bytes, by one container to one disk

enum class SignalOf : std::uint8_t { Device, Node, Subject };
constexpr SignalOf subjectOf(HourSignal signal)
{
    return signal <= HourSignal::MemoryCopies ? SignalOf::Device
        : signal <= HourSignal::StorageWait   ? SignalOf::Node
                                              : SignalOf::Subject;
}
constexpr bool isShare(HourSignal signal)
{
    return signal == HourSignal::MemoryCopies || subjectOf(signal) == SignalOf::Node;
}
// Shares are stored in millionths.
inline constexpr std::int64_t kSignalShareScale = 1'000'000;
// Bytes per second or requests above this are no measurement.
inline constexpr std::int64_t kMostSignal = 10'000'000'000'000;

// The value of one signal in one UTC hour.
struct SignalHour {
    std::int64_t hour = 0; // since 1970
    std::int32_t seconds = 0; // from its start, that the value covers: 3600, or less for the newest
    std::int64_t value = 0;

    bool operator==(const SignalHour &) const = default;
};

} // namespace gpuledger::model
