// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QSet>
#include <QString>
#include <QTranslator>

namespace gpuledger::tests {

// A pseudo-language: every text in brackets, with accents, 40 % longer. Text without brackets was never translated;
// truncated text has no room for another language. Date formats stay unchanged.
class PseudoTranslator final : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char *context, const char *source, const char *comment, int n) const override;
};

// The words outside all brackets that are not data, such as names of teams; numbers and punctuation are ignored.
QStringList untranslatedWords(const QString &text, const QSet<QString> &data);

} // namespace gpuledger::tests
