import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';
import { countersign, run } from './process.ts';

describe('the command line', () => {
  test.each([
    ['--help', ['--help']],
    ['help of a command', ['help', 'verify-ledger']],
    ['--help of a command', ['serve', '--help']],
  ])('%s answers on its own and ends with 0', async (_name, args) => {
    const { code, text } = await run(args);
    expect(code).toBe(0);
    expect(text).toContain('Usage: countersign');
  });

  test('--help names every command and exit code', async () => {
    const { text } = await run(['--help']);
    for (const word of ['open', 'demo', 'verify-ledger', 'serve', 'Exit codes', '130, 143']) {
      expect(text).toContain(word);
    }
  });

  test('--version says the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await run(['--version'])).toEqual({ code: 0, text: `${version}\n` });
  });

  test.each([
    ['an unknown command', ['nonsense'], "unknown command 'nonsense'"],
    ['an unknown option', ['serve', '--nonsense'], "unknown option '--nonsense'"],
    ['a port out of range', ['serve', '--port', '65536'], 'a whole number from 0 to 65535'],
    ['a port that is no number', ['serve', '--port', '80x'], 'a whole number from 0 to 65535'],
    ['no campaigns', ['open', '--campaigns', '0'], 'a whole number from 1'],
    ['an unknown tenant', ['serve', '--tenant', 'other'], 'Allowed choices are northwind, meridian'],
    ['no file', ['verify-ledger'], "missing required argument 'file'"],
    ['a head that is no hash', ['verify-ledger', '.', '--head', 'abc'], '64 hexadecimal digits'],
  ])('%s ends with 2 and says what was wrong', async (_name, args, words) => {
    const { code, text } = await run(args);
    expect({ code, says: text.includes(words) }).toEqual({ code: 2, says: true });
  });

  test('a failure is one line about what happened and one about what to do', async () => {
    const { code, text } = await run(['verify-ledger', join(temporaryFolder(), 'none')]);
    expect(code).toBe(1);
    expect(text.trim().split('\n')).toHaveLength(2);
  });

  test('a data folder that is a file is refused in plain words', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, text } = await run(['serve', '--data-folder', file]);
    expect(code).toBe(1);
    expect(text).toContain('The data folder cannot be used.');
  });

  test('a bug is one neutral line and the place of the log', async () => {
    const dataFolder = temporaryFolder();
    // A folder where a database should be is nothing that anyone expects.
    mkdirSync(join(dataFolder, 'serve', 'northwind.sqlite'), { recursive: true });
    const { code, text } = await run(['serve', '--data-folder', dataFolder]);
    expect(code).toBe(1);
    expect(text).not.toContain(' at ');
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(2);
  });
});

describe('the service alone', () => {
  test('prints its address and a token that opens it, and ends by SIGTERM with 143', async () => {
    const dataFolder = temporaryFolder();
    const serve = countersign(['serve', '--campaigns', '30', '--data-folder', dataFolder]);
    const text = await serve.until('Ctrl-C ends it.');
    const baseUrl = /base_url\s+(\S+)/.exec(text)?.[1] ?? '';
    const token = /Marlow Media .*?(\S+)$/m.exec(text)?.[1] ?? '';
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    const answer = await fetch(`${baseUrl}/login/campaigns/campaigns?perPage=5`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: { data: unknown[]; total: number } };
    expect({ rows: data.data.length, total: data.total }).toEqual({ rows: 5, total: 30 });
    const accounts = text.split('\n').filter((line) => / eyJ\S+$/.test(line));
    expect(accounts.map((line) => line.indexOf('eyJ'))).toEqual(
      Array<number>(5).fill(accounts[0]?.indexOf('eyJ') ?? 0),
    );
    expect(text).toContain('12 hours, or until this command ends');

    serve.child.kill('SIGTERM');
    expect(await serve.ended).toBe(143);
    expect(readFileSync(join(dataFolder, 'serve', 'logs', 'countersign.log'), 'utf8')).not.toContain(token);
  });

  test('says when its port is taken', async () => {
    const first = countersign(['serve', '--campaigns', '5', '--data-folder', temporaryFolder()]);
    const port = /:(\d+)\/api/.exec(await first.until('Ctrl-C'))?.[1] ?? '';
    const second = await run([
      'serve',
      '--campaigns',
      '5',
      '--port',
      port,
      '--data-folder',
      temporaryFolder(),
    ]);
    expect(second).toMatchObject({ code: 1, text: expect.stringContaining('already listens') });
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(130);
  });

  test('keeps its log for its owner only', async () => {
    const dataFolder = temporaryFolder();
    const serve = countersign(['serve', '--campaigns', '5', '--data-folder', dataFolder]);
    await serve.until('Ctrl-C');
    serve.child.kill('SIGTERM');
    await serve.ended;
    expect(statSync(join(dataFolder, 'serve', 'logs', 'countersign.log')).mode & 0o077).toBe(0);
  });
});
