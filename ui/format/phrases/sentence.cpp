// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/phrases/sentence.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"

namespace gpuledger::ui {

namespace {

using base::ErrorCode;

constexpr std::size_t kMaxText = 1000;

// The meaning of the code, for errors whose own text only says how the failure was found.
std::string_view meaningOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::Cancelled:
        return "Cancelled; the data stored so far is kept";
    case ErrorCode::InvalidArgument:
        return "Invalid request"; // no-tr: the command line speaks English
    case ErrorCode::InvalidConfig:
        return "The configuration is invalid"; // no-tr: the command line speaks English
    case ErrorCode::Overflow:
        return "A figure is too large";
    case ErrorCode::Parse:
        return "The response can't be read"; // no-tr: the command line speaks English
    case ErrorCode::NotFound:
        return "Not found"; // no-tr: the command line speaks English
    case ErrorCode::Unauthorized:
        return "The server rejected the credential"; // no-tr: the command line speaks English
    case ErrorCode::Forbidden:
        return "Permission denied"; // no-tr: the command line speaks English
    case ErrorCode::RateLimited:
        return "The server is rate limiting requests"; // no-tr: the command line speaks English
    case ErrorCode::Timeout:
        return "The server did not respond in time"; // no-tr: the command line speaks English
    case ErrorCode::Network:
        return "The server can't be reached"; // no-tr: the command line speaks English
    case ErrorCode::Tls:
        return "The connection is not secure"; // no-tr: the command line speaks English
    case ErrorCode::Server:
        return "The server failed"; // no-tr: the command line speaks English
    case ErrorCode::TooMuch:
        return "Too much data"; // no-tr: the command line speaks English
    case ErrorCode::Unsupported:
        return "Not supported"; // no-tr: the command line speaks English
    case ErrorCode::StorageFull:
        return "The disk is full"; // no-tr: the command line speaks English
    case ErrorCode::StorageReadOnly:
        return "The cache can't be written"; // no-tr: the command line speaks English
    case ErrorCode::StorageBusy:
        return "The cache is in use by another program"; // no-tr: the command line speaks English
    case ErrorCode::StorageCorrupt:
        return "The cache is damaged"; // no-tr: the command line speaks English
    case ErrorCode::StorageNewer:
        return "The cache was written by a newer version"; // no-tr: the command line speaks English
    case ErrorCode::Storage:
        return "The cache failed"; // no-tr: the command line speaks English
    case ErrorCode::Refused:
        return "Refused";
    case ErrorCode::Internal:
        return "Internal error"; // no-tr: the command line speaks English
    }
    return "Internal error"; // no-tr: the command line speaks English
}

std::string_view usualRemedy(ErrorCode code)
{
    switch (code) {
    case ErrorCode::InvalidArgument:
        return "see --help";
    case ErrorCode::InvalidConfig:
        return "correct it and try again";
    case ErrorCode::Unauthorized:
        return "check the credential under auth";
    case ErrorCode::Forbidden:
        return "check the permissions of the credential";
    case ErrorCode::RateLimited:
    case ErrorCode::Timeout:
    case ErrorCode::Server:
        return "the next sync tries again";
    case ErrorCode::Network:
        return "check the address and that the server runs; the next sync tries again";
    case ErrorCode::Tls:
        return "check the certificate, or set your own certificate authority: tls: { ca: file:ca.pem }";
    case ErrorCode::TooMuch:
        return "choose a shorter time range or a narrower filter";
    case ErrorCode::StorageFull:
        return base::text(base::Remedy::FreeSpace);
    case ErrorCode::StorageReadOnly:
        return "check the permissions of the data folder";
    case ErrorCode::StorageBusy:
        return "close the other program or try again in a minute";
    case ErrorCode::StorageCorrupt:
        return "run gpuledger-cli verify; a new sync fetches what is missing";
    case ErrorCode::StorageNewer:
        return "update this program";
    case ErrorCode::Storage:
        return "check the data folder";
    case ErrorCode::Overflow:
    case ErrorCode::Internal:
        return "please report this";
    case ErrorCode::Parse:
        return "check that the address belongs to the right server";
    case ErrorCode::Cancelled:
    case ErrorCode::NotFound:
    case ErrorCode::Unsupported:
    case ErrorCode::Refused:
        return "";
    }
    return "";
}

bool ended(const std::string &sentence)
{
    return sentence.ends_with('.') || sentence.ends_with('?') || sentence.ends_with('!');
}

// Keeps line breaks and removes everything else that could control a terminal.
std::string printableLines(const std::string &text, std::size_t maxBytes)
{
    std::string out;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out += (at == 0 ? "" : "\n") + base::printable(std::string_view(text).substr(at, end - at), maxBytes);
        at = end + 1;
    }
    return out;
}

} // namespace

std::string remedyFor(const base::Error &error)
{
    return error.hint.empty() ? std::string(usualRemedy(error.code)) : base::printable(error.hint, kMaxText);
}

std::string sentenceFor(const base::Error &error)
{
    if (error.code == ErrorCode::Cancelled)
        return std::string(meaningOf(error.code)) + '.';
    const bool config = error.code == ErrorCode::InvalidConfig;
    // Problems of a configuration already begin with the file name.
    std::string out = config || error.source.empty() ? "" : base::printable(error.source, 128) + ": ";
    const std::string text = error.text.empty() ? "" : base::log::redacted(error.text.substr(0, 64 * 1024));
    if (config && error.text.find('\n') != std::string::npos)
        out = printableLines(error.text, kMaxText); // written by the program; never contains a credential
    else if (error.code == ErrorCode::NotFound || error.code == ErrorCode::InvalidArgument
             || error.code == ErrorCode::Unsupported || config)
        out += text.empty() ? std::string(meaningOf(error.code)) : base::printable(text, kMaxText);
    else
        out += std::string(meaningOf(error.code)) + (text.empty() ? "" : " (" + base::printable(text, kMaxText) + ')');
    const std::string remedy = remedyFor(error);
    const char *link = out.find('\n') != std::string::npos ? "\n" : ended(out) ? " " : "; ";
    if (!remedy.empty())
        out += link + remedy;
    return ended(out) ? out : out + '.';
}

} // namespace gpuledger::ui
