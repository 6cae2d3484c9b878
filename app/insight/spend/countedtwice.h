// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/spend/month.h"
#include "app/model/money/ledgerline.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gpuledger::insight {

// An account that the bills of several sources have amounts of, in one currency, on the same days of a month. All of
// them are in the figures: as far as the bills are the same, its cost is counted more than once.
struct CountedTwice {
    Month month; // of UTC days
    std::string account, accountName; // the sub account if the bills have one, else the billing account
    base::Currency currency;
    std::int64_t days = 0; // those on which at least two sources have an amount
    base::Day last; // the last of them
    // What a source has on these days.
    struct Part {
        std::string source;
        base::Money billed, effective;
    };
    std::vector<Part> parts; // ascending by source; at least two
};

// True if no charge can be in the bills of two sources: each bill covers another piece of the account, such as a
// resource group of a subscription. `billingAccounts`: those of each source's lines. The id of a piece starts with the
// account's and a slash.
bool arePieces(const std::string &account, const std::map<std::string, std::set<std::string>> &billingAccounts);

// Finds them in the lines of the ledger. One thread.
class DoubleCounts {
public:
    // Fails with Overflow.
    [[nodiscard]] base::Result<void> add(base::Day day, const model::LedgerKey &key,
                                         const model::LedgerAmounts &amounts);
    // Newest month first, then by account and currency. Fails with Overflow.
    [[nodiscard]] base::Result<std::vector<CountedTwice>> take() const;

private:
    struct Amounts {
        std::int64_t billed = 0, effective = 0; // nano-units
    };
    using Days = std::map<base::Day, Amounts>;
    struct Account {
        std::string name;
        std::map<std::string, Days> sources;
    };
    using Key = std::pair<std::string, base::Currency>; // its id
    static base::Result<void> addShared(std::vector<CountedTwice> &all, const Key &of, const Account &account);

    std::map<Key, Account> m_accounts;
};

} // namespace gpuledger::insight
