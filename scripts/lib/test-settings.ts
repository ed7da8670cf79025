/** Deadline of every wait in a test, in milliseconds: `expect.poll`, Playwright's waits, and `eventually`. */
export const patienceMs = 60_000;

export const lookEveryMs = 20;

/** Environment variable with which `npm run soak` requests all runs of properties and the files `*.soak.test.ts`. */
export const soakVariable = 'COUNTERSIGN_SOAK';

export const isSoak = process.env[soakVariable] === '1';

/** Environment variable with which `npm run clients` requests the project `programs`. */
export const programsVariable = 'COUNTERSIGN_PROGRAMS';

export const runsPrograms = process.env[programsVariable] === '1';

/** Projects that also run on Windows and macOS. Tests that such a system cannot run are skipped and counted. */
export const portableProjects = ['pure', 'core', 'host'];

export const soakProjects = ['pure', 'core', 'soak'];

export const everydayProjects = ['pure', 'core', 'host', 'journeys', 'electron'];
