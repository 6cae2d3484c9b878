// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/model/settings.h"
#include "app/ports/costsource.h"
#include "connectors/format/keptmonth.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::format {

// A service whose bill is asked for month by month, and which does not say what is final.
struct BilledService {
    std::string kind; // of the source: "runpod"
    std::string product; // "RunPod"
    std::string identity; // of the settings that decide what is answered
    base::Seconds refresh{}; // months that are not final are asked for at most this often
    bool isEstimated = false; // by us: no month is ever final
};

// A month to ask for.
struct AskedMonth {
    base::TimeRange month;
    base::TimeRange days; // of it that are over, at least one
    std::string account; // stands for the account, which the service does not name
};

// What there is to say about the lines of `days`: that they may still change, and days with adjustments of a hundredth
// or more, which are differences that `product` did not itemise.
std::vector<ports::BillFinding> billFindings(const std::vector<model::BillLine> &lines, const base::TimeRange &days,
                                             bool isFinal, const std::string &product);

// A finding about a right of the account, for a ProbeReport.
ports::Finding rightFinding(bool isGiven, const char *right);

// The deliveries of such a service: each is one month. A month is asked for again until it was asked after the end of
// the month that follows, and stored again only if its lines changed; today is never asked for. One thread.
class MonthlyBill {
public:
    static constexpr int kMostMonths = 36; // before the current one
    // The lines of a month, in any order.
    using Ask = std::function<base::Result<std::vector<model::BillLine>>(const AskedMonth &month)>;

    // `clock` tells which days are over, and must outlive it.
    MonthlyBill(const model::SourceSettings &settings, BilledService service, const base::Clock &clock);

    const std::string &name() const { return m_name; } // of the source
    // Ascending. Fails with Cancelled.
    [[nodiscard]] base::Result<std::vector<ports::BillDelivery>> deliveries(const std::stop_token &stop) const;
    // As ports::CostSource::import(). Fails with the errors of `ask` and of the sink, with Overflow, Cancelled, and
    // NotFound for a month that deliveries() does not list.
    [[nodiscard]] base::Result<ports::ImportReport> import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                                           const std::stop_token &stop, const Ask &ask) const;

private:
    std::vector<base::TimeRange> months() const; // ascending
    std::string fileOf(const base::TimeRange &month) const;
    std::string keyOf(const base::TimeRange &month) const; // under which it is kept
    [[nodiscard]] base::Result<KeptMonth> kept(const base::TimeRange &month, ports::BillSink &sink) const;

    std::string m_name;
    BilledService m_service;
    base::Seconds m_firstSync;
    const base::Clock &m_clock;
};

} // namespace gpuledger::format
