"""Many notebooks at once: on this machine's cores, or on a Dask cluster. A worker that dies loses nothing."""

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait

MEMORY = 2 * 2**30
"""How many bytes a worker may use."""

AHEAD = 3
"""How many tasks wait for each worker: enough to keep it busy, few enough to keep memory small."""


def run(function, tasks, read, jobs, scheduler=None):
    """Call ``function(*read(task))`` for every task, in other processes.

    Parameters
    ----------
    function, read : function
        `read` is called here, just before a task is handed out.
    tasks : iterable
    jobs : int
        How many processes of this machine; on a cluster, as many as it has.
    scheduler : str or None
        The address of a Dask scheduler.

    Yields
    ------
    (task, result or Exception)
        In the order in which they are done.
    """
    waiting, running = deque(tasks), deque()
    while waiting:
        try:
            yield from _through_one_pool(function, waiting, running, read, jobs, scheduler)
        except BrokenExecutor:  # one of its tasks ended a worker: which one shows when each runs alone
            while running:
                yield from _one_at_a_time(function, running, read)


def _through_one_pool(function, waiting, running, read, jobs, scheduler):
    with _executor(jobs, scheduler) as (executor, size):
        futures = {}
        while waiting or futures:
            while waiting and len(futures) < AHEAD * size:
                task = waiting.popleft()
                running.append(task)
                try:
                    arguments = read(task)
                except OSError as error:
                    running.remove(task)
                    yield task, error
                else:
                    futures[executor.submit(function, *arguments)] = task
            for future in wait(futures, return_when=FIRST_COMPLETED).done:
                result = _result(future)
                if isinstance(result, BrokenExecutor):
                    raise result
                task = futures.pop(future)
                running.remove(task)
                yield task, result


def _one_at_a_time(function, suspects, read):
    """Until one of them ends its worker, or none is left."""
    with _executor(1, None) as (executor, _):
        while suspects:
            task = suspects.popleft()
            try:
                result = _result(executor.submit(function, *read(task)))
            except OSError as error:
                result = error
            yield task, result
            if isinstance(result, BrokenExecutor):
                return


def _result(future):
    """What a task gave, or the exception that ended it."""
    try:
        return future.result()
    except Exception as error:
        return error


@contextlib.contextmanager
def _executor(jobs, scheduler):
    """What runs the tasks, with concurrent.futures' interface, and how many it runs at once."""
    if scheduler is None:
        executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin)
        try:
            yield executor, jobs
        finally:
            executor.shutdown(cancel_futures=True)
    else:
        from distributed import Client

        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise ConnectionError(f"there is no Dask scheduler at {scheduler} ({error})") from None
        with client:
            yield client.get_executor(pure=False), max(1, sum(client.ncores().values()))


def _begin():
    """Begin a worker: Ctrl-C is the grader's to hear, and when that is killed, its workers end with it.

    No file may take all memory: the JSON of a small one can become very large.
    """
    import resource  # Windows has none, and is told so by the command line

    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most), most))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_grader, daemon=True).start()


def _end_with_the_grader():
    multiprocessing.parent_process().join()
    os._exit(1)
