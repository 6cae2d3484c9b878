// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/values/billed.h"

#include "app/base/remedy.h"

namespace gpuledger::store {

base::Result<void> addAmount(std::int64_t &a, std::int64_t b)
{
    if (__builtin_add_overflow(a, b, &a))
        return base::fail(base::ErrorCode::Overflow, "a total is too large: it exceeds 9.2e9 units of its currency",
                          base::Remedy::ChooseFewerDays);
    return {};
}

} // namespace gpuledger::store
