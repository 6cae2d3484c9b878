// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/damage/pagerepair.h"

#include "app/store/sqlite/pagevfs.h"

#include <cstring>

namespace gpuledger::store {

namespace {

constexpr int kBitsOfByte = 8, kValuesOfByte = 256;

// True if two checksums differ in a single byte: then it is the stored one that is damaged.
bool differInOneByte(std::uint64_t a, std::uint64_t b)
{
    int bytes = 0;
    for (std::uint64_t rest = a ^ b; rest != 0; rest >>= kBitsOfByte)
        bytes += (rest & (kValuesOfByte - 1)) != 0;
    return bytes == 1;
}

} // namespace

bool repairPage(std::string &page, std::uint64_t number, Effort effort)
{
    if (page.size() <= kPageSumBytes)
        return false;
    const std::size_t size = page.size() - kPageSumBytes;
    const std::string_view content(page.data(), size);
    std::uint64_t stored = 0;
    std::memcpy(&stored, page.data() + size, sizeof stored);
    if (const std::uint64_t sum = pageSum(content, number); differInOneByte(sum, stored)) {
        std::memcpy(page.data() + size, &sum, sizeof sum);
        return true;
    }
    for (std::size_t at = 0; at < size; ++at) {
        const char before = page[at];
        for (int n = 1; n < (effort == Effort::Bits ? kBitsOfByte + 1 : kValuesOfByte); ++n) {
            const int change = effort == Effort::Bits ? 1 << (n - 1) : n;
            page[at] = static_cast<char>(before ^ change);
            if (pageSum(content, number) == stored)
                return true;
        }
        page[at] = before;
    }
    return false;
}

} // namespace gpuledger::store
