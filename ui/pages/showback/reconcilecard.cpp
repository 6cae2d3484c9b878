// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/showback/reconcilecard.h"

#include "ui/format/local/localtext.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "widgets/state/plaintext.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using base::Money;
using insight::ReconcileTotal;
using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

QString percentOf(const Money &part, const Money &whole)
{
    if (part.isZero() || whole.nanos() <= 0)
        return statementAmount(part);
    const double share = static_cast<double>(part.nanos()) / static_cast<double>(whole.nanos());
    return QStringLiteral("%1 (%2)").arg(statementAmount(part), LocalText::percent(share, 2));
}

} // namespace

ReconcileCard::ReconcileCard(const widgets::Theme &theme, QWidget *parent)
    : Card(theme, parent)
    , m_theme(theme)
    , m_title(plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::DemiBold, this))
    , m_explain(new QToolButton(this))
    , m_menu(new QMenu(m_explain))
    , m_layout(new QVBoxLayout(this))
{
    const int side = theme.space(Space::Large), above = theme.space(Space::Medium);
    m_layout->setContentsMargins(side, above, side, above);
    m_layout->setSpacing(theme.space(Space::Tiny));
    m_title->setWordWrap(true);
    auto *head = new QHBoxLayout;
    head->setSpacing(theme.space(Space::Small));
    head->addWidget(m_title, 1);
    head->addWidget(m_explain, 0, Qt::AlignTop);
    m_layout->addLayout(head);
    m_explain->setAutoRaise(true);
    m_explain->setIcon(theme.icon(QStringLiteral("info"))); // no-tr: icon name
    m_explain->setAccessibleName(tr("Explain"));
    m_explain->setToolTip(tr("Explain"));
    m_explain->setPopupMode(QToolButton::InstantPopup);
    m_explain->setMenu(m_menu);
}

void ReconcileCard::addLine(const QString &name, const QString &value, Color color)
{
    auto *grid = qobject_cast<QGridLayout *>(m_lines->layout());
    const int row = grid->rowCount();
    grid->addWidget(plainLabel(m_theme, name, TextSize::Caption, Color::Muted, QFont::Normal, m_lines), row, 0);
    QLabel *figure = plainLabel(m_theme, value, TextSize::Caption, color, QFont::Normal, m_lines);
    figure->setAlignment(Qt::AlignRight);
    figure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    figure->setAccessibleName(name + QLatin1Char(' ') + value);
    grid->addWidget(figure, row, 1);
}

void ReconcileCard::setFigures(const ShowbackSnapshot &snapshot)
{
    delete m_lines;
    m_lines = new QWidget(this);
    auto *grid = new QGridLayout(m_lines);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(m_theme.space(Space::Tiny));
    m_layout->addWidget(m_lines);
    const auto &totals = snapshot.reconciliation.totals;
    m_explain->setVisible(!totals.empty() || !snapshot.statement.currencies.empty());
    m_title->setText(totals.empty()                        ? tr("No bill is stored for this month")
                         : snapshot.reconciliation.holds() ? tr("Reconciled with the bill")
                                                           : tr("Not reconciled with the bill"));
    const bool billed = snapshot.statement.view == reports::CostView::Billed;
    // The column of teams is beside it, so the steps from it to the bill come first.
    for (const reports::CurrencyStatement &currency : snapshot.statement.currencies) {
        const QString code = QString::fromUtf8(currency.currency.code().data(), 3);
        addLine(tr("All teams, %1").arg(code), statementAmount(currency.total()), Color::Text);
        if (!currency.estimated.isZero())
            addLine(tr("Not billed (estimated)"), statementAmount(currency.estimated), Color::Text);
    }
    for (const ReconcileTotal &total : totals) {
        const QString code = QString::fromUtf8(total.currency.code().data(), 3);
        const Money &bill = billed ? total.billBilled : total.billEffective;
        const Money &difference = billed ? total.differenceBilled : total.differenceEffective;
        const Money &unexplained = billed ? total.unexplainedBilled : total.unexplainedEffective;
        addLine(tr("Bill, %1").arg(code), statementAmount(bill), Color::Text);
        addLine(tr("Ledger"), statementAmount(billed ? total.ledgerBilled : total.ledgerEffective), Color::Text);
        addLine(tr("Difference"), statementAmount(difference), difference.isZero() ? Color::Good : Color::Critical);
        addLine(tr("Unexplained"), percentOf(unexplained, bill), unexplained.isZero() ? Color::Text : Color::Warning);
    }
}

} // namespace gpuledger::ui
