// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/jsonrows.h"

namespace gpuledger::cli {

namespace {

// The parts of an object's text, laid out as nlohmann's dump() does.
class ObjectLayout {
public:
    explicit ObjectLayout(int indent)
        : m_indent(indent)
    {
    }
    std::string lineAt(std::size_t depth) const
    {
        return m_indent < 0 ? std::string() : '\n' + std::string(depth * static_cast<std::size_t>(m_indent), ' ');
    }
    std::string name(const std::string &key) const
    {
        return lineAt(1) + jsonText(Json(key), kOneLine) + (m_indent < 0 ? ":" : ": ");
    }
    std::string value(const Json &value, std::size_t depth) const
    {
        const std::string text = jsonText(value, m_indent);
        if (m_indent < 0)
            return text;
        std::string out;
        for (const char c : text) { // a line end in a string is escaped
            if (c == '\n')
                out += lineAt(depth);
            else
                out += c;
        }
        return out;
    }

private:
    int m_indent;
};

} // namespace

std::string jsonText(const Json &value, int indent)
{
    return value.dump(indent, ' ', true, Json::error_handler_t::replace);
}

base::Result<void> writeRows(const Json &head, const JsonRows &rows, const Json &tail, int indent,
                             const std::function<base::Result<void>(const std::string &)> &write)
{
    const ObjectLayout layout(indent);
    std::string text = "{";
    for (const auto &[key, value] : head.items())
        text += layout.name(key) + layout.value(value, 1) + ',';
    text += layout.name(rows.key) + '[';
    GPULEDGER_TRY(write(text));
    for (std::size_t i = 0; i < rows.count; ++i) {
        text = i > 0 ? "," : "";
        text += layout.lineAt(2) + layout.value(rows.row(i), 2);
        GPULEDGER_TRY(write(text));
    }
    text = rows.count > 0 ? layout.lineAt(1) : std::string();
    text += ']';
    for (const auto &[key, value] : tail.items())
        text += ',' + layout.name(key) + layout.value(value, 1);
    return write(text + layout.lineAt(0) + '}');
}

} // namespace gpuledger::cli
