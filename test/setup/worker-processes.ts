/** The number of processes that the test files of a worker share. They end with the worker. */
export const workerProcesses = { count: 0 };
