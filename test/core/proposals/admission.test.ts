import { describe, expect, test } from 'vitest';
import { admissionWords } from '#core/proposals/admission/words.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';

const admission = {
  agentId: 'agent-1',
  clientId: 'client-1',
  name: 'Claude Code',
  redirectHost: '127.0.0.1',
  scopes: ['svc:read', 'svc:write'],
  words: 'brisk otter',
};

const demo = { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1', zone: 'UTC' } as const;

function wordsOf(change: Partial<typeof admission & { renews: boolean }> = {}, profile: typeof demo | object = {}) {
  return admissionWords({
    payload: canonicalJson({ ...admission, ...change }),
    base: '{}',
    createdAtMs: 0,
    profile: { ...demo, ...profile },
    rebase: null,
  });
}

describe('the question whether an agent may come in', () => {
  test.each([
    [{}, {}, 'Let “Claude Code” propose changes to Northwind Media (Demo)'],
    [{}, { kind: 'live', name: 'Acme' }, 'Let “Claude Code” propose changes to Acme (LIVE)'],
    [{ scopes: ['svc:read'] }, {}, 'Let “Claude Code” look at Northwind Media (Demo)'],
    [
      { name: 'x” look at nothing “' },
      {},
      'Let “x" look at nothing "” propose changes to Northwind Media (Demo)',
    ],
    [{ name: 'a\u202eb' }, {}, 'Let “a⟨U+202E⟩b” propose changes to Northwind Media (Demo)'],
  ])('%j with %j reads: %s', (change, profile, title) => {
    expect(wordsOf(change, profile).title).toBe(title);
  });

  test.each([
    ['Claude Code', '127.0.0.1', []],
    ['Claude Code', 'localhost', []],
    ['Claude Code', '[::1]', []],
    ['Countersign', '127.0.0.1', ['danger']],
    ['The  COUNTER-sign  app', '127.0.0.1', ['danger']],
    ['C0unter5ign', '127.0.0.1', ['danger']],
    ['Ｃｏｕｎｔｅｒｓｉｇｎ', '127.0.0.1', ['danger', 'warning']],
    ['Соuntеrsign', '127.0.0.1', ['danger', 'warning']],
    ['Cóuntersígn', '127.0.0.1', ['danger']],
    ['Сlaude', '127.0.0.1', ['warning']],
    ['Claude Code', 'claude.example', ['warning']],
    ['Claude Code', '127.0.0.1.example', ['warning']],
  ])('%s at %s is warned of with %j', (name, redirectHost, severities) => {
    expect(wordsOf({ name, redirectHost }).warnings.map(({ severity }) => severity)).toEqual(severities);
  });

  test.each([
    [{ renews: true }, 'You revoke its access. It renews its sign-in by itself.'],
    [{ renews: false }, 'it cannot renew it by itself'],
    [{}, 'You revoke its access.'],
  ])('%j: says how long its access lasts', (change, words) => {
    const { detail } = wordsOf(change);
    expect(detail).toMatchObject({ until: expect.stringContaining(words) as string });
  });

  test('names every scope in plain words, and one that nobody knows as it is', () => {
    const { detail } = wordsOf({ scopes: ['svc:write', 'svc:else', 'svc:read'] });
    expect(detail).toMatchObject({
      kind: 'admission',
      words: 'brisk otter',
      scopes: [
        { name: 'svc:read' },
        { name: 'svc:write', allows: expect.stringContaining('Each one waits for you.') },
        { name: 'svc:else', title: 'svc:else' },
      ],
    });
  });

  test('puts no money at risk and is decided alone', () => {
    const { risk, changes, group } = wordsOf();
    expect([risk.perDay.after.micros, changes, group]).toEqual(['0', [], null]);
  });
});
