/**
 * The app's main process with test doubles for parts of the operating system: `test-main.cjs [<training>] <core>`. The core
 * is the path of a socket to a core, or a file to run on the toolchain's Node; with a file, later starts use `core-never.js`.
 * Training is the path of a socket too, or the built training core by default. The product contains none of this: this is a
 * separate entry.
 */
import { readFileSync } from 'node:fs';
import { globalAgent } from 'node:https';
import { join } from 'node:path';
import { app, Tray } from 'electron';
import { type CoreProcess, startForkedProcess } from '#electron/core-link/core-process.ts';
import { type DesktopParts, startDesktop } from '#electron/start-desktop.ts';
import { coreOverSocket } from './core-over-socket.ts';
import { createKeptCipher } from './kept-cipher.ts';

// Electron would show a dialog, which nobody closes during the test.
process.on('uncaughtException', (failure) => {
  console.error(failure);
  process.exit(70);
});

const here = import.meta.dirname;
const [training = '', core = ''] = process.argv.slice(-2);

/** Facts that a test may read from outside, as `seenByHost` of `globalThis`. */
const seen = {
  coreEnded: Promise.withResolvers<number | null>(),
  opened: new Array<string>(),
  /** Processes with a training core that were started, and that have ended. */
  training: { started: 0, ended: 0 },
  /** The AppUserModelID for Windows, and whether the app was ready when it was set. */
  appModel: { id: '', wasReady: false },
  steps: new Array<'tray' | 'vault'>(),
};
Object.assign(globalThis, { seenByHost: { ...seen, coreEnded: seen.coreEnded.promise } });

const node = join(here, '../../node_modules/node/bin/node');

let starts = 0;
function startFile(): CoreProcess {
  starts += 1;
  const file = starts === 1 ? core : 'core-never.js';
  return startForkedProcess(join(here, file), node);
}

/**
 * Reads the feed, and the certificate authority of its server, from the file that the test names. Without a file there are no
 * updates.
 */
function testUpdates(): DesktopParts['updates'] {
  const file = process.env['COUNTERSIGN_TEST_UPDATES'];
  if (file === undefined) return { source: null, isPackaged: false };
  const { source, authority } = JSON.parse(readFileSync(file, 'utf8')) as {
    source: DesktopParts['updates']['source'];
    authority: string;
  };
  // This Node has no other way to trust another authority for all connections.
  globalAgent.options.ca = authority;
  return { source, isPackaged: true };
}

app.setAppUserModelId = (id) => {
  seen.appModel.id = id;
  seen.appModel.wasReady = app.isReady();
};

const { setContextMenu } = Tray.prototype;
Tray.prototype.setContextMenu = function (menu) {
  seen.steps.push('tray');
  setContextMenu.call(this, menu);
};

const cipher = createKeptCipher();

startDesktop({
  updates: testUpdates(),
  startCoreProcess() {
    const started = core.startsWith('/') ? coreOverSocket(core) : startFile();
    started.onExit((code) => seen.coreEnded.resolve(code));
    return started;
  },
  startTrainingProcess() {
    seen.training.started += 1;
    const started = training.endsWith('.sock')
      ? coreOverSocket(training)
      : startForkedProcess(join(here, 'training-core.cjs'), node);
    started.onExit(() => (seen.training.ended += 1));
    return started;
  },
  vaultCipher: {
    ...cipher,
    encrypt(text) {
      seen.steps.push('vault');
      return cipher.encrypt(text);
    },
  },
  openInBrowser: async (url) => void seen.opened.push(url),
});
