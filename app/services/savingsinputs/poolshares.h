// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

// What holders have of a node on one UTC day; internal to capacitypools. Pure; any thread; no errors.
namespace gpuledger::services {

// A device that is held in buckets of the day that follow each other, and by whom.
struct PoolRun {
    std::int64_t holder;
    std::uint16_t bucket, device, count; // the device is one of the node's
};

// The ids of holders and of subjects are apart.
inline std::int64_t poolHolderKey(const model::AttributedHolder &who)
{
    return who.holder ? 2 * who.holder.value : 2 * who.subject.value + 1;
}

// The sizes of the shares, ascending, among the devices that these runs hold at one time, of a node with so many
// devices: devices with a common holder, and holders with a common device, are one share.
std::vector<std::uint16_t> poolShares(std::span<const PoolRun> held, std::size_t devices);

// Lists of shares, each of which is kept once: most hours of most nodes are like others.
class ShareLists {
public:
    std::uint32_t indexOf(const std::vector<std::uint16_t> &shares); // 0: none
    const std::vector<std::uint16_t> &at(std::uint32_t index) const { return *m_lists[index]; }

private:
    std::map<std::vector<std::uint16_t>, std::uint32_t> m_indexes{{{}, 0}};
    std::vector<const std::vector<std::uint16_t> *> m_lists{&m_indexes.begin()->first};
};

} // namespace gpuledger::services
