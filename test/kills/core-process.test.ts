import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { forkCore, type CoreProcess } from '#test/core/host-link/core-process.ts';
import { approval, see, showBid, stateOf } from '#test/core/host-link/scenario.ts';
import { eventually } from '#test/setup/eventually.ts';

const logOf = (folder: string): string => readFileSync(`${folder}/logs/countersign.log`, 'utf8');

async function beginWrite(core: CoreProcess): Promise<string> {
  const display = await showBid(core);
  await see(core, display);
  // The core refuses the decision until the buttons are armed, and after the proposal is decided.
  let ask = 1_000;
  const approving = setInterval(() => {
    if (!core.child.connected) return;
    core.say({ kind: 'ask', id: ++ask, surface: 'confirmation', name: 'decide', input: approval(display) });
  }, 50);
  onTestFinished(() => clearInterval(approving));
  return display.proposal.id;
}

/** Waits until the write has been sent to the service, which means that its intent is on the disk. */
async function sending(core: CoreProcess, id: string): Promise<void> {
  await eventually(async () => expect(await stateOf(core, id)).toBe('intent'));
}

/** Waits until the next core on this folder reports this state of the proposal. */
async function stateAfterwards(folder: string, id: string, state: string): Promise<void> {
  const next = forkCore();
  await next.ready(folder);
  await eventually(async () => expect(await stateOf(next, id)).toBe(state));
  next.say({ kind: 'quit' });
  expect(await next.ended).toEqual({ code: 0, stderr: '' });
}

test('a core in its own process starts, answers, writes a log, and ends on request', async () => {
  const folder = tempFolder();
  const core = forkCore();
  await core.ready(folder);
  expect(await core.output('app', 'session.get', {})).toMatchObject({ version: '1.2.3', host: 'desktop' });
  core.say({ kind: 'quit' });
  expect(await core.ended).toEqual({ code: 0, stderr: '' });
  expect(logOf(folder)).toContain('The core is ready');
});

test('a core ignores invalid messages from the host', async () => {
  const folder = tempFolder();
  const core = forkCore();
  core.say('quit');
  await core.ready(folder);
  core.say({ kind: 'decide', nonce: 'pl4nted' });
  core.say([null]);
  expect(await core.output('app', 'session.get', {})).toMatchObject({ host: 'desktop' });
  core.say({ kind: 'quit' });
  const { code, stderr } = await core.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('was not understood');
  expect(logOf(folder).split('was not understood')).toHaveLength(3);
});

test('a failed start is reported before the process exits with 1', async () => {
  const folder = tempFolder();
  const first = forkCore();
  await first.ready(folder);
  const second = forkCore();
  second.start(folder);
  expect(await second.ended).toEqual({ code: 1, stderr: '' });
  expect(second.said).toMatchObject([
    { kind: 'failed', error: { code: 'data_folder_locked', data: { pid: first.child.pid } } },
  ]);
});

describe('the current write is finished and the process exits with 0', () => {
  async function finishes(_how: string, end: (core: CoreProcess) => void): Promise<void> {
    const folder = tempFolder();
    const core = forkCore('slow');
    await core.ready(folder);
    const id = await beginWrite(core);
    await sending(core, id);
    end(core);
    expect((await core.ended).code).toBe(0);
    await stateAfterwards(folder, id, 'verified');
  }

  test.each<[string, (core: CoreProcess) => void]>([
    ['at quit', (core) => core.say({ kind: 'quit' })],
    ['when the host has ended', ({ child }) => child.disconnect()],
    [
      'when the host has ended and closed its ends of every pipe',
      ({ child }) => {
        child.stderr?.destroy();
        child.disconnect();
      },
    ],
  ])('%s', finishes);

  test.runIf(has.signals).each<[string, (core: CoreProcess) => void]>([
    ['after SIGTERM', ({ child }) => void child.kill('SIGTERM')],
    [
      'after every Ctrl-C',
      ({ child }) => {
        child.kill('SIGINT');
        child.kill('SIGINT');
      },
    ],
  ])('%s', finishes);
});

test('after a kill between storing and answering a write, the next core finds that the write was stored', async () => {
  const folder = tempFolder();
  const core = forkCore('deadly');
  await core.ready(folder);
  const id = await beginWrite(core);
  // On systems without signals the process has ended itself with exit code 1.
  expect((await core.ended).code).toBe(has.signals ? null : 1);
  await stateAfterwards(folder, id, 'verified');
});

test.each(['exception', 'rejection'] as const)(
  'an uncaught bug (%s) ends the process with 1 and a log line without secrets',
  async (kind) => {
    const folder = tempFolder();
    const core = forkCore(kind);
    core.start(folder);
    expect((await core.ended).code).toBe(1);
    expect(logOf(folder)).toContain('an uncaught bug');
    expect(logOf(folder)).not.toContain('pl4nted');
  },
);

test('a core started by hand prints in one line what to use instead, and exits with 1', () => {
  const { status, stderr } = spawnSync(process.execPath, ['src/main/core/index.ts'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toBe('This is the core of Countersign, which the desktop app starts. Use `npm start`.\n');
});
