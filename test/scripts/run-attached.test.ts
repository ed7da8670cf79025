import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { howChildHears } from '../../scripts/lib/run-attached.ts';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { has } from '../servers/abilities.ts';
import { plantProject } from './check/planted-project.ts';

/**
 * Plants a program that prints a line when it is ready and when it is asked to end, and a starter that runs it as `npm start`
 * runs the app.
 */
function plantPrograms(starter?: string[]): { app: string; starter: string } {
  const root = plantProject({
    'app.mjs': [
      "process.on('SIGTERM', () => { console.log('closed'); process.exit(143); });",
      'setInterval(() => {}, 1_000);',
      "console.log('ready');",
    ].join('\n'),
    'starter.mjs': [
      `import { runAttached, runProgramAttached } from ${JSON.stringify(join(projectRoot, 'scripts/lib/run-attached.ts'))};`,
      ...(starter ?? ['process.exitCode = await runAttached(process.argv[2], []);']),
    ].join('\n'),
  });
  return { app: join(root, 'app.mjs'), starter: join(root, 'starter.mjs') };
}

async function said(child: ChildProcess, word: string): Promise<void> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes(word)) return;
  }
  throw new Error(`The process ended without saying ${word}: ${text}`);
}

test.runIf(has.signals)('a started app is asked to quit, and its exit code is passed on', async () => {
  const { app, starter } = plantPrograms();
  const child = spawn(process.execPath, [starter, app], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  child.stdout.setEncoding('utf8');
  let text = '';
  child.stdout.on('data', (chunk: string) => {
    if (text === '') child.kill('SIGTERM');
    text += chunk;
  });
  expect(await closed).toEqual([143, null]);
  expect(text).toBe('ready\nclosed\n');
});

test.runIf(has.shell)('an app ends when the shell that started it has ended', async () => {
  const { app, starter } = plantPrograms();
  // The shell waits for its command and forwards no signal, as npm's shell does.
  const line = `"${process.execPath}" "${starter}" "${app}"; true`;
  const shell = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = said(shell, 'closed');
  shell.stdout.once('data', () => shell.kill('SIGTERM'));
  await expect(ended).resolves.toBeUndefined();
});

// The starter forwards a Ctrl-C as a signal.
test.runIf(has.signals)(
  'on Windows a second start asks a program with windows to quit, because a signal would end it immediately',
  async () => {
    const { app, starter } = plantPrograms([
      "const asked = process.argv[2] + '.asked';",
      "const quitArgs = ['-e', `require('node:fs').writeFileSync(process.argv[1], '')`, asked];",
      "const options = { platform: 'win32', quitArgs };",
      'process.exitCode = await runProgramAttached(process.execPath, [process.argv[2], asked], options);',
    ]);
    writeFileSync(
      app,
      `import { existsSync } from 'node:fs';
     for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => console.log(signal));
     setInterval(() => existsSync(process.argv[2]) && (console.log('asked'), process.exit(0)), 20);
     console.log('ready');`,
    );
    const child = spawn(process.execPath, [starter, app], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    child.stdout.setEncoding('utf8');
    let text = '';
    child.stdout.on('data', (chunk: string) => {
      if (text === '') child.kill('SIGINT');
      text += chunk;
    });
    expect(await closed).toEqual([0, null]);
    expect(text).toBe('ready\nasked\n');
  },
);

describe('a child process learns that its parent ends', () => {
  test.each([
    ['linux', true, ['itself', 'signal', 'signal']],
    ['linux', false, ['signal', 'signal', 'signal']],
    ['darwin', true, ['itself', 'signal', 'signal']],
    // A Windows console itself notifies each of its programs of a Ctrl-C and of its end.
    ['win32', true, ['itself', 'signal', 'itself']],
    ['win32', false, ['itself', 'signal', 'itself']],
  ] as const)('as a console program on %s (terminal: %s)', (platform, onTerminal, ways) => {
    const facts = { platform, onTerminal, canAskToQuit: false };
    expect((['SIGINT', 'SIGTERM', 'SIGHUP'] as const).map((ending) => howChildHears(ending, facts))).toEqual(
      ways,
    );
  });

  test.each([
    ['win32', 'asks'],
    ['linux', 'signal'],
  ] as const)('as a program with windows on %s', (platform, way) => {
    expect(howChildHears('SIGTERM', { platform, onTerminal: true, canAskToQuit: true })).toBe(way);
  });
});
