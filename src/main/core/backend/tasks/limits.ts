/** Maximum number of active tasks of an account. */
export const maxLiveTasks = 20;

/** Maximum number of finished tasks that are kept. */
export const maxEndedTasks = 50;

/** Maximum number of runs of a task that are kept, and of those that keep their file. */
export const maxStoredRuns = { runs: 30, files: 5 } as const;

/** Maximum size of the file of a run. */
export const maxFileBytes = 2 * 1024 * 1024;

/** Time for which a due change can be approved, unless the task is due again before. */
export const maxApprovalMs = 24 * 60 * 60 * 1000;

/** Maximum interval between two looks at the time of day: it may be set, and machines sleep. */
export const longestPauseMs = 60_000;
