// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/session.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "app/base/time/timezone.h"
#include "app/insight/query/values.h"
#include "app/ports/sourcecatalog.h"
#include "app/services/config/config.h"
#include "app/services/environment/demosettings.h"
#include "app/services/environment/folders.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/reports/reportkey.h"
#include "ui/cli/program/command.h"
#include "ui/cli/program/reportline.h"
#include "ui/format/phrases/damagephrase.h"

#include <algorithm>

namespace gpuledger::cli {

using base::ErrorCode;
using base::Result;

namespace {

constexpr base::Seconds kDefaultRange = 30 * base::kDay;

} // namespace

Session::Session(const GlobalOptions &options, const Ports &ports, std::stop_token stop)
    : m_options(options)
    , m_ports(ports)
    , m_stop(std::move(stop))
    , m_out(options)
    , m_clock(std::make_unique<base::SystemClock>())
{
}

Result<void> Session::begin()
{
    if (m_options.json && m_options.csv)
        return base::fail(ErrorCode::InvalidArgument, "--json and --csv can't go together", base::Remedy::KeepOne);
    if (!m_options.now.empty()) {
        const auto now = base::parseTime(m_options.now);
        if (!now)
            return base::fail(ErrorCode::InvalidArgument,
                              "--now can't be \"" + base::printable(m_options.now, 64) + '"',
                              "give a time such as 2026-11-01T00:00:00Z");
        m_clock = std::make_unique<base::FrozenClock>(*now);
    }
    base::log::Options log;
    log.file = services::defaultLogFile();
    log.level = m_options.verbose ? base::log::Level::Debug : base::log::Level::Info;
    log.toStderr = m_options.verbose;
    base::log::init(log);
    return m_options.report.empty() ? Result<void>() : openReport();
}

Result<void> Session::openReport()
{
    if (m_options.demo)
        return base::fail(ErrorCode::InvalidArgument, "--report can't go with --demo",
                          "a report brings its own data and settings");
    auto opened = services::OpenedReport::open(m_options.report);
    GPULEDGER_TRY(opened);
    m_report = std::move(*opened);
    if (m_options.now.empty())
        m_clock = std::make_unique<base::FrozenClock>(m_report->header().made);
    m_out.note(describeReport(m_report->header(), services::signerOf(m_report->header().fingerprint(), dataFolder())));
    return {};
}

std::filesystem::path Session::configFile() const
{
    return m_options.config.empty() ? services::defaultConfigFile() : std::filesystem::path(m_options.config);
}

std::filesystem::path Session::dataFolder() const
{
    if (!m_options.data.empty())
        return m_options.data;
    return m_options.demo ? services::demoDataFolder() : services::defaultDataFolder();
}

Result<model::Settings> Session::settings() const
{
    if (m_options.demo)
        return services::keptDemoSettings(dataFolder());
    auto settings = services::readConfigFile(configFile(), m_ports.catalog.kinds());
    if (!settings && settings.error().code == ErrorCode::NotFound) {
        base::Error error = settings.error();
        error.code = ErrorCode::InvalidConfig; // to a command line user, a file is part of the configuration
        return base::fail(std::move(error));
    }
    return settings;
}

Result<services::Workspace *> Session::workspace(bool mayRead)
{
    if (m_workspace)
        return m_workspace.get();
    if (m_report)
        return workspace(m_report->settings(), true);
    auto wanted = settings();
    GPULEDGER_TRY(wanted);
    return workspace(std::move(*wanted), mayRead);
}

Result<services::Workspace *> Session::workspace(model::Settings settings, bool mayRead)
{
    services::WorkspaceOptions options;
    if (m_report)
        options = m_report->options();
    else
        options.dataFolder = dataFolder();
    options.timeZone = m_options.tz;
    options.targets = m_ports.targets;
    auto opened = services::Workspace::open(settings, options, m_ports.catalog, m_ports.secrets, *m_clock);
    if (!opened && mayRead && opened.error().code == ErrorCode::StorageReadOnly) {
        options.readOnly = true;
        opened = services::Workspace::open(std::move(settings), options, m_ports.catalog, m_ports.secrets, *m_clock);
    }
    GPULEDGER_TRY(opened);
    m_workspace = std::move(*opened);
    for (const std::string &note : m_workspace->notes())
        m_out.note("note: " + note);
    tellOfDamage();
    return m_workspace.get();
}

// Shown with every answer, even with --quiet, until it is confirmed.
void Session::tellOfDamage()
{
    Json all = Json::array();
    for (const store::SetAside &damage : m_workspace->damage()) {
        const std::string text = ui::textOf(damage).english();
        m_out.notice("attention: " + text + " Confirm that you know with: gpuledger-cli verify --confirm-loss\n");
        Json one{{"file", damage.name}, {"text", text}, {"closed_months", nullptr}};
        if (damage.held)
            one["closed_months"] = damage.held->closedMonths;
        all.push_back(std::move(one));
    }
    m_out.setDamage(all.empty() ? Json() : std::move(all));
}

Result<base::UtcTime> Session::instant(const std::string &text, const base::TimeZone &zone, const std::string &option,
                                       base::UtcTime end) const
{
    if (text == "now")
        return m_clock->now();
    if (text.starts_with('-')) {
        if (const auto ago = base::parseDuration(text.substr(1)))
            return end - *ago;
    } else if (const auto t = base::parseTime(text)) {
        // A bare date means midnight in the user's time zone.
        return text.size() == 10 ? zone.startOfLocalDay(base::dayOf(*t).number) : *t;
    }
    return base::fail(ErrorCode::InvalidArgument, option + " can't be \"" + base::printable(text, 64) + '"',
                      "give a time such as 2026-11-01T08:00:00Z, 2026-11-01 or -30d");
}

Result<base::UtcTime> Session::past(const std::string &text, const base::TimeZone &zone,
                                    const std::string &option) const
{
    auto at = instant(text, zone, option, m_clock->now());
    if (at && *at > m_clock->now())
        return base::fail(ErrorCode::InvalidArgument, option + " is in the future: " + base::toRfc3339(*at),
                          "nothing is known after " + base::toRfc3339(m_clock->now()));
    return at;
}

Result<void> Session::checkFilter(services::Workspace &workspace) const
{
    for (const auto &[dimension, wanted] : filter().include) {
        const auto values = workspace.fleet().values(dimension);
        GPULEDGER_TRY(values);
        if (values->empty()) // nothing was fetched yet: the answer says so
            continue;
        const std::string name = insight::toString(dimension);
        std::vector<std::string> unknown;
        for (const std::string &one : wanted) {
            const bool isKnown = std::any_of(values->begin(), values->end(),
                                             [&](const insight::DimensionValue &value) { return value.value == one; });
            if (!isKnown)
                unknown.push_back("--" + name + " \"" + base::printable(one, 64)
                                  + "\" has no GPU time in what was fetched");
        }
        if (!unknown.empty() && unknown.size() == wanted.size())
            return base::fail(ErrorCode::NotFound, unknown.front(),
                              "see what there is with: gpuledger-cli summary --by " + name);
        for (const std::string &one : unknown)
            m_out.note("note: " + one);
    }
    return {};
}

Result<insight::Month> Session::month(const std::string &text) const
{
    return text.empty() && m_report ? Result<insight::Month>(m_report->header().month) : monthOf(text, m_clock->now());
}

Result<base::TimeRange> Session::range(const base::TimeZone &zone) const
{
    base::TimeRange range{m_clock->now() - kDefaultRange, m_clock->now()};
    if (m_report) {
        range = m_report->header().month.range();
        range.end = std::min(range.end, m_report->header().made);
    }
    if (!m_options.to.empty()) {
        const auto to = instant(m_options.to, zone, "--to", m_clock->now());
        GPULEDGER_TRY(to);
        range = {*to - kDefaultRange, *to};
    }
    if (!m_options.from.empty()) {
        const auto from = instant(m_options.from, zone, "--from", range.end);
        GPULEDGER_TRY(from);
        range.start = *from;
    }
    if (range.start >= m_clock->now())
        return base::fail(ErrorCode::InvalidArgument, "--from is in the future: " + base::toRfc3339(range.start),
                          "nothing is known after " + base::toRfc3339(m_clock->now()));
    if (range.empty())
        return base::fail(ErrorCode::InvalidArgument, "--from is not before --to", "the end itself is not included");
    return range;
}

insight::Filter Session::filter() const
{
    using insight::Dimension;
    insight::Filter filter;
    const auto add = [&](const Dimension &dimension, const std::vector<std::string> &values) {
        if (!values.empty())
            filter.include[dimension] = values;
    };
    add(Dimension::Team, m_options.teams);
    add(Dimension::Cluster, m_options.clusters);
    add(Dimension::Cloud, m_options.clouds);
    add(Dimension::GpuModel, m_options.gpuModels);
    add(Dimension::WorkloadKind, m_options.workloadTypes);
    add(Dimension::Environment, m_options.environments);
    add(Dimension::NodePool, m_options.nodePools);
    return filter;
}

} // namespace gpuledger::cli
