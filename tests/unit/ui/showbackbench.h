// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/reports/history.h"

#include <QByteArray>
#include <QProcess>
#include <QStringList>

// Helpers for the tests of the Showback page.
namespace gpuledger::tests {

// Two complete months and some days of a third, with bills.
inline model::Settings billedFleet()
{
    model::Settings settings;
    for (const char *kind : {"demo", "demo-bill"}) {
        model::SourceSettings source;
        source.name = source.kind = kind;
        source.options = {{"gpus", "56"}, {"days", "68"}};
        source.firstSync = 68 * base::kDay;
        settings.sources.push_back(std::move(source));
    }
    model::OwnerRule label;
    label.kind = model::OwnerRule::Kind::Label;
    label.key = "team";
    settings.owners.push_back(label);
    return settings;
}

inline std::int64_t sumOf(const reports::History::Lines *lines)
{
    std::int64_t sum = 0;
    if (lines) {
        for (const auto &[line, amount] : *lines)
            sum += amount.nanos();
    }
    return sum;
}

inline QByteArray run(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished(120000) || process.exitCode() != 0)
        return {};
    return process.readAllStandardOutput();
}

} // namespace gpuledger::tests
