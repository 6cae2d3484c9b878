// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/waitingpanel.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "ui/format/phrases/waitingphrase.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/cards/scrolled.h"
#include "widgets/state/plaintext.h"

#include <QFrame>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace gpuledger::ui {

using insight::WaitingItem;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kLongestWaitingLine = 300;

QString fromStd(const std::string &text)
{
    return QString::fromStdString(text);
}

// A long name has no spaces to wrap at; a zero-width space after each separator allows it.
QString breakable(const QString &text)
{
    QString out;
    for (const QChar c : text) {
        out += c;
        if (c == QLatin1Char('-') || c == QLatin1Char('/') || c == QLatin1Char('.') || c == QLatin1Char('_'))
            out += QChar(0x200B);
    }
    return out;
}

} // namespace

WaitingPanel::WaitingPanel(const widgets::Theme &theme, const WaitingViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
    , m_show(new QPushButton(tr("Show what holds its GPUs"), this))
{
    setAccessibleName(tr("Selected job"));
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme.space(Space::Medium));
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    m_lines = new QVBoxLayout;
    m_lines->setSpacing(theme.space(Space::Tiny));
    layout->addLayout(m_lines);
    layout->addStretch();
    outer->addWidget(widgets::scrolled(content, this), 1);
    outer->addWidget(m_show);
    connect(m_show, &QPushButton::clicked, this, [this] { Q_EMIT idleRequested(m_idle); });
    showRow({});
}

void WaitingPanel::showRow(const QString &row)
{
    clearLines();
    const WaitingItem *item = m_model.itemOf(row);
    const QStringList servers = m_model.serversOf(row);
    m_idle = servers.isEmpty() ? QString() : servers.front();
    m_show->setVisible(!m_idle.isEmpty());
    if (!item)
        return;
    addNeeds(*item);
    addReasons(*item, row);
    addParts(*item);
    m_lines->parentWidget()->layout()->activate(); // gives wrapped text its height at once
}

void WaitingPanel::addNeeds(const WaitingItem &item)
{
    const model::WaitingWork &work = item.work;
    QLabel *name = plainLabel(m_theme, breakable(widgets::plainLine(fromStd(workloadOf(work)), kLongestWaitingLine)),
                              TextSize::Section, Color::Text, QFont::DemiBold);
    name->setWordWrap(true);
    name->setAccessibleName(widgets::plainLine(fromStd(workloadOf(work)), kLongestWaitingLine));
    m_lines->addWidget(name);
    QStringList place{tr("cluster %1").arg(fromStd(work.cluster))};
    if (!work.nameSpace.empty())
        place.append(tr("ns %1", "namespace").arg(fromStd(work.nameSpace)));
    addLine(place.join(QStringLiteral(" › ")), Color::Muted);
    if (!work.team.empty())
        addLine(tr("Owner %1").arg(fromStd(work.team)), Color::Text);
    if (work.since) {
        const base::Seconds waited =
            std::max(base::Seconds{0}, base::Seconds{m_model.snapshot()->list.at - *work.since});
        addLine(tr("Waiting for %1, since %2", "length of time, time")
                    .arg(IdleText::duration(waited), IdleText::instant(*work.since, m_model.snapshot()->zone)),
                Color::Text);
    }
    if (work.gpus)
        addLine(tr("Needs %1", "number of GPUs and their kind")
                    .arg(IdleText::gpus(static_cast<double>(*work.gpus), gpuKindOf(work))),
                Color::Text);
}

void WaitingPanel::addReasons(const WaitingItem &item, const QString &row)
{
    addHeading(item.isServed ? tr("What would serve it") : tr("What keeps it waiting"));
    addLine(m_model.reason(row), Color::Muted);
    for (const insight::Blocker blocker : item.obstacles) {
        if (blocker != item.blocker)
            addLine(QStringLiteral("! ") + LocalText::phrase(nameOf(blocker)), Color::Muted);
    }
}

void WaitingPanel::addParts(const WaitingItem &item)
{
    if (item.parts.empty())
        return;
    const auto code = m_model.snapshot()->currency.code();
    const QString currency = QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
    addHeading(item.node.empty() ? tr("Idle GPUs") : tr("Idle GPUs on %1", "a node").arg(fromStd(item.node)));
    for (const insight::IdlePart &part : item.parts) {
        const QString units = QLocale().toString(static_cast<qlonglong>(part.units));
        const QString what = part.idle.empty()
            ? tr("%1 free", "number of GPUs").arg(units)
            : tr("%1 held by %2", "number of GPUs, workload").arg(units, fromStd(part.name));
        addLine(part.since ? tr("%1, idle since %2", "GPUs of a workload, time")
                                 .arg(what, IdleText::instant(*part.since, m_model.snapshot()->zone))
                           : what,
                Color::Muted);
    }
    if (item.perMonth)
        addLine(tr("They cost %1 a month", "money").arg(LocalText::money(item.perMonth->toDouble(), currency, 0)),
                Color::Muted);
    if (item.lost)
        addLine(tr("%1 lost while it waited", "money").arg(LocalText::money(item.lost->toDouble(), currency, 0)),
                Color::Muted);
}

void WaitingPanel::addHeading(const QString &text)
{
    m_lines->addSpacing(m_theme.space(Space::Small));
    QLabel *label = plainLabel(m_theme, text, TextSize::Body, Color::Text, QFont::DemiBold);
    label->setWordWrap(true);
    m_lines->addWidget(label);
}

void WaitingPanel::addLine(const QString &text, Color color)
{
    const QString line = widgets::plainLine(text, kLongestWaitingLine);
    QLabel *label = plainLabel(m_theme, breakable(line), TextSize::Body, color);
    label->setWordWrap(true);
    label->setAccessibleName(line);
    m_lines->addWidget(label);
}

void WaitingPanel::clearLines()
{
    while (QLayoutItem *item = m_lines->takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

} // namespace gpuledger::ui
