// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"
#include "connectors/format/keptmonth.h"
#include "connectors/gcp/bigquery.h"
#include "connectors/gcp/budgets/googlebudgets.h"
#include "connectors/gcp/commitments/googlecommitments.h"

#include <memory>
#include <string>
#include <vector>

namespace gpuledger::gcp {

// The bill of a billing account from its export to BigQuery, day by day. A delivery is one invoice month. A month that
// is final is never asked for again, because each query costs money. Threads and errors: see ports::CostSource;
// import() also fails with the errors of BigQuery::run.
class BigQuerySource final : public ports::CostSource {
public:
    static constexpr int kMostMonths = 36; // before the current one
    static constexpr std::size_t kMostText = 512u << 20; // bytes of the rows of a month, which are in memory

    // `clock` tells which days are over. It, `realClock` and `secrets` must outlive the source.
    BigQuerySource(const model::SourceSettings &settings, BillSettings bill, ports::SecretStore &secrets,
                   const base::Clock &clock, const base::Clock &realClock, std::shared_ptr<http::HttpClient> client,
                   Tuning tuning = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Also fails with NotFound for a month that deliveries() does not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;
    std::optional<std::uint64_t> scanned() const override { return m_query.scanned(); }

private:
    // The rows of a month as they came, a text for each page: they are all there, and were all read once, before the
    // store is asked to begin.
    struct Answer {
        std::vector<std::string> pages;
        std::string content; // identifies the rows, in whatever order they came
        ports::BillTally tally;
    };
    std::vector<base::TimeRange> months() const; // ascending
    [[nodiscard]] base::Result<format::KeptMonth> kept(const base::TimeRange &month, ports::BillSink &sink) const;
    [[nodiscard]] base::Result<Answer> ask(const base::TimeRange &month, const std::stop_token &stop);
    [[nodiscard]] base::Result<void> store(const Answer &answer, const ports::ImportReport &report,
                                           ports::BillSink &sink, const std::stop_token &stop) const;
    [[nodiscard]] base::Result<void> pass(const std::string &page, const model::BillKey &key,
                                          const base::TimeRange &month, std::uint64_t &row,
                                          ports::BillSink &sink) const;

    std::string m_name;
    BillSettings m_bill;
    base::Seconds m_firstSync;
    const base::Clock &m_clock;
    BigQuery m_query;
    GoogleBudgets m_budgets; // for the connection test only
    GoogleCommitments m_commitments; // likewise
};

// For the catalogue. Fails with the errors of BillSettings::of.
[[nodiscard]] base::Result<std::unique_ptr<ports::CostSource>>
makeBigQuerySource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                   const base::Clock &realClock, std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::gcp
