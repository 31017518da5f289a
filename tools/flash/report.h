// SPDX-License-Identifier: Apache-2.0
//
// Progress reporting of rivulet flash and rivulet sign: lines of text as work proceeds or, with
// --json, one object at the end.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace rivulet::flash {

using Json = nlohmann::ordered_json;

void report_as_json();
/// Prints a line with name and text, or adds a member to the object.
void tell(const char *name, const std::string &text, Json value);
void tell(const char *name, const std::string &text);
/// Prints a line of its own, or adds an element to the member `list`.
void tell_more(const char *list, const std::string &line, Json element);
/// Prints the object, including the error, if any; the error also goes to standard error.
void end_report(const std::string &error);

} // namespace rivulet::flash
