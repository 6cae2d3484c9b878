// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/showback/meetingslideview.h"

#include "ui/dialogs/showback/meetingbars.h"
#include "ui/format/local/localtext.h"
#include "widgets/cards/card.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/state/plaintext.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::plainLine;
using widgets::Space;
using widgets::StackedBars; // without a scope in a return type, otherwise lupdate assigns its texts to that scope
using widgets::TextSize;
using Tone = MeetingSlide::Tone;

namespace {

constexpr int kLongestName = 60, kLongestLine = 120; // characters

QLabel *wrapped(QLabel *label)
{
    label->setWordWrap(true);
    return label;
}

StackedBars barsOf(const MeetingSlide &slide)
{
    using widgets::SeriesColor;
    StackedBars out;
    out.title = MeetingSlideView::tr("Cost by month and state, %1").arg(slide.currency);
    out.series = {{MeetingSlideView::tr("active"), SeriesColor(Color::Active)},
                  {MeetingSlideView::tr("idle"), SeriesColor(Color::Idle)},
                  {MeetingSlideView::tr("unallocated"), SeriesColor(Color::Unallocated)},
                  {MeetingSlideView::tr("not observed"), SeriesColor(Color::Unobserved), true},
                  {MeetingSlideView::tr("other costs"), SeriesColor(Color::Accent)}};
    for (const StatementSheet::Month &month : slide.months) {
        StackedBars::Bar bar;
        bar.label = month.label;
        if (month.isKnown)
            bar.values.assign(month.values.begin(), month.values.end());
        else if (out.bars.empty())
            continue; // skips months before the first known one
        else
            bar.values.assign(out.series.size(), std::numeric_limits<double>::quiet_NaN());
        bar.key = QString::number(out.bars.size());
        out.bars.push_back(std::move(bar));
    }
    out.unit = slide.currency;
    out.valueText = [currency = slide.currency](double value) -> QString {
        return LocalText::number(value, 0) + QLatin1Char(' ') + currency;
    };
    return out;
}

} // namespace

MeetingSlideView::MeetingSlideView(const widgets::Theme &theme, const MeetingSlide &slide, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Medium));
    layout->addWidget(head(slide));
    auto *figures = new QHBoxLayout;
    figures->setSpacing(theme.space(Space::Medium));
    for (const MeetingSlide::Figure &one : slide.figures)
        figures->addWidget(figure(one), 1);
    layout->addLayout(figures);
    auto *grid = new QGridLayout;
    grid->setSpacing(theme.space(Space::Medium));
    const bool hasWaste = !slide.waste.isEmpty() || !slide.workloads.empty();
    fillRow(*grid, 0, months(slide),
            slide.team ? (hasWaste ? waste(slide) : nullptr) : (slide.teams.empty() ? nullptr : teams(slide)));
    fillRow(*grid, 1, slide.before.empty() ? nullptr : before(slide), slide.now.empty() ? nullptr : now(slide));
    for (const int i : {0, 1}) {
        grid->setColumnStretch(i, 1);
        grid->setColumnMinimumWidth(i, 1);
    }
    layout->addLayout(grid, 1);
}

// Only what has something to show; it gets the whole row if it is alone.
void MeetingSlideView::fillRow(QGridLayout &grid, int row, QWidget *left, QWidget *right)
{
    if (left && right) {
        grid.addWidget(left, row, 0);
        grid.addWidget(right, row, 1);
    } else if (left || right) {
        grid.addWidget(left ? left : right, row, 0, 1, 2);
    }
    if (left || right)
        grid.setRowStretch(row, row == 0 ? 2 : 1);
}

Color MeetingSlideView::color(Tone tone) const
{
    return tone == Tone::Dearer ? Color::Critical : tone == Tone::Cheaper ? Color::Good : Color::Muted;
}

QWidget *MeetingSlideView::head(const MeetingSlide &slide)
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    QLabel *title =
        plainLabel(m_theme, plainLine(slide.title, kLongestName), TextSize::Figure, Color::Text, QFont::DemiBold, row);
    layout->setSpacing(m_theme.space(Space::Medium));
    layout->addWidget(title, 1);
    layout->addWidget(plainLabel(m_theme, slide.subtitle, TextSize::Section, Color::Muted, QFont::Normal, row));
    if (slide.draft && slide.now.size() < reports::DecisionDraft::kMostOfATeam) {
        auto *add = new QPushButton(tr("Decide…"), row);
        add->setFont(m_theme.font());
        add->setObjectName(QStringLiteral("decide"));
        connect(add, &QPushButton::clicked, this, &MeetingSlideView::decisionWanted);
        layout->addWidget(add);
    }
    return row;
}

QWidget *MeetingSlideView::figure(const MeetingSlide::Figure &figure)
{
    auto *card = new widgets::Card(m_theme, this);
    auto *layout = new QVBoxLayout(card);
    const int margin = m_theme.space(Space::Medium);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->setSpacing(m_theme.space(Space::Tiny));
    layout->addWidget(plainLabel(m_theme, figure.name, TextSize::Body, Color::Muted, QFont::Normal, card));
    layout->addWidget(plainLabel(m_theme, figure.value.isEmpty() ? QStringLiteral("–") : figure.value, TextSize::Figure,
                                 Color::Text, QFont::DemiBold, card));
    layout->addWidget(plainLabel(m_theme, figure.detail, TextSize::Body, color(figure.tone), QFont::Normal, card));
    if (!figure.range.isEmpty())
        layout->addWidget(
            wrapped(plainLabel(m_theme, figure.range, TextSize::Body, Color::Muted, QFont::Normal, card)));
    layout->addStretch(1);
    return card;
}

QWidget *MeetingSlideView::card(const QString &title, QBoxLayout *&inside)
{
    auto *card = new widgets::Card(m_theme, this);
    auto *layout = new QVBoxLayout(card);
    const int margin = m_theme.space(Space::Medium);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->setSpacing(m_theme.space(Space::Small));
    layout->addWidget(plainLabel(m_theme, title, TextSize::Section, Color::Text, QFont::DemiBold, card));
    inside = layout;
    return card;
}

QWidget *MeetingSlideView::months(const MeetingSlide &slide)
{
    auto *card = new widgets::Card(m_theme, this);
    auto *layout = new QVBoxLayout(card);
    const int margin = m_theme.space(Space::Medium);
    layout->setContentsMargins(margin, margin, margin, margin);
    auto *chart = new widgets::StackedBarChart(m_theme, card);
    chart->setData(barsOf(slide));
    layout->addWidget(chart);
    return card;
}

QWidget *MeetingSlideView::teams(const MeetingSlide &slide)
{
    QBoxLayout *inside = nullptr;
    QWidget *card = this->card(tr("Teams, %1", "currency").arg(slide.currency), inside);
    inside->addWidget(new MeetingBars(m_theme, slide.teams, card), 1);
    return card;
}

QWidget *MeetingSlideView::waste(const MeetingSlide &slide)
{
    QBoxLayout *inside = nullptr;
    QWidget *card = this->card(tr("Where it went"), inside);
    if (!slide.waste.isEmpty())
        inside->addWidget(wrapped(plainLabel(m_theme, slide.waste, TextSize::Body, Color::Text, QFont::Normal, card)));
    auto *table = new QGridLayout;
    table->setHorizontalSpacing(m_theme.space(Space::Medium));
    table->setVerticalSpacing(m_theme.space(Space::Small));
    table->setColumnStretch(0, 1);
    const auto put = [&](int row, int column, const QString &text, Color color, QFont::Weight weight) {
        QLabel *label = plainLabel(m_theme, text, TextSize::Body, color, weight, card);
        table->addWidget(label, row, column, column == 0 ? Qt::AlignLeft : Qt::AlignRight);
    };
    int row = 0;
    for (const StatementSheet::Workload &one : slide.workloads) {
        if (row++ == 0) {
            put(0, 0, tr("Most expensive workloads"), Color::Muted, QFont::Normal);
            put(0, 1, tr("Cost, %1").arg(slide.currency), Color::Muted, QFont::Normal);
            put(0, 2, tr("incl. idle"), Color::Muted, QFont::Normal);
        }
        put(row, 0, plainLine(one.name, kLongestName / 2), Color::Text, QFont::Normal);
        put(row, 1, one.amount, Color::Text, QFont::Normal);
        put(row, 2, one.idle, Color::Text, QFont::Normal);
    }
    inside->addLayout(table);
    inside->addStretch(1);
    return card;
}

QWidget *MeetingSlideView::before(const MeetingSlide &slide)
{
    QBoxLayout *inside = nullptr;
    QWidget *card = this->card(tr("Results of earlier decisions"), inside);
    for (const MeetingSlide::Decision &one : slide.before)
        inside->addWidget(decision(one, slide.team.has_value()));
    if (slide.moreBefore > 0)
        inside->addWidget(plainLabel(m_theme, tr("%n more", nullptr, slide.moreBefore), TextSize::Body, Color::Muted,
                                     QFont::Normal, card));
    inside->addStretch(1);
    return card;
}

QWidget *MeetingSlideView::now(const MeetingSlide &slide)
{
    QBoxLayout *inside = nullptr;
    QWidget *card = this->card(tr("Decisions of this meeting"), inside);
    for (const MeetingSlide::Decision &one : slide.now)
        inside->addWidget(decision(one, slide.team.has_value()));
    inside->addStretch(1);
    return card;
}

QWidget *MeetingSlideView::buttons(const MeetingSlide::Decision &decision)
{
    auto *box = new QWidget(this);
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Small));
    for (const bool done : {true, false}) {
        auto *button = new QPushButton(done ? tr("Done") : tr("Drop"), box);
        button->setFont(m_theme.font());
        button->setAccessibleName((done ? tr("Done: %1", "decision") : tr("Drop: %1", "decision"))
                                      .arg(plainLine(decision.what, kLongestLine)));
        connect(button, &QPushButton::clicked, this, [this, id = decision.id, done] { Q_EMIT settleWanted(id, done); });
        layout->addWidget(button);
    }
    return box;
}

QWidget *MeetingSlideView::decision(const MeetingSlide::Decision &decision, bool canSettle)
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(Space::Medium));
    auto *texts = new QVBoxLayout;
    texts->setSpacing(m_theme.space(Space::Tiny));
    auto *first = new QHBoxLayout;
    first->setSpacing(m_theme.space(Space::Medium));
    first->addWidget(wrapped(plainLabel(m_theme, plainLine(decision.what, kLongestLine), TextSize::Body, Color::Text,
                                        QFont::DemiBold, row)),
                     1);
    first->addWidget(plainLabel(m_theme, plainLine(decision.who, kLongestName), TextSize::Body,
                                decision.isLate ? Color::Warning : Color::Muted, QFont::Normal, row));
    texts->addLayout(first);
    texts->addWidget(
        wrapped(plainLabel(m_theme, decision.result, TextSize::Body, color(decision.tone), QFont::Normal, row)));
    layout->addLayout(texts, 1);
    if (canSettle && decision.isOpen && !decision.isSaving)
        layout->addWidget(buttons(decision));
    return row;
}

} // namespace gpuledger::ui
