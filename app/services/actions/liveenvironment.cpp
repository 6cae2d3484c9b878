// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/actions/liveenvironment.h"

#include "app/base/remedy.h"
#include "app/services/sources/namedinventory.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>

namespace gpuledger::services {

using actions::Liveness;
using actions::Platform;
using base::ErrorCode;
using base::Result;
using model::SourceSettings;

namespace {

// Escapes a label value for use inside double quotes in PromQL.
std::string quoted(const std::string &text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\\' || c == '"')
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + '"';
}

std::string clusterOf(const SourceSettings &source)
{
    return source.cluster.empty() ? source.name : source.cluster;
}

void addTo(std::string &text, const std::string &part)
{
    text += std::to_string(part.size()) + ':' + part;
}

// Which secret, not its value.
void addTo(std::string &text, const model::SecretRef &reference)
{
    addTo(text, std::to_string(static_cast<int>(reference.kind)));
    addTo(text, reference.value);
    addTo(text, std::to_string(reference.command.size()));
    for (const std::string &part : reference.command)
        addTo(text, part);
}

// Settings that reach the same platform in the same way yield the same text. Another key is another account.
std::string textOf(const SourceSettings &source)
{
    std::string text;
    for (const std::string *part :
         {&source.kind, &source.url, &source.path, &source.cluster, &source.auth.user, &source.auth.profile,
          &source.auth.region, &source.auth.header, &source.auth.certificate, &source.caFile})
        addTo(text, *part);
    addTo(text, std::to_string(static_cast<int>(source.auth.kind)));
    for (const model::SecretRef *reference : {&source.auth.password, &source.auth.token, &source.auth.key})
        addTo(text, *reference);
    for (const auto *map : {&source.headers, &source.options}) {
        addTo(text, std::to_string(map->size()));
        for (const auto &[key, value] : *map) {
            addTo(text, key);
            addTo(text, value);
        }
    }
    return text;
}

} // namespace

LiveEnvironment::LiveEnvironment(FleetQuestions &fleet, const ports::SourceCatalog &catalog,
                                 ports::SecretStore &secrets, std::string actor)
    : m_fleet(fleet)
    , m_catalog(catalog)
    , m_secrets(secrets)
    , m_actor(std::move(actor))
    , m_kinds(catalog.kinds())
    , m_waiting(fleet, catalog, secrets)
{
}
LiveEnvironment::~LiveEnvironment() = default;

const base::Clock &LiveEnvironment::clock() const
{
    return m_fleet.clock();
}

bool LiveEnvironment::isSetClock() const
{
    const base::Seconds off = base::SystemClock().now() - clock().now();
    return off > std::chrono::minutes(1) || off < -std::chrono::minutes(1);
}

std::chrono::steady_clock::time_point LiveEnvironment::steady() const
{
    return isSetClock() ? std::chrono::steady_clock::time_point() : std::chrono::steady_clock::now();
}

const model::Settings &LiveEnvironment::settings() const
{
    return m_fleet.settings();
}

bool LiveEnvironment::wait(std::chrono::milliseconds time, std::stop_token stop) const
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

const ports::SourceKind *LiveEnvironment::kindOf(const SourceSettings &source) const
{
    return ports::findKind(m_kinds, source.kind);
}

std::string LiveEnvironment::kindsThatStop(bool machines) const
{
    std::string all;
    for (const ports::SourceKind &kind : m_kinds) {
        if (kind.stops() && !kind.tellsTelemetry() && kind.has(ports::Capability::MachinesOnly) == machines)
            all += (all.empty() ? "" : " or ") + kind.kind;
    }
    return all;
}

bool LiveEnvironment::tellsTelemetry(const SourceSettings &source) const
{
    const ports::SourceKind *kind = kindOf(source);
    return kind && source.mayRead && kind->tellsTelemetry();
}

Result<insight::IdleList> LiveEnvironment::idleNow(std::stop_token stop)
{
    // An unreachable source shows up when the current samples of the holders that it knows are read.
    for (const SourceSettings &source : settings().sources) {
        if (tellsTelemetry(source))
            (void)m_fleet.syncNow(source.name, stop);
    }
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "cancelled");
    const auto covered = m_fleet.coveredRange();
    GPULEDGER_TRY(covered);
    // Later activity shows up in the current samples. The list ends where the data end, but has to be valid for now.
    auto reach = m_fleet.reach({clock().now(), clock().now()});
    GPULEDGER_TRY(reach);
    auto list = m_fleet.idle(covered->empty() ? clock().now() : std::min(clock().now(), covered->end), {},
                             model::CostView::Effective);
    GPULEDGER_TRY(list);
    list->reach = std::move(*reach);
    return list;
}

// Whether the source may report workloads of these clusters.
bool LiveEnvironment::mayKnow(const SourceSettings &source, const std::vector<insight::IdleItem> &items) const
{
    const ports::SourceKind *kind = kindOf(source);
    // A server reports one cluster unless a label names several; a source without a URL may be a whole fleet.
    const bool isOfOne =
        !source.cluster.empty() || (source.clusterLabel.empty() && kind && kind->needs(ports::SourceField::Type::Url));
    return !isOfOne || std::any_of(items.begin(), items.end(), [&](const insight::IdleItem &item) {
        return item.cluster == clusterOf(source);
    });
}

// The machines of a list are in a cluster named like its source; the cloud may measure what they do.
bool LiveEnvironment::listsOneOf(const SourceSettings &source, const std::vector<insight::IdleItem> &items) const
{
    const ports::SourceKind *kind = kindOf(source);
    return kind && source.mayRead && kind->tellsInventory()
        && std::any_of(items.begin(), items.end(), [&](const insight::IdleItem &item) {
               return item.kind == model::SubjectKind::Machine && item.cluster == source.name;
           });
}

Result<Liveness> LiveEnvironment::liveness(const std::vector<insight::IdleItem> &items,
                                           const actions::LiveQuestion &question, std::stop_token stop)
{
    const double threshold = settings().idle.threshold;
    const ports::ActivityQuestion asked{question.since, isSetClock() ? std::optional(clock().now()) : std::nullopt,
                                        threshold};
    Liveness live;
    std::vector<std::shared_ptr<const LiveSamples::Answer>> answers;
    const auto ask = [&](const SourceSettings &source, const LiveSamples::Make &make) -> Result<void> {
        auto answer = m_samples.newest(source.name, make, asked, question.notBefore, stop);
        if (!answer)
            return base::fail(std::move(answer).error().withSource(source.name)); // it may know more
        live.askedAt = std::min(live.askedAt.value_or((*answer)->askedAt), (*answer)->askedAt);
        answers.push_back(std::move(*answer));
        return {};
    };
    for (const SourceSettings &source : settings().sources) {
        if (tellsTelemetry(source) && mayKnow(source, items)) {
            GPULEDGER_TRY(
                ask(source, [&] { return m_catalog.create(source, settings().exporters, m_secrets, clock()); }));
        } else if (listsOneOf(source, items)) {
            auto activity = machineActivity(m_catalog, m_secrets, clock(), source);
            GPULEDGER_TRY(activity);
            if (*activity)
                GPULEDGER_TRY(ask(source, [&] { return std::move(activity); }));
        }
    }
    std::vector<const ports::ActivityAnswer *> all;
    for (const auto &answer : answers)
        all.push_back(&answer->activity);
    for (const insight::IdleItem &item : items)
        live.holders.emplace(item.id, livenessOf(item, all, threshold, live.newest));
    return live;
}

std::optional<double> LiveEnvironment::writesOf(const insight::IdleItem &item, std::stop_token stop)
{
    const std::string name = m_fleet.expressionSource(item.cluster);
    const auto &sources = settings().sources;
    const auto source =
        std::find_if(sources.begin(), sources.end(), [&](const SourceSettings &one) { return one.name == name; });
    if (name.empty() || source == sources.end())
        return std::nullopt;
    const auto connector = m_catalog.create(*source, settings().exporters, m_secrets, clock());
    if (!connector)
        return std::nullopt;
    const std::string of = "{namespace=" + quoted(item.nameSpace) + ",pod=" + quoted(item.name) + "}[2m]))";
    std::optional<double> most;
    for (const char *metric : {"container_fs_writes_bytes_total", "container_network_transmit_bytes_total"}) {
        ports::SeriesQuestion question;
        question.expression = "sum(rate(" + std::string(metric) + of;
        question.first = question.last = base::floorTo(clock().now(), question.step);
        const auto answer = (*connector)->series(question, stop);
        if (!answer)
            continue;
        for (const auto &series : answer->series) {
            for (const double value : series.values) {
                if (!std::isnan(value))
                    most = std::max(most.value_or(0), value);
            }
        }
    }
    return most;
}

Result<std::map<std::string, double>> LiveEnvironment::heldGpus()
{
    const auto covered = m_fleet.coveredRange();
    GPULEDGER_TRY(covered);
    // The time since the last sync would count as if nothing had been held in it.
    const base::UtcTime known = covered->empty() ? clock().now() : std::min(clock().now(), covered->end);
    const base::UtcTime end = base::floorTo(known, base::kCell);
    const base::TimeRange range{end - std::chrono::hours(1), end};
    const auto summary = m_fleet.summary({range, {}}, insight::Dimension::Team);
    GPULEDGER_TRY(summary);
    std::map<std::string, double> held;
    const double hour = static_cast<double>(base::GpuTime::kTicksPerSecond) * 3600;
    for (const insight::SummaryRow &row : summary->rows)
        held[row.key] = static_cast<double>(row.time.held().ticks) / hour;
    return held;
}

Result<Platform> LiveEnvironment::platformNamed(const std::string &name)
{
    const auto &sources = settings().sources;
    const auto source =
        std::find_if(sources.begin(), sources.end(), [&](const SourceSettings &one) { return one.name == name; });
    if (source == sources.end())
        return base::fail(ErrorCode::Unsupported, "source \"" + name + "\" is no longer in the configuration",
                          base::Remedy::AddSourceToBringBack);
    const std::lock_guard lock(m_mutex);
    const std::string text = textOf(*source);
    ports::ActionTarget *target = nullptr;
    for (auto [it, end] = m_targets.equal_range(name); it != end; ++it) {
        if (it->second.settings == text)
            target = it->second.target.get();
    }
    if (!target) {
        auto made = m_catalog.createTarget(*source, m_secrets, clock());
        if (!made)
            return base::fail(std::move(made).error().withSource(name));
        target = m_targets.emplace(name, Made{text, std::move(*made)})->second.target.get();
    }
    if (isSetClock() && !target->isSimulated())
        return base::fail(ErrorCode::Unsupported, "the clock is set to another time: real workloads can't be stopped",
                          base::Remedy::OmitNow);
    return Platform{target, source->mayStop};
}

Result<std::vector<Platform>> LiveEnvironment::platformsOf(const model::HolderKey &holder)
{
    const bool isMachine = holder.kind == model::SubjectKind::Machine;
    std::vector<std::string> names;
    std::string simulated; // a source without a cluster of its own, which serves its whole fleet
    for (const SourceSettings &source : settings().sources) {
        const ports::SourceKind *kind = kindOf(source);
        if (!kind || !kind->stops()
            || (!kind->tellsTelemetry() && kind->has(ports::Capability::MachinesOnly) != isMachine))
            continue;
        if (kind->tellsBills() && !source.mayStop)
            continue; // it is there for its bill
        // A cluster has one scheduler, but machines in as many regions as there are sources.
        const bool isListed = isMachine && kind->tellsInventory() && source.name == holder.cluster;
        if ((clusterOf(source) == holder.cluster || isListed) && (isMachine || names.empty()))
            names.push_back(source.name);
        if (kind->tellsTelemetry() && source.cluster.empty())
            simulated = source.name;
    }
    if (names.empty() && !simulated.empty())
        names.push_back(simulated);
    if (names.empty())
        return base::fail(ErrorCode::NotFound,
                          "no source reaches cluster " + holder.cluster + " to stop workloads there",
                          "add a source of kind " + kindsThatStop(isMachine) + " with this cluster's name");
    std::vector<Platform> platforms;
    for (const std::string &name : names) {
        auto platform = platformNamed(name);
        GPULEDGER_TRY(platform);
        platforms.push_back(*platform);
    }
    return platforms;
}

} // namespace gpuledger::services
