// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sources/sourcecardview.h"

#include "ui/dialogs/sources/sourcechecklist.h"
#include "widgets/state/plaintext.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using widgets::Color;
using widgets::Space;
using widgets::TextSize;
using Standing = SourceCard::Standing;

namespace {

constexpr int kLongestCardName = 80;
constexpr int kLongestAddress = 160;

struct Look {
    const char *icon;
    Color color;
};

Look lookOf(Standing standing)
{
    switch (standing) {
    case Standing::Syncing:
        return {"refresh", Color::Accent};
    case Standing::Fresh:
        return {"check", Color::Good};
    case Standing::Behind:
        return {"warning", Color::Warning};
    case Standing::Failed:
        return {"critical", Color::Critical};
    case Standing::NeverSynced:
        return {"info", Color::Info};
    }
    return {"info", Color::Info};
}

void clear(QLayout &layout)
{
    while (QLayoutItem *item = layout.takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

// Lets the label be narrower than its text, and wrap if possible.
void letShrink(QLabel *label)
{
    label->setWordWrap(true);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true); // otherwise wrapped text is cut off
    label->setSizePolicy(policy);
}

} // namespace

SourceCardView::SourceCardView(const widgets::Theme &theme, SourceTest &test, QWidget *parent)
    : Card(theme, parent)
    , m_theme(theme)
    , m_test(test)
    , m_name(widgets::plainLabel(theme, {}, TextSize::Section, Color::Text, QFont::DemiBold, this))
    , m_kind(widgets::plainLabel(theme, {}, TextSize::Body, Color::Muted, QFont::Normal, this))
    , m_address(widgets::plainLabel(theme, {}, TextSize::Caption, Color::Muted, QFont::Normal, this))
    , m_standing(new QHBoxLayout)
    , m_facts(new QGridLayout)
    , m_error(widgets::plainLabel(theme, {}, TextSize::Body, Color::Critical, QFont::Normal, this))
    , m_loss(widgets::plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::Normal, this))
    , m_twice(widgets::plainLabel(theme, {}, TextSize::Body, Color::Text, QFont::Normal, this))
    , m_accept(new QPushButton(tr("Accept missing data…"), this))
{
    const int side = theme.space(Space::Large);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(side, theme.space(Space::Medium), side, theme.space(Space::Medium));
    layout->setSpacing(theme.space(Space::Small));
    auto *head = new QHBoxLayout;
    head->setSpacing(theme.space(Space::Small));
    m_standing->setSpacing(theme.space(Space::Tiny));
    letShrink(m_name);
    head->addWidget(m_name, 1);
    head->addLayout(m_standing);
    letShrink(m_address);
    letShrink(m_error);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    letShrink(m_loss);
    m_loss->setTextInteractionFlags(Qt::TextSelectableByMouse);
    letShrink(m_twice);
    m_twice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_accept, &QPushButton::clicked, this, &SourceCardView::acceptRequested);
    m_facts->setHorizontalSpacing(theme.space(Space::Medium));
    m_facts->setVerticalSpacing(theme.space(Space::Tiny));
    m_facts->setColumnStretch(1, 1);
    layout->addLayout(head);
    layout->addWidget(m_kind);
    layout->addWidget(m_address);
    layout->addSpacing(theme.space(Space::Tiny));
    layout->addLayout(m_facts);
    layout->addWidget(m_error);
    layout->addWidget(m_twice);
    layout->addWidget(m_loss);
    layout->addWidget(m_accept, 0, Qt::AlignLeft);
    layout->addSpacing(theme.space(Space::Tiny));
    layout->addLayout(makeButtons());
    layout->addWidget(new SourceChecklist(theme, test, this));
    layout->addStretch();
    connect(&test, &SourceTest::changed, this, &SourceCardView::nameButtons);
}

QHBoxLayout *SourceCardView::makeButtons()
{
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(m_theme.space(Space::Small));
    m_sync = new QPushButton(this);
    m_testButton = new QPushButton(this);
    m_edit = new QPushButton(tr("Edit…"), this);
    m_remove = new QPushButton(tr("Remove…"), this);
    for (QPushButton *button : {m_sync, m_testButton})
        buttons->addWidget(button);
    buttons->addStretch();
    for (QPushButton *button : {m_edit, m_remove})
        buttons->addWidget(button);
    connect(m_sync, &QPushButton::clicked, this, [this] {
        if (m_card.standing == Standing::Syncing)
            Q_EMIT stopRequested();
        else
            Q_EMIT syncRequested();
    });
    connect(m_testButton, &QPushButton::clicked, this, [this] {
        if (m_test.isRunning())
            m_test.stop();
        else
            Q_EMIT testRequested();
    });
    connect(m_edit, &QPushButton::clicked, this, &SourceCardView::editRequested);
    connect(m_remove, &QPushButton::clicked, this, &SourceCardView::removeRequested);
    return buttons;
}

void SourceCardView::setCard(const SourceCard &card, bool canSync, bool canRemove)
{
    const bool isSame = card == m_card;
    m_card = card;
    m_sync->setVisible(card.canSync);
    m_sync->setEnabled(canSync || card.standing == Standing::Syncing);
    m_accept->setEnabled(canSync);
    m_edit->setVisible(card.canEdit);
    m_remove->setVisible(canRemove);
    if (isSame)
        return;
    const QString name = QString::fromStdString(card.name);
    m_name->setText(widgets::plainLine(name, kLongestCardName));
    m_name->setToolTip(widgets::plainToolTip(name.size() > kLongestCardName ? widgets::plainLine(name) : QString()));
    m_kind->setText(card.kind);
    m_address->setText(widgets::plainLine(card.address, kLongestAddress));
    m_address->setVisible(!card.address.isEmpty());
    m_error->setText(widgets::plainLine(card.error));
    m_error->setVisible(!card.error.isEmpty());
    m_loss->setText(widgets::plainLine(card.loss));
    m_loss->setVisible(!card.loss.isEmpty());
    m_twice->setText(widgets::plainLine(card.twice));
    m_twice->setVisible(!card.twice.isEmpty());
    m_accept->setVisible(!card.loss.isEmpty());
    setAccessibleName(
        tr("%1: %2", "source: its state").arg(widgets::plainLine(name, kLongestCardName), card.standingWord));
    setAccessibleDescription(!card.error.isEmpty() ? card.error : card.loss.isEmpty() ? card.twice : card.loss);
    showStanding();
    showFacts();
    nameButtons();
}

void SourceCardView::showStanding()
{
    clear(*m_standing);
    const Look look = lookOf(m_card.standing);
    m_standing->addWidget(iconLabel(m_theme, QLatin1String(look.icon), look.color, this));
    m_standing->addWidget(
        widgets::plainLabel(m_theme, m_card.standingWord, TextSize::Body, look.color, QFont::DemiBold, this));
}

void SourceCardView::showFacts()
{
    clear(*m_facts);
    int row = 0;
    for (const SourceFact &fact : m_card.facts) {
        QLabel *label = widgets::plainLabel(m_theme, fact.label, TextSize::Body, Color::Muted, QFont::Normal, this);
        QLabel *value = widgets::plainLabel(m_theme, fact.value, TextSize::Body, Color::Text, QFont::Normal, this);
        value->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Minimum);
        value->setWordWrap(true); // after the policy, which it adapts to the height
        value->setToolTip(widgets::plainToolTip(fact.exact));
        value->setAccessibleName(tr("%1: %2", "label: value").arg(fact.label, fact.value));
        value->setAccessibleDescription(fact.exact);
        m_facts->addWidget(label, row, 0);
        m_facts->addWidget(value, row++, 1);
    }
}

void SourceCardView::nameButtons()
{
    const QString name = widgets::plainLine(QString::fromStdString(m_card.name), kLongestCardName);
    const bool syncing = m_card.standing == Standing::Syncing;
    m_sync->setText(syncing ? tr("Stop sync") : tr("Sync now"));
    m_sync->setAccessibleName(syncing ? tr("Stop sync of %1").arg(name) : tr("Sync %1 now").arg(name));
    m_testButton->setText(m_test.isRunning() ? tr("Stop test") : tr("Test"));
    m_testButton->setAccessibleName(m_test.isRunning() ? tr("Stop test of %1").arg(name) : tr("Test %1").arg(name));
    m_edit->setAccessibleName(tr("Edit %1").arg(name));
    m_remove->setAccessibleName(tr("Remove %1").arg(name));
    m_accept->setAccessibleName(tr("Accept missing data at %1…", "a source").arg(name));
}

} // namespace gpuledger::ui
