// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/xmltree.h"

#include <QXmlStreamReader>

#include <algorithm>

namespace gpuledger::format {

namespace {

base::Result<XmlNode> notXml(const char *why)
{
    return base::fail(base::ErrorCode::Parse, std::string("the response is not usable XML: ") + why);
}

std::string trimmedText(const QString &text)
{
    return text.trimmed().toStdString();
}

} // namespace

const XmlNode *XmlNode::at(std::string_view path) const
{
    const XmlNode *node = this;
    while (node && !path.empty()) {
        const std::size_t end = std::min(path.size(), path.find('/'));
        const std::string_view wanted = path.substr(0, end);
        path.remove_prefix(std::min(path.size(), end + 1));
        const auto it = std::find_if(node->children.begin(), node->children.end(),
                                     [&](const XmlNode &child) { return child.name == wanted; });
        node = it == node->children.end() ? nullptr : &*it;
    }
    return node;
}

std::string XmlNode::textAt(std::string_view path) const
{
    const XmlNode *node = at(path);
    return node ? node->text : std::string();
}

const std::vector<XmlNode> &XmlNode::listAt(std::string_view path) const
{
    static const std::vector<XmlNode> kNone;
    const XmlNode *node = at(path);
    return node ? node->children : kNone;
}

base::Result<XmlNode> parseXml(std::string_view text)
{
    QXmlStreamReader reader(QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())));
    reader.setEntityExpansionLimit(0);
    std::vector<XmlNode> open; // from the root to the current element
    XmlNode root;
    std::size_t count = 0;
    while (!reader.atEnd()) {
        switch (reader.readNext()) {
        case QXmlStreamReader::DTD:
        case QXmlStreamReader::EntityReference:
            return notXml("it has a document type or defines entities");
        case QXmlStreamReader::StartElement:
            if (open.size() >= kMaxXmlDepth)
                return notXml("it is nested too deeply");
            if (++count > kMaxXmlNodes)
                return notXml("it has too many elements");
            open.push_back({reader.name().toString().toStdString(), {}, {}});
            break;
        case QXmlStreamReader::Characters:
            if (!open.empty() && !reader.isWhitespace())
                open.back().text += trimmedText(reader.text().toString());
            break;
        case QXmlStreamReader::EndElement: {
            XmlNode done = std::move(open.back());
            open.pop_back();
            if (open.empty())
                root = std::move(done);
            else
                open.back().children.push_back(std::move(done));
            break;
        }
        default:
            break;
        }
    }
    if (reader.hasError())
        return notXml("it is incomplete or not well-formed");
    return root;
}

} // namespace gpuledger::format
