// SPDX-License-Identifier: Apache-2.0
#include "tools/rivulet/monitor/screen.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace rivulet::tools {
namespace {

constexpr winsize usual_size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};

winsize size_of_terminal() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return usual_size;
    return size;
}

/// At most `columns` complete UTF-8 characters.
std::string cut(const std::string &line, size_t columns) {
    size_t characters = 0;
    size_t end = 0;
    for (; end < line.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(line[end]) & 0xc0) != 0x80;
        if (begins && ++characters > columns)
            break;
    }
    return line.substr(0, end);
}

} // namespace

Screen::Screen() {
    if (tcgetattr(STDIN_FILENO, &before_) == 0) {
        termios raw = before_;
        raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO); // ^C still terminates us
        changed_ = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
    }
    std::fputs("\x1b[?1049h\x1b[?25l", stdout); // alternate screen, no cursor
    std::fflush(stdout);
}

Screen::~Screen() {
    std::fputs("\x1b[?25h\x1b[?1049l", stdout);
    std::fflush(stdout);
    if (changed_)
        tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

size_t Screen::rows() const { return size_of_terminal().ws_row; }

void Screen::draw(const std::vector<std::string> &lines) const {
    const winsize size = size_of_terminal();
    std::string all = "\x1b[H";
    for (size_t row = 0; row < std::min<size_t>(lines.size(), size.ws_row); ++row)
        all += (row != 0 ? "\r\n" : "") + cut(lines[row], size.ws_col) + "\x1b[K";
    all += "\x1b[J"; // clear the rest of the previous picture
    std::fputs(all.c_str(), stdout);
    std::fflush(stdout);
}

bool Screen::quit() const {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (changed_ && poll(&input, 1, 0) > 0 && (input.revents & POLLIN) != 0) {
        char key = 0;
        if (read(STDIN_FILENO, &key, 1) != 1)
            return true;
        if (key == 'q' || key == 'Q')
            return true;
    }
    return false;
}

} // namespace rivulet::tools
