import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import type { CoreMessage, HostMessage } from '#shared/host-api/index.ts';
import { tempFolder } from '../servers/temp-folder.ts';

/**
 * Starts the built core, reads the first rows and ends it. Returns the number of rows, and the modules of Node that were
 * loaded by then.
 */
async function startAndRead(): Promise<{ rows: number; loaded: string[] }> {
  const [folder, told] = [tempFolder(), tempFolder()];
  const hook = join(told, 'hook.cjs');
  writeFileSync(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(join(told, 'loaded'))}, JSON.stringify(process.moduleLoadList)))`,
  );
  const core = fork(join(projectRoot, 'out/main/core.cjs'), { execArgv: ['--require', hook], env: {} });
  const send = (message: HostMessage): void => void core.send(message);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let rows = -1;
  core.on('message', (message: CoreMessage) => {
    if (message.kind === 'ready') {
      const filter = { query: '', status: null, types: [], sort: 'cid', order: 'asc' };
      const input = { filter, page: 1, perPage: 50 };
      send({ kind: 'ask', id: 1, surface: 'app', name: 'campaigns.page', input });
    } else if (message.kind === 'answer' && message.id === 1) {
      rows = (message.output as { rows: unknown[] }).rows.length;
      send({ kind: 'quit' });
    } else if (message.kind === 'failed' || message.kind === 'refusal') {
      reject(new Error(JSON.stringify(message)));
      core.kill();
    }
  });
  core.once('exit', (code) =>
    code === 0 ? resolve(rows) : reject(new Error(`The core ended with ${code}`)),
  );
  const dataKey = randomBytes(32).toString('base64');
  send({ kind: 'start', start: { dataFolder: folder, version: '0.0.0', dataKey, demoCampaigns: 5 } });
  const found = await promise;
  return { rows: found, loaded: JSON.parse(readFileSync(join(told, 'loaded'), 'utf8')) as string[] };
}

test('the built core reads the first rows without loading fetch', async () => {
  const { rows, loaded } = await startAndRead();
  expect(rows).toBe(5);
  expect(loaded).toContain('NativeModule http');
  expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
}, 60_000);
