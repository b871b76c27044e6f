from __future__ import annotations

from lydite.drawing import palette


def _luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(first: str, second: str) -> float:
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_text_can_be_read_in_light_and_dark() -> None:
    # WCAG 2.1, AA: 4.5 for text.
    for text in (palette.INK, palette.MUTED, palette.ACCENT, palette.WARNING, palette.FAILURE):
        for page in (palette.PAGE, palette.PANEL):
            assert _contrast(text.light, page.light) >= 4.5, text.role
            assert _contrast(text.dark, page.dark) >= 4.5, text.role


def test_light_colours_differ_so_that_they_can_be_translated() -> None:
    assert len({colour.light for colour in palette.COLOURS}) == len(palette.COLOURS)
    assert palette.as_variable(" #0072B2") == "var(--accent)"
    assert palette.as_variable("#123456") == "#123456"
