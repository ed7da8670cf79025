import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import {
  createQuitting,
  type Quitting,
  quitWithSession,
  type FinishingWindow,
  showFinishing,
} from '#electron/shell/start-and-quit/quitting.ts';
import { settled } from '../fake-core.ts';
import { manualTimers, type ManualTimers } from '../manual-timers.ts';

interface Program {
  quitting: Quitting;
  timers: ManualTimers;
  log: string[];
  /** Settles when the core has ended, or failed to end. */
  finished: PromiseWithResolvers<void>;
  quit: () => void;
}

interface ProgramOptions {
  installUpdate?: () => boolean;
  /** The write of settings that is pending when the windows have closed. */
  writing?: () => Promise<void> | null;
}

function program({ installUpdate = () => false, writing = () => null }: ProgramOptions = {}): Program {
  const timers = manualTimers();
  const log: string[] = [];
  const finished = Promise.withResolvers<void>();
  const quit = (): void => {
    let prevented = false;
    const event = { preventDefault: () => void (prevented = true) };
    quitting.beforeQuit(event);
    if (!prevented) quitting.willQuit(event);
    log.push(prevented ? 'waits' : 'ends');
  };
  const quitting = createQuitting({
    finishCore() {
      log.push('core asked');
      return finished.promise;
    },
    installUpdate,
    writing,
    quit,
    exit: (code) => log.push(`exit ${code}`),
    sayFinishing: () => log.push('says finishing'),
    after: timers.after,
  });
  return { quitting, timers, log, finished, quit };
}

test('an update is installed when the core has finished, and the program ends itself unless the system does', async () => {
  for (const endsItself of [false, true]) {
    const { quit, log, finished } = program({
      installUpdate() {
        log.push('installs');
        return endsItself;
      },
    });
    quit();
    await settled();
    expect(log).toEqual(['core asked', 'waits']);
    finished.resolve();
    await settled();
    expect(log).toEqual(['core asked', 'waits', 'installs', ...(endsItself ? [] : ['ends'])]);
  }
});

test('the program ends only when the core has finished its write', async () => {
  const { quit, log, finished } = program();
  quit();
  await settled();
  expect(log).toEqual(['core asked', 'waits']);
  finished.resolve();
  await settled();
  expect(log).toEqual(['core asked', 'waits', 'ends']);
});

test('settings of closing windows are written before the program ends', async () => {
  const write = Promise.withResolvers<void>();
  let left: Promise<void> | null = write.promise;
  const { quit, log, finished } = program({ writing: () => left });
  quit();
  finished.resolve();
  await settled();
  expect(log).toEqual(['core asked', 'waits', 'waits']);
  left = null;
  write.resolve();
  await settled();
  expect(log).toEqual(['core asked', 'waits', 'waits', 'ends']);
});

test('quitting repeatedly asks the core once', () => {
  const { quit, log } = program();
  quit();
  quit();
  expect(log).toEqual(['core asked', 'waits', 'waits']);
});

test('quitting shows a message if it takes longer than a second', async () => {
  const slow = program();
  slow.quit();
  slow.timers.pass(999);
  expect(slow.log).not.toContain('says finishing');
  slow.timers.pass(1);
  expect(slow.log).toContain('says finishing');
  const quick = program();
  quick.quit();
  quick.finished.resolve();
  await settled();
  quick.timers.pass(5_000);
  expect(quick.log).not.toContain('says finishing');
  expect(quick.timers.waiting()).toBe(0);
});

test('the first signal quits normally, the second ends immediately', () => {
  const { quitting, log } = program();
  quitting.signal(130);
  expect(log).toEqual(['core asked', 'waits']);
  quitting.signal(130);
  expect(log.at(-1)).toBe('exit 130');
});

test.each([
  ['macOS and Linux, by the power monitor', 'shutdown'],
  ['Windows, by each window', 'query-session-end'],
])('the end of the session on %s waits for the current write', async (_system, name) => {
  const { quit, log, finished } = program();
  const [power, app, window] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
  quitWithSession({ power, app }, { quit, showFinishing: () => log.push('shown') });
  app.emit('browser-window-created', {}, window);
  (name === 'shutdown' ? power : window).emit(name, { preventDefault: () => log.push('prevented') });
  await settled();
  // Windows ends a program without a visible window even if the program prevents it.
  const shown = name === 'shutdown' ? [] : ['shown'];
  expect(log).toEqual(['prevented', ...shown, 'core asked', 'waits']);
  finished.resolve();
  await settled();
  expect(log.at(-1)).toBe('ends');
});

test.each([
  ['every window is hidden', [false, false], ['finishing', 'shown']],
  ['the confirmation is on screen', [false, true], ['finishing']],
  ['its own window is on screen', [true, false], ['finishing']],
])('the message about quitting is visible if %s', (_, [app = false, confirmation = false], expected) => {
  const seen: string[] = [];
  const windowThat = (isVisible: boolean): FinishingWindow => ({
    isDestroyed: () => false,
    isVisible: () => isVisible,
    showInactive: () => void seen.push('shown'),
    setTitle: () => void seen.push('finishing'),
    setProgressBar: () => undefined,
  });
  const window = windowThat(app);
  showFinishing(window, [window, windowThat(confirmation)]);
  expect(seen).toEqual(expected);
});

test('a program without windows quits without a message', () => {
  expect(() => showFinishing(null, [])).not.toThrow();
});
