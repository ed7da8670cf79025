/** The longest time that any wait of a test may take, in milliseconds: `expect.poll`, Playwright's waits, and `eventually`. */
export const patienceMs = 60_000;

export const lookEveryMs = 20;

/** The environment variable by which `npm run soak` asks for every run of a property and for the files `*.soak.test.ts`. */
export const soakVariable = 'COUNTERSIGN_SOAK';

export const isSoak = process.env[soakVariable] === '1';

/** Projects that run on Windows and macOS too. What such a system cannot do is skipped and counted. */
export const portableProjects = ['pure', 'core', 'host'];

export const soakProjects = ['pure', 'core', 'soak'];

export const everydayProjects = ['pure', 'core', 'host', 'journeys', 'electron'];
