/** How many tasks of an account may be to come at once. */
export const maxLiveTasks = 20;

/** How many of its tasks are remembered that nothing more comes of. */
export const maxEndedTasks = 50;

/** How many runs of a task are remembered, and how many of them keep their file. */
export const maxStoredRuns = { runs: 30, files: 5 } as const;

/** How large the file of a run may be. */
export const maxFileBytes = 2 * 1024 * 1024;

/** How long a due change waits for its approval, unless the task is due again before. */
export const maxApprovalMs = 24 * 60 * 60 * 1000;

/** How long nobody looks at the time of day: it may be set, and machines sleep. */
export const longestPauseMs = 60_000;
