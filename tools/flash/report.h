// SPDX-License-Identifier: Apache-2.0
//
// rivulet flash and rivulet sign tell through these what they do: lines for people as the work goes
// on, or, with --json, one object at its end.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace rivulet::flash {

using Json = nlohmann::ordered_json;

void report_as_json();
/// A line of the name and the text, and a member of the object.
void tell(const char *name, const std::string &text, Json value);
void tell(const char *name, const std::string &text);
/// A line of its own, and one more element of the member `list`.
void tell_more(const char *list, const std::string &line, Json element);
/// The end: prints the object, with the error if there is one; the error goes to standard error,
/// too.
void end_report(const std::string &error);

} // namespace rivulet::flash
