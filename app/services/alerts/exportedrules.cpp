// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/exportedrules.h"

#include "app/ledger/rules/ownerrules.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/engine/engine.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace gpuledger::services {

using alerts::ModelPrice;
using alerts::RulesToExport;
using alerts::ScrapedSource;
using base::Result;
using model::SourceSettings;

namespace {

// The mean rate of the devices of each model, on the last day of the data and the one before it.
Result<std::vector<ModelPrice>> pricesOf(View &view)
{
    std::vector<ModelPrice> out;
    const auto covered = view.facts->coveredRange();
    GPULEDGER_TRY(covered);
    if (covered->empty())
        return out;
    const base::Day last = base::dayOf(covered->end - base::Seconds{1});
    struct Rates {
        std::int64_t sum = 0, count = 0;
    };
    std::map<std::pair<std::string, std::string>, Rates> rates;
    GPULEDGER_TRY(view.attribution->walk(
        base::Day{last.number - 1}, last, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
            if (!device.priced)
                return {};
            Rates &one = rates[{device.device->cluster, device.device->model}];
            if (__builtin_add_overflow(one.sum, device.rate.perHour().nanos(), &one.sum))
                return base::fail(base::ErrorCode::Overflow, "the prices of the GPUs do not fit into 64 bits");
            ++one.count;
            return {};
        }));
    for (const auto &[key, one] : rates)
        out.push_back({key.first, key.second, one.sum / one.count});
    return out;
}

std::vector<ModelPrice> pricesFor(const ScrapedSource &source, const std::vector<ModelPrice> &all)
{
    std::vector<ModelPrice> out;
    const std::string &fixed = source.cluster.empty() ? source.name : source.cluster;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out),
                 [&](const ModelPrice &price) { return !source.clusterLabel.empty() || price.cluster == fixed; });
    return out;
}

// A name for files that no other source has.
std::string fileStem(const std::string &source, std::set<std::string> &taken)
{
    std::string stem;
    for (const char c : source) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        stem += isPlain ? c : '_';
    }
    std::string out = stem;
    for (int i = 2; !taken.insert(out).second; ++i)
        out = stem + '_' + std::to_string(i);
    return out;
}

} // namespace

Result<std::vector<SourceRules>> AlertService::exportedRules()
{
    const Setup &setup = m_engine.setup();
    RulesToExport question;
    auto rulesOfSetup = rules();
    GPULEDGER_TRY(rulesOfSetup);
    question.rules = std::move(*rulesOfSetup);
    question.currency = setup.settings.currency;
    question.threshold = setup.settings.idle.threshold;
    question.at = m_engine.clock().now();
    const auto owners = ledger::OwnerRules::create(setup.settings.owners);
    GPULEDGER_TRY(owners);
    question.owners = owners->rules();
    model::Holder pod;
    pod.nameSpace = alerts::kTestNamespace;
    question.testTeam = owners->ownerOf(pod, nullptr, question.at).team;
    auto view = viewOf(m_engine.cache(), *setup.ledger);
    GPULEDGER_TRY(view);
    const auto prices = pricesOf(*view);
    GPULEDGER_TRY(prices);
    const auto &sources = setup.settings.sources;
    const auto telling = std::count_if(sources.begin(), sources.end(), [&](const SourceSettings &one) {
        return one.mayRead && m_engine.kindOf(one).tellsTelemetry();
    });
    std::vector<SourceRules> out;
    std::set<std::string> taken;
    for (const SourceSettings &source : sources) {
        if (!source.mayRead || !m_engine.kindOf(source).has(ports::Capability::Expressions))
            continue;
        question.source = {source.name, source.cluster, source.clusterLabel, telling == 1};
        question.prices = pricesFor(question.source, *prices);
        const std::string stem = fileStem(source.name, taken);
        question.file = stem + ".rules.yml";
        out.push_back({source.name, question.file, stem + ".rules_test.yml", alerts::exportedRules(question)});
    }
    if (out.empty())
        return base::fail(base::ErrorCode::NotFound, "no source of the configuration is a Prometheus",
                          "alerts were to be exported as its rules: " + std::to_string(question.rules.size()));
    return out;
}

} // namespace gpuledger::services
