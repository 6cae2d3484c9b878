// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "ui/cli/program/globaloptions.h"
#include "ui/cli/program/jsonrows.h"
#include "ui/format/texttable.h"

#include <optional>
#include <stop_token>
#include <string>

namespace gpuledger::cli {

// Results go to stdout, everything else to stderr. One thread.
class Output {
public:
    explicit Output(const GlobalOptions &options);

    bool json() const { return m_options.json; }
    bool csv() const { return m_options.csv; }
    bool quiet() const { return m_options.quiet; }
    bool bold() const { return m_bold; } // a terminal, and NO_COLOR is not set
    bool errorIsTerminal() const { return m_errorTerminal; }

    // The functions fail with StorageFull if the output accepts no more.
    [[nodiscard]] base::Result<void> print(const std::string &text);
    [[nodiscard]] base::Result<void> print(const Json &value);
    // The same as print() of `head` with the list as its last member, but with one row in memory at a time.
    [[nodiscard]] base::Result<void> print(const Json &head, const JsonRows &rows);
    [[nodiscard]] base::Result<void> flush();
    // A line of information on stderr, unless --quiet.
    void note(const std::string &line) const;
    // Important text on stderr, even with --quiet; may have several lines, each made printable by the caller.
    void notice(const std::string &text) const;
    // A user at a terminal can answer.
    bool canAsk() const;
    // Data damage that every JSON answer includes as "damage"; null: none.
    void setDamage(Json damage) { m_damage = std::move(damage); }
    Json withDamage(Json answer) const; // for an answer that is printed as text
    // Asks on the terminal; true only for y or yes. Fails with Cancelled.
    [[nodiscard]] base::Result<bool> ask(const std::string &question, std::stop_token stop) const;
    // Asks for a line of text on the terminal, returned without the line end. Fails with Cancelled.
    [[nodiscard]] base::Result<std::string> askLine(const std::string &question, std::stop_token stop) const;
    // A failure: one sentence on stderr, with --json also as an object.
    void failure(const base::Error &error) const;
    // Overwrites the progress line on a terminal; an empty line clears it.
    void progressLine(const std::string &line);

private:
    const GlobalOptions &m_options;
    Json m_damage;
    bool m_bold = false, m_errorTerminal = false, m_progressShown = false;
};

// Figures in JSON. Unknown is null.
Json toJson(std::optional<double> value); // up to nine decimals
Json toJson(const std::optional<base::Money> &amount);
Json toJson(base::UtcTime t);
Json toJson(const base::Error &error);
Json textOrNull(const std::string &text);
double nineDecimals(double value);

int exitStatus(const base::Error &error);

} // namespace gpuledger::cli
