"""The date task: the same bytes everywhere, CLDR's formats, and one reading for every date."""

import hashlib
import os
import subprocess
import sys
from collections import defaultdict
from datetime import date, timedelta
from pathlib import Path

import pytest
from babel.dates import format_date, get_day_names, get_month_names

from utils.dates import FIRST, FORMATS, LAST, MONTHS, WEEKDAYS, date_pairs, date_splits, date_task, written

ROOT = Path(__file__).resolve().parents[1]
DAYS = [FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1)]
STYLES = [(locale, length) for locale in ("en", "en_GB") for length in ("full", "long", "medium")]
SHA256 = "c567b7442159cec16564901b286d8d209caf85e38b64133bd06096447501ddf0"


def sha256(pairs):
    return hashlib.sha256("".join(f"{source}\t{target}\n" for source, target in pairs).encode("utf-8")).hexdigest()


def test_the_pairs_are_the_same_bytes_as_ever():
    assert sha256(date_pairs()) == SHA256


def test_the_splits_are_as_large_as_ever():
    assert {name: len(pairs) for name, pairs in date_splits().items()} == {
        "train": 29274, "validation": 3659, "test": 3592,
    }  # fmt: skip


def test_no_date_is_in_two_splits_and_none_is_lost():
    targets = [target for pairs in date_splits().values() for _, target in pairs]
    assert sorted(targets) == [day.isoformat() for day in DAYS]


def test_neither_hash_seed_nor_locale_nor_time_zone_nor_clock_decides_anything():
    code = (
        "from utils.dates import date_splits; import hashlib;"
        "print(hashlib.sha256(repr(date_splits()).encode('utf-8')).hexdigest())"
    )
    elsewhere = {"PYTHONHASHSEED": "4", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"}
    there = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | elsewhere, capture_output=True, encoding="utf-8"
    )
    assert there.stdout.strip() == hashlib.sha256(repr(date_splits()).encode("utf-8")).hexdigest(), there.stderr


@pytest.mark.parametrize(("locale", "length"), STYLES)
def test_a_format_is_the_one_of_cldr(locale, length):
    style = FORMATS[STYLES.index((locale, length))]
    for day in DAYS[::97]:
        assert written(day, style) == format_date(day, length, locale).lower().replace("sept ", "sep ")


@pytest.mark.parametrize("locale", ["en", "en_GB"])
def test_names_of_months_and_weekdays_are_those_of_cldr(locale):
    months, weekdays = get_month_names("wide", locale=locale), get_day_names("wide", locale=locale)
    assert list(MONTHS) == [months[m].lower() for m in range(1, 13)]
    assert list(WEEKDAYS) == [weekdays[d].lower() for d in range(7)]


def test_every_text_stands_for_one_date_in_whatever_format():
    readings = defaultdict(set)
    for day in DAYS:
        for style in FORMATS:
            readings[written(day, style)].add(day)
    assert max(map(len, readings.values())) == 1


def test_a_text_names_its_month_in_letters_and_its_year_in_four_digits():
    for source, target in date_pairs():
        numbers = "".join(c if c.isdigit() else " " for c in source).split()
        assert sorted(map(int, numbers)) == [int(target[8:]), int(target[:4])]
        assert target[:4] in numbers
        assert any(month[:3] in source for month in MONTHS)


def test_every_format_is_used_in_every_split():
    for pairs in date_splits().values():
        days = [(source, date.fromisoformat(target)) for source, target in pairs]
        assert all(any(written(day, style) == source for source, day in days) for style in FORMATS)


def test_training_sees_every_character_that_other_splits_need():
    task = date_task()
    assert {name: len(texts) for name, texts in task.texts.items()} == {n: len(p) for n, p in date_splits().items()}
