// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/environment/demosettings.h"

#include "app/base/files/filereplace.h"
#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "app/services/environment/demoalerts.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/cachefile.h"

#include <algorithm>
#include <fstream>
#include <optional>

namespace gpuledger::services {

namespace fs = std::filesystem;

namespace {

constexpr int kDays = 92; // unless chosen otherwise
constexpr int kMostDays = 400;
constexpr const char *kPlatformName = "simulated-platform.json";
constexpr const char *kFileName = "demo-fleet.txt"; // a line "key=value" per choice
constexpr const char *kDemoCache = "ledger.db";
constexpr const char *kDaysKey = "days";
constexpr const char *kBegunKey = "begun"; // a day
// Long enough ago that a month of data and the month before, in which the bills are final, follow it.
constexpr int kBurstEnded = 35; // days before the fleet is filled, when machines were given back
constexpr const char *kClouds[] = {"azure", "coreweave", "lambda", "runpod", "vastai", "nebius"}; // allowed: accounts
constexpr std::string_view kListsNoMachines = "coreweave"; // allowed: as the real one
constexpr const char *kBilledMonths = "12"; // whole months of bills before the current one

// The company's own machines: made-up but plausible prices of one GPU with its share of the machine. Its desktop GPUs
// have no price at all.
struct OwnedPool {
    const char *pool, *price, *residual, *powerW;
};
constexpr OwnedPool kOwnedPools[] = {{"onprem-v100", "14750", "750", "400"},
                                     {"onprem-a100", "21500", "2100", "650"},
                                     {"onprem-amd", "28900", "2900", "1000"}};

std::vector<model::OwnedMachine> ownedMachines()
{
    std::vector<model::OwnedMachine> machines;
    for (const OwnedPool &pool : kOwnedPools) {
        model::OwnedMachine &machine = machines.emplace_back();
        machine.nodeLabels["pool"] = pool.pool;
        machine.price = pool.price;
        machine.residual = pool.residual;
        machine.powerW = pool.powerW;
        machine.pue = "1.3";
        machine.usdPerKwh = "0.12";
        machine.operationPerYear = "1125";
    }
    return machines;
}

// True if something was fetched into it: what a killed command, or one that ran out of space, began and left empty does
// not hold a fleet that another one could contradict.
bool holdsFleet(const fs::path &dataFolder)
{
    std::error_code ec;
    if (!fs::exists(dataFolder / kDemoCache, ec))
        return false;
    auto cache = store::LedgerStore::open(dataFolder, {true});
    if (!cache) // damaged, newer, or interrupted right at the start
        return fs::file_size(dataFolder / kDemoCache, ec) > 0;
    const auto states = (*cache)->syncStates();
    auto facts = (*cache)->facts();
    if (!states || !facts)
        return false; // it was created, but nothing more
    const auto covered = (*facts)->coveredRange();
    return !states->empty() || !covered || !covered->empty();
}

// std::nullopt if no choice was stored.
std::optional<DemoOptions> keptOptions(const fs::path &dataFolder)
{
    std::ifstream file(dataFolder / kFileName);
    DemoOptions options;
    if (!file) {
        if (!holdsFleet(dataFolder))
            return std::nullopt;
        file.open(dataFolder / kFileName); // written by another command that started meanwhile
    }
    if (!file) // a window fills a cache without storing a choice
        return options;
    for (std::string line; std::getline(file, line);) {
        const std::size_t sign = line.find('=');
        if (sign != std::string::npos)
            options[line.substr(0, sign)] = line.substr(sign + 1);
    }
    return options;
}

std::optional<base::UtcTime> dayIn(const std::string &text)
{
    const auto time = base::parseTime(text);
    return time ? std::optional(base::floorTo(*time, base::kDay)) : std::nullopt;
}

std::string dayOnly(base::UtcTime day)
{
    return base::toRfc3339(day).substr(0, 10);
}

base::Seconds lengthOf(const DemoOptions &options)
{
    const auto chosen = options.find(kDaysKey);
    const auto days = chosen == options.end() ? std::nullopt : base::parseInt(chosen->second);
    return std::clamp<std::int64_t>(days.value_or(kDays), 1, kMostDays) * base::kDay;
}

DemoOptions withoutBegun(DemoOptions options)
{
    options.erase(kBegunKey);
    return options;
}

void addPast(model::SourceSettings &source, const DemoOptions &options)
{
    if (!hasDemoPast(options))
        return;
    source.options["held-whole"] = "1"; // machines that a stop sets free
    source.options["clouds"] = "1";
    const auto begun = options.find(kBegunKey);
    const auto day = begun == options.end() ? std::nullopt : dayIn(begun->second);
    if (day)
        source.options["burst-until"] = dayOnly(*day - kBurstEnded * base::kDay);
}

// One source for each of the company's smaller accounts, with the options of the bill.
void addClouds(model::SourceSettings source, model::Settings &settings)
{
    source.kind = "demo-cloud";
    for (const char *cloud : kClouds) {
        source.name = std::string("demo-") + cloud;
        source.options["cloud"] = cloud;
        source.options["machines"] = cloud == kListsNoMachines ? "none" : "all";
        settings.sources.push_back(source);
    }
}

} // namespace

bool hasDemoPast(const DemoOptions &options)
{
    return !options.contains(kDaysKey);
}

model::Settings demoSettings(const DemoOptions &options, const fs::path &dataFolder)
{
    model::Settings settings;
    settings.idle.measureGrace();
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.mayStop = true; // nothing real
    if (!dataFolder.empty())
        source.path = (dataFolder / kPlatformName).string();
    source.firstSync = lengthOf(options);
    const DemoOptions chosen = withoutBegun(options);
    source.options = {chosen.begin(), chosen.end()};
    addPast(source, options);
    settings.actions.permitsIrreversible = true; // nothing real is lost, and users can try out the typed confirmation
    settings.actions.stopsMarked = true; // marks set there stop nothing real
    settings.sources.push_back(source);
    source.name = source.kind = "demo-bill";
    source.mayStop = false;
    source.path.clear();
    if (hasDemoPast(options))
        source.options["months"] = kBilledMonths;
    source.auth.region = "us-east-1"; // of its machines at AWS
    settings.sources.push_back(source);
    source.auth.region.clear();
    if (hasDemoPast(options))
        addClouds(source, settings);
    source.name = source.kind = "demo-plans";
    source.options.clear();
    settings.sources.push_back(source);
    source.name = source.kind = "demo-claims";
    settings.sources.push_back(std::move(source));
    settings.prices.owned = ownedMachines();
    for (const auto kind : {model::OwnerRule::Kind::Label, model::OwnerRule::Kind::NamespaceLabel}) {
        model::OwnerRule rule;
        rule.kind = kind;
        rule.key = "team";
        settings.owners.push_back(rule);
    }
    model::OwnerRule tag; // for what only the bill names
    tag.kind = model::OwnerRule::Kind::CloudTag;
    tag.key = "team";
    settings.owners.push_back(tag);
    model::OwnerRule rest;
    rest.kind = model::OwnerRule::Kind::Default;
    rest.team = "unowned";
    settings.owners.push_back(rest);
    if (hasDemoPast(options))
        addDemoAlerts(settings);
    if (hasDemoPast(options) && !options.contains("gpus"))
        addDemoBudgets(settings);
    return settings;
}

DemoOptions keptDemoOptions(const fs::path &dataFolder)
{
    return keptOptions(dataFolder).value_or(DemoOptions{});
}

model::Settings keptDemoSettings(const fs::path &dataFolder)
{
    return demoSettings(keptDemoOptions(dataFolder), dataFolder);
}

DemoOptions begunAt(base::UtcTime now, DemoOptions options, const fs::path &dataFolder)
{
    if (hasDemoPast(options) && !holdsFleet(dataFolder))
        options[kBegunKey] = dayOnly(base::floorTo(now, base::kDay));
    return options;
}

base::Result<void> beginDemo(base::UtcTime now, const fs::path &dataFolder)
{
    if (keptOptions(dataFolder))
        return {};
    return keepDemoOptions(dataFolder, begunAt(now, {}, dataFolder));
}

base::Result<DemoOptions> chooseDemo(const fs::path &dataFolder, const DemoOptions &options)
{
    const auto kept = keptOptions(dataFolder);
    if (kept && (options.empty() || options == withoutBegun(*kept)))
        return *kept;
    if (!kept || !holdsFleet(dataFolder))
        return options;
    return base::fail(base::ErrorCode::InvalidArgument, "this folder contains another demo fleet",
                      base::Remedy::UseOtherDataFolder);
}

base::Result<void> keepDemoOptions(const fs::path &dataFolder, const DemoOptions &options)
{
    std::string text;
    for (const auto &[key, value] : options)
        text.append(key).append("=").append(value).append("\n");
    GPULEDGER_TRY(store::createPrivateFolder(dataFolder));
    return base::replaceFile(dataFolder / kFileName, text);
}

} // namespace gpuledger::services
