// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/athena/athenaruns.h"
#include "connectors/aws/athena/monthquestion.h"
#include "connectors/format/exports/monthquery.h"
#include "connectors/format/exports/objectstore.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace gpuledger::aws {

// The months of an export from Athena. Errors: see format::MonthQuery and AthenaRuns; also Unsupported (another table,
// or a result that is kept by Athena), NotFound (the table has no rows of the month).
class AthenaMonths final : public format::MonthQuery {
public:
    // A month of files above this size has rows.
    static constexpr std::uint64_t kMostWithoutRows = 64u << 10;
    // A bucket, for results.
    using StoreOf = std::function<std::unique_ptr<format::ObjectStore>(const std::string &bucket)>;

    AthenaMonths(std::unique_ptr<AthenaRuns> runs, StoreOf storeOf);

    std::string identity() const override { return m_runs->settings().identity(); }
    base::Seconds refresh() const override { return m_runs->settings().refresh; }
    [[nodiscard]] base::Result<std::string> ask(const format::AskedMonthFiles &month, const std::filesystem::path &to,
                                                ports::BillSink &sink, const std::stop_token &stop) override;
    [[nodiscard]] base::Result<bool> probe(const format::AskedMonthFiles &month, ports::ProbeReport &report,
                                           const std::stop_token &stop) override;
    ports::PaidCalls paid() const override { return m_paid; }
    std::uint64_t scanned() const override { return m_scanned; }

private:
    [[nodiscard]] base::Result<MonthQuestion> question(const format::AskedMonthFiles &month,
                                                       const std::stop_token &stop);
    [[nodiscard]] base::Result<void> count(const QueryEnd &end, ports::BillSink &sink);
    // Gets what a query left at the place that Athena names, which is returned.
    [[nodiscard]] base::Result<std::string> fetch(const QueryEnd &end, const std::string &id,
                                                  const std::filesystem::path &to, const std::stop_token &stop);
    struct Query; // one that was started
    struct Outcome; // what came of it
    [[nodiscard]] base::Result<Outcome> take(Query &query, const MonthQuestion &question,
                                             const format::AskedMonthFiles &month, const std::filesystem::path &to,
                                             ports::BillSink &sink, const std::stop_token &stop);
    [[nodiscard]] base::Result<void> rehearse(const MonthQuestion &question, ports::ProbeReport &report,
                                              const std::stop_token &stop);

    std::unique_ptr<AthenaRuns> m_runs;
    StoreOf m_storeOf;
    std::optional<AthenaTable> m_table;
    std::string m_missingRight; // of the last call
    ports::PaidCalls m_paid{0, base::Money(0, base::Currency::usd())};
    std::uint64_t m_scanned = 0;
};

} // namespace gpuledger::aws
