// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/idle/leavealonedialog.h"

#include "ui/dialogs/dialogframe.h"
#include "widgets/state/plaintext.h"

#include <QComboBox>
#include <QDateEdit>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace gpuledger::ui {

using model::Lease;
using widgets::Color;
using widgets::plainLabel;
using widgets::TextSize;

namespace {

constexpr int kWidth = 460, kLongestReason = 500; // characters
constexpr qint64 kUnixEpoch = 2'440'588; // Julian day of 1970-01-01
constexpr std::array kKinds{Lease::Kind::Snooze, Lease::Kind::KeepUntil, Lease::Kind::Protect}; // as in the list

QDate dateOf(base::UtcTime time)
{
    return QDate::fromJulianDay(kUnixEpoch + base::dayOf(time).number);
}

} // namespace

LeaveAloneDialog::LeaveAloneDialog(const widgets::Theme &theme, const QString &workload, base::UtcTime now,
                                   Lease::Kind kind, QWidget *parent)
    : QDialog(parent)
    , m_kind(new QComboBox(this))
    , m_until(new QDateEdit(dateOf(now).addDays(7), this))
    , m_reason(new QLineEdit(this))
    , m_meaning(plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
{
    setWindowTitle(tr("Leave %1 alone").arg(widgets::plainLine(workload, 60)));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kWidth);
    m_kind->addItems({tr("Snooze"), tr("Keep until"), tr("Protect")});
    const auto chosen = std::find(kKinds.begin(), kKinds.end(), kind);
    m_kind->setCurrentIndex(chosen == kKinds.end() ? 0 : static_cast<int>(chosen - kKinds.begin()));
    m_until->setMinimumDate(dateOf(now).addDays(1));
    m_until->setCalendarPopup(true);
    m_reason->setMaxLength(kLongestReason);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    QFormLayout *form = dialogForm(theme);
    addField(*form, tr("What"), m_kind);
    addField(*form, tr("Until the end of"), m_until);
    addField(*form, tr("Reason"), m_reason);
    layout->addLayout(form);
    m_meaning->setWordWrap(true);
    layout->addWidget(m_meaning);
    layout->addStretch();
    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *keep = new QPushButton(tr("Leave it alone"), this);
    addDialogButtons(*this, *layout, theme, cancel, keep, DefaultButton::Action);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &LeaveAloneDialog::showMeaning);
    connect(keep, &QPushButton::clicked, this, [this] {
        Request wish{this->kind(), std::nullopt, m_reason->text().trimmed().toStdString()};
        if (wish.kind != Lease::Kind::Protect)
            wish.until = base::Day{static_cast<std::int32_t>(m_until->date().toJulianDay() - kUnixEpoch)}.end();
        Q_EMIT confirmed(wish);
        accept();
    });
    showMeaning();
}

Lease::Kind LeaveAloneDialog::kind() const
{
    return kKinds[static_cast<std::size_t>(std::max(0, m_kind->currentIndex()))];
}

void LeaveAloneDialog::showMeaning()
{
    m_until->setEnabled(kind() != Lease::Kind::Protect);
    m_meaning->setText(
        kind() == Lease::Kind::Snooze ? tr("It is listed below the others until then (UTC); it can still be stopped.")
            : kind() == Lease::Kind::KeepUntil ? tr("It can't be stopped from here until then (UTC).")
                                               : tr("It can't be stopped from here until the request is withdrawn."));
}

} // namespace gpuledger::ui
