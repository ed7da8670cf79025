import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { page, readAddress } from './browser-host/page.ts';
import { temporaryFolder } from './folder.ts';
import { countersign, countersignOnTerminal, run, type Running } from './process.ts';
import { has } from '#test/servers/abilities.ts';
import { expectMode } from '#test/servers/file-mode.ts';

const printed = /http:\/\/127\.0\.0\.1:\d+\/#ticket=[\w-]+/g;

async function addressOf(open: Running): Promise<string> {
  await open.until('#ticket=');
  const text = await open.until('\n', 2);
  return text.match(printed)?.[0] ?? '';
}

test.runIf(has.signals)('the printed address opens the app, and SIGTERM closes it with 143', async () => {
  const dataFolder = temporaryFolder();
  const open = countersign(['open', '--no-open', '--campaigns', '20', '--data-folder', dataFolder]);
  const { origin, ticket } = readAddress(await addressOf(open));
  expect((await fetch(`${origin}/`)).status).toBe(200);
  const { body } = await page(origin).post('/session', { ticket });
  const session = await page(origin, body.secret).post('/api/session.get', {});
  expect(session.body.output).toMatchObject({ host: 'browser', profile: { kind: 'demo' } });

  const second = await run(['open', '--no-open', '--data-folder', dataFolder]);
  expect(second).toMatchObject({ code: 1, text: expect.stringContaining('uses this data folder') });

  open.child.kill('SIGTERM');
  expect(await open.ended).toBe(143);
  expect(open.text().match(printed)).toHaveLength(1);
  const log = readFileSync(join(dataFolder, 'logs', 'countersign.log'), 'utf8');
  expect(log).not.toContain(ticket);
  expect(await run(['verify-ledger', dataFolder])).toMatchObject({ code: 0 });
});

test.runIf(has.signals)(
  'with --json the version and the address are printed as one line of JSON',
  async () => {
    const open = countersign(['open', '--no-open', '--json', '--data', temporaryFolder()]);
    const address = expect.stringMatching(printed);
    expect(JSON.parse(await open.until('\n'))).toEqual({ version: expect.any(String), address });
    open.child.kill('SIGTERM');
    expect(await open.ended).toBe(143);
    expect(open.text().trim().split('\n')).toHaveLength(1);
  },
);

test.runIf(has.linux)('on a terminal, typing o and Enter prints a new address', async () => {
  const open = countersignOnTerminal(['open', '--no-open', '--data-folder', temporaryFolder()]);
  await open.until('prints another address');
  open.write('o\n');
  const text = await open.until('#ticket=', 2);
  expect(new Set(text.match(printed)).size).toBe(2);
  open.write('\u0003');
  expect(await open.ended).toBe(130);
});

test.runIf(has.linux)(
  'the system browser gets a private file, and the ticket is never on a command line',
  async () => {
    const dataFolder = temporaryFolder();
    const tools = join(temporaryFolder(), 'bin');
    const noted = join(tools, 'noted');
    mkdirSync(tools);
    writeFileSync(
      join(tools, 'xdg-open'),
      `#!/bin/sh\nprintf %s "$*" > "${noted}.new" && mv "${noted}.new" "${noted}"\n`,
    );
    chmodSync(join(tools, 'xdg-open'), 0o755);
    const open = countersign(['open', '--campaigns', '20', '--data-folder', dataFolder], {
      DISPLAY: ':0',
      PATH: `${tools}${delimiter}${process.env['PATH'] ?? ''}`,
    });
    await expect.poll(() => existsSync(noted)).toBe(true);
    const line = readFileSync(noted, 'utf8');
    expect(line).not.toContain('ticket');
    const file = fileURLToPath(line);
    expectMode(file, 0o600);
    const { origin, ticket } = readAddress(readFileSync(file, 'utf8').match(printed)?.[0] ?? '');
    expect((await page(origin).post('/session', { ticket })).status).toBe(200);

    open.child.kill('SIGINT');
    expect(await open.ended).toBe(130);
    expect(existsSync(file)).toBe(false);
  },
);
