"""Stop a learner's endless loop, on every platform."""

import ctypes
import threading


class TimeUp(BaseException):
    """Raised inside a call that has used up its time. Not an Exception, so that `except Exception` lets it through."""


def call_within(seconds, function, *args):
    """Call a function, and raise TimeUp in it when the seconds are over.

    A second thread raises the exception in this one, again and again in case a bare `except:`
    swallows it. That needs no signals, so it works on Windows and outside the main thread. What
    it cannot stop is a single call into C code that does not return, such as `time.sleep(1000)`.
    """
    caller = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    over = threading.Event()

    def watch():
        wait = seconds
        while not over.wait(wait):
            raise_in(caller, ctypes.py_object(TimeUp))
            wait = 0.05

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return function(*args)
    finally:
        while watcher.is_alive():
            try:
                over.set()
                watcher.join()
            except TimeUp:
                pass
        raise_in(caller, None)  # one that is still on its way is called back
