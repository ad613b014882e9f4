"""The sheet that a class is given: for each team an address with its code, to be typed or read by a camera.

One page of plain HTML, to be printed and cut. It holds codes that let people in, so it lies in the home's exports.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import segno

from core.workshop.classroom import Seat

NAME = "workshop-sheet.html"
_STYLE = """
@page { margin: 12mm }
body { margin: 0; font: 16px/1.45 system-ui, sans-serif; color: #0f1718; background: #fff }
h1 { font-size: 22px; margin: 0 0 4mm }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 0 }
article { display: grid; grid-template-columns: 34mm 1fr; gap: 5mm; align-items: center; padding: 6mm 4mm;
  border: 1px dashed #8a9897; break-inside: avoid }
svg { width: 34mm; height: 34mm }
h2 { font-size: 19px; margin: 0 0 1mm }
p { margin: 0 0 1.5mm; overflow-wrap: anywhere }
b { font: 600 25px/1.2 ui-monospace, monospace; letter-spacing: .04em }
small { color: #4d5b5c }
"""


def team_address(base_url: str, seat: Seat) -> str:
    """Answer the address that a team's camera reads: it shows a page with one button, and signs nobody in by itself."""
    return f"{base_url.rstrip('/')}/team/{seat.tenant}/{seat.code}"


def draw_sheet(base_url: str, seats: Sequence[Seat]) -> str:
    """Draw the sheet, one card a seat."""
    cards = "".join(_card(base_url, seat) for seat in seats)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Workshop · Daybook</title>'
        f"<style>{_STYLE}</style></head><body><h1>Workshop: cut along the lines</h1><main>{cards}</main></body></html>"
    )


def _card(base_url: str, seat: Seat) -> str:
    code = segno.make(team_address(base_url, seat), error="m", micro=False)
    picture = code.svg_inline(scale=4, border=2, title=f"Address of {seat.name}")
    return (
        f"<article>{picture}<div><h2>{escape(seat.name)}</h2><p>{escape(base_url.rstrip('/'))}/team</p>"
        f"<p><small>Team</small> {escape(seat.tenant)}<br><small>Code</small> <b>{escape(seat.code)}</b></p>"
        "<p><small>The code works once. For another screen ask on the page.</small></p></div></article>"
    )


def write_sheet(folder: Path, base_url: str, seats: Sequence[Seat]) -> Path:
    """Write the sheet into a folder, for this user alone, and answer where it lies."""
    path = folder / NAME
    path.write_text(draw_sheet(base_url, seats), "utf-8")
    path.chmod(0o600)
    return path
