// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sources/commandconsentpanel.h"

#include "app/base/text/text.h"
#include "widgets/state/plaintext.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextBlock>
#include <QTextLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using ports::CommandPlan;
using widgets::Color;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kMostLines = 14; // more can be reached by scrolling

// Never truncated, because the user can only agree to what is fully shown. Three bytes stand for a character that can't
// be displayed.
QString shown(const std::string &text)
{
    return QString::fromStdString(base::printable(text, 3 * text.size() + 8));
}

QString described(const CommandPlan &plan)
{
    QStringList lines;
    lines << CommandConsentPanel::tr("Program: %1").arg(shown(plan.program));
    lines << CommandConsentPanel::tr("Arguments: %1", "none, or one on each line below")
                 .arg(plan.arguments.empty() ? CommandConsentPanel::tr("none", "arguments") : QString());
    for (const std::string &argument : plan.arguments)
        lines << QStringLiteral("    \"%1\"").arg(shown(argument));
    QStringList names;
    for (const std::string &name : plan.environment)
        names << shown(name);
    lines << CommandConsentPanel::tr("Environment: %1", "names of variables").arg(names.join(QLatin1Char(' ')));
    lines << CommandConsentPanel::tr("SHA-256: %1", "of the program").arg(QString::fromStdString(plan.sha256));
    for (QString &line : lines) { // a line that ends with its label
        while (line.endsWith(QLatin1Char(' ')))
            line.chop(1);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

CommandConsentPanel::CommandConsentPanel(const widgets::Theme &theme, SourceTest &test, QWidget *parent)
    : QWidget(parent)
    , m_test(test)
    , m_commands(new QPlainTextEdit(this))
    , m_agree(new QPushButton(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(Space::Small));
    m_commands->setReadOnly(true);
    m_commands->setTabChangesFocus(true);
    m_commands->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_commands->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_commands->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_commands->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_commands->setAccessibleName(tr("Command that would run to log in"));
    QLabel *note = widgets::plainLabel(theme,
                                       tr("It runs without a shell and without input, for at most 30 s, each time this "
                                          "source is queried. You are asked again when any of this changes."),
                                       TextSize::Body, Color::Muted, QFont::Normal, this);
    note->setWordWrap(true);
    m_agree->setAutoDefault(false); // Enter never agrees
    auto *button = new QHBoxLayout;
    button->addWidget(m_agree);
    button->addStretch();
    layout->addWidget(m_commands);
    layout->addWidget(note);
    layout->addLayout(button);
    connect(m_agree, &QPushButton::clicked, &test, &SourceTest::agree);
    connect(&test, &SourceTest::changed, this, &CommandConsentPanel::showCommands);
    showCommands();
}

void CommandConsentPanel::showCommands()
{
    const bool isAsked = m_test.state() == SourceTest::State::NeedsConsent;
    if (isAsked) {
        const auto &plans = m_test.commands();
        QStringList texts;
        for (const CommandPlan &plan : plans)
            texts << described(plan);
        m_commands->setPlainText(texts.join(QStringLiteral("\n\n")));
        m_agree->setText(plans.size() == 1 ? tr("Agree to run this command") : tr("Agree to run these commands"));
        const bool changed = std::any_of(plans.begin(), plans.end(), [](const CommandPlan &plan) {
            return plan.consent == CommandPlan::Consent::Outdated;
        });
        m_agree->setAccessibleDescription(changed ? tr("It has changed since you agreed to it") : QString());
    }
    setVisible(isAsked);
    makeRoom();
}

void CommandConsentPanel::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    makeRoom();
}

// Grows with its text.
void CommandConsentPanel::makeRoom()
{
    int lines = 0;
    for (QTextBlock block = m_commands->document()->begin(); block.isValid(); block = block.next())
        lines += std::max(1, block.layout()->lineCount());
    const int frame = 2 * m_commands->frameWidth() + qRound(2 * m_commands->document()->documentMargin());
    m_commands->setFixedHeight(std::clamp(lines, 1, kMostLines) * m_commands->fontMetrics().lineSpacing() + frame + 2);
}

} // namespace gpuledger::ui
