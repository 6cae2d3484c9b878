// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/owners/expressionfield.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Space;

ExpressionField::ExpressionField(const widgets::Theme &theme, DeviceViewModel &model, QWidget *parent)
    : Card(theme, parent)
    , m_model(model)
    , m_edit(new QLineEdit(this))
    , m_add(new QPushButton(tr("Add", "an expression"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
    , m_hint(widgets::plainLabel(theme, {}, widgets::TextSize::Caption, widgets::Color::Muted, QFont::Normal, this))
    , m_error(widgets::plainLabel(theme, {}, widgets::TextSize::Body, widgets::Color::Critical, QFont::Normal, this))
{
    const int side = theme.space(Space::Medium), above = theme.space(Space::Small);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(side, above, side, above);
    layout->setSpacing(theme.space(Space::Tiny));
    auto *row = new QHBoxLayout;
    row->setSpacing(theme.space(Space::Small));
    m_edit->setPlaceholderText(QStringLiteral("DCGM_FI_DEV_GPU_TEMP{UUID=\"$device\"}")); // no-tr: PromQL
    m_edit->setAccessibleName(tr("PromQL expression"));
    m_edit->setMaxLength(ExtraSeriesList::kLongest);
    m_edit->setClearButtonEnabled(true);
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(theme.font(widgets::TextSize::Body).pixelSize());
    m_edit->setFont(font);
    row->addWidget(m_edit, 1);
    row->addWidget(m_add);
    row->addWidget(m_cancel);
    layout->addLayout(row);
    for (QLabel *label : {m_error, m_hint}) {
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    const auto ask = [this] { m_model.tryExpression(m_edit->text()); };
    connect(m_edit, &QLineEdit::returnPressed, this, ask);
    connect(m_add, &QPushButton::clicked, this, ask);
    connect(m_edit, &QLineEdit::textEdited, this, [this] {
        if (m_model.draftError())
            m_model.forgetDraft();
        showDraft();
    });
    connect(m_cancel, &QPushButton::clicked, this, &ExpressionField::close);
    connect(&m_model, &DeviceViewModel::draftChanged, this, &ExpressionField::showDraft);
    connect(&m_model, &DeviceViewModel::draftTaken, this, [this] {
        m_edit->clear();
        hide();
        Q_EMIT closed();
    });
    setFocusProxy(m_edit);
    showDraft();
    hide();
}

void ExpressionField::open()
{
    show();
    m_edit->setFocus();
}

void ExpressionField::close()
{
    if (isHidden())
        return;
    m_edit->clear();
    m_model.forgetDraft();
    hide();
    Q_EMIT closed();
}

void ExpressionField::showDraft()
{
    const auto &error = m_model.draftError();
    const bool asked = m_model.isDraftAsked();
    m_add->setEnabled(!asked && !m_edit->text().trimmed().isEmpty());
    const auto snapshot = m_model.snapshot();
    const QString source = snapshot ? QString::fromStdString(snapshot->expressionSource) : QString();
    m_hint->setText(
        asked ? tr("Querying %1…", "name of a source").arg(source)
              : tr("PromQL, run on %1 over the same time. $device is the UUID; $cluster, $node and $index work too.")
                    .arg(source));
    m_error->setText(error ? LocalText::sentence(*error) : QString());
    m_error->setVisible(error.has_value());
    m_edit->setAccessibleDescription(error ? m_error->text() : m_hint->text()); // read out with the field
}

} // namespace gpuledger::ui
