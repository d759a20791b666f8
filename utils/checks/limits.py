"""Stop a learner's endless loop, on every platform."""

import ctypes
import itertools
import sys
import threading
import time


class TimeUp(BaseException):
    """Raised inside a call that has used up its time. Not an Exception, so that `except Exception` lets it through."""


def call_within(seconds, function, *args, patience=1):
    """Call a function, and raise TimeUp in it when the seconds are over.

    With patience, it may take as many times the seconds as that, as long as it has not used most of one part as
    processor time: then the machine is busy, and it is not the function's fault.

    A second thread raises the exception in this one. That needs no signals, so it works on Windows and
    outside the main thread. A loop that swallows every exception is hit again and again, until one meets
    it between its `try` blocks, which can take a minute. What cannot be stopped is a single call into C
    code that does not return, such as `time.sleep(1000)`.
    """
    caller = ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
    running = threading.Lock()
    running.acquire()
    stopping = threading.Event()

    began = time.process_time()

    def watch():
        for _ in range(patience):
            if running.acquire(timeout=seconds):
                return
            if time.process_time() - began > 0.8 * seconds:
                break
        stopping.set()
        interval = sys.getswitchinterval()
        for attempt in itertools.count():
            raise_in(caller, ctypes.py_object(TimeUp))
            if attempt == 5:
                sys.setswitchinterval(1e-6)
            if running.acquire(timeout=0.02 if attempt < 5 else 0):
                break
        sys.setswitchinterval(interval)

    watcher = threading.Thread(target=watch, daemon=True)
    try:
        watcher.start()
        return function(*args)
    finally:
        # Letting go of the lock is one step, which TimeUp cannot interrupt; after it, at most two are on their way.
        # What is left is therefore tried three times, and not in a loop: between two rounds TimeUp could strike.
        try:
            running.release()
            watcher.join()
            if stopping.is_set():  # Python would keep looking for an exception that was called back
                raise_in(caller, None)  # one that is still on its way is called back
        except TimeUp:
            try:
                watcher.join()
                raise_in(caller, None)
            except TimeUp:
                watcher.join()
                raise_in(caller, None)
