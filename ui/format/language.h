// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QTranslator>

namespace gpuledger::ui {

// The language of the window: what is compiled in under :/i18n, and Qt's own texts (the buttons of its dialogs) from
// where Qt keeps them. Owned by main for the life of the application; GUI thread.
class Language {
public:
    // Speaks the first of the locale's languages that there is, else English, and makes the locale the default of
    // numbers and dates. The first widget comes after it.
    explicit Language(const QLocale &locale);

    // "de", "en"; what the texts are in, whatever the numbers look like.
    QString code() const;

private:
    QTranslator m_own, m_qt;
};

} // namespace gpuledger::ui
