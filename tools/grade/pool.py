"""Many notebooks at once: on this machine's cores, or on a Dask cluster. A worker that dies loses nothing."""

import contextlib
import multiprocessing
from collections import deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait

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
    waiting, suspects = deque(tasks), deque()
    while waiting:
        try:
            yield from _through_one_pool(function, waiting, suspects, read, jobs, scheduler)
        except BrokenExecutor:  # one of its tasks ended a worker: which one shows when each runs alone
            while suspects:
                yield from _alone(function, suspects.popleft(), read)


def _through_one_pool(function, waiting, running, read, jobs, scheduler):
    with _executor(jobs, scheduler) as (executor, size):
        futures = {}
        while waiting or futures:
            while waiting and len(futures) < AHEAD * size:
                task = waiting.popleft()
                running.append(task)
                futures[executor.submit(function, *read(task))] = task
            for future in wait(futures, return_when=FIRST_COMPLETED).done:
                error = future.exception()
                if isinstance(error, BrokenExecutor):
                    raise error
                task = futures.pop(future)
                running.remove(task)
                yield task, error or future.result()


def _alone(function, task, read):
    with _executor(1, None) as (executor, _):
        try:
            yield task, executor.submit(function, *read(task)).result()
        except Exception as error:
            yield task, error


@contextlib.contextmanager
def _executor(jobs, scheduler):
    """What runs the tasks, with concurrent.futures' interface, and how many it runs at once."""
    if scheduler is None:
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as executor:
            yield executor, jobs
    else:
        from distributed import Client

        with Client(scheduler) as client:
            yield client.get_executor(pure=False), max(1, sum(client.ncores().values()))
