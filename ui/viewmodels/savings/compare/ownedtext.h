// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/prices/ownedhardware.h"

#include <QCoreApplication>
#include <QString>

namespace gpuledger::ui {

// Own or rent for an entry of `prices: owned`, in the user's language. GUI thread.
class OwnedText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::OwnedText)
public:
    // What a GPU-hour costs at full use, and from which utilization that is less than renting one, or what is unknown.
    static QString line(const services::OwnedCost &cost);

private:
    static QString name(const services::OwnedCost &cost);
    static QString missing(const services::OwnedCost &cost);
    static QString againstRent(const services::OwnedCost &cost);
    static QString meeting(const savings::BreakEven &breakEven, const QString &rent);
};

} // namespace gpuledger::ui
