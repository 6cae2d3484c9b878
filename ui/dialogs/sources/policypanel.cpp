// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/sources/policypanel.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr int kFitting = 70; // characters of a line that can be seen without scrolling
constexpr int kMostPolicyLines = 13; // more can be reached by scrolling

QPlainTextEdit *policyText(const QString &policy, const QString &name)
{
    auto *text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setTabChangesFocus(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setLineWrapMode(QPlainTextEdit::NoWrap); // a copied line is a line of the policy
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(name);
    text->setPlainText(policy);
    const QStringList all = policy.split(QLatin1Char('\n'));
    const bool isWide = std::any_of(all.begin(), all.end(), [](const QString &one) { return one.size() > kFitting; });
    const int lines = std::min(static_cast<int>(all.size()), kMostPolicyLines);
    const int frame = 2 * text->frameWidth() + qRound(2 * text->document()->documentMargin());
    text->setFixedHeight(lines * text->fontMetrics().lineSpacing() + frame
                         + (isWide ? text->horizontalScrollBar()->sizeHint().height() : 2));
    return text;
}

} // namespace

PolicyPanel::PolicyPanel(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_rights(new QVBoxLayout(this))
{
    m_rights->setContentsMargins(0, 0, 0, 0);
    m_rights->setSpacing(theme.space(Space::Small));
    hide();
}

void PolicyPanel::showRights(const ports::SourceKind &kind, bool mayStop)
{
    if (kind.kind == m_kind && mayStop == m_mayStop)
        return;
    m_kind = kind.kind;
    m_mayStop = mayStop;
    while (QLayoutItem *item = m_rights->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    for (const ports::SourceRight &right : kind.rights) {
        const bool isForStopping = right.what == ports::SourceRight::For::Stopping;
        if (isForStopping ? mayStop : !right.policy.empty())
            add(right);
    }
    setVisible(m_rights->count() > 0);
}

void PolicyPanel::add(const ports::SourceRight &right)
{
    const bool isForStopping = right.what == ports::SourceRight::For::Stopping;
    const QString name = isForStopping ? tr("Rights of its account, for stopping") : tr("Rights of its account");
    QLabel *words = widgets::plainLabel(m_theme, LocalText::connectorText(right.words), TextSize::Body, Color::Text);
    words->setWordWrap(true);
    if (right.policy.empty())
        return m_rights->addWidget(words);
    const QString policy =
        QString::fromUtf8(right.policy.data(), static_cast<qsizetype>(right.policy.size())).trimmed();
    auto *head = new QWidget;
    auto *line = new QHBoxLayout(head);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(m_theme.space(Space::Small));
    auto *copy = new QPushButton(tr("Copy"));
    copy->setAutoDefault(false);
    copy->setAccessibleName(isForStopping ? tr("Copy the policy for stopping") : tr("Copy the policy"));
    connect(copy, &QPushButton::clicked, this, [copy, policy] {
        QGuiApplication::clipboard()->setText(policy + QLatin1Char('\n'));
        copy->setText(tr("Copied"));
    });
    line->addWidget(widgets::plainLabel(m_theme, name, TextSize::Body, Color::Text, QFont::DemiBold), 1);
    line->addWidget(copy);
    m_rights->addWidget(head);
    m_rights->addWidget(words);
    m_rights->addWidget(policyText(policy, name));
}

} // namespace gpuledger::ui
