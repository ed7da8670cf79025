import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createLogger, openLogFile } from '#core/platform/logger.ts';
import { AppError } from '#shared/errors/index.ts';
import { shapeIn, withPlainForms } from '#shared/lib/credential-shapes.ts';
import { credentials } from '#test/fixtures/credentials.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const planted = 'pl4nted-s3cret';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3MDAxIn0.c2lnbmF0dXJl';

function written(write: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger({ to: { write: (line: string) => void (text += line) }, level: 'info' }));
  return text;
}

describe('a secret never reaches the log', () => {
  test.each<[string, Record<string, unknown>]>([
    ['as a header', { headers: { Authorization: `Bearer ${planted}` } }],
    ['as our own header', { headers: { 'x-countersign-secret': planted } }],
    ['as a cookie', { headers: { 'set-cookie': [planted] } }],
    ['under a token name', { grant: { access_token: planted, refreshToken: planted, memberToken: planted } }],
    ['deep inside lists', { a: [{ b: [{ c: { password: planted } }] }] }],
    ['as a nonce, ticket or key', { nonce: planted, ticket: planted, dataKey: Buffer.from(planted) }],
    ['inside an address', { url: `http://127.0.0.1:1/stats?tid=7&token=${planted}&x=1` }],
    ['behind a name with more in it', { url: `http://127.0.0.1:1/?client_secret=${planted}` }],
    ['as a member in text', { failure: new Error(`it answered {"access_token": "${planted}"}`) }],
    ['inside an error', { failure: new Error(`refused: Bearer ${planted}`) }],
    [
      'inside the cause of an error',
      { failure: new AppError('internal', { cause: new Error(`ticket=${planted}`) }) },
    ],
    ['as a token of a known form', { note: `it was ${jwt}.` }],
  ])('%s', (_, facts) => {
    const text = written((logger) => {
      logger.error(facts, 'it happened');
      logger.child(facts).info({}, 'it happened');
    });
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(planted);
    expect(text).not.toContain(jwt);
  });

  test('as bytes', () => {
    const content = Buffer.from(planted);
    const text = written((logger) => logger.info({ content, view: new Uint8Array(content) }, 'read'));
    expect(text).toContain(`[${content.length} bytes]`);
    expect(text).not.toContain(content.toJSON().data.join(','));
    expect(text).not.toContain(planted);
  });

  test.each(['S-1-5-21-1004336348-1177238915-682003330-512', 'S-1-12-1-3218573-11234-512'])(
    'as an account id in a failed Windows command: %s',
    (sid) => {
      const cause = new Error(
        `Command failed: icacls.exe D:\\data /grant:r *${sid}:(OI)(CI)F *S-1-5-18:(OI)(CI)F`,
      );
      const text = written((logger) =>
        logger.error({ err: new AppError('data_folder_open', { cause }) }, 'x'),
      );
      expect(text).not.toContain(sid);
      expect(text).toContain('*[redacted]:(OI)(CI)F *S-1-5-18:(OI)(CI)F');
    },
  );

  // The table with which agents' texts are refused too.
  test.each(credentials)('%s, as a value, in an error, in the message and as a name', (_, credential) => {
    const text = written((logger) => {
      logger.error(
        { name: credential, failure: new Error(`not ${credential} again`) },
        `about ${credential}`,
      );
      logger.info({ byName: { [credential]: 1 } }, 'it happened');
    });
    expect(text.split('[redacted]').length).toBeGreaterThanOrEqual(5);
    expect(text).not.toContain(credential);
    expect(shapeIn(withPlainForms(text))).toBeNull();
  });

  test('in the message', () => {
    expect(written((logger) => logger.warn({}, `GET /x?token=${planted}`))).not.toContain(planted);
  });
});

test('text without a secret is logged unchanged, as one line of JSON', () => {
  const text = written((logger) =>
    logger.child({ part: 'ledger' }).warn({ cid: 1042, amount: 45_000n, field: 'payout' }, 'The bid moved'),
  );
  expect(JSON.parse(text)).toMatchObject({
    part: 'ledger',
    cid: 1042,
    amount: '45000',
    field: 'payout',
    msg: 'The bid moved',
  });
});

test('an error is logged with its code and its cause', () => {
  const failure = new AppError('storage_failed', { cause: new Error('disk full') });
  const line: unknown = JSON.parse(written((logger) => logger.error({ failure }, 'failed')));
  expect(line).toMatchObject({ failure: { code: 'storage_failed', cause: { message: 'disk full' } } });
});

test('a value that refers to itself can be logged', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  expect(written((logger) => logger.info({ loop }, 'round'))).toContain('[deeper]');
});

test('messages below the log level are left out', () => {
  let text = '';
  const logger = createLogger({ to: { write: (line: string) => void (text += line) }, level: 'error' });
  logger.info({}, 'quiet');
  logger.warn({}, 'quiet');
  logger.error({}, 'loud');
  expect(text).not.toContain('quiet');
  expect(text).toContain('loud');
});

test('a log file is readable by its owner only', () => {
  const file = join(tempFolder(), 'countersign.log');
  createLogger({ to: file, level: 'info' }).info({}, 'started');
  expect(readFileSync(file, 'utf8')).toContain('started');
  expectMode(file, 0o600);
});

test('no log is created in a folder that will be refused: on a network, or readable by others', () => {
  const folder = join(tempFolder(), 'data');
  const realPath = (path: string): string => path;
  const place = { platform: 'linux' as const, realPath, mounts: () => 'server:/x / nfs4 rw 0 0' };
  expect(() => openLogFile(folder, { place })).toThrow(
    expect.objectContaining({ code: 'data_folder_remote' }),
  );
  expect(existsSync(folder)).toBe(false);
  const run = (): string => {
    throw new Error('Access is denied.');
  };
  const system = { profile: 'C:\\Profiles\\a', systemRoot: 'C:\\Windows' };
  const restrict = { platform: 'win32' as const, realPath, run, ...system };
  expect(() => openLogFile(folder, { restrict })).toThrow(
    expect.objectContaining({ code: 'data_folder_open' }),
  );
  expect(existsSync(join(folder, 'logs'))).toBe(false);
});
