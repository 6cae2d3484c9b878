// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/idle/markdialog.h"

#include "ui/dialogs/dialogframe.h"
#include "ui/viewmodels/idle/idletext.h"
#include "widgets/state/plaintext.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::TextSize;

namespace {

constexpr int kMarkWidth = 460, kLongestMarkReason = 500; // characters
constexpr int kUsualHours = 24, kMostHours = 720;

} // namespace

MarkDialog::MarkDialog(const widgets::Theme &theme, const QString &workload, base::UtcTime now,
                       const base::TimeZone &zone, QWidget *parent)
    : QDialog(parent)
    , m_now(now)
    , m_zone(zone)
    , m_hours(new QSpinBox(this))
    , m_reason(new QLineEdit(this))
    , m_meaning(plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
{
    setWindowTitle(tr("Stop %1 later").arg(widgets::plainLine(workload, 60)));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kMarkWidth);
    m_hours->setRange(1, kMostHours);
    m_hours->setValue(kUsualHours);
    m_reason->setMaxLength(kLongestMarkReason);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    QFormLayout *form = dialogForm(theme);
    addField(*form, tr("Hours to object"), m_hours);
    addField(*form, tr("Reason"), m_reason);
    layout->addLayout(form);
    m_meaning->setWordWrap(true);
    layout->addWidget(m_meaning);
    layout->addStretch();
    auto *cancel = new QPushButton(tr("Cancel"), this);
    auto *mark = new QPushButton(tr("Mark it"), this);
    addDialogButtons(*this, *layout, theme, cancel, mark, DefaultButton::Cancel);
    connect(m_hours, &QSpinBox::valueChanged, this, &MarkDialog::showMeaning);
    connect(mark, &QPushButton::clicked, this, [this] {
        Q_EMIT confirmed({after(), m_reason->text().trimmed().toStdString()});
        accept();
    });
    showMeaning();
}

void MarkDialog::suggest(base::Seconds after)
{
    m_hours->setValue(static_cast<int>(std::chrono::ceil<std::chrono::hours>(after).count()));
}

base::Seconds MarkDialog::after() const
{
    return std::chrono::hours(m_hours->value());
}

void MarkDialog::showMeaning()
{
    m_meaning->setText(tr("The watch stops it after %1, unless someone objects or it becomes active again. All checks "
                          "are made then, as for a stop now.")
                           .arg(IdleText::instant(m_now + after(), m_zone)));
}

} // namespace gpuledger::ui
