// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/recordreader.h"

#include "app/base/text/text.h"

#include <simdjson.h>

#include <algorithm>

namespace gpuledger::format {

namespace {

namespace od = simdjson::ondemand;

class TooMany : public std::exception { };

// The token of a number or word without trailing blanks. std::nullopt for null.
std::optional<std::string> tokenText(std::string_view token)
{
    const std::size_t end = token.find_first_of(" \t\r\n");
    token = token.substr(0, end);
    return token.empty() || token == "null" ? std::nullopt : std::optional<std::string>(token);
}

} // namespace

struct RecordReader::Impl {
    explicit Impl(std::span<const std::string_view> wanted)
        : members(wanted)
        , values(wanted.size())
    {
    }

    std::span<const std::string_view> members;
    od::parser parser;
    RecordValues values;
    std::string path;

    void member(od::value value);
    void object(od::object object);
    void records(od::object map, const Visit &visit, RecordsEnvelope &out);
    void envelope(od::object root, const Visit &visit, RecordsEnvelope &out);
    bool leadsOn() const
    {
        return std::any_of(members.begin(), members.end(), [&](std::string_view one) {
            return one.size() > path.size() && one[path.size()] == '.' && one.starts_with(path);
        });
    }
};

void RecordReader::Impl::member(od::value value)
{
    const std::string_view token = value.raw_json_token();
    if (token.starts_with('{')) {
        if (leadsOn())
            object(value.get_object());
        return;
    }
    const auto it = std::find(members.begin(), members.end(), path);
    if (it == members.end() || token.starts_with('['))
        return;
    auto &to = values[static_cast<std::size_t>(it - members.begin())];
    if (token.starts_with('"'))
        to = std::string(std::string_view(value.get_string()));
    else
        to = tokenText(token);
}

void RecordReader::Impl::object(od::object object)
{
    const std::size_t before = path.size();
    for (auto field : object) {
        const std::string_view key = field.unescaped_key();
        if (before > 0)
            path += '.';
        path += key;
        member(field.value());
        path.resize(before);
    }
}

void RecordReader::Impl::records(od::object map, const Visit &visit, RecordsEnvelope &out)
{
    for (auto field : map) {
        const std::string name{std::string_view(field.unescaped_key())};
        od::value value = field.value();
        if (value.is_null())
            continue;
        std::fill(values.begin(), values.end(), std::nullopt);
        path.clear();
        object(value.get_object());
        ++out.records;
        if (!visit(name, values))
            throw TooMany();
    }
}

void RecordReader::Impl::envelope(od::object root, const Visit &visit, RecordsEnvelope &out)
{
    for (auto field : root) {
        const std::string_view key = field.unescaped_key();
        od::value value = field.value();
        const std::string_view token = value.raw_json_token();
        if (key == "code") {
            const auto text = tokenText(token);
            out.code = text ? base::parseInt(*text) : std::nullopt;
        } else if ((key == "message" || key == "warning") && token.starts_with('"')) {
            (key == "message" ? out.message : out.warning) =
                base::printableLine(std::string_view(value.get_string()), 300);
        } else if (key == "data" && token.starts_with('[')) {
            out.hasData = out.isList = true;
            for (auto set : value.get_array()) {
                od::value one = set.value();
                if (!one.is_null())
                    records(one.get_object(), visit, out);
            }
        } else if (key == "data" && !token.starts_with('n')) {
            out.hasData = true;
            records(value.get_object(), visit, out);
        }
    }
}

RecordReader::RecordReader(std::span<const std::string_view> members)
    : m_impl(std::make_unique<Impl>(members))
{
}

RecordReader::~RecordReader() = default;

base::Result<RecordsEnvelope> RecordReader::read(std::string &body, const Visit &visit)
{
    RecordsEnvelope out;
    try {
        const auto iterate = [&](od::document &document) {
            body.reserve(body.size() + simdjson::SIMDJSON_PADDING);
            return m_impl->parser.iterate(body.data(), body.size(), body.capacity()).get(document);
        };
        od::document document;
        auto problem = iterate(document);
        if (problem == simdjson::UTF8_ERROR) {
            body = base::repairedUtf8(body);
            problem = iterate(document);
        }
        if (problem)
            throw simdjson::simdjson_error(problem);
        m_impl->envelope(document.get_object(), visit, out);
        if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
            throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
    } catch (const simdjson::simdjson_error &e) {
        base::Error failed = base::Error::make(base::ErrorCode::Parse,
                                               std::string("the response is truncated or does not follow its API (")
                                                   + simdjson::error_message(e.error()) + ')');
        failed.retryable = true;
        return base::fail(std::move(failed));
    } catch (const TooMany &) {
        return base::fail(base::ErrorCode::TooMuch, "the response has too many records");
    } catch (const std::bad_alloc &) {
        return base::fail(base::ErrorCode::TooMuch, "the response does not fit into memory");
    }
    return out;
}

} // namespace gpuledger::format
