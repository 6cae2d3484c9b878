// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of EC2 and STS in XML, and errors of services in XML and JSON.
#include "app/base/text/text.h"
#include "connectors/aws/awswire.h"
#include "connectors/aws/instancefacts.h"
#include "connectors/aws/instancemark.h"
#include "tests/fuzz/fuzz.h"

namespace gpuledger::fuzz {

namespace {

std::size_t checkTree(const format::XmlNode &node, int depth)
{
    check(depth <= format::kMaxXmlDepth, "a tree is not too deep");
    check(base::isUtf8(node.name) && base::isUtf8(node.text), "texts are UTF-8");
    std::size_t nodes = 1;
    for (const format::XmlNode &child : node.children)
        nodes += checkTree(child, depth + 1);
    return nodes;
}

void readInstances(const format::XmlNode &tree)
{
    const auto instances = aws::instancesIn(tree);
    if (!instances)
        return;
    for (const aws::InstanceFacts &one : *instances) {
        check(!one.id.empty() && !one.account.empty() && !one.launched.empty(), "a machine has an id and a start");
        const auto state = aws::stateOf(one, {}, "eu-central-1", kClock.now());
        (void)aws::versionOf(one);
        (void)aws::groupOf(one.tags);
        if (const auto mark = aws::markIn(one.tags))
            (void)aws::tagsOf(*mark);
        (void)state;
    }
}

} // namespace

void fuzz(std::string_view bytes)
{
    if (const auto tree = format::parseXml(bytes)) {
        check(checkTree(*tree, 1) <= format::kMaxXmlNodes, "a tree is not too large");
        readInstances(*tree);
    }
    const aws::Wire wire(std::make_shared<Server>(std::vector{bytes}), kClock,
                         {"eu-central-1", "http://127.0.0.1:1", {}});
    const auto answer = wire.send(aws::queryCall("ec2", "DescribeInstances", {}), nullptr, {});
    if (!answer)
        return;
    const aws::Fault fault = aws::faultOf(*answer);
    check((fault == aws::Fault::None) == !answer->isError(), "an error response has a fault");
    if (fault != aws::Fault::None)
        check(aws::errorOf(*answer, "ec2:DescribeInstances").text.size() < 2000, "the message of an error is short");
    (void)aws::outcomeOf(*answer, "ec2:StopInstances", "i-1");
}

} // namespace gpuledger::fuzz
