// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/forecastbench.h"

#include "tests/bench/process.h"
#include "tests/support/calibration/forecastcalibration.h"
#include "tests/support/fleets/tracefleet.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

namespace gpuledger::bench {

namespace fs = std::filesystem;

using tests::CostSeries;
using tests::ForecastTrial;

namespace {

constexpr double kWithinGoal = 0.8, kMostPointsOff = 5; // 75 to 85 %
constexpr std::int64_t kDaySeconds = 86'400;
// Ends of the demo's year. Telemetry begins 92 days before: its costs change owners then, on another day of the month
// for each. One date alone says too little: which forecast wins depends on it.
constexpr const char *kDemoEnds[] = {"2026-06-08", "2026-07-13", "2026-08-19", "2026-09-24",
                                     "2026-10-30", "2026-11-27", "2027-02-04", "2027-04-09"};

using DailyCost = std::map<std::string, std::map<base::Day, double>>; // by team

// Each team, and all together. A day without any cost is unknown: nothing was fetched.
std::vector<CostSeries> seriesOf(const DailyCost &costs)
{
    std::map<base::Day, double> all;
    for (const auto &[team, days] : costs) {
        for (const auto &[day, cost] : days)
            all[day] += cost;
    }
    std::vector<CostSeries> out;
    if (all.empty())
        return out;
    const auto add = [&](const std::string &name, const std::map<base::Day, double> &days) {
        CostSeries series{name, all.begin()->first, {}};
        for (base::Day day = series.first; day <= all.rbegin()->first; ++day.number) {
            const auto cost = days.find(day);
            const bool isKnown = all.contains(day) && all.at(day) > 0;
            series.days.push_back(!isKnown ? alerts::kUnknownDay : cost == days.end() ? 0 : cost->second);
        }
        out.push_back(std::move(series));
    };
    for (const auto &[team, days] : costs)
        add(team, days);
    add("all", all);
    return out;
}

// `gpuledger-cli --demo ARGUMENTS…` with a home of its own.
std::string demoOutput(const fs::path &home, std::vector<std::string> arguments)
{
    std::vector<std::string> command{"env",
                                     "HOME=" + home.string(),
                                     "XDG_DATA_HOME=" + home.string(),
                                     "XDG_CONFIG_HOME=" + home.string(),
                                     "XDG_CACHE_HOME=" + home.string(),
                                     (fs::path(ownProgram()).parent_path() / "gpuledger-cli").string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Finished done = runProgram(command);
    return done.status == 0 ? done.output : std::string();
}

double decimalIn(const nlohmann::json &row, const char *key)
{
    const auto amount = row.find(key);
    return amount != row.end() && amount->is_object() ? std::strtod(amount->value("amount", "0").c_str(), nullptr) : 0;
}

DailyCost demoCosts(const fs::path &root, const std::string &end)
{
    const fs::path home = root / "forecast-home";
    fs::create_directories(home);
    const std::string now = end + "T14:00:00Z";
    demoOutput(home, {"--now", now, "demo", "--quiet"});
    const auto answer = nlohmann::json::parse(demoOutput(home,
                                                         {"--now", now, "--demo", "--from", "-365d", "ledger", "--by",
                                                          "team", "--per", "day", "--cost", "effective", "--json"}),
                                              nullptr, false);
    fs::remove_all(home);
    DailyCost out;
    if (!answer.is_object())
        return out;
    for (const auto &row : answer.value("rows", nlohmann::json::array())) {
        const auto day = base::parseTime(row.value("day", ""));
        if (!day || !row.contains("team"))
            continue;
        const std::string team = row["team"].is_string() ? row["team"].get<std::string>() : std::string();
        out[team][base::dayOf(*day)] += decimalIn(row, "effective") + decimalIn(row, "priced");
    }
    // The first and the last day are parts.
    for (auto &[team, days] : out) {
        if (days.size() > 2) {
            days.erase(days.begin());
            days.erase(std::prev(days.end()));
        }
    }
    return out;
}

// What its jobs held, at one rate for all GPUs: from the first whole day to the last.
DailyCost traceCosts(const fs::path &folder)
{
    constexpr std::size_t kTeam = 1, kGpus = 6, kStart = 8, kEnd = 9;
    constexpr std::int64_t kFirst = 1'588'550'400, kLast = 1'590'969'600; // 2020-05-04 to 2020-06-01
    std::ifstream file(folder / "jobs.csv");
    std::string line;
    std::getline(file, line); // titles
    DailyCost out;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::vector<std::string> cells;
        for (std::string cell; std::getline(words, cell, ',');)
            cells.push_back(cell);
        if (cells.size() <= kEnd)
            continue;
        const std::int64_t ended = std::strtoll(cells[kEnd].c_str(), nullptr, 10);
        const double gpus = std::strtod(cells[kGpus].c_str(), nullptr);
        std::int64_t from = std::max<std::int64_t>(std::strtoll(cells[kStart].c_str(), nullptr, 10), kFirst);
        const std::int64_t to = std::min(cells[kEnd].empty() ? kLast : ended, kLast);
        while (from < to) {
            const std::int64_t day = from / kDaySeconds, end = std::min(to, (day + 1) * kDaySeconds);
            out[cells[kTeam]][base::Day{static_cast<std::int32_t>(day)}] +=
                gpus * static_cast<double>(end - from) / 3600;
            from = end;
        }
    }
    return out;
}

void addForecastTrial(std::vector<Figure> &figures, const std::string &fleet, const ForecastTrial &trial)
{
    if (trial.trials == 0) {
        std::fprintf(stderr, "bench: the forecast of the %s is left out, because there are no whole months\n",
                     fleet.c_str());
        return;
    }
    std::fprintf(stderr, "forecast, %s: %s\n", fleet.c_str(), trial.text().c_str());
    const std::string name = "forecast, " + fleet, note = trial.text();
    const double ours = 100 * trial.meanOf(trial.ours);
    figures.push_back(
        {name + ": error", ours, "% of the month", "straight run rate", 100 * trial.meanOf(trial.runRate), 1.0, note});
    figures.push_back({name + ": error", ours, "% of the month", "seasonal naive",
                       100 * trial.meanOf(trial.seasonalNaive), 1.0, note});
    figures.push_back({name + ": truths within the 80 % interval, distance from 80 %",
                       100 * std::abs(trial.withinShare() - kWithinGoal), "points", "5 points: 75 to 85 %",
                       kMostPointsOff, 1.0, std::to_string(100 * trial.withinShare()) + " % within; " + note});
}

} // namespace

std::vector<Figure> forecastFigures(const fs::path &root)
{
    std::vector<Figure> figures;
    ForecastTrial demo;
    for (const char *end : kDemoEnds) {
        const auto company = seriesOf(demoCosts(root, end));
        if (company.empty())
            continue;
        // All of them begin and end on the same days.
        const ForecastTrial year = tests::rollCompany(company, tests::wholeMonths(company.front()));
        std::fprintf(stderr, "forecast, demo company until %s: %s\n", end, year.text().c_str());
        demo.add(year);
    }
    addForecastTrial(figures, "demo company", demo);
    const fs::path folder = tests::traceFolder();
    if (!fs::exists(folder / "jobs.csv")) {
        std::fprintf(stderr, "bench: the forecast of the trace is left out: there is no %s\n", folder.c_str());
        return figures;
    }
    const auto trace = seriesOf(traceCosts(folder));
    if (!trace.empty()) // four weeks, taken as a month
        addForecastTrial(figures, "development trace", tests::rollCompany(trace, {{0, trace.front().days.size()}}));
    return figures;
}

} // namespace gpuledger::bench
