// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/services/workspace/workspace.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/randomhistory.h"

#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace gpuledger::tests {

inline constexpr char kCompanyZone[] = "Europe/Berlin";

inline model::Settings companyRules()
{
    model::Settings settings = pricedSettings();
    for (const auto kind : {model::OwnerRule::Kind::Label, model::OwnerRule::Kind::CloudTag}) {
        model::OwnerRule rule;
        rule.kind = kind;
        rule.key = "team";
        settings.owners.push_back(rule);
    }
    return settings;
}

template <typename List> const auto &oneOf(Random &random, const List &list)
{
    return list[static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(list.size())))];
}

inline model::BillLine randomLine(Random &random, const Scenario &fleet, const model::BillKey &key)
{
    model::BillLine line;
    line.billingAccountId = key.billingAccountId;
    line.billingPeriod = {key.periodStart, key.periodStart + 30 * base::kDay};
    const base::UtcTime start = fleet.at(pick(random, -86400, kHistoryDays * 86400));
    line.chargePeriod = oneIn(random, 3)
        ? base::TimeRange{base::floorTo(start, base::kDay), base::floorTo(start, base::kDay) + base::kDay}
        : base::TimeRange{start, start + base::Seconds{pick(random, 1, 5 * 86400)}};
    if (oneIn(random, 25))
        line.chargePeriod = {base::fromUnix(-50'000'000'000), base::fromUnix(90'000'000'000)}; // unexplained
    const auto currency = oneIn(random, 4) ? base::Currency::parse("EUR").value() : base::Currency::usd();
    line.billed = base::Money(pick(random, -2'000'000'000, 90'000'000'000'007), currency);
    line.effective = oneIn(random, 2) ? line.billed : base::Money(pick(random, 0, 9'000'000'001), currency);
    line.category = oneIn(random, 6) ? model::ChargeCategory::Credit : model::ChargeCategory::Usage;
    line.product.provider = "AWS";
    line.product.serviceCategory = oneIn(random, 3) ? "Storage" : "Compute";
    line.product.serviceName = "service";
    line.tags["team"] = oneIn(random, 2) ? "vision" : "ml";
    if (!oneIn(random, 3))
        line.resource.id = "arn:aws:ec2:us-east-1:1:instance/i-" + oneOf(random, fleet.batch.nodes).name;
    if (oneIn(random, 3))
        line.product.skuDetails["InstanceType"] = "p4d.24xlarge";
    line.consumedQuantity.unit = "Hours";
    if (!oneIn(random, 4))
        line.consumedQuantity.amount = base::Decimal::parse(std::to_string(pick(random, 0, 50))).value();
    return line;
}

// A cache with the facts and bills of a random fleet, and the services that query it. For tests with one thread.
class Company {
public:
    Company(std::uint64_t seed, Telling telling, const model::Settings &settings = companyRules())
        : random(seed)
        , fleet(randomFleet(random, telling))
        , ledger(ledger::Ledger::create(settings).value())
        , clock(fleet.at(kHistoryDays * 86400))
    {
        for (model::Node &node : fleet.batch.nodes) {
            node.cloud = oneIn(random, 4) ? "" : "aws";
            node.providerId = "aws:///us-east-1a/i-" + node.name;
        }
        folder = dir.path().toStdString();
        const auto store = store::LedgerStore::open(folder).value();
        for (const Piece &piece : randomPieces(fleet, random, telling)) {
            if (!ledger::LedgerWriter(*store, ledger->rollup()).commit(piece.source, piece.batch))
                qFatal("no facts");
        }
        for (int account = 0; account < 3; ++account)
            bill(*store, account);
        workspace =
            services::Workspace::open(settings, {folder, kCompanyZone, false, "alex"}, catalog, secrets, clock).value();
    }
    void bill(store::LedgerStore &store, int account)
    {
        ports::BillBatch batch;
        batch.key = {"bill", "account-" + std::to_string(account), fleet.at(-86400)};
        for (std::int64_t n = pick(random, 5, 40); n > 0; --n)
            batch.lines.push_back(randomLine(random, fleet, batch.key));
        for (std::size_t i = 0; i < batch.lines.size(); ++i)
            batch.lines[i].row = i + 2;
        const std::string hash = "bill-" + std::to_string(account);
        auto transaction = store.beginBills("bill", {{"/bills/" + hash + ".csv", hash, 1}}, clock.now()).value();
        if (!transaction->accept(batch) || !ledger::LedgerWriter(store, ledger->rollup()).commit(*transaction))
            qFatal("no bill");
    }
    base::TimeRange range()
    {
        const std::int64_t from = pick(random, -7200, (kHistoryDays - 1) * 86400);
        return {fleet.at(from), fleet.at(from + pick(random, 3600, 3 * 86400))};
    }
    insight::Month month() const { return insight::monthFromString(base::toRfc3339(fleet.at(0)).substr(0, 7)).value(); }

    Random random;
    Scenario fleet;
    std::unique_ptr<ledger::Ledger> ledger;
    base::FrozenClock clock;
    QTemporaryDir dir;
    std::filesystem::path folder;
    gpuledger::tests::FakeCatalog catalog;
    gpuledger::tests::NoSecrets secrets;
    std::unique_ptr<services::Workspace> workspace;
};

} // namespace gpuledger::tests
