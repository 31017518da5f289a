#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The templates of docs/ci for GitHub and GitLab against the schemas that describe the two services'
files. Debian has no package with these; check-jsonschema has both, in
src/check_jsonschema/builtin_schemas/vendor.

    schemas_test.py FOLDER     with github-workflows.json and gitlab-ci.json
"""
import json
import pathlib
import sys

SKIPPED = 77
DOCS = pathlib.Path(__file__).resolve().parents[3] / "docs/ci"
# A schema, a template, a job in it, and a key of the job whose value is no list.
TEMPLATES = (("github-workflows.json", "github-actions.yml", ("jobs", "shard"), "timeout-minutes"),
             ("gitlab-ci.json", "gitlab-ci.yml", ("conformance",), "timeout"))

if len(sys.argv) < 2 or not sys.argv[1]:
    print("skipped: RIVULET_CI_SCHEMAS names no folder with the schemas of GitHub and GitLab")
    sys.exit(SKIPPED)
try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"skipped: {error}; `./dev test --long` installs python3-jsonschema and python3-yaml")
    sys.exit(SKIPPED)


class Loader(yaml.SafeLoader):
    """As both services read YAML: `on` is a word."""


Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in rows if tag != "tag:yaml.org,2002:bool" or letter not in "oOyYnN"]
    for letter, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def errors(schema, content):
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
            for error in kind(schema).iter_errors(content)]


for schema_name, template, job, wrong in TEMPLATES:
    schema = json.loads(pathlib.Path(sys.argv[1], schema_name).read_text(encoding="utf-8"))
    content = yaml.load((DOCS / template).read_text(encoding="utf-8"), Loader)
    found = errors(schema, content)
    if found:
        sys.exit("\n".join([f"{template}:", *found]))
    broken = content
    for name in job:
        broken = broken[name]
    broken[wrong] = []
    if not errors(schema, content):
        sys.exit(f"{schema_name} accepts a job with wrong values")
    print(f"{template} is right by {schema_name}")
