// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/showbackbench.h"

#include "app/base/time/clock.h"
#include "app/ingest/billsync.h"
#include "app/reports/documents/documents.h"
#include "app/services/billing/billingservice.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/focus/focussource.h"
#include "connectors/secrets/secretstore.h"
#include "tests/bench/data/benchbill.h"
#include "tests/bench/data/fleetcache.h"

#include <cstdio>
#include <cstdlib>

namespace gpuledger::bench {

namespace {

constexpr int kGpus = 1000, kDays = 62, kTeams = 100, kResources = 1500;
constexpr insight::Month kMonth{2024, 11};

template <typename T> T need(base::Result<T> result, const char *what)
{
    if (!result) {
        std::fprintf(stderr, "bench: %s: %s\n", what, result.error().text.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

model::Settings settings()
{
    model::Settings settings;
    model::OwnerRule byTag;
    byTag.kind = model::OwnerRule::Kind::CloudTag;
    byTag.key = "team";
    settings.owners.push_back(byTag);
    return settings;
}

// A cache with two months of facts and the month's bill in daily lines.
std::filesystem::path makeCache(const std::filesystem::path &root, const base::Clock &clock)
{
    FleetCache fleet = makeFleetCache(root, kGpus, kDays);
    const base::TimeRange month = kMonth.range();
    const std::filesystem::path file = root / "showback.csv";
    writeBill(file, {month.start, month.end, kResources, (month.end - month.start) / base::kDay, 86'400, kTeams});
    const base::SystemClock today; // a recently changed file is not imported, and this one was just written
    focus::FocusSource source("bill", file, today);
    ledger::LedgerWriter writer(*fleet.store, fleet.ledger->rollup());
    ingest::BillQueue queue(writer, 1, 1);
    if (const auto done = ingest::syncBills(source, queue, clock, {}, {}); done.error) {
        std::fprintf(stderr, "bench: importing a bill: %s\n", done.error->text.c_str());
        std::exit(1);
    }
    std::filesystem::remove(file);
    return fleet.folder;
}

struct Documents {
    double ms = 0;
    std::size_t bytes = 0;
};

// Like the export of all teams, without writing to disk.
Documents documentsOf(const reports::Statement &statement)
{
    Documents out;
    out.ms = millisecondsOf([&] {
        for (const reports::TeamStatement &team : statement.currencies.front().teams) {
            const reports::Statement one = reports::ofTeam(statement, team.team);
            out.bytes += reports::toCsv(one).size() + reports::toHtml(one).size()
                + need(reports::toXlsx(one), "a workbook").size();
        }
    });
    return out;
}

} // namespace

std::vector<Figure> showbackFigures(const std::filesystem::path &root)
{
    const base::FrozenClock clock(kMonth.range().end + 5 * base::kDay);
    const auto folder = makeCache(root, clock);
    const auto catalog = connectors::makeSourceCatalog();
    const auto secrets = connectors::makeSecretStore();
    const auto workspace =
        need(services::Workspace::open(settings(), {folder, "UTC", false}, *catalog, *secrets, clock), "open");
    insight::LedgerQuery facts;
    facts.range = kMonth.range();
    facts.by = {insight::LedgerDimension::Workload};
    need(workspace->spend().ledger(facts), "the ledger"); // owner rules are applied to what is stored, once
    const double reading = medianMilliseconds(3, [&] { need(workspace->spend().ledger(facts), "the ledger"); });
    reports::Statement statement;
    const double ms = medianMilliseconds(3, [&] {
        statement = need(workspace->billing().statement(kMonth, reports::CostView::Effective, {}), "the statement");
    });
    const Documents documents = documentsOf(statement);
    const std::string teams = std::to_string(statement.currencies.front().teams.size()) + " teams";
    const std::string reference = "one reading of the month's facts, by workload";
    return {{"Statement of " + teams + ", " + sizeText(kGpus, 30) + " and 45,000 lines of bill", ms, "ms", reference,
             reading, 2.0, "with the month before, workloads and how sure it is"},
            {"CSV, HTML and workbook of each of " + teams, documents.ms, "ms", reference, reading, 2.0,
             std::to_string(documents.bytes >> 10) + " KiB"}};
}

} // namespace gpuledger::bench
