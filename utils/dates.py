"""The date task: dates as people write them, and the same dates in ISO 8601.

    tuesday, september 25, 1984  →  1984-09-25

Made by code: one pair for every day from FIRST to LAST. A hash of the date decides in which format it
is written and in which split it is, so that the pairs are the same on every machine, and no date is in
two splits.
"""

from datetime import date, timedelta

from utils.data import Task, hashed, split_pairs

FIRST, LAST = date(1950, 1, 1), date(2049, 12, 31)

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

# The full, long and medium formats of American and of British English in Unicode's CLDR, with lower-case names; the
# short names of months are the American ones.
# All write the month as a word and the year with four digits, so that each can be read in one way only.
FORMATS = (
    "{weekday}, {month} {day}, {year}",
    "{month} {day}, {year}",
    "{short_month} {day}, {year}",
    "{weekday}, {day} {month} {year}",
    "{day} {month} {year}",
    "{day} {short_month} {year}",
)


def written(day, style):
    """A date as people write it.

    Parameters
    ----------
    day : datetime.date
    style : str
        One of FORMATS.

    Returns
    -------
    str
    """
    month = MONTHS[day.month - 1]
    return style.format(weekday=WEEKDAYS[day.weekday()], day=day.day, month=month, short_month=month[:3], year=day.year)


def date_pairs():
    """All pairs of the date task, in the order of the calendar.

    Returns
    -------
    list of (str, str)
        The date as people write it, and the date in ISO 8601.
    """
    days = (FIRST + timedelta(days=n) for n in range((LAST - FIRST).days + 1))
    return [(written(day, FORMATS[hashed(f"format of {day}") % len(FORMATS)]), str(day)) for day in days]


def date_splits():
    """The date task's pairs, split by date.

    Returns
    -------
    dict of str to list of (str, str)
        For "train", "validation" and "test".
    """
    return split_pairs(date_pairs(), key=lambda source, target: target)


def date_task():
    """The date task, numbered and padded: a `utils.data.Task`."""
    return Task.of(date_splits())
