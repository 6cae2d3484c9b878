// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/topbar/costchoice.h"

#include "ui/window/bars/noticebar.h"
#include "widgets/state/plaintext.h"

#include <memory>

namespace gpuledger::ui {

using model::CostView;

namespace {

const QString kCostNotice = QStringLiteral("cost"); // no-tr: key

} // namespace

std::vector<CostChoiceButton::ViewName> CostChoiceButton::views()
{
    return {{CostView::Effective, QStringLiteral("effective"), tr("Effective cost")},
            {CostView::Billed, QStringLiteral("billed"), tr("Billed cost")},
            {CostView::List, QStringLiteral("list"), tr("List prices")}};
}

CostChoiceButton::CostChoiceButton(Navigator &navigator, QWidget *parent)
    : ChoiceButton(tr("Cost"), parent)
    , m_navigator(navigator)
{
    std::vector<Choice> choices;
    for (const ViewName &name : views())
        choices.push_back({name.key, name.text});
    setChoices(choices);
    setToolTip(widgets::plainToolTip(
        tr("Effective: commitments spread over what they cover. Billed: as on the invoice. List: by the price book.")));
    connect(this, &ChoiceButton::chosen, this, &CostChoiceButton::choose);
    connect(&m_navigator, &Navigator::moved, this, [this] { show(); });
    show();
}

void CostChoiceButton::show()
{
    for (const ViewName &name : views()) {
        if (name.view == m_navigator.scope().cost)
            setCurrentKey(name.key);
    }
}

void CostChoiceButton::choose(const QString &key)
{
    for (const ViewName &name : views()) {
        if (name.key != key)
            continue;
        Scope scope = m_navigator.scope();
        scope.cost = name.view;
        m_navigator.setScope(scope);
        return;
    }
}

void CostChoiceButton::keepNotice(Navigator &navigator, NoticeBar &notices)
{
    const auto tell = [&navigator, &notices, shown = std::make_shared<CostView>(CostView::Effective)] {
        const CostView view = navigator.scope().cost;
        if (*shown == view)
            return;
        *shown = view;
        notices.withdraw(kCostNotice);
        if (view == CostView::Billed)
            notices.show(
                {kCostNotice,
                 Notice::Kind::Info,
                 tr("Cost as billed: GPU time that is on no bill yet has no known cost and is in no sum. Stops "
                    "and idle rules keep showing the effective cost."),
                 {},
                 {}});
        if (view == CostView::List)
            notices.show({kCostNotice,
                          Notice::Kind::Info,
                          tr("Cost by list prices, whatever was billed. Statements, stops and idle rules have no list "
                             "prices: they keep showing the effective cost."),
                          {},
                          {}});
    };
    connect(&navigator, &Navigator::moved, &notices, tell);
    tell();
}

} // namespace gpuledger::ui
