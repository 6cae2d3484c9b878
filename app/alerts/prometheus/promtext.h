// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Texts of PromQL and YAML. Every external text goes through one of the first four functions. Pure; any thread; no
// errors: U+FFFD and bytes that are not UTF-8 become ?.
namespace gpuledger::alerts::prom {

// A string of PromQL or of YAML in double quotes: the escapes used are valid in both.
std::string inQuotes(std::string_view text);
// A regular expression that matches exactly this text.
std::string exactly(std::string_view text);
// Text as a replacement of label_replace().
std::string literal(std::string_view text);
// A part of a comment: one line, without control characters.
std::string commented(std::string_view text);

// label_replace(expression, "to", "replacement", "from", "regex"). A series whose label does not match stays as it is.
std::string labelReplace(const std::string &expression, std::string_view to, std::string_view replacement,
                         std::string_view from, std::string_view regex);
// Sets the label `to` to the value of `from`, unless that is empty.
std::string copied(const std::string &expression, std::string_view to, std::string_view from);
// The parts on lines of their own, with the operator between them.
std::string joined(const std::vector<std::string> &parts, std::string_view operation);
// A decimal number without zeros at its end.
std::string decimal(std::int64_t nanos);
// As YAML wants it in a block: each line behind this number of blanks.
std::string indented(const std::string &text, int blanks);

} // namespace gpuledger::alerts::prom
