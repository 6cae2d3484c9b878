// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/savings/savingspanel.h"

#include "ui/format/local/localtext.h"
#include "ui/pages/savings/savingsbuttons.h"
#include "ui/pages/savings/savingschart.h"
#include "ui/viewmodels/savings/savingstext.h"
#include "widgets/state/plaintext.h"

#include <QFontDatabase>
#include <QFrame>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gpuledger::ui {

using savings::ChoiceState;
using savings::Proposal;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kLongestSavingsLine = 400; // characters
constexpr int kLeastHowLines = 3, kMostHowLines = 14;

// A long name has no spaces to wrap at; a zero-width space after each separator allows it.
QString wrappable(const QString &text)
{
    QString out;
    for (const QChar c : text) {
        out += c;
        if (c == QLatin1Char('-') || c == QLatin1Char('/') || c == QLatin1Char('.') || c == QLatin1Char('_'))
            out += QChar(0x200B);
    }
    return out;
}

void clearColumn(QVBoxLayout &layout)
{
    while (QLayoutItem *item = layout.takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

} // namespace

SavingsPanel::SavingsPanel(const widgets::Theme &theme, const SavingsViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_model(model)
    , m_head(new QVBoxLayout)
    , m_lines(new QVBoxLayout)
    , m_assumptions(new QVBoxLayout)
{
    setAccessibleName(tr("Selected proposal"));
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(theme.space(Space::Medium));
    auto *area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::TabFocus); // the arrows scroll
    area->setAccessibleName(tr("Details of the proposal"));
    m_area = area;
    auto *content = new QWidget(area);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    for (QVBoxLayout *lines : {m_head, m_lines, m_assumptions})
        lines->setSpacing(theme.space(Space::Tiny));
    m_howTitle = plainLabel(theme, tr("How to do it"), TextSize::Body, Color::Text, QFont::DemiBold, content);
    m_how = new QPlainTextEdit(content);
    m_how->setReadOnly(true);
    m_how->setTabChangesFocus(true);
    m_how->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_how->setAccessibleName(tr("How to do it"));
    m_copyHow = new QPushButton(tr("Copy how"), content);
    m_chart = new SavingsChart(theme, content);
    layout->addLayout(m_head);
    layout->addWidget(m_chart);
    layout->addLayout(m_lines);
    layout->addWidget(m_howTitle);
    layout->addWidget(m_how);
    layout->addWidget(m_copyHow, 0, Qt::AlignLeading);
    layout->addLayout(m_assumptions);
    layout->addStretch();
    area->setWidget(content);
    area->viewport()->setAutoFillBackground(false); // lets the card show through
    content->setAutoFillBackground(false);
    outer->addWidget(area, 1);
    m_buttons = new SavingsButtons(theme, model, this);
    outer->addWidget(m_buttons);
    connect(m_copyHow, &QPushButton::clicked, this, &SavingsPanel::howRequested);
    showCurrent();
}

void SavingsPanel::showCurrent()
{
    clearColumn(*m_head);
    clearColumn(*m_lines);
    clearColumn(*m_assumptions);
    const Proposal *one = m_model.current();
    if (std::exchange(m_shownId, m_model.currentId()) != m_model.currentId())
        m_area->verticalScrollBar()->setValue(0);
    showHow(one);
    showCurve();
    m_buttons->showChoices();
    if (!one)
        return;
    const auto snapshot = m_model.snapshot();
    const QString title = widgets::plainLine(SavingsText::what(*one), kLongestSavingsLine);
    QLabel *name = plainLabel(m_theme, wrappable(title), TextSize::Section, Color::Text, QFont::DemiBold);
    name->setWordWrap(true);
    name->setAccessibleName(title);
    m_head->addWidget(name);
    if (!one->owner.empty())
        addLine(*m_head, tr("Owner %1").arg(QString::fromStdString(one->owner)));
    addLine(*m_head, SavingsText::saves(*one, snapshot->list.range), Color::Text);
    if (const QString less = SavingsText::inTheSum(*one); !less.isEmpty())
        addLine(*m_head, less, Color::Text);
    if (one->excludedBy && !isPutAside(*one)) // else the state says it
        addLine(*m_head, tr("Not counted: %1", "with the reason").arg(SavingsText::whyNot(*one, snapshot->frame.zone)),
                Color::Warning);
    if (const savings::Choice *choice = m_model.choiceOf(m_model.currentId())) {
        addLine(*m_head, tr("State: %1").arg(SavingsText::state(*choice)), Color::Text);
        if (choice->draft.state != ChoiceState::Dismissed && !choice->draft.reason.empty())
            addLine(*m_head, tr("Note: %1").arg(QString::fromStdString(choice->draft.reason)));
    }
    if (one->avoidable)
        addLine(*m_head,
                tr("%1 a month would end if none of it were used", "amount").arg(SavingsText::money(*one->avoidable)));
    addParts(*one, snapshot->frame.zone);
    m_lines->parentWidget()->layout()->activate(); // gives wrapped text its height at once
}

void SavingsPanel::showCurve()
{
    m_chart->showCurve(m_model);
}

void SavingsPanel::addParts(const Proposal &proposal, const base::TimeZone &zone)
{
    if (!proposal.evidence.empty())
        addHeading(tr("Evidence"));
    for (const savings::Evidence &one : proposal.evidence)
        addLine(*m_lines,
                tr("%1: %2", "what was counted, its value")
                    .arg(SavingsText::sentence(one.label, zone), SavingsText::value(one.value, zone)));
    if (!proposal.risks.empty())
        addHeading(tr("Risks"));
    for (const savings::Remark &risk : proposal.risks)
        addLine(*m_lines, QStringLiteral("! ") + SavingsText::sentence(risk, zone));
    if (proposal.assumptions.empty())
        return;
    m_assumptions->addWidget(plainLabel(m_theme, tr("Assumptions"), TextSize::Body, Color::Text, QFont::DemiBold));
    for (const savings::Assumption &one : proposal.assumptions) {
        QLabel *label = plainLabel(m_theme, widgets::plainLine(SavingsText::assumption(one), kLongestSavingsLine),
                                   TextSize::Body, Color::Muted);
        label->setWordWrap(true);
        m_assumptions->addWidget(label);
    }
}

void SavingsPanel::showHow(const Proposal *proposal)
{
    const QString how = proposal ? QString::fromStdString(proposal->how) : QString();
    for (QWidget *widget : std::initializer_list<QWidget *>{m_howTitle, m_how, m_copyHow})
        widget->setVisible(!how.isEmpty());
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(m_theme.tokens().textSize(TextSize::Caption));
    m_how->setFont(font);
    if (m_how->toPlainText() != how)
        m_how->setPlainText(how);
    const int lines = std::clamp(static_cast<int>(how.count(QLatin1Char('\n'))) + 1, kLeastHowLines, kMostHowLines);
    m_how->setFixedHeight(lines * QFontMetrics(font).lineSpacing() + m_how->horizontalScrollBar()->sizeHint().height()
                          + 2 * m_theme.space(Space::Small));
}

void SavingsPanel::addLine(QVBoxLayout &to, const QString &text, Color color)
{
    const QString line = widgets::plainLine(text, kLongestSavingsLine);
    QLabel *label = plainLabel(m_theme, wrappable(line), TextSize::Body, color);
    label->setWordWrap(true);
    label->setAccessibleName(line);
    to.addWidget(label);
}

void SavingsPanel::addHeading(const QString &text)
{
    m_lines->addSpacing(m_theme.space(Space::Small));
    m_lines->addWidget(plainLabel(m_theme, text, TextSize::Body, Color::Text, QFont::DemiBold));
}

} // namespace gpuledger::ui
