import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { plantProject } from './check/planted-project.ts';

/** A program that says when it is ready and when it was asked to end, and one that runs it as `npm start` runs the app. */
function plantPrograms(): { app: string; starter: string } {
  const root = plantProject({
    'app.mjs': [
      "process.on('SIGTERM', () => { console.log('closed'); process.exit(143); });",
      'setInterval(() => {}, 1_000);',
      "console.log('ready');",
    ].join('\n'),
    'starter.mjs': [
      `import { runAttached } from ${JSON.stringify(join(projectRoot, 'scripts/lib/run-attached.ts'))};`,
      `process.exitCode = await runAttached(process.argv[2], []);`,
    ].join('\n'),
  });
  return { app: join(root, 'app.mjs'), starter: join(root, 'starter.mjs') };
}

/** Resolves when the process has written the word. */
async function said(child: ChildProcess, word: string): Promise<void> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes(word)) return;
  }
  throw new Error(`The process ended without saying ${word}: ${text}`);
}

test('a started app is asked to end and its exit code is handed on', async () => {
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

test('an app whose starter’s shell was ended does not stay behind', async () => {
  const { app, starter } = plantPrograms();
  // A shell that waits for its command and hands no signal on, as npm's does.
  const line = `"${process.execPath}" "${starter}" "${app}"; true`;
  const shell = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = said(shell, 'closed');
  shell.stdout.once('data', () => shell.kill('SIGTERM'));
  await expect(ended).resolves.toBeUndefined();
});
