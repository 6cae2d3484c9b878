// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/local/localtext.h"
#include "ui/viewmodels/savings/savingstext.h"

#include <QLocale>
#include <QRegularExpression>

#include <array>

namespace gpuledger::ui {

namespace {

// The names of assumptions for people: as they are written, and in English, translated where they are shown.
struct AssumptionLabel {
    std::string_view name;
    const char *label;
};
constexpr std::array kAssumptionLabels{
    AssumptionLabel{"scale-down-delay", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Scale-down delay")},
    AssumptionLabel{"headroom-quantile", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Headroom for arrivals")},
    AssumptionLabel{"minimum-nodes", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Nodes kept on")},
    AssumptionLabel{"start-up", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Node start-up")},
    AssumptionLabel{"off-hours", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Off-hours")},
    AssumptionLabel{"most-real-work", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Real work allowed")},
    AssumptionLabel{"most-unobserved", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Unobserved time allowed")},
    AssumptionLabel{"schedule-scale-down-delay", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Machine ends after")},
    AssumptionLabel{"memory-headroom", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Memory headroom")},
    AssumptionLabel{"activity-headroom", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Activity headroom")},
    AssumptionLabel{"most-memory", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Memory use allowed")},
    AssumptionLabel{"most-too-small-production",
                    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Too small, production")},
    AssumptionLabel{"most-too-small-other", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Too small, other work")},
    AssumptionLabel{"checkpoint-every", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Checkpoint every")},
    AssumptionLabel{"checkpoint-cost", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Checkpoint takes")},
    AssumptionLabel{"restart", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Restart takes")},
    AssumptionLabel{"spot-deadline-slack", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "May end later by")},
    AssumptionLabel{"demand-change", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Demand changes by")},
    AssumptionLabel{"least-days", QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "Days of demand needed")},
};

// Of AssumptionSpec::help, for translation.
constexpr std::array kAssumptionHelp{
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText",
                      "time without any held GPU before a node may leave, rounded up to whole hours"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText",
                      "percentile of the GPUs newly held in an hour for which empty nodes stay on"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "nodes of each pool that always stay on"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "time until a new node can be used"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText",
                      "hours of the week to switch off, such as mon-fri 20-7, sat, sun; best: nights, weekends or "
                      "both, whichever saves most"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "off hours with real work above which a workload is not scheduled"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText",
                      "off hours without observation above which a workload is not scheduled"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText",
                      "time from the stop of a workload to the end of its machine's cost"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "GPU memory above the 99th percentile of what was used"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "throughput above the 95th percentile of what was used"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText",
                      "memory use (99th percentile) above which nothing smaller is proposed"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText",
                      "time in use in which a smaller machine may have been too small, for production"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "the same for development and batch work"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "work between two checkpoints, where nothing says more"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "time that writing a checkpoint takes"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "time until work goes on after an interruption"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "how much later than on-demand work may end"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "expected change of the demand during the term"),
    QT_TRANSLATE_NOOP("gpuledger::ui::SavingsText", "days of known demand below which nothing is proposed"),
};

QString asciiText(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString withCapital(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

// "mon-fri 20-7, sat" as "Mon–Fri 20–7, Sat".
QString weekHours(const QString &text)
{
    static const QRegularExpression word(QStringLiteral("[a-z]+"));
    const QStringList days{QStringLiteral("mon"), QStringLiteral("tue"), QStringLiteral("wed"),
                           QStringLiteral("thu"), // no-tr
                           QStringLiteral("fri"), QStringLiteral("sat"), QStringLiteral("sun")}; // no-tr: as written
    QString out;
    qsizetype done = 0;
    for (auto it = word.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const qsizetype day = days.indexOf(match.captured());
        out += text.mid(done, match.capturedStart() - done)
            + (day < 0 ? match.captured() : QLocale().dayName(static_cast<int>(day) + 1, QLocale::ShortFormat));
        done = match.capturedEnd();
    }
    out += text.mid(done);
    return out.replace(QLatin1Char('-'), QChar(0x2013));
}

} // namespace

QString SavingsText::assumptionName(std::string_view name)
{
    for (const AssumptionLabel &one : kAssumptionLabels) {
        if (one.name == name)
            return tr(one.label); // no-tr: from the table above
    }
    return withCapital(asciiText(name).replace(QLatin1Char('-'), QLatin1Char(' ')));
}

QString SavingsText::assumptionValue(const savings::AssumptionSpec &spec, const std::string &value)
{
    savings::Assumptions one; // a default is stored in no choice, but number() knows it
    if (!one.set(spec.name, value))
        return asciiText(value);
    using Type = savings::AssumptionType;
    switch (spec.type) {
    case Type::Duration: {
        const base::Seconds length{one.number(spec.name)};
        return length.count() % 60 == 0 ? LocalText::hours(length) : LocalText::age(length);
    }
    case Type::Percent:
        return LocalText::percent(static_cast<double>(one.number(spec.name)) / 100, 0);
    case Type::Count:
        return LocalText::number(static_cast<double>(one.number(spec.name)), 0);
    case Type::Answer:
        break;
    case Type::WeekHours:
        if (value == spec.usual)
            return tr("best policy");
        return value == "none" ? tr("none", "no hours of the week") : weekHours(asciiText(one.text(spec.name)));
    }
    return asciiText(value);
}

QString SavingsText::assumption(const savings::Assumption &one)
{
    const savings::AssumptionSpec *spec = savings::assumptionSpec(one.name);
    return tr("%1: %2", "an assumption and its value")
        .arg(assumptionName(one.name), spec ? assumptionValue(*spec, one.value) : asciiText(one.value));
}

QString SavingsText::assumptionHelp(const savings::AssumptionSpec &spec)
{
    for (const char *help : kAssumptionHelp) {
        if (spec.help == help)
            return withCapital(tr(help)) + QLatin1Char('.'); // no-tr: from the table above
    }
    return {};
}

} // namespace gpuledger::ui
