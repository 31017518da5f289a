// SPDX-License-Identifier: Apache-2.0
//
// Pictures side by side, with captions in a 5 x 7 bitmap font.
#include <algorithm>
#include <cctype>
#include <string_view>

#include "picture.h"

namespace {

constexpr int glyph_width = 5, glyph_height = 7, scale = 2;
constexpr int advance = (glyph_width + 1) * scale;
constexpr int margin = 8, caption_height = glyph_height * scale + 2 * margin;
constexpr Pixel paper{255, 255, 255, 255}, ink{32, 32, 32, 255};

struct Glyph {
    char character;
    uint8_t rows[glyph_height]; // bit 4 is the leftmost pixel
};

constexpr Glyph font[] = {
    {'A', {0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11}},
    {'B', {0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e}},
    {'C', {0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e}},
    {'D', {0x1e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1e}},
    {'E', {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f}},
    {'F', {0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10}},
    {'G', {0x0e, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0f}},
    {'H', {0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11}},
    {'I', {0x0e, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'J', {0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0c}},
    {'K', {0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11}},
    {'L', {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f}},
    {'M', {0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11}},
    {'N', {0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11}},
    {'O', {0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}},
    {'P', {0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10}},
    {'Q', {0x0e, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0d}},
    {'R', {0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11}},
    {'S', {0x0f, 0x10, 0x10, 0x0e, 0x01, 0x01, 0x1e}},
    {'T', {0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04}},
    {'U', {0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e}},
    {'V', {0x11, 0x11, 0x11, 0x11, 0x11, 0x0a, 0x04}},
    {'W', {0x11, 0x11, 0x11, 0x15, 0x15, 0x15, 0x0a}},
    {'X', {0x11, 0x11, 0x0a, 0x04, 0x0a, 0x11, 0x11}},
    {'Y', {0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04}},
    {'Z', {0x1f, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1f}},
};

void write(Picture &sheet, int x, int y, std::string_view text) {
    for (const char character : text) {
        const auto glyph =
            std::ranges::find(font, char(std::toupper(character)), &Glyph::character);
        for (int i = 0; glyph != std::end(font) && i < glyph_width * glyph_height * scale * scale;
             ++i) {
            const int column = i % (glyph_width * scale), row = i / (glyph_width * scale);
            if (glyph->rows[row / scale] >> (glyph_width - 1 - column / scale) & 1)
                sheet.at(x + column, y + row) = ink;
        }
        x += advance;
    }
}

} // namespace

Picture contact_sheet(const std::vector<Panel> &panels, int columns) {
    int width = 0, height = 0;
    for (const Panel &panel : panels) {
        width = std::max({width, panel.picture.width, int(panel.caption.size()) * advance});
        height = std::max(height, panel.picture.height);
    }
    const int rows = (int(panels.size()) + columns - 1) / columns;
    const int cell_width = width + margin, cell_height = height + caption_height;
    Picture sheet(columns * cell_width + margin, rows * cell_height + margin, paper);
    for (size_t i = 0; i < panels.size(); ++i) {
        const Picture &picture = panels[i].picture;
        const int left = margin + int(i) % columns * cell_width;
        const int top = margin + int(i) / columns * cell_height;
        for (int y = 0; y < picture.height; ++y)
            std::copy_n(&picture.at(0, y), picture.width, &sheet.at(left, top + y));
        write(sheet, left, top + height + margin, panels[i].caption);
    }
    return sheet;
}
