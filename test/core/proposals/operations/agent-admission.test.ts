import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { skeleton } from '#core/platform/names/skeleton.ts';
import { confusables } from '#core/platform/names/confusables.ts';
import { describeAdmission } from '#core/proposals/operations/agent-admission.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { runs } from '#test/setup/property-runs.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

const admission = {
  agentId: 'agent-1',
  clientId: 'client-1',
  name: 'Claude Code',
  redirectHost: '127.0.0.1',
  scopes: ['svc:read', 'svc:write'],
  renews: true,
  words: 'brisk otter',
};

const demo = { id: 'demo', name: 'Northwind Media', kind: 'demo', account: '1', zone: 'UTC' } as const;

function wordsOf(
  change: Partial<typeof admission> = {},
  profile: typeof demo | object = {},
  allowed: readonly { clientId: string; name: string }[] = [],
) {
  const wording = {
    payload: canonicalJson({ ...admission, ...change }),
    base: '{}',
    createdAtMs: 0,
    profile: { ...demo, ...profile },
    proposedBy: { kind: 'agent' as const, name: 'Claude Code', sinceMs: 0, agentId: 'agent-1' },
    rebase: null,
  };
  return describeAdmission(wording, allowed, defaultFormats);
}

const codesOf = (...args: Parameters<typeof wordsOf>) => wordsOf(...args).warnings.map(({ code }) => code);

describe('the question whether to admit an agent', () => {
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
  ])('for %j with %j is worded: %s', (change, profile, title) => {
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
  ])('about %s at %s shows warnings of the severities %j', (name, redirectHost, severities) => {
    expect(wordsOf({ name, redirectHost }).warnings.map(({ severity }) => severity)).toEqual(severities);
  });

  test.each([
    [{ renews: true }, 'Until you revoke access.'],
    [{ renews: false }, 'it cannot renew its sign-in'],
  ])('for %j states how long the access lasts', (change, words) => {
    const { detail } = wordsOf(change);
    expect(detail).toMatchObject({ until: expect.stringContaining(words) as string });
  });

  test('describes every known scope in plain words and lists an unknown scope by its name', () => {
    const { detail } = wordsOf({ scopes: ['svc:write', 'svc:else', 'svc:read'] });
    expect(detail).toMatchObject({
      kind: 'admission',
      words: 'brisk otter',
      scopes: [
        { name: 'svc:read' },
        { name: 'svc:write', allows: expect.stringContaining('Each proposal needs your approval.') },
        { name: 'svc:else', title: 'svc:else' },
      ],
    });
  });

  test('puts no money at risk and is always decided alone', () => {
    const { risk, changes, comparable } = wordsOf();
    expect([risk.perDay.after.micros, changes, comparable]).toEqual(['0', [], null]);
  });
});

describe('a program name that resembles the name of this app', () => {
  test.each([
    ['an IPA letter', 'Countersiɡn'],
    ['a dotless i', 'Countersıgn'],
    ['a capital I for a small l', 'CounterSIgn'],
    ['a small l for a capital I', 'COUNTERSlGN'],
    ['a digit one', 'Counters1gn'],
    ['a bar', 'Counters|gn'],
    ['a zero', 'C0untersign'],
    ['a Persian five', 'C٥untersign'],
    ['signs for letters', 'Coun+er$ign'],
    ['a nine for a g', 'Countersi9n'],
    ['a q for a g', 'Countersiqn'],
    ['full width', 'ＣＯＵＮＴＥＲＳＩＧＮ'],
    ['mathematical letters', '𝕮𝖔𝖚𝖓𝖙𝖊𝖗𝖘𝖎𝖌𝖓'],
    ['letters in circles', 'Ⓒⓞⓤⓝⓣⓔⓡⓢⓘⓖⓝ'],
    ['letters in squares', '🅲🅾🆄🅽🆃🅴🆁🆂🅸🅶🅽'],
    ['regional indicators', '🇨🇴🇺🇳🇹🇪🇷🇸🇮🇬🇳'],
    ['small capitals', 'ᴄᴏᴜɴᴛᴇʀꜱɪɢɴ'],
    ['Greek', 'Ϲουntersign'],
    ['Cyrillic', 'Соuпtеrsіgn'],
    ['Armenian', 'Coսntersiցո'],
    ['Cherokee', '\u13dfountersi\u13c0n'],
    ['Lisu', 'ꓚꓳꓴꓠꓔꓰꓣꓢꓲꓖꓠ'],
    ['a Roman numeral', 'Ⅽountersign'],
    ['a stroke through a letter', 'Cøuntersiǥn'],
    ['zero-width letters', 'Co\u200bunter\u200dsi\u2060gn'],
    ['a soft hyphen', 'Counter\u00adsign'],
    ['combining marks', 'Co\u0336u\u0301n\u0323tersign'],
    ['reversed text', '\u202engisretnuoC'],
    ['a directional isolate', '\u2067ngisretnuoC\u2069'],
    ['another name after it', 'Countersign (Claude Code)'],
    ['another name before it', 'Claude Code Countersign'],
    ['a claim in brackets', 'Claude (official Countersign app)'],
    ['a server name of its own in brackets', 'Countersign (countersign)'],
    ['nothing before the brackets', '(countersign)'],
    ['nothing visible before the brackets', '\u200b (countersign)'],
    ['look-alikes in the brackets', 'Claude Code (cοuntersign)'],
  ])('with %s is marked as dangerous: %s', (_how, name) => {
    expect(codesOf({ name })).toContain('agent_imitates');
  });

  test.each([
    'Claude Code (countersign)',
    'mcporter (countersign)',
    'Codex [countersign]',
    'Some Client "countersign"',
    'Claude Code (Countersign)',
    'Counter',
    'Signed Counters',
    'Encounters in general',
    'クロード',
  ])(
    'is not suspected if it only names the server that the program connects to, or is a different word: %s',
    (name) => {
      expect(codesOf({ name })).toEqual([]);
    },
  );

  /** For each letter of the name, every character that Unicode's table lists as confusable with it. */
  const letters = Array.from('Countersign').map((letter) => {
    const target = [...skeleton(letter)].map((one) => (one.codePointAt(0) ?? 0).toString(16)).join('+');
    const [, sources = ''] =
      new RegExp(`(?:^|\\s)${target.replaceAll('+', '\\+')}:(\\S+)`).exec(confusables) ?? [];
    const others =
      sources === '' ? [] : sources.split(',').map((hex) => String.fromCodePoint(parseInt(hex, 16)));
    return [letter, letter.toUpperCase(), letter.toLowerCase(), ...others];
  });
  const hidden = fc.constantFrom(
    '',
    '',
    '',
    '\u200b',
    '\u00ad',
    '\u2060',
    '\ufe0f',
    '\u0301',
    '\u0332',
    ' ',
    '-',
    '.',
  );

  test('is marked as dangerous with any letters replaced by look-alikes from Unicode’s table and hidden characters between them', () => {
    const spelled = fc.tuple(...letters.map((choices) => fc.tuple(fc.constantFrom(...choices), hidden)));
    fc.assert(
      fc.property(spelled, fc.constantFrom('', 'The ', 'Claude '), (parts, before) => {
        const name = before + parts.map(([letter, between]) => letter + between).join('');
        expect(codesOf({ name })).toContain('agent_imitates');
      }),
      runs(500),
    );
  });
});

describe('a second program with the name of an admitted program', () => {
  const allowed = (name: string) => [{ clientId: 'another', name }];

  test.each([
    ['Claude Code', 'Claude Code'],
    ['Claude Code', 'claude  code'],
    ['Claude Code', 'Claude-Code'],
    ['Claude Code', 'CIaude Code'],
    ['Claude Code', 'Сlаude C0de'],
    ['Gemini', 'Gernini'],
    ['Agent 1', 'Agent l'],
    ['OpenAI', 'OpenAl'],
    ['Bot O', 'Bot 0'],
    ['クロード', 'クロード'],
    ['🤖', '🤖'],
  ])('is warned about: %s, and now %s', (first, second) => {
    const { warnings } = wordsOf({ name: second }, {}, allowed(first));
    expect(warnings).toContainEqual({
      code: 'agent_namesake',
      severity: 'warning',
      text: expect.stringContaining(`“${first}”`) as string,
    });
  });

  test.each([
    ['Claude Code', 'Claude Desktop'],
    ['Agent 1', 'Agent 2'],
    ['Claude', 'Claude 2'],
    ['🤖', '🦊'],
    ['日本', '日本語'],
  ])('is not suspected when the names differ: %s and %s', (first, second) => {
    expect(codesOf({ name: second }, {}, allowed(first))).toEqual([]);
  });

  test('is not suspected when the admitted program registers again', () => {
    expect(codesOf({}, {}, [{ clientId: admission.clientId, name: admission.name }])).toEqual([]);
  });
});
