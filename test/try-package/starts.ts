import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayPortIn } from '../servers/stored-rows.ts';
import { startApp, type RunningApp, type StartOptions } from './running-app.ts';
import { runOrFail, type Step, type Trial } from './trial.ts';

/** Milliseconds within which an app would be gone if a second start had ended it. */
const settleMs = 1_000;

const everywhere = (): null => null;

/** Starts the app on a folder, calls the work while its core is ready, and quits the app. The app never outlives the step. */
export async function whileReady(
  options: StartOptions,
  meanwhile: (app: RunningApp) => Promise<void> = async () => {},
): Promise<void> {
  const app = startApp(options);
  try {
    await app.ready();
    await meanwhile(app);
    await app.quit();
  } finally {
    app.kill();
  }
}

/** Returns the options that start the app of this trial on a new data folder. */
export function startOptions(trial: Trial, folder: string): StartOptions {
  return {
    program: trial.programIn(folder),
    userData: newFolder(trial, 'data'),
    limitMs: trial.limitMs,
  };
}

/** Makes an empty folder in the trial's work folder. */
export const newFolder = ({ work }: Trial, name: string): string => mkdtempSync(join(work, `${name}-`));

export const start: Step = {
  does: 'starts as shipped, gets its core ready, and quits in good order; then once more on the same data',
  notHere: everywhere,
  async run(trial) {
    const options = startOptions(trial, trial.app);
    await whileReady(options);
    await whileReady(options);
    return 'ready and ended twice';
  },
};

export const secondStart: Step = {
  does: 'ends a second start at once, and goes on itself',
  notHere: everywhere,
  async run(trial) {
    const options = startOptions(trial, trial.app);
    await whileReady(options, async (app) => {
      const code = await app.startAgain();
      if (code !== 0) throw new Error(`The second start ended with ${code}`);
      await Promise.race([app.ended, sleep(settleMs)]);
      if (!app.isRunning()) throw new Error('The second start ended the first');
    });
    return 'the second start ended with 0';
  },
};

export const foreignName: Step = {
  does: 'runs from the folders of a user named “Jürgen Ö”',
  notHere: everywhere,
  async run(trial) {
    const home = join(newFolder(trial, 'name'), 'Jürgen Ö');
    const programs = join(home, 'Programs');
    const [roaming, temp] = [join(home, 'AppData', 'Roaming'), join(home, 'Temp')];
    for (const folder of [programs, roaming, temp]) mkdirSync(folder, { recursive: true });
    const folder = join(programs, trial.app.endsWith('.app') ? 'Countersign.app' : 'Countersign');
    await cp(trial.app, folder, { recursive: true, verbatimSymlinks: true });
    // macOS finds a person's keychain by HOME. The step's keychain is not a file in this home folder.
    const ownHome = trial.platform === 'darwin' ? {} : { HOME: home };
    const env = { ...process.env, ...ownHome, USERPROFILE: home, APPDATA: roaming, TEMP: temp, TMP: temp };
    await whileReady({ ...startOptions(trial, folder), userData: join(roaming, 'Countersign'), env });
    if (!existsSync(join(roaming, 'Countersign/data/countersign.sqlite')))
      throw new Error('Its data went to another folder');
    return `ran in ${folder}`;
  },
};

export const reservedPort: Step = {
  does: 'starts although Windows has reserved the port of its gateway; elsewhere another program has it',
  notHere: everywhere,
  async run(trial) {
    const options = startOptions(trial, trial.app);
    await whileReady(options);
    const port = gatewayPortIn(join(options.userData, 'data'));
    if (port === null) throw new Error('The core has chosen no port');
    const release = trial.platform === 'win32' ? reservePort(trial, port) : await takePort(port);
    try {
      await whileReady(options);
    } finally {
      await release();
    }
    return `ready although port ${port} was taken`;
  },
};

/**
 * Reserves a port as Hyper-V does, so that binding it fails with EACCES. Needs an administrator. Returns the function that
 * releases the port.
 */
export function reservePort(trial: Pick<Trial, 'run'>, port: number): () => Promise<void> {
  const range = ['int', 'ipv4'];
  const which = ['excludedportrange', 'protocol=tcp', `startport=${port}`, 'numberofports=1'];
  runOrFail(trial, 'netsh', [...range, 'add', ...which]);
  return async () => void runOrFail(trial, 'netsh', [...range, 'delete', ...which]);
}

async function takePort(port: number): Promise<() => Promise<void>> {
  const server = createServer().listen(port, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  return () => new Promise((resolve) => server.close(() => resolve()));
}
