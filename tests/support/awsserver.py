#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""awsserver.py: a moto server on a free loopback port, and boto3 as an independent client of it.

Prints "port N", or "no moto" if Python does not have it. Each line of its input is a JSON object {"do": ...}, with "region" unless it is
the first one; the answer is one line of JSON. Ends when its input is closed. moto comes from PyPI (./dev deps test installs it into
build/python-test).
"""
import datetime
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, "..", "..", "build", "python-test", "bin", "python")
NEEDED = "import moto.server, boto3"


def with_moto():
    """This script under a Python that has moto; None if there is none."""
    for python in (OWN, "python3", "/usr/bin/python3"):
        try:
            found = subprocess.run([python, "-c", NEEDED], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if found.returncode == 0:
            os.environ["GPULEDGER_MOTO_TRIED"] = "1"
            os.execvp(python, [python, os.path.abspath(__file__)])


try:
    import boto3
    import botocore.config
    from moto.backends import get_backend
    from moto.core.exceptions import JsonRESTError
    from moto.ec2.exceptions import EC2ClientError
    from moto.ec2.responses import EC2Response
    from moto.sagemaker.responses import SageMakerResponse
    from moto.server import ThreadedMotoServer
except ImportError:
    if "GPULEDGER_MOTO_TRIED" not in os.environ:
        with_moto()
    print("no moto", flush=True)
    sys.exit(0)


ROLE = "arn:aws:iam::123456789012:role/x"


def unknown_operation(_response):
    raise JsonRESTError("UnknownOperationException", "")


def unknown_action(_response):
    raise EC2ClientError("InvalidAction", "The action is not valid for this web service.")


# What a service says of an action that it lacks; moto would fail with 500, which is worth another try.
if not hasattr(SageMakerResponse, "list_apps"):
    SageMakerResponse.list_apps = unknown_operation
if not hasattr(EC2Response, "get_spot_placement_scores"):
    EC2Response.get_spot_placement_scores = unknown_action


class Client:
    def __init__(self, url, region="us-east-1"):
        keys = {"endpoint_url": url, "region_name": region, "aws_access_key_id": "AKIDINDEPENDENT", "aws_secret_access_key": "x"}
        self.ec2 = boto3.client("ec2", **keys)
        self.notebooks = boto3.client("sagemaker", **keys)
        self.store = boto3.client("s3", **keys)
        # moto can't read a request that is compressed.
        self.watch = boto3.client("cloudwatch", **keys, config=botocore.config.Config(disable_request_compression=True))

    def run(self, type="p4d.24xlarge", tags=None, hours=0):
        """A machine that was started so many hours ago."""
        spec = [{"ResourceType": "instance", "Tags": [{"Key": k, "Value": v} for k, v in (tags or {"team": "vision"}).items()]}]
        made = self.ec2.run_instances(ImageId="ami-12345678", MinCount=1, MaxCount=1, InstanceType=type, TagSpecifications=spec)
        one = made["Instances"][0]
        if hours:
            get_backend("ec2")["123456789012"][self.ec2.meta.region_name].get_instance(one["InstanceId"]).launch_time -= datetime.timedelta(hours=hours)
        return {"id": one["InstanceId"], "node": one["PrivateDnsName"]}

    def budget(self, **budget):
        """A budget of AWS Budgets, in its own words."""
        client = boto3.client("budgets", endpoint_url=self.ec2.meta.endpoint_url, region_name="us-east-1", aws_access_key_id="AKIDINDEPENDENT",
                              aws_secret_access_key="x")
        client.create_budget(AccountId="123456789012", Budget=budget)

    def organization(self, names):
        """An organization with accounts of these names, by name."""
        client = boto3.client("organizations", endpoint_url=self.ec2.meta.endpoint_url, region_name="us-east-1", aws_access_key_id="AKIDINDEPENDENT",
                              aws_secret_access_key="x")
        client.create_organization(FeatureSet="ALL")
        made = {name: client.create_account(AccountName=name, Email=f"{i}@example.org") for i, name in enumerate(names)}
        return {"numbers": {name: one["CreateAccountStatus"]["AccountId"] for name, one in made.items()}}

    def bucket(self, name):
        self.store.create_bucket(Bucket=name)

    def put(self, bucket, key, path):
        with open(path, "rb") as file:
            self.store.put_object(Bucket=bucket, Key=key, Body=file.read())

    def measure(self, metric, dimensions, start, step, values, namespace="CWAgent"):
        """Values of a metric, by default of the CloudWatch agent, from `start` (Unix time) on, every `step` seconds; None is a gap."""
        named = [{"Name": name, "Value": value} for name, value in dimensions]
        data = [{"MetricName": metric, "Dimensions": named, "Timestamp": start + i * step, "Value": value}
                for i, value in enumerate(values) if value is not None]
        for i in range(0, len(data), 500):
            self.watch.put_metric_data(Namespace=namespace, MetricData=data[i:i + 500])

    def describe(self, id):
        one = self.ec2.describe_instances(InstanceIds=[id])["Reservations"][0]["Instances"][0]
        return {"state": one["State"]["Name"], "tags": {t["Key"]: t["Value"] for t in one.get("Tags", [])}}

    def stop(self, id):
        self.ec2.stop_instances(InstanceIds=[id])

    def start(self, id):
        self.ec2.start_instances(InstanceIds=[id])

    def terminate(self, id):
        self.ec2.terminate_instances(InstanceIds=[id])

    def tag(self, id, key, value):
        self.ec2.create_tags(Resources=[id], Tags=[{"Key": key, "Value": value}])

    def protect(self, id):
        self.ec2.modify_instance_attribute(InstanceId=id, DisableApiStop={"Value": True})

    def notebook(self, name):
        return {"arn": self.notebooks.create_notebook_instance(NotebookInstanceName=name, InstanceType="ml.p3.2xlarge",
                                                               RoleArn="arn:aws:iam::123456789012:role/x")["NotebookInstanceArn"]}

    def notebook_stop(self, name):
        self.notebooks.stop_notebook_instance(NotebookInstanceName=name)

    def endpoint(self, name, type="ml.p3.2xlarge", count=1, tags=None):
        self.notebooks.create_model(ModelName=name, ExecutionRoleArn=ROLE, PrimaryContainer={"Image": "image"})
        variant = {"VariantName": "all", "ModelName": name, "InstanceType": type, "InitialInstanceCount": count, "InitialVariantWeight": 1}
        self.notebooks.create_endpoint_config(EndpointConfigName=name + "-config", ProductionVariants=[variant])
        return {"arn": self.notebooks.create_endpoint(EndpointName=name, EndpointConfigName=name + "-config",
                                                      Tags=[{"Key": k, "Value": v} for k, v in (tags or {}).items()])["EndpointArn"]}

    def training_job(self, name, began, ended=None, type="ml.p4d.24xlarge", count=1, spot=False):
        """A job that began and ended at these Unix times, or goes on: moto's own ones end in the second in which they begin."""
        made = self.notebooks.create_training_job(
            TrainingJobName=name, RoleArn=ROLE, AlgorithmSpecification={"TrainingInputMode": "File"}, EnableManagedSpotTraining=spot,
            OutputDataConfig={"S3OutputPath": "s3://models"}, StoppingCondition={"MaxRuntimeInSeconds": 86400},
            ResourceConfig={"InstanceType": type, "InstanceCount": count, "VolumeSizeInGB": 10})
        job = get_backend("sagemaker")["123456789012"][self.notebooks.meta.region_name].training_jobs[name]
        job.training_start_time = datetime.datetime.fromtimestamp(began, datetime.timezone.utc).replace(tzinfo=None)
        job.training_end_time = ended and datetime.datetime.fromtimestamp(ended, datetime.timezone.utc).replace(tzinfo=None)
        job.training_job_status = "Completed" if ended else "InProgress"
        return {"arn": made["TrainingJobArn"]}

    def notebook_state(self, name):
        one = self.notebooks.describe_notebook_instance(NotebookInstanceName=name)
        tags = self.notebooks.list_tags(ResourceArn=one["NotebookInstanceArn"])["Tags"]
        return {"state": one["NotebookInstanceStatus"], "tags": {t["Key"]: t["Value"] for t in tags}}

    def notebook_replace(self, name):
        self.notebooks.stop_notebook_instance(NotebookInstanceName=name)
        self.notebooks.delete_notebook_instance(NotebookInstanceName=name)
        self.notebook(name)


def main():
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    port = server.get_host_and_port()[1]
    clients = {}
    print(f"port {port}", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        region = asked.pop("region", "us-east-1")
        try:
            client = clients.get(region) or clients.setdefault(region, Client(f"http://127.0.0.1:{port}", region))
            answer = getattr(client, asked.pop("do"))(**asked) or {}
        except Exception as error:  # reported to the test as the answer
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)
    server.stop()


if __name__ == "__main__":
    main()
