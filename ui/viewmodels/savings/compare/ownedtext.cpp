// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/savings/compare/ownedtext.h"

#include "ui/format/local/celltext.h"
#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QStringList>

#include <array>

namespace gpuledger::ui {

using savings::BreakEven;

namespace {

constexpr int kOwnedDecimals = 4; // of a price per GPU-hour
constexpr int kLongestOwned = 80; // characters

// The keys of the configuration, in the order of OwnInput.
constexpr std::array kOwnedKeys{"price",
                                "residual",
                                "years",
                                "power_w",
                                "power_w",
                                "pue",
                                "usd_per_kwh",
                                "operation_per_year",
                                "operation_per_year"};

QString ownedPerHour(const base::Money &amount)
{
    return LocalText::money(amount.toDouble(), codeOf(amount.currency()), kOwnedDecimals);
}

QString shownOwned(const std::string &text)
{
    return widgets::plainLine(QString::fromStdString(text), kLongestOwned);
}

} // namespace

QString OwnedText::name(const services::OwnedCost &cost)
{
    const std::string model = cost.gpuModel();
    return model.empty()
        ? tr("Owned %1", "node labels").arg(shownOwned(cost.labels))
        : tr("Owned %1 (%2)", "node labels, GPU model").arg(shownOwned(cost.labels), shownOwned(model));
}

QString OwnedText::missing(const services::OwnedCost &cost)
{
    QStringList keys;
    for (const savings::OwnInput input : cost.missing) {
        const QString key = QString::fromLatin1(kOwnedKeys.at(static_cast<std::size_t>(input)));
        if (!keys.contains(key))
            keys.append(key);
    }
    return keys.join(QLatin1String(", "));
}

QString OwnedText::meeting(const BreakEven &breakEven, const QString &rent)
{
    const QString use = breakEven.use ? LocalText::percent(*breakEven.use) : QString();
    switch (breakEven.kind) {
    case BreakEven::Kind::Above:
        return tr("Above a utilization of %1, owning is cheaper than %2.").arg(use, rent);
    case BreakEven::Kind::Below:
        return tr("Below a utilization of %1, owning is cheaper than %2.").arg(use, rent);
    case BreakEven::Kind::Always:
        return tr("At any utilization, owning is cheaper than %1.").arg(rent);
    case BreakEven::Kind::Never:
        break;
    }
    return tr("Owning is never cheaper than %1.").arg(rent);
}

QString OwnedText::againstRent(const services::OwnedCost &cost)
{
    if (cost.gpuModel().empty()) {
        const QString command =
            QStringLiteral("gpuledger-cli compare crossover --owned '%1' --gpu-model …").arg(shownOwned(cost.labels));
        return cost.models.size() > 1
            ? tr("Its nodes have several GPU models; compare one of them with rent: %1", "a command").arg(command)
            : tr("Its GPU model is not known; compare it with rent: %1", "a command").arg(command);
    }
    if (cost.result.rents.empty())
        return tr("No price list offers %1 on demand in USD.", "a GPU model").arg(shownOwned(cost.gpuModel()));
    const savings::Crossover::Rented &rent = cost.result.rents.front();
    const QString offer = tr("the cheapest rent on demand, %1 per GPU-hour (%2)", "an amount, price list and machine")
                              .arg(ownedPerHour(rent.offer.perGpuHour), shownOwned(rent.offer.source));
    return rent.own ? meeting(*rent.own, offer) : QString();
}

QString OwnedText::line(const services::OwnedCost &cost)
{
    if (cost.error)
        return tr("%1: %2", "owned machines, what is wrong").arg(name(cost), LocalText::sentence(*cost.error));
    if (!cost.result.perUsedHour)
        return tr("%1: what a GPU-hour costs is not known; the configuration does not have %2.",
                  "owned machines, keys of the configuration")
            .arg(name(cost), missing(cost));
    return tr("%1: %2 per GPU-hour at full use. %3", "owned machines, an amount, a sentence")
        .arg(name(cost), ownedPerHour(*cost.result.perUsedHour), againstRent(cost));
}

} // namespace gpuledger::ui
