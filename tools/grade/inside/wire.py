"""Plain data as JSON, in and out of the sandbox. Reading it never runs anything."""

import base64
import json
import math
import re

import numpy as np

from utils.checks.run import Call, Record, StepTable, Unusable

_LONGEST_TEXT = 2000
_OUTCOMES = ("returned", "raised", "time up")


def pack(value):
    """Plain data (see utils.checks.run.plain) as what JSON can hold.

    Parameters
    ----------
    value : arrays, numbers, texts, None, a StepTable, an Unusable, or lists, tuples and dicts of them

    Returns
    -------
    object
        For `json.dumps`; `unpack` makes the value of it again.
    """
    if isinstance(value, np.ndarray):
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
        return {"array": data, "dtype": value.dtype.str, "shape": list(value.shape)}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, StepTable):
        return {"steps": [pack(value.by_word), pack(value.by_position)]}
    if isinstance(value, Unusable):
        return {"unusable": value.kind[:_LONGEST_TEXT]}
    if isinstance(value, dict):
        return {"dict": {key[:_LONGEST_TEXT]: pack(item) for key, item in value.items()}}
    if isinstance(value, tuple):
        return {"tuple": [pack(item) for item in value]}
    if isinstance(value, list):
        return [pack(item) for item in value]
    if isinstance(value, str):
        return value[:_LONGEST_TEXT]
    if isinstance(value, int) and abs(value) >= 2**63:
        return {"unusable": "a whole number that is far too large"}
    if value is None or isinstance(value, (int, float)):
        return value
    return {"unusable": f"a {type(value).__name__}"}


def unpack(packed):
    """What `pack` packed. ValueError where it isn't anything that `pack` makes."""
    if packed is None or isinstance(packed, (bool, int, float, str)):
        return packed
    if isinstance(packed, list):
        return [unpack(item) for item in packed]
    match packed:
        case {"array": str(data), "dtype": str(kind), "shape": list(shape)}:
            return _array(data, kind, shape)
        case {"steps": [by_word, by_position]}:
            return StepTable(unpack(by_word), unpack(by_position))
        case {"unusable": str(kind)}:
            return Unusable(kind[:_LONGEST_TEXT])
        case {"dict": dict(items)}:
            return {key: unpack(item) for key, item in items.items()}
        case {"tuple": list(items)}:
            return tuple(unpack(item) for item in items)
    raise ValueError("no plain data")


def _array(data, kind, shape):
    known = re.fullmatch(r"[<>|][biufc]\d{1,2}", kind)
    if not known or len(shape) > 32 or not all(type(size) is int and 0 <= size < 2**31 for size in shape):
        raise ValueError("no array of numbers")
    dtype = np.dtype(kind)
    content = base64.b64decode(data, validate=True)
    if len(content) != dtype.itemsize * math.prod(shape):
        raise ValueError("an array with too many numbers, or too few")
    return np.frombuffer(content, dtype).reshape(shape).copy()


def pack_record(record):
    """A utils.checks.run.Record as what JSON can hold."""
    calls = [{**vars(call), "result": pack(call.result), "again": pack(call.again)} for call in record.calls]
    return {"calls": calls, "unwritten": record.unwritten}


def unpack_record(packed, probes):
    """A record that came out of the sandbox, where nothing can be trusted to be what it says.

    Parameters
    ----------
    packed : object
        What the JSON held.
    probes : list of utils.checks.run.Probe
        What the function was to be called with.

    Returns
    -------
    Record
        ValueError where it is not a record of calls with all these probes.
    """
    match packed:
        case {"calls": list(calls), "unwritten": str(unwritten)}:
            return Record([], unwritten=unwritten[:_LONGEST_TEXT])
        case {"calls": list(calls), "unwritten": None} if len(calls) <= len(probes):
            record = Record([_call(*both) for both in zip(calls, probes)])
            if len(calls) == len(probes) or calls and record.calls[-1].outcome == "time up":
                return record
    raise ValueError("no record of all calls")


def _call(packed, probe):
    call = Call(**packed) if isinstance(packed, dict) and packed.keys() == vars(Call()).keys() else None
    if (
        call is None
        or call.outcome not in _OUTCOMES
        or not isinstance(call.changed, list)
        or len(call.changed) > len(probe.args)
        or not all(type(k) is int and 0 <= k < len(probe.args) for k in call.changed)
        or not all(type(flag) is bool for flag in (call.handed_back, call.reused))
        or not all(isinstance(text, str) for text in (call.error, call.line))
    ):
        raise ValueError("no record of a call")
    call.result, call.again = unpack(call.result), unpack(call.again)
    call.error, call.line = call.error[:_LONGEST_TEXT], call.line[:_LONGEST_TEXT]
    return call


def dumps(message):
    """One message as a line of bytes."""
    return json.dumps(message).encode("ascii") + b"\n"


def loads(line):
    """The message in a line; ValueError where there is none."""
    try:
        message = json.loads(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("no message")
    return message
