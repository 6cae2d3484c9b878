// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/showback/billsteptext.h"

#include <QCoreApplication>

namespace gpuledger::ui {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::StatementText)
};

} // namespace

QString billStepName(reports::BillStep::Kind kind)
{
    using Kind = reports::BillStep::Kind;
    switch (kind) {
    case Kind::OtherTeams:
        return Text::tr("Other teams");
    case Kind::Rounding:
        return Text::tr("Rounding of what is shown");
    case Kind::AllTeams:
        return Text::tr("All teams");
    case Kind::NotBilled:
        return Text::tr("Not billed (estimated)");
    case Kind::Difference:
        return Text::tr("Difference to bill");
    case Kind::Bill:
        break;
    }
    return Text::tr("Bill");
}

} // namespace gpuledger::ui
