// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/idlerowbuttons.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QGridLayout>
#include <QPushButton>

#include <algorithm>

namespace gpuledger::ui {

using model::Lease;

IdleRowButtons::IdleRowButtons(const widgets::Theme &theme, const IdleViewModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_snooze(new QPushButton(this))
    , m_protect(new QPushButton(this))
    , m_tell(new QPushButton(tr("Tell owner"), this))
{
    auto *layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(widgets::Space::Small));
    layout->addWidget(m_snooze, 0, 0);
    layout->addWidget(m_protect, 0, 1);
    layout->addWidget(m_tell, 1, 0, 1, 2); // three in a row would be truncated in longer languages
    layout->setColumnStretch(0, 1);
    layout->setColumnStretch(1, 1);
    m_tell->setToolTip(widgets::plainToolTip(tr("Copy a message: what is idle, since when, and how to keep it")));
    connect(m_snooze, &QPushButton::clicked, this, [this] { press(Lease::Kind::Snooze); });
    connect(m_protect, &QPushButton::clicked, this, [this] { press(Lease::Kind::Protect); });
    connect(m_tell, &QPushButton::clicked, this, &IdleRowButtons::ownerMessageRequested);
    showCurrent();
}

const Lease *IdleRowButtons::leaseOf(Lease::Kind kind) const
{
    const insight::IdleItem *item = m_model.currentIdle();
    if (!item)
        return nullptr;
    const auto &leases = m_model.snapshot()->leases;
    const auto found = std::find_if(leases.begin(), leases.end(),
                                    [&](const Lease &lease) { return lease.kind == kind && lease.holder == item->id; });
    return found == leases.end() ? nullptr : &*found;
}

void IdleRowButtons::press(Lease::Kind kind)
{
    if (const Lease *lease = leaseOf(kind))
        Q_EMIT endOfLeaseRequested(lease->id);
    else
        Q_EMIT leaveAloneRequested(kind);
}

void IdleRowButtons::showCurrent()
{
    const insight::IdleItem *item = m_model.currentIdle();
    setVisible(item != nullptr);
    if (!item)
        return;
    const bool isReport = m_model.snapshot()->isReadOnly;
    m_snooze->setVisible(!isReport);
    m_protect->setVisible(!isReport);
    m_snooze->setText(leaseOf(Lease::Kind::Snooze) ? tr("End snooze") : tr("Snooze…"));
    m_protect->setText(leaseOf(Lease::Kind::Protect) ? tr("Unprotect") : tr("Protect…"));
    const bool isByRule = !item->protection.empty();
    m_protect->setEnabled(!isByRule);
    m_protect->setToolTip(widgets::plainToolTip(
        isByRule ? tr("Protected by %1").arg(LocalText::protection(item->protection)) : QString()));
}

} // namespace gpuledger::ui
