// SPDX-License-Identifier: Apache-2.0
//
// The terminal as a picture that is redrawn; its state is restored at the end.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <termios.h>

namespace rivulet::tools {

class Screen {
public:
    /// Sets up the terminal: alternate screen, no echo, no line editing.
    Screen();
    Screen(const Screen &) = delete;
    Screen &operator=(const Screen &) = delete;
    ~Screen();

    /// The current height of the terminal.
    [[nodiscard]] size_t rows() const;
    /// Draws the lines, truncated to the terminal's width.
    void draw(const std::vector<std::string> &lines) const;
    /// True once the user has typed q; does not wait.
    [[nodiscard]] bool quit() const;

private:
    termios before_{};
    bool changed_ = false;
};

} // namespace rivulet::tools
