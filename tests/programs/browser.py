# SPDX-License-Identifier: Apache-2.0
"""What a page shows in a browser, as Chromium without a window lays it out."""
import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile

# Runs in the page when it is loaded. `innerText` is what a reader sees: text of elements that are not
# displayed is not in it.
SCRIPT = """<script>
const shown = element => element.innerText.trim();
for (const folded of document.querySelectorAll("details")) folded.open = true;
const scrolls = element => { // within a part that the reader can scroll sideways
  for (; element; element = element.parentElement)
    if (["auto", "scroll"].includes(getComputedStyle(element).overflowX)) return true;
  return false;
};
const seen = {
  width: innerWidth, needed: document.documentElement.scrollWidth, text: document.body.innerText,
  tables: [...document.querySelectorAll("table")].map(table => [...table.rows].map(
    row => [...row.cells].map(shown))),
  tiles: [...document.querySelectorAll(".tile")].map(shown),
  cut: [...document.querySelectorAll("h1, h2, h3, p, td, th, summary, .tile, svg")].filter(element => {
    const box = element.getBoundingClientRect();
    return box.width && !scrolls(element) && (box.left < 0 || box.right > innerWidth + 0.5);
  }).map(element => element.tagName + " " + (element.innerText || "").slice(0, 60)),
  bars: [...document.querySelectorAll(".heat")].map(bar =>
    bar.firstElementChild.getBoundingClientRect().width / bar.getBoundingClientRect().width),
  found: {},
};
const field = document.querySelector("input[type=search]");
for (const words of SEARCHES) {
  field.value = words;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  seen.found[words] = [...document.querySelectorAll("table")].flatMap(table => [...table.rows])
    .filter(row => row.offsetHeight).map(row => [...row.cells].map(shown));
}
const out = document.createElement("pre");
out.id = "seen";
out.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(seen))));
document.body.append(out);
</script>"""


def browser():
    """The path of Chromium, the smaller package first; None if neither is installed."""
    return next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)


def look(page, width, searches=()):
    """What the page (a path) shows `width` pixels wide, after all that is folded has been opened:
    `text`, `tables` (rows of cells), `tiles`, shares of `bars`, the width `needed` to see all of it,
    texts that are `cut` off, and for each text typed into the search field the rows `found`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "page.html"
        copy.write_text(pathlib.Path(page).read_text() + SCRIPT.replace("SEARCHES", json.dumps(list(searches))))
        done = subprocess.run(
            [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={folder}/profile", f"--window-size={width},900",
             "--hide-scrollbars", "--dump-dom", copy.as_uri()],
            capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    seen = re.search(r'<pre id="seen">([^<]*)</pre>', done.stdout)
    assert seen, done.stdout[-2000:] + done.stderr
    return json.loads(base64.b64decode(seen[1]))
