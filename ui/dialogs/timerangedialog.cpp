// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/timerangedialog.h"

#include "ui/dialogs/dialogframe.h"
#include "widgets/state/plaintext.h"

#include <QDateTimeEdit>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

namespace {

constexpr int kLeastWidth = 360; // with less, window managers cut the title

// The fields hold a local time; declaring it as UTC prevents Qt from shifting it by the system's time zone.
QDateTime readingOf(base::UtcTime at, const base::TimeZone &zone)
{
    return QDateTime::fromSecsSinceEpoch(zone.localSeconds(at), Qt::UTC);
}

} // namespace

TimeRangeDialog::TimeRangeDialog(const widgets::Theme &theme, const base::TimeZone &zone, base::TimeRange range,
                                 QWidget *parent)
    : QDialog(parent)
    , m_zone(zone)
    , m_from(edit(tr("From"), range.start))
    , m_to(edit(tr("To"), range.end))
    , m_problem(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Critical))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Custom range"));
    setMinimumWidth(kLeastWidth);
    QVBoxLayout *layout = dialogLayout(*this, theme);
    auto *form = new QFormLayout;
    form->setSpacing(theme.space(widgets::Space::Small));
    form->addRow(tr("From"), m_from);
    form->addRow(tr("To", "end of a time range"), m_to);
    layout->addLayout(form);
    layout->addWidget(widgets::plainLabel(theme, tr("Times in %1").arg(QString::fromStdString(zone.name())),
                                          widgets::TextSize::Caption, widgets::Color::Muted));
    layout->addWidget(m_problem);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(theme.space(widgets::Space::Small));
    auto *cancel = new QPushButton(tr("Cancel"), this);
    cancel->setAutoDefault(false);
    m_apply = new QPushButton(tr("Show this range"), this);
    m_apply->setDefault(true);
    widgets::setPrimary(m_apply);
    buttons->addStretch();
    buttons->addWidget(cancel);
    buttons->addWidget(m_apply);
    layout->addLayout(buttons);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_apply, &QPushButton::clicked, this, [this] {
        Q_EMIT chosen(this->range());
        accept();
    });
    for (QDateTimeEdit *field : {m_from, m_to})
        connect(field, &QDateTimeEdit::dateTimeChanged, this, &TimeRangeDialog::check);
    check();
    m_from->setFocus();
}

QDateTimeEdit *TimeRangeDialog::edit(const QString &name, base::UtcTime at)
{
    auto *field = new QDateTimeEdit(this);
    field->setTimeSpec(Qt::UTC);
    field->setCalendarPopup(true);
    field->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm")); // no-tr: the same in every language
    field->setAccessibleName(name);
    field->setDateTime(readingOf(at, m_zone));
    return field;
}

base::TimeRange TimeRangeDialog::range() const
{
    const auto instant = [this](const QDateTimeEdit &field) {
        return m_zone.fromLocalSeconds(field.dateTime().toSecsSinceEpoch());
    };
    return {instant(*m_from), instant(*m_to)};
}

void TimeRangeDialog::check()
{
    const bool empty = range().empty();
    m_problem->setText(empty ? tr("The end must lie after the start.") : QStringLiteral(" "));
    m_apply->setEnabled(!empty);
}

} // namespace gpuledger::ui
