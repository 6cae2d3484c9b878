// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/gputime.h"
#include "app/base/time/time.h"
#include "app/model/money/ledgerline.h"
#include "app/store/values/cube.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Queries on the cost ledger. Pure functions of its lines; any thread.
namespace gpuledger::insight {

// What ledger rows can be grouped and filtered by.
enum class LedgerDimension {
    Day, // UTC, YYYY-MM-DD
    Month, // UTC, YYYY-MM
    Team,
    State,
    Category,
    Origin,
    Match,
    Account,
    AccountName, // as the bill calls it; empty: it doesn't
    Service,
    Region,
    Cluster,
    Cloud,
    GpuModel,
    WorkloadKind,
    Environment,
    Source,
    Currency,
    NameSpace, // this one and the next are computed from the facts on request, which takes longer
    Workload,
    InstanceType, // of machines with GPUs; likewise
    Part, // which part of such a machine the money is for, under LedgerQuery::split
    Sharing, // "equal": the device had several holders, and nothing measured how much each used; likewise computed
    PriceDate, // of the list price, YYYY-MM-DD; likewise computed
};
std::string_view toString(LedgerDimension dimension); // as on the command line: "team", "gpu-model", …
std::optional<LedgerDimension> ledgerDimensionFromString(std::string_view text);
const std::vector<LedgerDimension> &ledgerDimensions(); // all of them

// Selects the range, grouping, filter and display currency of ledger rows.
struct LedgerQuery {
    base::TimeRange range; // whole UTC days: floor of the start to ceiling of the end
    std::vector<LedgerDimension> by; // one row for each combination (and currency)
    std::map<LedgerDimension, std::vector<std::string>> include; // empty: everything
    // Converts amounts for display by the configured rates; std::nullopt: as billed. Sums of converted rows are for
    // display only; they do not match any bill.
    std::optional<base::Currency> showIn;
    // Splits the price of GPU machines between GPUs, CPU and memory; needed for Part. The parts add up to the machine;
    // GPU time stays with the GPUs.
    std::optional<model::SplitPolicy> split;
};

// The ledger lines of one group and currency, added up.
struct LedgerRow {
    std::vector<std::string> keys; // parallel to LedgerQuery::by; an empty text: unknown or not applicable
    base::Currency currency;
    base::Money billed, effective; // from bills: these rows add up to the bill
    base::GpuTime gpuTime; // as far as known
    bool hasGpuTime = false; // false: no GPU time, or all of it unknown
    bool gpuTimeComplete = true; // false: there are GPU machines whose time is unknown
    // Price-book cost of time that no bill covers (origin priced). Not on any bill. In the report currency.
    base::Money priced;
    // Allocators' cost of time that no bill covers (origin allocated). Not on any bill. std::nullopt: none reported.
    std::optional<base::Money> allocated;
    // Price-book cost of time that a bill or an allocator covers; their amount minus this is the adjustment.
    // std::nullopt: no price.
    std::optional<base::Money> replaced;
    base::GpuTime unpriced; // GPU time without a price
};

// Totals of one currency.
struct LedgerTotal {
    base::Currency currency;
    base::Money billBilled, billEffective; // what the bills of these days charge, recomputed from their lines
    base::Money billed, effective; // sums of all ledger rows of these days, regardless of the filter
    base::Money unexplainedBilled, unexplainedEffective; // of those
};

// The result of a ledger query.
struct LedgerAnswer {
    base::TimeRange range; // whole UTC days
    std::vector<LedgerRow> rows; // ascending by keys, then by currency
    std::vector<LedgerTotal> totals; // ascending by currency; as billed, even if rows are converted
    base::Money priced; // of all rows
    std::vector<base::Money> allocated; // of all rows, as reported by allocators; ascending by currency
    std::vector<std::string> conversions; // "1 EUR = 1.08 USD of 2026-11-01", one for each rate used
    std::vector<base::Currency> unconverted; // no rate available: their rows are as billed
    bool filtered = false;
};

// True if the filter accepts a line. Any thread.
bool isWanted(const std::map<LedgerDimension, std::vector<std::string>> &include, base::Day day,
              const model::LedgerKey &key);

// Adds up lines; one object per query.
class LedgerSums {
public:
    using Convert = std::function<std::optional<base::Money>(const base::Money &, base::UtcTime)>;
    // Weights of GPUs, CPU and memory in the price of a machine type. std::nullopt: unknown.
    using Weights = std::array<std::int64_t, 3>;
    using Split = std::function<std::optional<Weights>(model::SplitPolicy, std::string_view instanceType)>;
    // Both may be empty; without `split` nothing is split.
    LedgerSums(LedgerQuery query, base::Currency report, Convert convert, Split split = {});
    // Fails with Overflow.
    [[nodiscard]] base::Result<void> add(base::Day day, const model::LedgerKey &key,
                                         const model::LedgerAmounts &amounts);
    [[nodiscard]] base::Result<LedgerAnswer> take();
    base::Day first() const { return m_first; }
    base::Day last() const { return m_last; }

private:
    struct Sum {
        model::LedgerAmounts amounts; // billed and effective in the displayed currency
        std::int64_t replaced = 0, priced = 0;
        bool replacedAny = false, allocatedAny = false;
    };
    struct Total {
        std::int64_t billed = 0, effective = 0, unexplainedBilled = 0, unexplainedEffective = 0;
    };
    base::Result<void> addParts(base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts);
    base::Result<void> addRow(base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts);
    base::Result<void> addTotal(const model::LedgerKey &key, const model::LedgerAmounts &amounts);

    LedgerQuery m_query;
    base::Currency m_report;
    Convert m_convert;
    Split m_split;
    std::map<std::string, std::optional<Weights>> m_weights; // by instance type
    base::Day m_first, m_last;
    std::map<std::pair<std::vector<std::string>, base::Currency>, Sum> m_sums;
    std::map<base::Currency, Total> m_totals;
    std::vector<base::Currency> m_unconverted;
};

// "2026-11-01"
std::string dayText(base::Day day);

// Which names that are not stored a query needs.
model::LineDetail detailOf(const LedgerQuery &query);

} // namespace gpuledger::insight
