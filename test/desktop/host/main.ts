/**
 * The app's main process with doubles in place of the operating system: `test-main.cjs [<training>] <core>`, where the core is the path
 * of a socket with one behind it, or a file to run on the Node of the toolchain. The second and later cores of a file are those
 * of `core-never.js`. Training is the path of a socket too, else the built core of training. Nothing of this is in the product: it is another entry beside the real one.
 */
import { readFileSync } from 'node:fs';
import { globalAgent } from 'node:https';
import { join } from 'node:path';
import { app, Tray } from 'electron';
import { type CoreProcess, startForkedProcess } from '#electron/core-link/core-process.ts';
import { type DesktopParts, startDesktop } from '#electron/start-desktop.ts';
import { coreOverSocket } from './core-over-socket.ts';
import { createKeptCipher } from './kept-cipher.ts';

// Electron would show a box that stays open, and the test would wait for it.
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
  /** Processes with a core of training that were started, and that have ended. */
  training: { started: 0, ended: 0 },
  /** The name for Windows, and whether the app was ready when it got it. */
  appModel: { id: '', wasReady: false },
  /** Steps of the start, in their order. */
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

/** A feed and the certificate authority of its server, from the file that the test names. Without one there are no updates. */
function testUpdates(): DesktopParts['updates'] {
  const file = process.env['COUNTERSIGN_TEST_UPDATES'];
  if (file === undefined) return { source: null, isPackaged: false };
  const { source, authority } = JSON.parse(readFileSync(file, 'utf8')) as {
    source: DesktopParts['updates']['source'];
    authority: string;
  };
  // This Node cannot be told of another authority for all connections.
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
