// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/idle/typedconsent.h"

#include "widgets/state/plaintext.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kFirstName = 1; // row; above it are the other controllers

} // namespace

TypedConsent::TypedConsent(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_layout(new QGridLayout(this))
    , m_despiteLabel(plainLabel(theme, tr("Another controller manages some of this. Name it to stop it anyway:"),
                                TextSize::Body, Color::Text, QFont::Normal, this))
    , m_despite(new QLineEdit(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(theme.space(Space::Small));
    m_despiteLabel->setWordWrap(true);
    m_despiteLabel->setBuddy(m_despite);
    m_despite->setAccessibleName(tr("Controllers to override"));
    m_despite->setAccessibleDescription(m_despiteLabel->text());
    m_despite->setPlaceholderText(tr("argo-cd:NAME, hpa:NAME"));
    m_layout->addWidget(m_despiteLabel, 0, 0);
    m_layout->addWidget(m_despite, 0, 1);
    m_layout->setColumnStretch(0, 1);
    m_layout->setColumnStretch(1, 1);
    connect(m_despite, &QLineEdit::textChanged, this, &TypedConsent::changed);
    askManagers(false);
}

void TypedConsent::askNames(const std::vector<std::string> &names)
{
    if (names == m_wanted)
        return;
    m_wanted = names;
    for (QLabel *label : m_labels)
        delete label;
    for (QLineEdit *field : m_fields)
        delete field;
    m_labels.clear();
    m_fields.clear();
    for (const std::string &name : names) {
        const QString shown = widgets::plainLine(QString::fromStdString(name), 600);
        QLabel *label = plainLabel(m_theme, tr("It can't be brought back as it was. Type %1 to stop it:").arg(shown),
                                   TextSize::Body, Color::Warning, QFont::Normal, this);
        auto *field = new QLineEdit(this);
        label->setWordWrap(true);
        label->setBuddy(field);
        field->setAccessibleName(tr("Full name of %1").arg(shown));
        field->setAccessibleDescription(label->text());
        const int row = kFirstName + static_cast<int>(m_fields.size());
        m_layout->addWidget(label, row, 0);
        m_layout->addWidget(field, row, 1);
        connect(field, &QLineEdit::textChanged, this, &TypedConsent::changed);
        m_labels.push_back(label);
        m_fields.push_back(field);
    }
}

QLineEdit *TypedConsent::firstMissing() const
{
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        if (m_fields[i]->text().trimmed().toStdString() != m_wanted[i])
            return m_fields[i];
    }
    return nullptr;
}

bool TypedConsent::isComplete() const
{
    return firstMissing() == nullptr;
}

std::vector<std::string> TypedConsent::names() const
{
    std::vector<std::string> typed;
    for (const QLineEdit *field : m_fields)
        typed.push_back(field->text().trimmed().toStdString());
    return typed;
}

void TypedConsent::askManagers(bool isAsked)
{
    const bool isShown = isAsked || !m_despite->text().isEmpty();
    m_despiteLabel->setVisible(isShown);
    m_despite->setVisible(isShown);
}

std::vector<std::string> TypedConsent::despite() const
{
    static const QRegularExpression kBetween(QStringLiteral("[,\\s]+"));
    std::vector<std::string> all;
    for (const QString &one : m_despite->text().split(kBetween, Qt::SkipEmptyParts))
        all.push_back(one.toStdString());
    return all;
}

} // namespace gpuledger::ui
