// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/window/pseudotranslator.h"

namespace gpuledger::tests {

namespace {

constexpr double kLonger = 0.4;

QString accented(const QString &text)
{
    static const QString kPlain = QStringLiteral("aceinouyACEINOUY"), kAccented = QStringLiteral("åçéîñöûýÅÇÉÎÑÖÛÝ");
    QString out;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('%') && i + 1 < text.size()) { // a placeholder
            out += text.mid(i++, 2);
            continue;
        }
        const qsizetype at = kPlain.indexOf(text[i]);
        out += at < 0 ? text[i] : kAccented[at];
    }
    return out;
}

} // namespace

QString PseudoTranslator::translate(const char *, const char *source, const char *comment, int) const
{
    const QString text = QString::fromUtf8(source);
    const QString about = QString::fromUtf8(comment);
    if (about.contains(QLatin1String("format")) || about.contains(QLatin1String("notation")))
        return text;
    static const QRegularExpression kPlaceholder(QStringLiteral("%L?[1-9n]"));
    const auto letters = QString(text).remove(kPlaceholder).size();
    const auto added = static_cast<qsizetype>(static_cast<double>(letters) * kLonger);
    QString padding;
    for (qsizetype i = 0; i < added; ++i) // in words of eight characters, so that it wraps like real text
        padding += i % 9 == 0 ? QLatin1Char(' ') : QLatin1Char('~');
    return QLatin1Char('[') + accented(text) + padding + QLatin1Char(']');
}

QStringList untranslatedWords(const QString &text, const QSet<QString> &data)
{
    QString outside;
    int depth = 0;
    for (const QChar c : text) {
        depth += c == QLatin1Char('[') ? 1 : 0;
        if (depth == 0)
            outside += c;
        depth -= c == QLatin1Char(']') && depth > 0 ? 1 : 0;
    }
    static const QRegularExpression kWord(QStringLiteral("\\p{L}{2,}"));
    QStringList words;
    for (auto it = kWord.globalMatch(outside); it.hasNext();) {
        const QString word = it.next().captured();
        if (!data.contains(word))
            words << word;
    }
    return words;
}

} // namespace gpuledger::tests
