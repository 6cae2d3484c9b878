// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/device/deviceviewmodel.h"

#include "app/base/remedy.h"
#include "app/insight/idle/idle.h"
#include "app/insight/query/values.h"
#include "app/services/config/linktemplate.h"
#include "app/services/engine/configservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "ui/viewmodels/shell/askablerange.h"

#include <array>

namespace gpuledger::ui {

using Answer = LatestQuery<DeviceSnapshot>::Answer;

namespace {

// A few fixed values, so that resizing a window does not send a query for every pixel.
constexpr std::array kPoints{200, 400, 800, 1600};

std::string valueOf(const QUrlQuery &place, const QString &key)
{
    return place.queryItemValue(key, QUrl::FullyDecoded).toStdString();
}

// If no device was chosen: the device with the highest idle cost, otherwise any.
base::Result<std::pair<std::string, std::string>> anyDevice(services::FleetService &fleet, base::UtcTime at,
                                                            const insight::Filter &filter)
{
    const auto idle = fleet.idle(at, filter);
    GPULEDGER_TRY(idle);
    for (const insight::IdleItem &item : idle->items) {
        if (!item.devices.empty())
            return std::pair(item.devices.front(), item.cluster);
    }
    const auto devices = fleet.values(insight::Dimension::Device);
    GPULEDGER_TRY(devices);
    return std::pair(devices->empty() ? std::string() : devices->front().value, std::string());
}

Answer ask(const services::ConfigService &config, services::FleetService &fleet, services::SourceService &sources,
           insight::DeviceQuery query, const Scope &scope)
{
    const auto covered = fleet.coveredRange();
    GPULEDGER_TRY(covered);
    auto snapshot = std::make_shared<DeviceSnapshot>();
    const model::Settings &settings = config.settings();
    snapshot->covered = *covered;
    snapshot->zone = config.timeZone();
    snapshot->currency = settings.currency;
    snapshot->threshold = settings.idle.threshold;
    snapshot->asked = config.clock().now();
    snapshot->isFiltered = !scope.filter.empty();
    for (const model::SourceSettings &source : settings.sources)
        snapshot->sources.push_back(source.name);
    if (covered->empty())
        return snapshot;
    if (query.device.empty()) {
        auto chosen = anyDevice(fleet, covered->end, scope.filter);
        GPULEDGER_TRY(chosen);
        std::tie(query.device, query.cluster) = std::move(*chosen);
    }
    query.query = {scope.time.resolve(askableRange(config, *covered), snapshot->zone), scope.filter, scope.cost};
    auto details = fleet.deviceDetails(query);
    if (!details && details.error().code == base::ErrorCode::NotFound)
        return snapshot;
    GPULEDGER_TRY(details);
    snapshot->expressionSource = sources.expressionSource(details->device.cluster);
    snapshot->details = std::move(*details);
    return snapshot;
}

bool isEmpty(const DeviceSnapshot &snapshot)
{
    if (!snapshot.details || snapshot.details->range.empty())
        return true;
    const insight::DeviceDetails &d = *snapshot.details;
    return d.sums.time().paid().ticks == 0 && d.notSynced.ticks == 0 && d.lines.units.empty();
}

} // namespace

DeviceViewModel::DeviceViewModel(const services::ConfigService &config, services::FleetService &fleet,
                                 services::SourceService &sources, TaskRunner &tasks, ExtraSeriesList &list,
                                 QObject *parent)
    : QObject(parent)
    , m_config(config)
    , m_fleet(fleet)
    , m_sources(sources)
    , m_list(list)
    , m_asker(tasks, this, [this] { take(); })
    , m_points(kPoints[1])
{
    connect(&m_list, &ExtraSeriesList::changed, this, &DeviceViewModel::followList);
    followList();
}

bool DeviceViewModel::isAsking() const
{
    return m_asker.isAsking()
        || std::any_of(m_extras.begin(), m_extras.end(), [](const auto &e) { return e->asker->isAsking(); });
}

void DeviceViewModel::setScope(const Scope &scope)
{
    if (m_scope == scope)
        return;
    m_scope = scope;
    refresh();
}

void DeviceViewModel::setPoints(int points)
{
    const auto *room = std::find_if(kPoints.begin(), kPoints.end(), [&](int p) { return p >= points; });
    const int wanted = room == kPoints.end() ? kPoints.back() : *room;
    if (m_points == wanted)
        return;
    m_points = wanted;
    const auto shown = snapshot();
    if (!shown || !shown->details) {
        if (m_state == PageState::Loading)
            refresh();
        return;
    }
    const insight::DeviceDetails &d = *shown->details;
    if (insight::lineStep(d.range, m_points) != d.lines.step)
        refresh();
    else
        askExtras();
}

void DeviceViewModel::restore(const QUrlQuery &place)
{
    if (place == m_place)
        return;
    m_place = place;
    m_asker.forget();
    forgetDraft();
    Q_EMIT placeChanged();
    refresh();
}

void DeviceViewModel::refresh()
{
    if (!snapshot()) {
        m_state = PageState::Loading;
        Q_EMIT changed();
    }
    insight::DeviceQuery query;
    query.device = valueOf(m_place, QStringLiteral("uuid"));
    query.cluster = valueOf(m_place, QStringLiteral("cluster"));
    query.points = m_points;
    m_asker.ask([config = &m_config, fleet = &m_fleet, sources = &m_sources, query,
                 scope = m_scope](const std::stop_token &) { return ask(*config, *fleet, *sources, query, scope); });
}

void DeviceViewModel::setActive(bool active)
{
    m_active = active;
    m_asker.setActive(active);
    for (const auto &extra : m_extras)
        extra->asker->setActive(active);
}

void DeviceViewModel::take()
{
    m_state = error()                 ? PageState::Error
        : snapshot()->covered.empty() ? PageState::FirstRun
        : isEmpty(*snapshot())        ? PageState::Empty
                                      : PageState::Data;
    if (!error())
        askExtras();
    Q_EMIT changed();
}

std::optional<QUrl> DeviceViewModel::grafanaLink() const
{
    const std::string &link = m_config.settings().links.grafana;
    const auto shown = snapshot();
    if (link.empty() || !shown || !shown->details)
        return std::nullopt;
    const insight::DeviceDetails &d = *shown->details;
    services::LinkValues values;
    values.cluster = d.device.cluster;
    values.node = d.node ? d.node->name : std::string();
    values.device = d.device.uuid;
    values.range = d.range;
    // The current holder, if there is one.
    const auto now = [](const insight::DeviceStay &stay) { return stay.endedLater; };
    if (std::count_if(d.stays.begin(), d.stays.end(), now) == 1) {
        const insight::DeviceStay &stay = *std::find_if(d.stays.begin(), d.stays.end(), now);
        values.team = stay.team;
        values.nameSpace = stay.nameSpace;
        values.workload = stay.pod;
    }
    return QUrl(QString::fromStdString(services::linkFor(link, values)), QUrl::StrictMode);
}

bool DeviceViewModel::takesExpressions() const
{
    const auto shown = snapshot();
    return m_state == PageState::Data && shown && !shown->expressionSource.empty();
}

insight::ExtraQuery DeviceViewModel::extraQuery(const QString &expression) const
{
    const insight::DeviceDetails &d = *snapshot()->details;
    insight::ExtraQuery query;
    query.expression = expression.toStdString();
    query.cluster = d.device.cluster;
    query.node = d.node ? d.node->name : std::string();
    query.device = d.device.uuid;
    query.index = d.device.index;
    query.range = d.range;
    query.points = m_points;
    return query;
}

bool DeviceViewModel::isCurrent(const insight::ExtraQuery &query) const
{
    const auto shown = snapshot();
    return shown && shown->details && shown->details->device.uuid == query.device
        && shown->details->device.cluster == query.cluster && shown->details->range == query.range;
}

std::unique_ptr<DeviceViewModel::Asked> DeviceViewModel::makeExtra(const QString &expression,
                                                                   std::function<void()> answered)
{
    auto extra = std::make_unique<Asked>();
    extra->expression = expression;
    extra->asker = std::make_unique<LatestQuery<ExtraAnswer>>(m_servers, &extra->context, std::move(answered));
    extra->asker->setActive(m_active);
    return extra;
}

void DeviceViewModel::askExtra(Asked &extra)
{
    extra.asker->ask([sources = &m_sources, query = extraQuery(extra.expression)](
                         const std::stop_token &stop) -> LatestQuery<ExtraAnswer>::Answer {
        auto series = sources->extraSeries(query, stop);
        GPULEDGER_TRY(series);
        return std::make_shared<ExtraAnswer>(ExtraAnswer{query, std::move(*series)});
    });
}

void DeviceViewModel::askExtras()
{
    if (!takesExpressions())
        return;
    for (const auto &extra : m_extras)
        askExtra(*extra);
}

void DeviceViewModel::followList()
{
    std::vector<std::unique_ptr<Asked>> extras;
    for (const QString &expression : m_list.expressions()) {
        const auto at = std::find_if(m_extras.begin(), m_extras.end(),
                                     [&](const auto &e) { return e && e->expression == expression; });
        if (at != m_extras.end()) {
            extras.push_back(std::move(*at));
            continue;
        }
        extras.push_back(makeExtra(expression, [this] { Q_EMIT extrasChanged(); }));
        if (takesExpressions())
            askExtra(*extras.back());
    }
    m_extras = std::move(extras);
    Q_EMIT extrasChanged();
}

std::vector<DeviceViewModel::Extra> DeviceViewModel::extras() const
{
    std::vector<Extra> out;
    for (const auto &extra : m_extras) {
        Extra shown{extra->expression, nullptr, extra->asker->error()};
        const auto &answer = extra->asker->snapshot();
        if (answer && isCurrent(answer->query))
            shown.answer = answer;
        out.push_back(std::move(shown));
    }
    return out;
}

void DeviceViewModel::tryExpression(const QString &expression)
{
    if (!takesExpressions())
        return;
    const QString text = expression.trimmed();
    m_draftError.reset();
    m_draft.reset();
    if (m_list.isFull())
        m_draftError =
            base::Error::make(base::ErrorCode::TooMuch, "eight expressions are shown already", base::Remedy::RemoveOne);
    else if (m_list.expressions().contains(text))
        m_draftError = base::Error::make(base::ErrorCode::InvalidArgument, "this expression is shown already",
                                         base::Remedy::SeeBelow);
    else if (text.size() > ExtraSeriesList::kLongest)
        m_draftError =
            base::Error::make(base::ErrorCode::InvalidArgument, "the expression is too long", base::Remedy::Shorten);
    else {
        m_draft = makeExtra(text, [this] { takeDraft(); });
        askExtra(*m_draft);
    }
    Q_EMIT draftChanged();
}

void DeviceViewModel::takeDraft()
{
    const auto &answer = m_draft->asker->snapshot();
    if (m_draft->asker->error())
        m_draftError = m_draft->asker->error();
    else if (answer->series.answer.series.empty())
        m_draftError = base::Error::make(base::ErrorCode::NotFound,
                                         "the server has nothing for this expression in the chosen time",
                                         base::Remedy::CheckLabelsOrChooseLongerRange);
    else {
        m_list.add(m_draft->expression);
        Q_EMIT draftTaken();
    }
    Q_EMIT draftChanged();
}

void DeviceViewModel::forgetDraft()
{
    m_draft.reset();
    m_draftError.reset();
    Q_EMIT draftChanged();
}

} // namespace gpuledger::ui
