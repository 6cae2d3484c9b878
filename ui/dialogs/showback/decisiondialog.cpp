// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/showback/decisiondialog.h"

#include "ui/dialogs/dialogframe.h"
#include "ui/viewmodels/showback/meeting.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "widgets/state/plaintext.h"

#include <QComboBox>
#include <QDateEdit>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace gpuledger::ui {

using reports::DecisionDraft;
using reports::Measure;
using widgets::Color;
using widgets::plainLabel;
using widgets::TextSize;

namespace {

constexpr int kDecisionWidth = 520;
constexpr std::array kMeasures{Measure::Idle, Measure::Total}; // in list order
constexpr qint64 kUnixEpoch = 2'440'588; // Julian day of 1970-01-01

QString codeOf(base::Currency currency)
{
    return QString::fromUtf8(currency.code().data(), static_cast<qsizetype>(currency.code().size()));
}

QDate dateOf(base::Day day)
{
    return QDate::fromJulianDay(kUnixEpoch + day.number);
}

base::Day dayOf(QDate date)
{
    return {static_cast<std::int32_t>(date.toJulianDay() - kUnixEpoch)};
}

bool fits(const QString &text)
{
    const auto bytes = static_cast<std::size_t>(text.trimmed().toUtf8().size());
    return bytes > 0 && bytes <= DecisionDraft::kLongestText;
}

// Parses an amount in the user's locale; exact.
std::optional<base::Money> amountFrom(QString text, base::Currency currency)
{
    const QLocale locale;
    text.remove(locale.groupSeparator());
    text.remove(QLatin1Char(' '));
    text.replace(locale.decimalPoint(), QStringLiteral("."));
    const auto amount = base::Money::parse(text.toStdString(), currency);
    return amount && amount->nanos() >= 0 ? std::optional(*amount) : std::nullopt;
}

} // namespace

DecisionDialog::DecisionDialog(const widgets::Theme &theme, DecisionDraft draft, QWidget *parent)
    : QDialog(parent)
    , m_theme(theme)
    , m_draft(std::move(draft))
    , m_what(new QLineEdit(this))
    , m_owner(new QLineEdit(this))
    , m_target(new QLineEdit(this))
    , m_due(new QDateEdit(dateOf(m_draft.due), this))
    , m_measure(new QComboBox(this))
    , m_now(plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_hint(plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_keep(new QPushButton(tr("Save decision"), this))
{
    setWindowTitle(tr("Decision for %1").arg(statementTeamName(m_draft.team)));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(kDecisionWidth);
    addFields();
    connect(m_what, &QLineEdit::textChanged, this, &DecisionDialog::check);
    connect(m_owner, &QLineEdit::textChanged, this, &DecisionDialog::check);
    connect(m_target, &QLineEdit::textChanged, this, &DecisionDialog::check);
    connect(m_measure, &QComboBox::currentIndexChanged, this, &DecisionDialog::check);
    connect(m_keep, &QPushButton::clicked, this, [this] {
        Q_EMIT decided(this->draft());
        accept();
    });
    check();
    m_what->setFocus();
}

void DecisionDialog::addFields()
{
    QVBoxLayout *layout = dialogLayout(*this, m_theme);
    QFormLayout *form = dialogForm(m_theme);
    for (const Measure measure : kMeasures)
        m_measure->addItem(measureName(measure));
    m_measure->setCurrentIndex(m_draft.measure == Measure::Idle ? 0 : 1);
    m_due->setCalendarPopup(true);
    m_due->setMinimumDate(dateOf(base::dayOf(m_draft.month.range().start)));
    m_what->setPlaceholderText(tr("Stop notebooks at night"));
    m_target->setPlaceholderText(tr("optional"));
    addField(*form, tr("What"), m_what);
    addField(*form, tr("Responsible"), m_owner);
    addField(*form, tr("By", "a day"), m_due);
    addField(*form, tr("Reduce"), m_measure);
    form->addRow(QString(), m_now);
    addField(*form, tr("To at most, %1 a month").arg(codeOf(m_draft.before.total.currency())), m_target);
    layout->addLayout(form);
    m_hint->setWordWrap(true);
    layout->addWidget(m_hint);
    layout->addStretch();
    auto *cancel = new QPushButton(tr("Cancel"), this);
    addDialogButtons(*this, *layout, m_theme, cancel, m_keep, DefaultButton::Action);
}

std::optional<base::Money> DecisionDialog::target() const
{
    return amountFrom(m_target->text().trimmed(), m_draft.before.total.currency());
}

DecisionDraft DecisionDialog::draft() const
{
    DecisionDraft draft = m_draft;
    draft.what = m_what->text().trimmed().toStdString();
    draft.owner = m_owner->text().trimmed().toStdString();
    draft.due = dayOf(m_due->date());
    draft.measure = kMeasures[static_cast<std::size_t>(std::max(0, m_measure->currentIndex()))];
    draft.target = target();
    return draft;
}

void DecisionDialog::check()
{
    const bool badTarget = !m_target->text().trimmed().isEmpty() && !target();
    const auto tooLong = [](const QLineEdit &field) {
        return !field.text().trimmed().isEmpty() && !fits(field.text());
    };
    m_keep->setEnabled(fits(m_what->text()) && fits(m_owner->text()) && !badTarget);
    m_now->setText(tr("%1: %2 %3", "month, amount, currency")
                       .arg(monthName(m_draft.month), statementAmount(m_draft.before.of(draft().measure)),
                            codeOf(m_draft.before.total.currency())));
    m_hint->setText(badTarget                                   ? tr("The target isn't an amount of money.")
                        : tooLong(*m_what) || tooLong(*m_owner) ? tr("The text is too long.")
                        : m_keep->isEnabled()
                        ? tr("It goes into the audit log. The next meeting opens with its result.")
                        : tr("Enter what is to be done and who is responsible."));
}

} // namespace gpuledger::ui
