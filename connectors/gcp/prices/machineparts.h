// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/pricequote.h"
#include "app/ports/pricesource.h"

#include <cstdint>
#include <string>
#include <vector>

// What Google charges for a machine: its parts, each by the hour. Values; pure.
namespace gpuledger::gcp {

// How the price of a part is stated.
enum class SkuUnit { Hour, GibHour, GibMonth, Other };

// One part of a machine.
struct MachinePart {
    enum class Choice {
        AllAgree, // the part has had several names: if a region has two of them, their prices must be the same
        FirstFound, // a family's own name counts before the general one
    };
    std::vector<std::string> names; // of its SKU, without the region and the words for how it is bought
    std::int64_t milli = 0; // 1e-3 processors, GPUs or GiB
    bool isMemory = false; // of GiB, by the hour
    bool isDisk = false; // of GiB, by the hour or the month
    Choice choice = Choice::AllAgree;

    bool takes(SkuUnit unit) const;
};

// All parts of a machine type of the catalogue, its GPUs first, under this option: on demand, spot, or a commitment.
// Empty: not known, or the catalogue lacks its processors or its memory. Local disks are parts of those types that
// always have them.
std::vector<MachinePart> partsOf(const std::string &type, const ports::KnownMachine &machine,
                                 model::PurchaseOption purchase);

} // namespace gpuledger::gcp
