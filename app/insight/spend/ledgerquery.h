// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/gputime.h"
#include "app/base/money.h"
#include "app/base/result.h"
#include "app/base/time.h"
#include "app/model/ledgerline.h"
#include "app/store/values/cube.h"

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Questions to the ledger of money. Pure functions of its lines; any thread.
namespace gpuledger::insight {

enum class LedgerDimension {
    Day, // UTC, YYYY-MM-DD
    Month, // UTC, YYYY-MM
    Team,
    State,
    Category,
    Origin,
    Match,
    Account,
    Service,
    Region,
    Cluster,
    Cloud,
    GpuModel,
    WorkloadKind,
    Environment,
    Source,
    Currency,
    NameSpace, // this one and the next are worked out from the facts when asked for, which takes longer
    Workload,
    InstanceType, // of machines with GPUs; likewise
    Part, // what of such a machine the money is for, under LedgerQuery::split
    Sharing, // "equal": several held the device, and nothing measured who used how much; worked out likewise
    PriceDate, // of the list price, YYYY-MM-DD; likewise
};
std::string_view toString(LedgerDimension dimension); // as on the command line: "team", "gpu-model", …
std::optional<LedgerDimension> ledgerDimensionFromString(std::string_view text);
const std::vector<LedgerDimension> &ledgerDimensions(); // all of them

struct LedgerQuery {
    base::TimeRange range; // whole UTC days: floor of the start to ceiling of the end
    std::vector<LedgerDimension> by; // one row for each combination (and currency)
    std::map<LedgerDimension, std::vector<std::string>> include; // empty: everything
    // Converts what is shown by the rates of the configuration; nothing: as billed. Sums of converted rows are for
    // looking at, and are no bill.
    std::optional<base::Currency> showIn;
    // Splits the price of machines with GPUs between these, their CPU and their memory; needed for Part. The parts add
    // up to the machine; GPU time stays with the GPUs.
    std::optional<model::SplitPolicy> split;
};

struct LedgerRow {
    std::vector<std::string> keys; // parallel to LedgerQuery::by; an empty text: unknown, or not of that kind
    base::Currency currency;
    base::Money billed, effective; // from bills: these rows add up to the bill
    base::GpuTime gpuTime; // as far as it is known
    bool hasGpuTime = false; // false: no GPU time, or all of it unknown
    bool gpuTimeComplete = true; // false: there are GPU machines whose time is not known
    // What the price book says of time that no bill covers (origin priced). In no bill. Its currency is the report's.
    base::Money priced;
    // What allocators say of time that no bill covers (origin allocated). In no bill. Nothing: they say nothing.
    std::optional<base::Money> allocated;
    // What the price book says of time that a bill or an allocator covers; their amount less it is the adjustment.
    // Nothing: not priced.
    std::optional<base::Money> replaced;
    base::GpuTime unpriced; // GPU time without a price
};

// Of one currency.
struct LedgerTotal {
    base::Currency currency;
    base::Money billBilled, billEffective; // what the bills of these days say, recomputed from their lines
    base::Money billed, effective; // sums of all rows of the ledger of these days, whatever the filter
    base::Money unexplainedBilled, unexplainedEffective; // of those
};

struct LedgerAnswer {
    base::TimeRange range; // whole UTC days
    std::vector<LedgerRow> rows; // ascending by keys, then by currency
    std::vector<LedgerTotal> totals; // ascending by currency; as billed, also where rows are converted
    base::Money priced; // of all rows
    std::vector<base::Money> allocated; // of all rows, those that allocators told of; ascending by currency
    std::vector<std::string> conversions; // "1 EUR = 1.08 USD of 2026-11-01", one for each rate used
    std::vector<base::Currency> unconverted; // no rate was given: their rows are as billed
    bool filtered = false;
};

// Whether the filter takes a line. Any thread.
bool isWanted(const std::map<LedgerDimension, std::vector<std::string>> &include, base::Day day,
              const model::LedgerKey &key);

// Adds up lines; one object a question.
class LedgerSums {
public:
    using Convert = std::function<std::optional<base::Money>(const base::Money &, base::UtcTime)>;
    // Weights of GPUs, CPU and memory in the price of a machine of some type. Nothing: not known.
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
        model::LedgerAmounts amounts; // billed and effective of the shown currency
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

// What of the names that are not kept a question needs.
model::LineDetail detailOf(const LedgerQuery &query);

} // namespace gpuledger::insight
