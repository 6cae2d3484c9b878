// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

// Spellings of text in mail. Pure; any thread. Input is UTF-8.
namespace gpuledger::notify {

// The value of an unstructured header such as Subject, folded (RFC 2047): plain if it is short ASCII, else in encoded
// words of at most 64 characters. The text must be free of control characters.
std::string mailHeaderText(std::string_view text);
// RFC 2045, 6.7: lines of at most 76 characters that end with CRLF. LF in the text is a line break.
std::string quotedPrintable(std::string_view text);
// True for an ASCII address that is safe in a header and in an SMTP command: local@domain, without blanks, control
// characters, brackets, quotes, commas and semicolons.
bool isMailAddress(std::string_view text);
// Escapes & < > " ' for HTML text and attributes.
std::string mailHtml(std::string_view text);

} // namespace gpuledger::notify
