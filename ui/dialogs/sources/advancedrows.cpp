// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sources/advancedrows.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr char kHeadersExample[] = "X-Scope-OrgID=ml; X-Two=b"; // no-tr: names and values

} // namespace

AdvancedRows::AdvancedRows(const SourceDraft &draft, QFormLayout &form, QObject *parent)
    : QObject(parent)
    , m_toggle(new QPushButton)
{
    m_toggle->setAutoDefault(false);
    form.addRow(QString(), m_toggle);
    connect(m_toggle, &QPushButton::clicked, this, [this] {
        setOpen(!m_isOpen);
        Q_EMIT toggled();
    });
    for (const ports::SourceKind &kind : draft.kinds()) {
        if (!isTypedKind(kind))
            continue;
        for (const ports::SourceField &field : rareFields(kind))
            addRow(form, kind, field);
    }
    setOpen(false);
}

void AdvancedRows::addRow(QFormLayout &form, const ports::SourceKind &kind, const ports::SourceField &field)
{
    const bool isHeaders = field.type == ports::SourceField::Type::Headers;
    QString help = LocalText::connectorText(field.help);
    if (isHeaders)
        help = tr("%1: NAME=VALUE, with semicolons between several", "help of a setting").arg(help);
    const QString example = isHeaders
        ? QLatin1String(kHeadersExample)
        : LocalText::connectorText(field.fallback.empty() ? field.example : field.fallback);
    QLineEdit *const edit = formField(LocalText::connectorText(field.title), example, help);
    connect(edit, &QLineEdit::textEdited, this, &AdvancedRows::edited);
    form.addRow(edit->accessibleName(), edit);
    m_rows.push_back({kind.kind, std::string(field.key), edit});
}

void AdvancedRows::setOpen(bool isOpen)
{
    m_isOpen = isOpen;
    m_toggle->setText(isOpen ? tr("Hide advanced settings") : tr("Show advanced settings"));
}

std::vector<FormRow> AdvancedRows::rowsFor(const ports::SourceKind &kind) const
{
    std::vector<FormRow> rows{{m_toggle, !rareFields(kind).empty()}};
    for (const Row &row : m_rows)
        rows.push_back({row.edit, m_isOpen && row.kind == kind.kind});
    return rows;
}

void AdvancedRows::fill(const SourceFields &fields)
{
    const std::string kind = typedText(fields.kind);
    for (const Row &row : m_rows) {
        const auto typed = fields.rare.find(row.key);
        const bool isHere = row.kind == kind;
        row.edit->setText(isHere && typed != fields.rare.end() ? typed->second : QString());
        if (isHere && fields.onlyInFile.count(row.key)) {
            row.edit->setPlaceholderText(tr("As in the file"));
            row.edit->setEnabled(false);
        }
    }
    setOpen(!fields.rare.empty() || !fields.onlyInFile.empty());
}

void AdvancedRows::read(SourceFields &fields) const
{
    const std::string kind = typedText(fields.kind);
    fields.rare.clear();
    for (const Row &row : m_rows) {
        if (row.kind == kind && !row.edit->text().isEmpty())
            fields.rare[row.key] = row.edit->text();
    }
}

} // namespace gpuledger::ui
