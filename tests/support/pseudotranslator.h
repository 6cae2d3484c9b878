// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
#include <QSet>
#include <QString>
#include <QTranslator>

namespace gpuledger::tests {

// A language that nobody speaks: every text in brackets, with accents, two fifths longer. What shows no bracket was
// never translated; what is cut has no room for another language. Formats of dates stay as they are.
class PseudoTranslator final : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char *context, const char *source, const char *comment, int n) const override;
};

// The words outside of every bracket that are not among the data, such as names of teams; numbers and marks don't
// count.
QStringList untranslatedWords(const QString &text, const QSet<QString> &data);

} // namespace gpuledger::tests
