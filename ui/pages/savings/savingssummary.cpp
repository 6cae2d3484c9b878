// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingssummary.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/savings/savingsbar.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "widgets/state/plaintext.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kDoneAtLeast = 260, kDoneAtMost = 400, kBandAtLeast = 180; // pixels

} // namespace

SavingsSummary::SavingsSummary(const widgets::Theme &theme, const SavingsViewModel &model, QWidget *parent)
    : Card(theme, parent)
    , m_theme(theme)
    , m_model(model)
    , m_grid(new QGridLayout)
    , m_nothing(plainLabel(theme, tr("0 a month: nothing counts"), TextSize::Body, Color::Text, QFont::Normal, this))
    , m_note(plainLabel(theme, {}, TextSize::Caption, Color::Muted, QFont::Normal, this))
    , m_doneTitle(plainLabel(theme, tr("Realized"), TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_done(plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::Normal, this))
{
    auto *layout = new QHBoxLayout(this);
    const int side = theme.space(Space::Large);
    layout->setContentsMargins(side, theme.space(Space::Medium), side, theme.space(Space::Medium));
    layout->setSpacing(theme.space(Space::Large));
    auto *found = new QVBoxLayout;
    found->setSpacing(theme.space(Space::Tiny));
    found->addWidget(plainLabel(theme, tr("Savings found, without double counting"), TextSize::Body, Color::Muted,
                                QFont::Normal, this));
    m_grid->setHorizontalSpacing(theme.space(Space::Large));
    m_grid->setVerticalSpacing(theme.space(Space::Small));
    m_grid->setColumnStretch(1, 1);
    found->addLayout(m_grid);
    for (QLabel *label : {m_nothing, m_note}) {
        label->setWordWrap(true);
        label->hide();
        found->addWidget(label);
    }
    layout->addLayout(found, 1);
    auto *done = new QVBoxLayout;
    done->setSpacing(theme.space(Space::Tiny));
    m_done->setWordWrap(true);
    m_done->setMinimumWidth(kDoneAtLeast); // the label would wrap as soon as it may
    m_done->setMaximumWidth(kDoneAtMost);
    done->addWidget(m_doneTitle);
    done->addWidget(m_done);
    done->addStretch();
    layout->addLayout(done);
    showDone();
}

SavingsSummary::Line SavingsSummary::addLine()
{
    const int row = static_cast<int>(m_lines.size());
    auto *sum = new QWidget(this);
    auto *layout = new QGridLayout(sum);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(m_theme.space(Space::Small));
    layout->setVerticalSpacing(0);
    QLabel *figure = plainLabel(m_theme, {}, TextSize::Figure, Color::Text, QFont::DemiBold, sum);
    QLabel *month = plainLabel(m_theme, tr("a month"), TextSize::Body, Color::Muted, QFont::Normal, sum);
    QLabel *band = plainLabel(m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, sum);
    band->setWordWrap(true);
    band->setMinimumWidth(kBandAtLeast);
    layout->addWidget(figure, 0, 0);
    layout->addWidget(month, 0, 1, Qt::AlignBottom);
    layout->addWidget(band, 1, 0, 1, 3);
    layout->setColumnStretch(2, 1);
    auto *bar = new SavingsBar(m_theme, tr("Savings by kind"), this);
    m_grid->addWidget(sum, row, 0);
    m_grid->addWidget(bar, row, 1, Qt::AlignVCenter);
    return {sum, figure, band, bar};
}

void SavingsSummary::showSums()
{
    const auto snapshot = m_model.snapshot();
    if (!snapshot)
        return;
    const savings::SavingsList &list = snapshot->list;
    const QString note = SavingsText::leftOut(list).join(QLatin1Char('\n'));
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_nothing->setVisible(list.sums.empty());
    while (m_lines.size() < list.sums.size())
        m_lines.push_back(addLine());
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const bool isUsed = i < list.sums.size();
        m_lines[i].sum->setVisible(isUsed);
        m_lines[i].bar->setVisible(isUsed);
        if (!isUsed)
            continue;
        const savings::SavingsSum &sum = list.sums[i];
        m_lines[i].figure->setText(SavingsText::money(sum.perMonth.p50));
        m_lines[i].figure->setAccessibleName(SavingsText::found(sum));
        m_lines[i].band->setText(SavingsText::foundBand(list, sum));
        m_lines[i].band->setToolTip(widgets::plainToolTip(SavingsText::foundBandTip()));
        std::vector<SavingsBar::Part> parts;
        for (const auto &[kind, band] : sum.byKind)
            parts.push_back({SavingsText::kindName(kind), LocalText::shortMoney(band.p50.toDouble()),
                             band.p50.toDouble(), static_cast<int>(kind)});
        m_lines[i].bar->setParts(std::move(parts));
    }
    setToolTip(widgets::plainToolTip(LocalText::sourceLine(snapshot->frame.sources, snapshot->age())));
}

void SavingsSummary::showDone()
{
    const auto done = m_model.done();
    const auto &error = m_model.doneError();
    m_done->setText(error      ? tr("Not known: %1").arg(LocalText::sentence(*error))
                        : done ? SavingsText::realized(*done).join(QLatin1Char('\n'))
                               : tr("Measuring…"));
}

} // namespace gpuledger::ui
