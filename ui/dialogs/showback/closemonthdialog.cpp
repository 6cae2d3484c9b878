// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/showback/closemonthdialog.h"

#include "app/services/billing/billingservice.h"
#include "ui/dialogs/dialogframe.h"
#include "ui/format/local/localtext.h"
#include "ui/format/phrases/phrase.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kWidth = 520;
constexpr int kReasonHeight = 72;
constexpr QLatin1String kWarningIcon("warning"); // no-tr: icon name

bool yields(const reports::MonthStatus &status)
{
    return std::all_of(status.objections.begin(), status.objections.end(),
                       [](const reports::Objection &one) { return one.yieldsToReason(); });
}

} // namespace

CloseMonthDialog::CloseMonthDialog(const widgets::Theme &theme, const reports::MonthStatus &status,
                                   const QString &total, QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_status(status)
    , m_reason(new QPlainTextEdit(this))
    , m_hint(plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_close(new QPushButton(tr("Close %1").arg(monthName(status.month)), this))
{
    setWindowTitle(tr("Close %1").arg(monthName(status.month)));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kWidth);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    layout->addWidget(plainLabel(theme, total, TextSize::Section, Color::Text, QFont::DemiBold, this));
    QLabel *meaning = plainLabel(theme,
                                 tr("A closed month never changes. Its statement is kept as it is now; what becomes "
                                    "known later is booked as an adjustment in a month that is still open."),
                                 TextSize::Body, Color::Text, QFont::Normal, this);
    meaning->setWordWrap(true);
    layout->addWidget(meaning);
    addObjections(*layout);
    QLabel *label =
        plainLabel(theme, m_status.objections.empty() ? tr("Note (optional)") : tr("Reason for closing anyway"),
                   TextSize::Body, Color::Muted, QFont::Normal, this);
    label->setBuddy(m_reason);
    m_reason->setAccessibleName(label->text());
    m_reason->setTabChangesFocus(true);
    m_reason->setFixedHeight(kReasonHeight);
    layout->addWidget(label);
    layout->addWidget(m_reason);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    layout->addStretch();
    auto *cancel = new QPushButton(tr("Cancel"), this);
    addDialogButtons(*this, *layout, theme, cancel, m_close, DefaultButton::Cancel);
    connect(m_reason, &QPlainTextEdit::textChanged, this, &CloseMonthDialog::showWhetherItCan);
    connect(m_close, &QPushButton::clicked, this, [this] {
        Q_EMIT confirmed(m_reason->toPlainText().trimmed());
        accept();
    });
    showWhetherItCan();
    m_reason->setFocus();
}

void CloseMonthDialog::addObjections(QVBoxLayout &layout)
{
    for (const reports::Objection &objection : m_status.objections) {
        auto *row = new QHBoxLayout;
        row->setSpacing(m_theme.space(Space::Small));
        QLabel *icon = widgets::plainLabel({}, this);
        constexpr int kIcon = 16;
        icon->setPixmap(m_theme.icon(kWarningIcon, Color::Warning).pixmap(kIcon, kIcon));
        icon->setAlignment(Qt::AlignTop);
        QString text = LocalText::phrase(textOf(objection));
        text.replace(0, 1, text.left(1).toUpper());
        QLabel *words = plainLabel(m_theme, text + QLatin1Char('.'), TextSize::Body, Color::Text, QFont::Normal, this);
        words->setWordWrap(true);
        row->addWidget(icon);
        row->addWidget(words, 1);
        layout.addLayout(row);
    }
}

void CloseMonthDialog::showWhetherItCan()
{
    const bool can = yields(m_status);
    const QString reason = m_reason->toPlainText().trimmed();
    const auto bytes = static_cast<std::size_t>(reason.toUtf8().size());
    const bool tooLong = bytes > services::BillingService::kLongestReason;
    m_close->setEnabled(can && !tooLong && (m_status.objections.empty() || !reason.isEmpty()));
    m_hint->setText(!can          ? tr("It can't be closed yet, whatever reason is given.")
                        : tooLong ? tr("The text is too long.")
                        : !m_status.objections.empty() && reason.isEmpty()
                        ? tr("Give a reason; it goes into the audit log.")
                        : QString());
    m_hint->setVisible(!m_hint->text().isEmpty());
}

} // namespace gpuledger::ui
