// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <locale.h>

namespace rivulet {

/// While it exists, this thread formats and parses numbers in the C locale, regardless of the
/// application's setlocale and uselocale.
class CLocale {
public:
    CLocale() : before_(uselocale(c_locale())) {}
    CLocale(const CLocale &) = delete;
    CLocale &operator=(const CLocale &) = delete;
    ~CLocale() { uselocale(before_); }

private:
    static locale_t c_locale() {
        static const locale_t locale = newlocale(LC_ALL_MASK, "C", locale_t{});
        return locale;
    }
    const locale_t before_;
};

} // namespace rivulet
