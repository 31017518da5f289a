/* SPDX-License-Identifier: Apache-2.0
 *
 * snprintf and vsnprintf for what the firmware and the boot stage print: %c, %s, %d, %u, %x and %%,
 * the numbers also with l, and no widths. Anything else is printed as it is. Newlib's take 3 KB
 * more, because they can also allocate their output. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct output {
    char *to;
    size_t bytes, length; /* length may be greater, as in the result of snprintf */
} output;

static void put(output *output, char character) {
    if (output->length < output->bytes)
        output->to[output->length] = character;
    ++output->length;
}

static void put_text(output *output, const char *text) {
    while (*text)
        put(output, *text++);
}

static void put_number(output *output, unsigned long value, unsigned base) {
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (count)
        put(output, digits[--count]);
}

int vsnprintf(char *to, size_t bytes, const char *format, va_list arguments) {
    output output = {to, bytes, 0};
    for (; *format; ++format) {
        if (*format != '%') {
            put(&output, *format);
            continue;
        }
        const char *const conversion = format++;
        const bool is_long = *format == 'l';
        format += is_long;
        unsigned long number = 0;
        switch (*format) {
        case 'c':
            put(&output, (char)va_arg(arguments, int));
            break;
        case 's':
            put_text(&output, va_arg(arguments, const char *));
            break;
        case 'd':
            number = (unsigned long)(is_long ? va_arg(arguments, long) : va_arg(arguments, int));
            if ((long)number < 0) {
                put(&output, '-');
                number = -number;
            }
            put_number(&output, number, 10);
            break;
        case '%':
            put(&output, '%');
            break;
        case 'u':
        case 'x':
            number = is_long ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned);
            put_number(&output, number, *format == 'u' ? 10 : 16);
            break;
        default:
            format = conversion;
            put(&output, '%');
            break;
        }
    }
    if (bytes)
        to[output.length < bytes ? output.length : bytes - 1] = '\0';
    return (int)output.length;
}

int snprintf(char *to, size_t bytes, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(to, bytes, format, arguments);
    va_end(arguments);
    return length;
}
