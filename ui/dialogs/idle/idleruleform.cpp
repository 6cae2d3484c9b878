// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/idle/idleruleform.h"

#include "app/base/time/gputime.h"
#include "app/model/settingsequal.h"
#include "app/services/config/configedit.h"
#include "ui/viewmodels/idle/idlerulereplay.h"
#include "widgets/state/plaintext.h"

#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <cmath>

namespace gpuledger::ui {

using model::IdleSettings;
using model::WorkloadKind;
using widgets::Space;

namespace {

constexpr int kExceptionLines = 4;
constexpr double kPercent = 100, kStep = 1;
constexpr int kDecimals = 2;
constexpr base::Seconds kLongest{90 * 86400}; // as in the configuration

QDoubleSpinBox *percentField(QWidget *parent)
{
    auto *field = new QDoubleSpinBox(parent);
    field->setRange(0, kPercent);
    field->setSingleStep(kStep);
    field->setDecimals(kDecimals);
    field->setSuffix(QStringLiteral(" %"));
    return field;
}

// The share that is displayed as `percent`; the original one if it was not changed.
double shareOf(double percent, double before)
{
    return std::abs(before * kPercent - percent) < 0.5 * std::pow(10, -kDecimals) ? before
                                                                                  : std::round(percent * 100) / 10'000;
}

} // namespace

IdleRuleForm::IdleRuleForm(const widgets::Theme &theme, const IdleSettings &rule, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_threshold(percentField(this))
    , m_observed(percentField(this))
    , m_exceptions(new QPlainTextEdit(this))
{
    auto *form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setSpacing(theme.space(Space::Small));
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addField(form, tr("Activity below"), tr("A GPU with activity below this counts as doing nothing."), m_threshold);
    addField(form, tr("Observed at least"), tr("Share of the time before; with less it can't be judged."), m_observed);
    addWindows(form);
    m_exceptions->setTabChangesFocus(true);
    m_exceptions->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_exceptions->setFixedHeight(m_exceptions->fontMetrics().lineSpacing() * kExceptionLines
                                 + m_theme.space(Space::Medium) * 2);
    m_exceptions->setPlaceholderText(QStringLiteral("namespace:kube-system\nlabel:team=safety")); // no-tr: a sample
    addField(form, tr("Never"), tr("One per line: namespace:NAME, label:NAME=VALUE."), m_exceptions);
    for (QDoubleSpinBox *field : {m_threshold, m_observed})
        connect(field, &QDoubleSpinBox::valueChanged, this, &IdleRuleForm::read);
    connect(m_exceptions, &QPlainTextEdit::textChanged, this, &IdleRuleForm::read);
    setRule(rule);
}

void IdleRuleForm::addField(QFormLayout *form, const QString &name, const QString &help, QWidget *field)
{
    field->setAccessibleName(name);
    field->setAccessibleDescription(help);
    field->setToolTip(widgets::plainToolTip(help));
    form->addRow(name, field);
}

void IdleRuleForm::addWindows(QFormLayout *form)
{
    const std::pair<WorkloadKind, QString> kinds[] = {
        {WorkloadKind::Notebook, tr("Notebooks idle for")},  {WorkloadKind::Development, tr("Development idle for")},
        {WorkloadKind::Training, tr("Training idle for")},   {WorkloadKind::Batch, tr("Batch jobs idle for")},
        {WorkloadKind::Inference, tr("Inference idle for")}, {WorkloadKind::Unknown, tr("Others idle for")}};
    for (const auto &[kind, name] : kinds) {
        auto *field = new QLineEdit(this);
        m_windows[kind] = field;
        addField(form, name, tr("At least this long, from 5m to 90d: 90m, 2h or 1d."), field);
        connect(field, &QLineEdit::textChanged, this, &IdleRuleForm::read);
    }
}

void IdleRuleForm::setRule(const IdleSettings &rule)
{
    m_isFilling = true;
    m_before = rule;
    m_threshold->setValue(rule.threshold * kPercent);
    m_observed->setValue(rule.observed * kPercent);
    for (const auto &[kind, field] : m_windows) {
        const auto length = rule.grace.find(kind);
        field->setText(length == rule.grace.end() ? QString()
                                                  : QString::fromStdString(services::writtenLength(length->second)));
    }
    const QString exceptions = IdleRuleText::exceptions(rule.protect);
    QString bad;
    const auto same = IdleRuleText::exceptions(exceptions, bad);
    m_exceptions->setEnabled(same && *same == rule.protect); // otherwise only the file can express it
    m_exceptions->setPlainText(exceptions);
    m_isFilling = false;
    read();
}

void IdleRuleForm::setWindows(base::Seconds length)
{
    m_isFilling = true;
    for (const auto &[kind, field] : m_windows)
        field->setText(QString::fromStdString(services::writtenLength(length)));
    m_isFilling = false;
    read();
}

void IdleRuleForm::explainWindows(const std::map<WorkloadKind, QString> &texts)
{
    for (const auto &[kind, text] : texts) {
        const auto field = m_windows.find(kind);
        if (field == m_windows.end())
            continue;
        const QString help = tr("At least this long, from 5m to 90d: 90m, 2h or 1d.") + QLatin1Char('\n')
            + tr("In use: %1", "a time and where it comes from").arg(text);
        field->second->setToolTip(widgets::plainToolTip(help));
        field->second->setAccessibleDescription(help);
    }
}

bool IdleRuleForm::readWindows(IdleSettings &rule)
{
    for (const auto &[kind, field] : m_windows) {
        const QString text = field->text().remove(QLatin1Char(' '));
        const auto length = base::parseDuration(text.toStdString());
        if (!length || *length < base::kBucket || *length > kLongest) {
            m_problem = tr("“%1” isn't a time from 5m to 90d; write 90m, 2h or 1d.", "what was typed")
                            .arg(widgets::plainLine(field->text(), 20));
            return false;
        }
        if (const auto now = m_before.grace.find(kind); now == m_before.grace.end() || now->second != *length)
            rule.graceMeasured.erase(kind); // it is set from now on
        rule.grace[kind] = *length;
    }
    return true;
}

bool IdleRuleForm::readExceptions(IdleSettings &rule)
{
    if (!m_exceptions->isEnabled())
        return true;
    QString bad;
    const auto exceptions = IdleRuleText::exceptions(m_exceptions->toPlainText(), bad);
    if (!exceptions) {
        m_problem = tr("“%1” isn't an exception; write namespace:NAME or label:NAME=VALUE.", "what was typed")
                        .arg(widgets::plainLine(bad, 40));
        return false;
    }
    rule.protect = *exceptions;
    return true;
}

void IdleRuleForm::read()
{
    if (m_isFilling)
        return;
    IdleSettings rule = m_before;
    rule.threshold = shareOf(m_threshold->value(), m_before.threshold);
    rule.observed = shareOf(m_observed->value(), m_before.observed);
    m_problem.clear();
    m_rule.reset();
    if (readWindows(rule) && readExceptions(rule))
        m_rule = rule;
    Q_EMIT changed();
}

} // namespace gpuledger::ui
