// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/time/clockreading.h"

#include "app/base/crypto/sha256.h"
#include "app/base/time/clock.h"

#include <unistd.h>

#include <array>
#include <ctime>
#include <fstream>

namespace gpuledger::base {

namespace {

constexpr std::int64_t kNanos = 1'000'000'000;
constexpr std::size_t kBootDigits = 16;

// The boot id is hashed, so that its value reveals nothing. In a container, the steady clock may be a separate one.
std::string bootName()
{
    std::string id;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id") >> std::ws, id);
    std::array<char, 64> space{};
    const ssize_t n = ::readlink("/proc/self/ns/time", space.data(), space.size());
    return sha256Hex(id + '\n' + std::string(space.data(), n > 0 ? static_cast<std::size_t>(n) : 0))
        .substr(0, kBootDigits);
}

} // namespace

ClockReading readClocks()
{
    static const std::string kBoot = bootName();
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return {SystemClock().now(), static_cast<std::int64_t>(now.tv_sec) * kNanos + now.tv_nsec, kBoot};
}

std::optional<Seconds> clockStep(const ClockReading &before, const ClockReading &after)
{
    if (before.boot != after.boot)
        return std::nullopt;
    return after.real - before.real - Seconds{(after.steady - before.steady) / kNanos};
}

} // namespace gpuledger::base
