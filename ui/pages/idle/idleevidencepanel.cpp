// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/idleevidencepanel.h"

#include "app/model/fleet/kindname.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/idle/idlerowbuttons.h"
#include "ui/viewmodels/idle/idlerulecurve.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/cards/scrolled.h"
#include "widgets/charts/sparkline.h"
#include "widgets/state/plaintext.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <cmath>

namespace gpuledger::ui {

using insight::Evidence;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr QLatin1String kHeatmapIcon("heatmap");
constexpr int kLineHeight = 46;
constexpr double kMibPerGib = 1024;
constexpr double kAtRest = 1.5; // times the idle power draw, as in the list's signals
constexpr int kLongestReason = 300;
constexpr const char *kDevice = "device"; // no-tr: properties of a button
constexpr const char *kCluster = "cluster"; // no-tr: properties of a button

QList<double> valuesOf(const std::vector<std::optional<double>> &line, double unit = 1)
{
    QList<double> out;
    out.reserve(static_cast<qsizetype>(line.size()));
    for (const auto &value : line)
        out.append(value ? *value / unit : std::numeric_limits<double>::quiet_NaN());
    return out;
}

double highest(const QList<double> &values, double atLeast)
{
    for (const double v : values)
        atLeast = std::isnan(v) ? atLeast : std::max(atLeast, v);
    return atLeast;
}

QString activityName(const QString &signal, bool several)
{
    if (signal.isEmpty())
        return several ? IdleEvidencePanel::tr("Highest activity") : IdleEvidencePanel::tr("Activity");
    return several ? IdleEvidencePanel::tr("Highest activity (%1)").arg(signal)
                   : IdleEvidencePanel::tr("Activity (%1)").arg(signal);
}

} // namespace

IdleEvidencePanel::IdleEvidencePanel(const widgets::Theme &theme, const IdleViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
{
    setAccessibleName(tr("Evidence"));
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme.space(Space::Medium));
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Tiny));
    m_name = plainLabel(theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, content);
    m_where = plainLabel(theme, {}, TextSize::Caption, Color::Muted, QFont::Normal, content);
    m_owner = plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::Normal, content);
    m_sinceName = plainLabel(theme, tr("Idle since"), TextSize::Body, Color::Muted, QFont::Normal, content);
    m_since = plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::DemiBold, content);
    m_cost = plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, content);
    m_span = plainLabel(theme, {}, TextSize::Caption, Color::Muted, QFont::Normal, content);
    for (QLabel *label : {m_name, m_where, m_owner}) {
        layout->addWidget(label);
        label->installEventFilter(this);
    }
    for (QLabel *label : {m_cost, m_span})
        label->setWordWrap(true);
    auto *since = new QHBoxLayout;
    since->setSpacing(theme.space(Space::Small));
    for (QLabel *label : {m_sinceName, m_since})
        since->addWidget(label);
    since->addStretch();
    layout->addSpacing(theme.space(Space::Tiny));
    layout->addLayout(since);
    layout->addWidget(m_cost);
    layout->addSpacing(theme.space(Space::Tiny));
    addGauges(layout);
    layout->addWidget(m_span);
    m_reasons = new QVBoxLayout;
    m_reasons->setSpacing(theme.space(Space::Tiny));
    layout->addLayout(m_reasons);
    layout->addStretch();
    m_rowButtons = new IdleRowButtons(theme, m_model, this); // created in tab order
    m_heatmap = new QPushButton(tr("Show in heat map"), this);
    m_heatmap->setIcon(theme.icon(kHeatmapIcon));
    connect(m_heatmap, &QPushButton::clicked, this, &IdleEvidencePanel::heatmapRequested);
    outer->addWidget(widgets::scrolled(content, this), 1);
    auto *buttons = new QVBoxLayout; // side by side they would be truncated in longer languages
    m_devices = new QPushButton(this);
    connect(m_devices, &QPushButton::clicked, this, [this] {
        if (!m_devices->menu())
            Q_EMIT deviceRequested(m_devices->property(kDevice).toString(), m_devices->property(kCluster).toString());
    });
    buttons->setSpacing(theme.space(Space::Small));
    buttons->addWidget(m_rowButtons);
    buttons->addWidget(m_heatmap);
    buttons->addWidget(m_devices);
    outer->addLayout(buttons);
}

void IdleEvidencePanel::addGauges(QVBoxLayout *layout)
{
    for (Gauge &gauge : m_gauges) {
        gauge.name = plainLabel(m_theme, {}, TextSize::Caption, Color::Muted);
        gauge.figure = plainLabel(m_theme, {}, TextSize::Caption, Color::Text, QFont::DemiBold);
        gauge.name->setWordWrap(true);
        gauge.line = new widgets::Sparkline(m_theme);
        gauge.line->setFixedHeight(kLineHeight);
        auto *titles = new QHBoxLayout;
        titles->addWidget(gauge.name, 1);
        titles->addWidget(gauge.figure);
        layout->addSpacing(m_theme.space(Space::Tiny));
        layout->addLayout(titles);
        layout->addWidget(gauge.line);
    }
}

void IdleEvidencePanel::setElided(QLabel *label, const QString &text)
{
    const QString line = widgets::plainLine(text);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setAccessibleName(line);
    label->setToolTip(widgets::plainToolTip(line));
    m_elided.push_back({label, line});
}

void IdleEvidencePanel::elide()
{
    for (const Elided &e : m_elided)
        e.label->setText(QFontMetrics(e.label->font()).elidedText(e.text, Qt::ElideRight, e.label->width()));
}

// The lines are as wide as the content, which becomes narrower when a scroll bar appears.
bool IdleEvidencePanel::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize)
        elide();
    return QWidget::eventFilter(watched, event);
}

void IdleEvidencePanel::showCurrent()
{
    m_elided.clear();
    clearReasons();
    const insight::IdleItem *idle = m_model.currentIdle() ? m_model.currentIdle() : m_model.currentPartly();
    const insight::UnknownItem *unknown = idle ? nullptr : m_model.currentUnknown();
    const insight::BlockedItem *free = m_model.currentBlocked();
    for (QLabel *label : {m_sinceName, m_since, m_cost})
        label->setVisible(idle != nullptr);
    m_heatmap->setVisible(idle || unknown || free);
    m_rowButtons->showCurrent();
    const std::vector<std::string> none;
    offerDevices(idle          ? idle->devices
                     : unknown ? unknown->devices
                     : free    ? free->devices
                               : none,
                 idle          ? idle->cluster
                     : unknown ? unknown->cluster
                     : free    ? free->cluster
                               : std::string());
    if (idle)
        showIdle(*idle);
    else if (unknown)
        showUnknown(*unknown);
    else if (free)
        showBlocked(*free);
    showGauges();
    if (QWidget *content = m_reasons->parentWidget()) // gives wrapped text its height at once
        content->layout()->activate();
    if (layout())
        layout()->activate();
    elide();
}

void IdleEvidencePanel::showIdle(const insight::IdleItem &item)
{
    const IdleSnapshot &snapshot = *m_model.snapshot();
    const QString source = LocalText::sourceLine(snapshot.sources, snapshot.age());
    setElided(m_name, IdleText::name(item));
    setElided(m_where, IdleText::whereabouts(item.cluster, item.nameSpace, item.node, item.devices.size()));
    setElided(m_owner, tr("Owner %1").arg(QString::fromStdString(item.owner)));
    m_since->setText(IdleText::instant(item.since, snapshot.zone));
    m_since->setToolTip(
        widgets::plainToolTip(tr("%1. %2").arg(IdleText::exactInstant(item.since, snapshot.zone), source)));
    const QString code = QString::fromStdString(std::string(snapshot.currency.code()));
    m_cost->setText(item.wasted            ? tr("%1 so far").arg(LocalText::money(item.wasted->toDouble(), code))
                        : item.ratePerHour ? tr("cost so far unknown")
                                           : tr("no price known"));
    const Evidence *evidence = m_model.evidence();
    const bool priceIsKnown = evidence && !evidence->priceSource.empty();
    m_cost->setToolTip(widgets::plainToolTip(
        priceIsKnown ? tr("Price: %1. %2").arg(LocalText::priceSource(evidence->priceSource), source) : source));
    if (m_model.currentPartly()) {
        addReasons(tr("Why it can't be stopped"), {IdleText::whyPartly(item)}, QStringLiteral("•"));
        addReasons(tr("Not known"), IdleText::unknowns(item, evidence), QStringLiteral("?"));
        return;
    }
    QStringList pro, contra;
    for (const insight::IdleSignal &signal : item.signals)
        (signal.speaksForIdle ? pro : contra).append(LocalText::phrase(phraseOf(signal)));
    if (!item.protection.empty())
        contra.append(tr("protected: %1").arg(LocalText::protection(item.protection)));
    addReasons(tr("Why, and what stopping saves"), IdleText::reasons(item), QStringLiteral("•"));
    addReasons(tr("For stopping"), pro, QStringLiteral("✓"));
    addReasons(tr("Against"), contra, QStringLiteral("!"));
    addReasons(tr("Not known"), IdleText::unknowns(item, evidence), QStringLiteral("?"));
    const store::GraceChoices &graces = snapshot.list.grace;
    if (const auto grace = graces.find(item.workloadKind); grace != graces.end())
        addReasons(tr("Idle for at least", "a time; heading"), {IdleRuleCurveText::grace(grace->second)},
                   QStringLiteral("•"));
}

void IdleEvidencePanel::showUnknown(const insight::UnknownItem &item)
{
    setElided(m_name, QString::fromStdString(model::shownName(item.kind, item.name)));
    setElided(m_where, IdleText::whereabouts(item.cluster, item.nameSpace, item.node, item.devices.size()));
    setElided(m_owner, tr("Owner %1").arg(QString::fromStdString(item.owner)));
    addReasons(tr("Why it is unknown"),
               {tr("%1 of its window was observed, %2 is needed to call it idle")
                    .arg(LocalText::percent(item.observed), LocalText::percent(m_model.snapshot()->neededShare))},
               QStringLiteral("?"));
}

void IdleEvidencePanel::showBlocked(const insight::BlockedItem &item)
{
    setElided(m_name, QString::fromStdString(item.node));
    setElided(m_where, IdleText::whereabouts(item.cluster, {}, item.node, item.devices.size()));
    setElided(m_owner, tr("Owner %1").arg(QString::fromStdString(item.owner)));
    addReasons(tr("Why it is blocked"), {IdleText::whyBlocked(item)}, QStringLiteral("•"));
    addReasons(tr("Who waited"), IdleText::whoWaited(item, m_model.snapshot()->zone), QStringLiteral("•"));
}

void IdleEvidencePanel::showGauges()
{
    for (Gauge &gauge : m_gauges) { // nothing held what is blocked
        for (QWidget *part : {static_cast<QWidget *>(gauge.name), static_cast<QWidget *>(gauge.figure),
                              static_cast<QWidget *>(gauge.line)})
            part->setVisible(!m_model.currentBlocked());
    }
    if (m_model.currentBlocked()) {
        m_span->clear();
        return;
    }
    const Evidence *evidence = m_model.evidence();
    const bool failed = !evidence && m_model.evidenceError();
    if (failed)
        addReasons(tr("Its history can't be read"), {LocalText::sentence(*m_model.evidenceError())},
                   QStringLiteral("!"));
    if (!evidence) {
        for (auto &gauge : m_gauges)
            showGauge(gauge, gauge.name->text(), {}, {});
        m_span->setText(failed ? QString() : tr("Reading its history…"));
        return;
    }
    const QString span =
        tr("The last %1 in steps of %2; hatched: not observed", "lengths of time")
            .arg(IdleText::duration(evidence->range.end - evidence->range.start), IdleText::duration(evidence->step));
    m_span->setText(evidence->range.empty() ? tr("It held nothing in the last 24 h")
                        : evidence->step > base::kBucket
                        ? tr("%1; the highest value of each step", "a sentence").arg(span)
                        : span);
    const QString missing = tr("not observed now");
    const bool several = evidence->devices > 1;
    widgets::SparklineData activity;
    activity.values = valuesOf(evidence->activity);
    activity.threshold = evidence->threshold;
    activity.minimum = 0;
    activity.maximum = 1;
    activity.color = Color::Active;
    const auto busy = evidence->lastActivity;
    const QString signal = IdleText::signalName(evidence->signal);
    const QString threshold = LocalText::percent(evidence->threshold, 0);
    showGauge(m_gauges[Activity], tr("%1, threshold %2").arg(activityName(signal, several), threshold),
              busy ? LocalText::percent(*busy) : missing, std::move(activity));

    widgets::SparklineData memory;
    memory.values = valuesOf(evidence->memoryMib, kMibPerGib);
    const double total = evidence->memoryTotalMib.value_or(0) / kMibPerGib;
    memory.minimum = 0;
    memory.maximum = highest(memory.values, std::max(total, 1.0));
    const auto held = evidence->lastMemoryMib;
    const QString gib = held ? QLocale().toString(*held / kMibPerGib, 'f', 1) : QString();
    showGauge(m_gauges[Memory], several ? tr("Memory held, %1 devices").arg(evidence->devices) : tr("Memory held"),
              !held           ? missing
                  : total > 0 ? tr("%1 GiB of %2").arg(gib, QLocale().toString(total, 'f', 0))
                              : tr("%1 GiB").arg(gib),
              std::move(memory));

    widgets::SparklineData power;
    power.values = valuesOf(evidence->powerW);
    const auto resting = evidence->restingW;
    power.minimum = 0;
    power.maximum = highest(power.values, resting ? *resting * 3 : 1);
    power.threshold = resting.value_or(std::numeric_limits<double>::quiet_NaN());
    power.color = Color::Idle;
    const auto draw = evidence->lastPowerW;
    const QString powerName = several ? tr("Power, %1 devices").arg(evidence->devices) : tr("Power");
    showGauge(m_gauges[Power], resting ? tr("%1, at rest %2").arg(powerName, LocalText::watts(*resting)) : powerName,
              !draw                                        ? missing
                  : resting && *draw <= *resting * kAtRest ? tr("%1, at rest").arg(LocalText::watts(*draw))
                                                           : LocalText::watts(*draw),
              std::move(power));
}

void IdleEvidencePanel::showGauge(Gauge &gauge, const QString &name, const QString &figure, widgets::SparklineData line)
{
    gauge.name->setText(name);
    gauge.figure->setText(figure);
    gauge.line->setAccessibleName(name);
    gauge.line->setData(std::move(line));
    const auto snapshot = m_model.snapshot();
    const QString source = snapshot ? LocalText::sourceLine(snapshot->sources, snapshot->age()) : QString();
    gauge.figure->setToolTip(widgets::plainToolTip(source));
    gauge.line->setToolTip(widgets::plainToolTip(source));
}

void IdleEvidencePanel::offerDevices(const std::vector<std::string> &devices, const std::string &cluster)
{
    if (QMenu *before = m_devices->menu()) {
        m_devices->setMenu(nullptr);
        before->deleteLater();
    }
    const QString where = QString::fromStdString(cluster);
    m_devices->setVisible(!devices.empty());
    m_devices->setText(devices.size() > 1 ? tr("Show a device") : tr("Show the device"));
    m_devices->setProperty(kDevice, devices.empty() ? QString() : QString::fromStdString(devices.front()));
    m_devices->setProperty(kCluster, where);
    if (devices.size() <= 1)
        return;
    auto *menu = new QMenu(m_devices);
    for (const std::string &device : devices) {
        const QString name = QString::fromStdString(device);
        QString text = widgets::plainLine(name);
        menu->addAction(text.replace(QLatin1Char('&'), QLatin1String("&&")), this,
                        [this, name, where] { Q_EMIT deviceRequested(name, where); });
    }
    m_devices->setMenu(menu);
}

void IdleEvidencePanel::clearReasons()
{
    while (QLayoutItem *item = m_reasons->takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

void IdleEvidencePanel::addReasons(const QString &title, const QStringList &reasons, const QString &mark)
{
    if (reasons.isEmpty())
        return;
    m_reasons->addSpacing(m_theme.space(Space::Small));
    QLabel *heading = plainLabel(m_theme, title, TextSize::Body, Color::Text, QFont::DemiBold);
    heading->setWordWrap(true);
    m_reasons->addWidget(heading);
    for (const QString &reason : reasons) {
        const QString line = widgets::plainLine(reason, kLongestReason);
        QLabel *label =
            plainLabel(m_theme, mark + QStringLiteral(" ") + line, TextSize::Body, Color::Muted, QFont::Normal);
        label->setWordWrap(true);
        label->setAccessibleName(tr("%1: %2", "heading and one of the lines below it").arg(title, line));
        m_reasons->addWidget(label);
    }
}

} // namespace gpuledger::ui
