// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"
#include "app/base/money/money.h"
#include "app/base/time/time.h"
#include "app/base/time/timezone.h"
#include "app/insight/heatmap/heatmap.h"
#include "app/ports/sourcecatalog.h"
#include "ui/format/phrases/phrase.h"

#include <QCoreApplication>
#include <QLocale>
#include <QString>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Formats values in the user's language and number format. GUI thread.
namespace gpuledger::ui {

class LocalText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::LocalText)
public:
    // Every number of the window: the minus sign U+2212, and never a negative zero; a dash for NaN.
    static QString number(double value, int decimals); // "1,234.50", "−3.0"
    static QString signedNumber(double value, int decimals); // "+3.0"; without a sign if it rounds to zero
    static QString percent(double share, int decimals = 1); // "17.3 %"
    static QString signedPercent(double share, int decimals = 1); // "+17.3 %"
    static QString gpuHours(double hours); // "148.0 GPU-h"
    static QString watts(double watts); // "212 W"
    // "361.20 USD"; the locale's own currency in the locale's format: "1.234,56 €".
    static QString money(double units, const QString &currency, int decimals = 2);
    static QString shortMoney(double units); // "14.8k"
    static QString age(base::Seconds seconds); // "2 min"
    static QString metricName(insight::Metric metric); // "Utilization"
    static QString binsName(insight::Bins bins); // "Hour of week"
    static QString dimensionPlural(const insight::Dimension &dimension); // "Teams"
    static QString dimensionName(const insight::Dimension &dimension); // "Team"
    static QString inSentence(QString name); // one of the names above, for use inside a sentence
    static QString valueName(const QString &value); // "none" for the empty value
    // A team as the window names it: "Unallocated" for time that no workload held and no rule assigns. Links, JSON and
    // files keep the key.
    static QString teamName(const std::string &key);
    static QString filterText(const insight::Dimension &dimension, const QString &value,
                              bool exclude); // "not cluster: dev"
    // "1 Nov – 14 Nov"; with times of day unless it begins and ends at midnight.
    static QString timeRange(base::TimeRange range, const base::TimeZone &zone);
    static QString dateTime(base::UtcTime at, const base::TimeZone &zone); // short, in the zone
    static QString syncFailure(int done, int failed); // "Synced 3 sources; one failed."
    static QString metricUnit(insight::Metric metric, base::Currency currency); // "%", "W", "USD"
    static QString monthText(const QString &month); // "October 2026" for "2026-10"
    // A phrase of the engine, translated; times in the zone.
    static QString phrase(const Phrase &phrase, const base::TimeZone &zone = {});
    static QString hours(base::Seconds length); // "24 h", "1 h 30 min"
    static QString sourceKind(const ports::SourceKind &kind); // product name, or "Demo fleet"
    static QString sourceUse(const ports::SourceKind &kind); // for selection lists: "AWS (EC2, SageMaker)"
    // A text from a connector's descriptor; untranslated if there is no translation.
    static QString connectorText(std::string_view text);
    static QString priceSource(const std::string &source); // "price book 2026-08-01: aws p5.48xlarge"
    static QString protection(const std::string &rule); // "namespace prod"
    // The origin and age of figures: "From prometheus-prod, 2 min old".
    static QString sourceLine(const std::vector<std::string> &sources, base::Seconds length);
    // What went wrong and what to do about it, in one or two sentences.
    static QString sentence(const base::Error &error);

private:
    static QString withMinus(QString formatted, bool isNegative); // with a minus, unless it is zero
};

} // namespace gpuledger::ui
