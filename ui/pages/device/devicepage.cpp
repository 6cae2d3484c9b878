// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/device/devicepage.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/device/deviceadapter.h"
#include "ui/pages/device/devicecharts.h"
#include "ui/pages/device/factlist.h"
#include "ui/pages/owners/expressionfield.h"
#include "widgets/cards/card.h"
#include "widgets/cards/scrolled.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kLeastAbout = 420, kMostAbout = 640; // at the least, a UUID and the states beside a scroll bar
constexpr int kAboutPercent = 35; // of the page
constexpr int kLowPage = 700, kHighPage = 1000; // heights from which the holders get more rows
constexpr int kFewHolders = 2, kUsualHolders = 4, kManyHolders = 10;

QVBoxLayout *columnIn(QWidget *card, const widgets::Theme &theme)
{
    auto *layout = new QVBoxLayout(card);
    const int side = theme.space(Space::Large), above = theme.space(Space::Medium);
    layout->setContentsMargins(side, above, side, above);
    layout->setSpacing(theme.space(Space::Small));
    return layout;
}

} // namespace

DevicePage::DevicePage(const PageContext &context, QWidget *parent)
    : StatePage(context, parent)
    , m_model(context.workspace.config(), context.workspace.fleet(), context.workspace.sources(), context.tasks,
              context.extraSeries ? *context.extraSeries : m_ownList)
    , m_states(deviceStateColumns(context.workspace.settings().currency))
    , m_stays(deviceStayColumns(context.workspace.settings().currency))
{
    const widgets::Theme &theme = context.theme;
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    layout->addWidget(header());
    auto *middle = new QHBoxLayout;
    middle->setSpacing(theme.space(Space::Medium));
    middle->addWidget(about());
    middle->addWidget(lines(), 1);
    layout->addLayout(middle, 1);
    layout->addWidget(holders());
    setContent(content);
    connect(&m_model, &DeviceViewModel::changed, this, &DevicePage::showState);
    connect(&m_model, &DeviceViewModel::extrasChanged, this, &DevicePage::settledChanged);
    connect(&m_model, &DeviceViewModel::placeChanged, this, [this] {
        m_panel->forgetData();
        m_field->close();
    });
    offerProofs();
    setFocusProxy(m_charts->first());
    m_panel->showLoading();
    m_model.setActive(false);
    m_model.refresh();
}

QWidget *DevicePage::header()
{
    const widgets::Theme &theme = m_context.theme;
    auto *bar = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    m_title = plainLabel(theme, {}, TextSize::Title, Color::Text, QFont::DemiBold, bar);
    m_range = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, bar);
    m_copy = new QToolButton(bar);
    m_copy->setAutoRaise(true);
    m_copy->setIcon(theme.icon(QStringLiteral("copy"))); // no-tr: icon name
    m_copy->setAccessibleName(tr("Copy the UUID"));
    m_copy->setToolTip(tr("Copy the UUID"));
    m_add = new QPushButton(tr("Add PromQL…"), bar);
    m_grafana = new QPushButton(tr("Open in Grafana"), bar);
    m_title->setMinimumWidth(0);
    layout->addWidget(m_title);
    layout->addWidget(m_copy);
    layout->addWidget(m_range);
    layout->addStretch();
    layout->addWidget(m_add);
    layout->addWidget(m_grafana);
    connect(m_copy, &QToolButton::clicked, this, &DevicePage::copyUuid);
    connect(m_grafana, &QPushButton::clicked, this, &DevicePage::openGrafana);
    connect(m_add, &QPushButton::clicked, this, [this] { m_field->open(); });
    return bar;
}

QWidget *DevicePage::about()
{
    const widgets::Theme &theme = m_context.theme;
    auto *card = new widgets::Card(theme);
    m_about = card;
    m_about->setFixedWidth(kLeastAbout);
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    m_facts = new FactList(theme, content);
    m_paid = plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::DemiBold, content);
    m_paid->setWordWrap(true);
    m_filtered = plainLabel(theme, tr("Time, cost and holders are limited to the filter."), TextSize::Caption,
                            Color::Muted, QFont::Normal, content);
    m_filtered->setWordWrap(true);
    m_statesTable = new widgets::DataTable(theme, tr("States"), m_states, content);
    m_statesTable->setDelegate(QStringLiteral("share"), // no-tr: key of a column
                               new widgets::BarDelegate(theme, m_statesTable));
    layout->addWidget(m_facts);
    layout->addWidget(m_paid);
    layout->addWidget(m_filtered);
    layout->addWidget(m_statesTable, 1);
    columnIn(card, theme)->addWidget(widgets::scrolled(content, card));
    return card;
}

QWidget *DevicePage::lines()
{
    const widgets::Theme &theme = m_context.theme;
    auto *right = new QWidget;
    auto *layout = new QVBoxLayout(right);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    m_field = new ExpressionField(theme, m_model, right);
    auto *card = new widgets::Card(theme, right);
    m_charts = new DeviceCharts(theme, m_model, card);
    columnIn(card, theme)->addWidget(m_charts);
    layout->addWidget(m_field);
    layout->addWidget(card, 1);
    connect(m_field, &ExpressionField::closed, this, [this] {
        if (isVisible())
            m_add->setFocus();
    });
    return right;
}

QWidget *DevicePage::holders()
{
    const widgets::Theme &theme = m_context.theme;
    auto *card = new widgets::Card(theme);
    m_holders = card;
    QVBoxLayout *layout = columnIn(card, theme);
    layout->addWidget(plainLabel(theme, tr("Holders"), TextSize::Section, Color::Text, QFont::DemiBold, card));
    m_staysTable = new widgets::DataTable(theme, tr("Holders"), m_stays, card);
    m_nobody = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, card);
    m_nobody->setAlignment(Qt::AlignCenter);
    m_staysTable->showWholeRows();
    layout->addWidget(m_staysTable, 1);
    layout->addWidget(m_nobody, 1);
    return card;
}

// On a large page what the device is has room for its names, and the holders for more rows; on a small one the lines
// come first.
void DevicePage::makeRoom()
{
    m_about->setFixedWidth(std::clamp(width() * kAboutPercent / 100, kLeastAbout, kMostAbout));
    m_statesTable->setMinimumHeight(m_statesTable->heightFor(m_states.totalRows()));
    const int most = height() < kLowPage ? kFewHolders : height() < kHighPage ? kUsualHolders : kManyHolders;
    const QLayout *layout = m_holders->layout();
    const QMargins around = layout->contentsMargins();
    const int title = layout->itemAt(0)->sizeHint().height();
    m_staysTable->setFixedHeight(m_staysTable->heightFor(std::clamp(m_stays.totalRows(), kFewHolders, most)));
    m_holders->setFixedHeight(around.top() + title + layout->spacing() + m_staysTable->height() + around.bottom());
}

void DevicePage::resizeEvent(QResizeEvent *event)
{
    StatePage::resizeEvent(event);
    makeRoom();
}

void DevicePage::offerProofs()
{
    using Figures = std::vector<Explained>;
    const auto shown = [this] {
        const auto snapshot = m_model.snapshot();
        return snapshot && snapshot->details ? snapshot : nullptr;
    };
    offerExplain(m_paid, m_context, this, [this, shown] {
        const auto snapshot = shown();
        return snapshot ? deviceExplained(*snapshot, m_model.scope()) : Figures();
    });
    offerExplain(m_statesTable, m_context, this, [this, shown](const QString &row) {
        const auto snapshot = shown();
        return snapshot ? deviceStateExplained(*snapshot, m_model.scope(), row) : Figures();
    });
    offerExplain(m_staysTable, m_context, this, [this, shown](const QString &row) {
        const auto snapshot = shown();
        return snapshot ? deviceStayExplained(*snapshot, m_model.scope(), row) : Figures();
    });
    for (std::size_t line = 0; line < kDeviceLines; ++line) {
        widgets::Chart *chart = m_charts->lines()[line];
        offerExplain(chart, m_context, this, [this, shown, line](int point) {
            const auto snapshot = shown();
            return snapshot ? devicePointExplained(*snapshot, m_model.scope(), line, point) : Figures();
        });
    }
}

void DevicePage::showEmpty()
{
    const bool known = m_model.snapshot()->details.has_value();
    m_panel->showEmpty(
        {known ? tr("Nothing is known about this device in this range") : tr("There is no such device"),
         known ? tr("It was not seen in the chosen time.") : tr("No source has ever reported a device with this UUID."),
         known ? tr("Choose a longer time range.")
               : tr("Choose one in the heat map or the idle list, or search for it with Ctrl+K."),
         {},
         {}});
}

void DevicePage::showError()
{
    m_panel->showError(
        {tr("The device can't be shown"), LocalText::sentence(*m_model.error()), {}, tr("Try again"), {}},
        m_model.snapshot() ? tr("Older data") : QString());
}

void DevicePage::showData()
{
    const auto snapshot = m_model.snapshot();
    const QString source = deviceSource(*snapshot);
    m_title->setText(widgets::plainLine(deviceTitle(*snapshot)));
    m_range->setText(LocalText::timeRange(snapshot->details->range, snapshot->zone));
    m_range->setToolTip(widgets::plainToolTip(source));
    m_facts->setFacts(deviceFacts(*snapshot), source);
    m_paid->setText(devicePaid(*snapshot));
    m_paid->setToolTip(widgets::plainToolTip(source));
    m_filtered->setVisible(snapshot->isFiltered);
    m_states.setSnapshot(deviceStates(snapshot));
    m_stays.setSnapshot(deviceStays(snapshot));
    const bool wasHeld = !snapshot->details->stays.empty();
    m_nobody->setText(snapshot->isFiltered ? tr("No one within the filter held it in this time.")
                                           : tr("No one held it in this time."));
    m_nobody->setVisible(!wasHeld);
    m_staysTable->setVisible(wasHeld);
    makeRoom();
    m_charts->showData();
    m_add->setVisible(m_model.takesExpressions());
    m_grafana->setVisible(m_context.openAddress && m_model.grafanaLink());
    m_panel->showData();
}

void DevicePage::openGrafana()
{
    if (const auto link = m_model.grafanaLink(); link && m_context.openAddress)
        m_context.openAddress(*link);
}

void DevicePage::copyUuid()
{
    const auto snapshot = m_model.snapshot();
    if (snapshot && snapshot->details)
        QGuiApplication::clipboard()->setText(QString::fromStdString(snapshot->details->device.uuid));
}

void DevicePage::setScope(const Scope &scope)
{
    m_model.setScope(scope);
}

QUrlQuery DevicePage::place() const
{
    return m_model.place();
}

void DevicePage::restore(const QUrlQuery &place)
{
    m_model.restore(place);
}

bool DevicePage::goBack()
{
    if (!m_field->isVisible())
        return false;
    m_field->close();
    return true;
}

bool DevicePage::settled() const
{
    return m_model.state() != PageState::Loading && !m_model.isAsking();
}

void DevicePage::refresh()
{
    m_model.refresh();
}

void DevicePage::setActive(bool active)
{
    m_model.setActive(active);
}

} // namespace gpuledger::ui
