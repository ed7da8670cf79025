import { describe, expect, test } from 'vitest';
import { type DiagnosticFacts, diagnosticsText } from '#electron/shell/diagnostics.ts';
import { AppError, encodeError } from '#shared/errors/index.ts';

const facts: DiagnosticFacts = {
  atMs: Date.UTC(2026, 10, 21, 9, 30),
  versions: { app: '0.1.0', electron: '45.4.1', chromium: '150.0', node: '24.21.0', test: null },
  system: 'linux 6.8 x64',
  core: { kind: 'ready' },
  restarts: 2,
  vault: { kind: 'session', reason: 'weak' },
  status: null,
  setAside: ['countersign.sqlite.damaged-1'],
  logs: [],
  folders: [
    ['/people/mira/.config/countersign/data', '<data folder>'],
    ['/people/mira', '~'],
  ],
};

const logged = (...lines: unknown[]): string =>
  diagnosticsText({
    ...facts,
    logs: [
      {
        name: 'countersign.log',
        lines: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))),
      },
    ],
  });

describe('diagnostics', () => {
  test('list versions, system, core, vault and files moved aside', () => {
    const text = diagnosticsText(facts);
    for (const part of [
      'Countersign 0.1.0',
      'Electron 45.4.1',
      'Chromium 150.0',
      'Node 24.21.0',
      'linux 6.8 x64',
      'Core ready; ended unexpectedly 2 times',
      'Vault session (weak)',
      'countersign.sqlite.damaged-1',
      'the core does not answer',
    ])
      expect(text).toContain(part);
  });

  test('state why the core stopped', () => {
    const failure = encodeError(new AppError('schema_newer'));
    const text = diagnosticsText({ ...facts, core: { kind: 'stopped', sinceMs: 1, failure } });
    expect(text).toContain('schema_newer');
  });

  test('state that the vault has not answered yet', () => {
    expect(diagnosticsText({ ...facts, vault: null })).toContain('Vault not opened yet');
  });

  const secret = 'planted0123456789abcdef';
  test.each([
    ['a token as a member', { msg: 'x', refreshToken: secret }],
    ['a data key', { start: { dataKey: secret } }],
    ['a nonce deep inside', { a: { b: [{ nonce: secret }] } }],
    ['a header', { headers: { authorization: `Bearer ${secret}` } }],
    ['a bearer in words', { msg: `sent Bearer ${secret} away` }],
    ['a ticket in an address', { msg: `opened http://127.0.0.1:1/#ticket=${secret}` }],
    ['a line that is no JSON', `broken {"x": token=${secret}`],
    ['a JWT', { msg: `eyJhbGciOi.${secret}.${secret}` }],
    ['JSON within JSON', { msg: JSON.stringify({ note: `access_token=${secret}` }) }],
  ])('never contain a secret: %s', (_name, line) => {
    const text = logged(line);
    expect(text).not.toContain(secret);
    expect(text).toContain('Last of countersign.log');
  });

  test('never contain a user’s folder', () => {
    const text = logged({
      msg: 'opened /people/mira/.config/countersign/data/backend.sqlite and /people/mira/x',
    });
    expect(text).not.toContain('mira');
    expect(text).toContain('<data folder>/backend.sqlite and ~/x');
  });

  test('never contain a user’s folder on Windows either, where logs double each backslash', () => {
    const home = String.raw`D:\people\mira`;
    const text = diagnosticsText({
      ...facts,
      folders: [[home, '~']],
      logs: [{ name: 'desktop.log', lines: [JSON.stringify({ stack: `at ${home}\\app.js` })] }],
    });
    expect(text).not.toContain('mira');
  });
});
