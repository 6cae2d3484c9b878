// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/statementwriter.h"

#include <QSize>
#include <QString>

#include <filesystem>
#include <optional>

class QApplication;

namespace gpuledger::ui {

// What the command line of the window asks for. A value.
struct StartOptions {
    std::filesystem::path config, data;
    std::filesystem::path report; // empty: none
    bool demo = false, listPages = false, isConfigNamed = false, themeGiven = false;
    QString now, zone, page, picture, theme, link;
    StatementRequest statement; // of no month: none
    QSize size{1280, 800};
};

// Ends the process for --help and --version. std::nullopt, with a sentence on stderr, when the command line can't be
// read.
std::optional<StartOptions> readStartOptions(const QApplication &app);

} // namespace gpuledger::ui
