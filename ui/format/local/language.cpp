// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/local/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>

namespace gpuledger::ui {

namespace {

const QString kFolder = QStringLiteral(":/i18n");
const QString kName = QStringLiteral("gpuledger");
const QString kDivider = QStringLiteral("_");

} // namespace

Language::Language(const QLocale &locale)
{
    QLocale::setDefault(locale);
    // English has a translation file, too, for its plural forms.
    if (!m_own.load(locale, kName, kDivider, kFolder) && !m_own.load(kName + kDivider + QLatin1String("en"), kFolder))
        return;
    QCoreApplication::installTranslator(&m_own);
    // Use the language found above, so that Qt's dialogs are not in two languages.
    if (m_qt.load(QLocale(m_own.language()), QStringLiteral("qtbase"), kDivider,
                  QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
}

QString Language::code() const
{
    return QLocale(m_own.language()).language() == QLocale::C ? QStringLiteral("en")
                                                              : m_own.language().section(QLatin1Char('_'), 0, 0);
}

} // namespace gpuledger::ui
