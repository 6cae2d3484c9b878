// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/device/deviceplace.h"
#include "ui/window/topbar/costchoice.h"
#include "ui/window/topbar/timechoice.h"

#include <QUrlQuery>

#include <algorithm>

namespace gpuledger::ui {

using insight::Dimension;

namespace {

constexpr Dimension::Kind kNamed[] = {Dimension::Team, Dimension::Workload, Dimension::Device};
const QString kDo = QStringLiteral("do:"); // no-tr: key
const QString kPage = QStringLiteral("page:"); // no-tr: key
const QString kSpan = QStringLiteral("span:"); // no-tr: key
const QString kCost = QStringLiteral("cost:"); // no-tr: key
const QString kOpen = QStringLiteral("open:"); // no-tr: key
const QString kHeatmap = QStringLiteral("heatmap"); // no-tr: id of a page

QString prefixOf(const Dimension &dimension)
{
    return QString::fromStdString(insight::toString(dimension)) + QLatin1Char('=');
}

} // namespace

Commands::Commands(const PageContext &context, std::vector<PageEntry> pages, DimensionValues &values, QObject *parent)
    : QObject(parent)
    , m_context(context)
    , m_pages(std::move(pages))
    , m_values(values)
{
    connect(&m_values, &DimensionValues::changed, this, [this](const Dimension &dimension) {
        if (std::find(std::begin(kNamed), std::end(kNamed), dimension.kind) != std::end(kNamed))
            Q_EMIT changed();
    });
}

void Commands::add(Command command)
{
    m_commands.push_back(std::move(command));
}

void Commands::prepare()
{
    for (const Dimension dimension : kNamed)
        m_values.want(dimension);
}

void Commands::addNames(std::vector<widgets::PickEntry> &entries, const Dimension &dimension) const
{
    const auto values = m_values.values(dimension);
    if (!values)
        return;
    const QString prefix = prefixOf(dimension), kind = LocalText::dimensionName(dimension);
    for (const insight::DimensionValue &v : *values) {
        if (v.value.empty())
            continue;
        const QString name = QString::fromStdString(v.value);
        entries.push_back({prefix + name,
                           name,
                           v.share ? LocalText::percent(*v.share) : QString(),
                           kind,
                           dimension != Dimension::Team,
                           {}});
    }
}

void Commands::addTeamsToOpen(std::vector<widgets::PickEntry> &entries) const
{
    const auto values = m_values.values(Dimension::Team);
    if (!values)
        return;
    for (const insight::DimensionValue &v : *values) {
        const QString name = QString::fromStdString(v.value);
        if (!name.isEmpty())
            entries.push_back({kOpen + name, tr("%1 in the heat map", "team").arg(name), {}, tr("Page"), true, {}});
    }
}

void Commands::openTeam(const QString &team)
{
    QUrlQuery inside;
    inside.addQueryItem(prefixOf(Dimension::Team).chopped(1), QString::fromLatin1(QUrl::toPercentEncoding(team)));
    m_context.navigator.openPage(kHeatmap, inside);
}

std::vector<widgets::PickEntry> Commands::entries() const
{
    std::vector<widgets::PickEntry> entries;
    int digit = 0;
    for (const PageEntry &page : m_pages) {
        if (!page.isOnRail)
            continue;
        const QString keys = ++digit > 9
            ? QString()
            : QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + digit)).toString(QKeySequence::NativeText);
        entries.push_back({kPage + page.id, page.title, keys, tr("Page"), false, {}});
    }
    for (std::size_t i = 0; i < m_commands.size(); ++i)
        entries.push_back({kDo + QString::number(i), m_commands[i].text, m_commands[i].detail, tr("Command"), false,
                           m_commands[i].also});
    addNames(entries, Dimension::Team);
    for (const TimeChoiceButton::SpanName &span : TimeChoiceButton::spans())
        entries.push_back({kSpan + span.key, span.text, {}, tr("Time range"), false, {}});
    for (const CostChoiceButton::ViewName &view : CostChoiceButton::views())
        entries.push_back({kCost + view.key, view.text, {}, tr("Cost"), false, {}});
    addNames(entries, Dimension::Workload);
    addNames(entries, Dimension::Device);
    addTeamsToOpen(entries);
    return entries;
}

bool Commands::run(const QString &key)
{
    if (key.startsWith(kPage)) {
        Q_EMIT pageWanted(key.mid(kPage.size()));
        return true;
    }
    if (key.startsWith(kDo)) {
        const std::size_t index = key.mid(kDo.size()).toUInt();
        if (index < m_commands.size()) {
            m_commands[index].run();
            return true;
        }
        return false;
    }
    if (const QString prefix = prefixOf(Dimension::Device); key.startsWith(prefix)) {
        m_context.navigator.openPage(devicePage(), devicePlace(key.mid(prefix.size())));
        return true;
    }
    if (key.startsWith(kOpen)) {
        openTeam(key.mid(kOpen.size()));
        return true;
    }
    Scope scope = m_context.navigator.scope();
    for (const TimeChoiceButton::SpanName &span : TimeChoiceButton::spans()) {
        if (kSpan + span.key == key)
            scope.time = {span.span, {}};
    }
    for (const CostChoiceButton::ViewName &view : CostChoiceButton::views()) {
        if (kCost + view.key == key)
            scope.cost = view.view;
    }
    for (const Dimension dimension : kNamed) {
        const QString prefix = prefixOf(dimension);
        if (key.startsWith(prefix)) {
            const std::string value = key.mid(prefix.size()).toStdString();
            scope.filter.include[dimension] = {value};
            auto excluded = scope.filter.exclude.find(dimension);
            if (excluded != scope.filter.exclude.end() && std::erase(excluded->second, value) > 0
                && excluded->second.empty())
                scope.filter.exclude.erase(excluded);
        }
    }
    const bool known = !(scope == m_context.navigator.scope());
    m_context.navigator.setScope(scope);
    return known;
}

} // namespace gpuledger::ui
