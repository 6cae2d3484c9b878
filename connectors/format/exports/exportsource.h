// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"
#include "connectors/format/exports/exportlayout.h"
#include "connectors/format/exports/monthquery.h"
#include "connectors/format/exports/objectstore.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::format {

// The bill that a cloud exports to a bucket: FOCUS as CSV, plain or with gzip. A delivery is one month, as the newest
// manifest of that month names it. What was imported is kept in the sink (BillSink::keep), so that a month that did not
// change is listed, but not fetched. With a query, no file is fetched: the query gives the rows of the month. Threads
// and errors: see ports::CostSource; calls also fail with the errors of ObjectStore.
class ExportSource final : public ports::CostSource {
public:
    // A month that the cloud may still be writing is read after this time.
    static constexpr base::Seconds kWriting{900};
    // A connection test reads the rows of the newest month only up to this size.
    static constexpr std::uint64_t kMostProbed = 64u << 20;
    static constexpr std::size_t kMostProbedMonths = 2; // if the newest has no rows

    // `prefix`: from exportFolder(). `clock` must return the real time and outlive it. `query`: null to fetch files.
    ExportSource(std::string name, std::string prefix, const base::Clock &clock, std::unique_ptr<ObjectStore> store,
                 ExportLayout layout, std::unique_ptr<MonthQuery> query = {});

    const std::string &name() const override { return m_name; }
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(std::stop_token stop) override;
    std::vector<ports::WaitingBill> waiting() const override { return m_waiting; }
    [[nodiscard]] base::Result<ports::ProbeReport> probe(std::stop_token stop) override;
    // Also fails with NotFound for a month that the last deliveries() did not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           std::stop_token stop) override;
    std::optional<ports::PaidCalls> paid() const override;
    std::optional<std::uint64_t> scanned() const override;

private:
    struct Month {
        std::string period; // "2026-10"
        StoredObject manifest;
        std::vector<StoredObject> files; // ascending by key
        std::optional<base::Error> broken; // why it can't be read
        std::optional<base::UtcTime> waitsUntil; // the cloud may still be writing it

        std::uint64_t bytes() const;
        std::string identity(const std::string &kind) const; // changes with every change of a file
    };
    struct Copies; // of the files of a month

    // Ascending by period.
    [[nodiscard]] base::Result<std::vector<Month>> months(const std::stop_token &stop);
    [[nodiscard]] base::Result<std::map<std::string, StoredObject>> newestManifests(const std::stop_token &stop);
    [[nodiscard]] base::Result<Month> monthOf(const ManifestPlace &place, StoredObject manifest,
                                              const std::stop_token &stop);
    [[nodiscard]] base::Result<void> findFiles(Month &month, const std::vector<std::string> &keys,
                                               const std::stop_token &stop);
    ports::BillDelivery deliveryOf(const Month &month) const;
    [[nodiscard]] base::Result<void> probeMonth(const Month &month, const std::vector<Month> &all,
                                                ports::ProbeReport &report, const std::stop_token &stop);
    [[nodiscard]] base::Result<Copies> fetch(const Month &month, const std::stop_token &stop);
    // The report, if the ledger has the month as it is.
    [[nodiscard]] base::Result<std::optional<ports::ImportReport>> known(const Month &month,
                                                                         ports::BillSink &sink) const;
    AskedMonthFiles filesOf(const Month &month, const std::vector<Month> &all) const;
    std::string identityOf(const Month &month) const;
    [[nodiscard]] base::Result<ports::ImportReport> importQueried(const Month &month, ports::BillSink &sink,
                                                                  const std::stop_token &stop);
    // The report of the bill that was imported from copies, which can't change: an unfinished one is damaged.
    [[nodiscard]] base::Result<ports::ImportReport> importCopies(const Month &month, const Copies &copies,
                                                                 ports::BillSink &sink, std::stop_token stop);

    std::string m_name, m_prefix;
    const base::Clock &m_clock;
    std::unique_ptr<ObjectStore> m_store;
    ExportLayout m_layout;
    std::unique_ptr<MonthQuery> m_query; // null: files are fetched
    std::vector<Month> m_months; // of the last deliveries()
    std::vector<ports::WaitingBill> m_waiting;
    std::map<std::string, std::string> m_imported; // identity by period
};

// A prefix of the settings as the prefix of keys: empty, or with a slash at its end. std::nullopt: it is no folder.
std::optional<std::string> exportFolder(std::string prefix);

} // namespace gpuledger::format
