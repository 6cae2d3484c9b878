// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QTranslator>

namespace gpuledger::ui {

// Sets the language of the window: loads the translations compiled in under :/i18n, and Qt's own (for the buttons of
// its dialogs) from Qt's folder. Owned by main() for the life of the application; GUI thread.
class Language {
public:
    // Selects the first available one of the locale's languages, else English, and makes the locale the default for
    // numbers and dates. Create it before the first widget.
    explicit Language(const QLocale &locale);

    // "de", "en": the language of the texts, which may differ from that of the number format.
    QString code() const;

private:
    QTranslator m_own, m_qt;
};

} // namespace gpuledger::ui
