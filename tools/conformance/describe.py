# SPDX-License-Identifier: Apache-2.0
"""The command line as data, from argparse's tables: what tools/command_line makes manual pages and
completions of. This runner and `rivulet profile` answer `--print-options` with it."""
import argparse

# The kinds of values known to completions.
VALUES = {"MANIFEST": "FILE", "RUN": "DIR"}


def parameter(action, formatter):
    value = "" if action.nargs == 0 else (action.metavar or action.dest.upper())
    text = (formatter._expand_help(action) if action.help else "")
    return {"names": list(action.option_strings),
            "positional": "" if action.option_strings else str(value),
            "value": VALUES.get(value, value),
            "text": text,
            "choices": [str(choice) for choice in action.choices or []],
            "required": bool(action.required),
            "repeated": isinstance(action, argparse._AppendAction) or action.nargs in ("+", "*")}


def describe(parser, name, text):
    formatter = parser._get_formatter()
    parameters, subcommands = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            texts = {choice.dest: choice.help for choice in action._choices_actions}
            subcommands = [describe(choice, key, texts.get(key) or "")
                           for key, choice in action.choices.items()]
        elif action.help != argparse.SUPPRESS:
            parameters.append(parameter(action, formatter))
    return {"name": name, "text": text or parser.description or "", "footer": parser.epilog or "",
            "parameters": parameters, "subcommands": subcommands}
