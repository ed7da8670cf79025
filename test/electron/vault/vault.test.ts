import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { systemVaultCipher } from '#electron/vault/vault-cipher.ts';
import { openVault, type Vault, type VaultDialogs, vaultLimitMs } from '#electron/vault/open-vault.ts';
import { createSettings, type Settings } from '#electron/platform/settings.ts';
import { expectMode } from '#test/servers/file-mode.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { fakeCipher, type FakeCipher } from './fake-cipher.ts';

type RecoveryChoice = Awaited<ReturnType<VaultDialogs['askHowToContinue']>>;

interface Computer {
  folder: string;
  file: string;
  cipher: FakeCipher;
  settings: Settings;
  /** Answers of the person in order. A question without an answer fails the test. */
  answers: (RecoveryChoice | boolean)[];
  troubles: string[];
  logged: string[];
  start: (limitMs?: number) => Promise<Vault | null>;
}

function computer(mood: Partial<FakeCipher['mood']> = {}): Computer {
  const folder = join(tempFolder(), 'data');
  const troubles: string[] = [];
  const logged: string[] = [];
  const answers: Computer['answers'] = [];
  const settings = createSettings({ read: () => ({}), write: async () => undefined });
  const cipher = fakeCipher(mood);
  const next = (): RecoveryChoice | boolean => {
    const answer = answers.shift();
    if (answer === undefined) throw new Error('Unexpected question');
    return answer;
  };
  const dialogs: VaultDialogs = {
    askHowToContinue: async (trouble, isStored) => {
      troubles.push(isStored ? trouble : `${trouble}, nothing stored`);
      return next() as RecoveryChoice;
    },
    askConsent: async () => next() as boolean,
  };
  const note = (facts: unknown, message: string): void => void logged.push(JSON.stringify([facts, message]));
  return {
    folder,
    file: join(folder, 'vault.key'),
    cipher,
    settings,
    answers,
    troubles,
    logged,
    start: (limitMs = 30) =>
      openVault({
        cipher,
        folder,
        settings,
        dialogs,
        log: { info: note, warn: note },
        nowMs: () => 1_700_000_000_000,
        limitMs,
      }),
  };
}

async function started({ start }: Computer): Promise<Vault> {
  const vault = await start();
  if (!vault) throw new Error('The person quit');
  return vault;
}

const strengthIn = ({ file }: Computer): unknown =>
  (JSON.parse(readFileSync(file, 'utf8')) as { strength: unknown }).strength;

describe('a strong vault', () => {
  test('keeps one key over restarts, sealed and for this user only', async () => {
    const mine = computer();
    const first = await started(mine);
    const second = await started(mine);
    expect(first.view()).toEqual({ kind: 'sealed' });
    expect(first.dataKey).toHaveLength(32);
    expect(second.dataKey).toEqual(first.dataKey);
    expectMode(mine.file, 0o600);
    expectMode(mine.folder, 0o700);
    expect(readFileSync(mine.file, 'utf8')).not.toContain(first.dataKey.toString('base64'));
    expect(readdirSync(mine.folder)).toEqual(['vault.key']);
  });

  test('creates another key on another computer', async () => {
    expect((await started(computer())).dataKey).not.toEqual((await started(computer())).dataKey);
  });

  test('seals the key again when the keychain renewed its own key', async () => {
    const mine = computer();
    const { dataKey } = await started(mine);
    const before = readFileSync(mine.file, 'utf8');
    mine.cipher.mood.shouldReEncrypt = true;
    const decrypt = mine.cipher.decrypt;
    mine.cipher.decrypt = async (sealed) => {
      const found = await decrypt(sealed);
      mine.cipher.mood.byte = 17;
      return found;
    };
    expect((await started(mine)).dataKey).toEqual(dataKey);
    expect(readFileSync(mine.file, 'utf8')).not.toBe(before);
    mine.cipher.decrypt = decrypt;
    mine.cipher.mood.shouldReEncrypt = false;
    expect((await started(mine)).dataKey).toEqual(dataKey);
  });

  test('overwrites the rest of an interrupted write', async () => {
    const mine = computer();
    mkdirSync(mine.folder, { recursive: true });
    writeFileSync(`${mine.file}.new`, 'half', { mode: 0o644 });
    expect((await started(mine)).view()).toEqual({ kind: 'sealed' });
    expectMode(mine.file, 0o600);
    expect(readdirSync(mine.folder)).toEqual(['vault.key']);
  });

  test('that became weak still opens the key and does not seal it again', async () => {
    const mine = computer();
    const { dataKey } = await started(mine);
    const before = readFileSync(mine.file, 'utf8');
    Object.assign(mine.cipher.mood, { weak: true, shouldReEncrypt: true });
    expect((await started(mine)).dataKey).toEqual(dataKey);
    expect(readFileSync(mine.file, 'utf8')).toBe(before);
  });
});

describe('a weak vault', () => {
  test('stores nothing until the user agrees', async () => {
    const mine = computer({ weak: true });
    const first = await started(mine);
    const second = await started(mine);
    expect(first.view()).toEqual({ kind: 'session', reason: 'weak' });
    expect(second.dataKey).not.toEqual(first.dataKey);
    expect(mine.cipher.calls).not.toContain('encrypt');
    expect(() => statSync(mine.file)).toThrow();
  });

  test('stores the session’s key when the user agrees, with the time in the record', async () => {
    const mine = computer({ weak: true });
    const first = await started(mine);
    mine.answers.push(true);
    expect(await first.askConsent()).toEqual({ kind: 'consented' });
    expect(first.view()).toEqual({ kind: 'consented' });
    expect(mine.settings.get('weakVaultConsent')).toEqual({ agreedAtMs: 1_700_000_000_000 });
    const second = await started(mine);
    expect(second.dataKey).toEqual(first.dataKey);
    expect(second.view()).toEqual({ kind: 'consented' });
  });

  test('stores nothing if the user declines', async () => {
    const mine = computer({ weak: true });
    const vault = await started(mine);
    mine.answers.push(false);
    expect(await vault.askConsent()).toEqual({ kind: 'session', reason: 'weak' });
    expect(mine.settings.get('weakVaultConsent')).toBeNull();
    expect(() => statSync(mine.file)).toThrow();
  });

  test('is asked about once, however often the button is pressed', async () => {
    const mine = computer({ weak: true });
    const vault = await started(mine);
    mine.answers.push(true);
    expect(await Promise.all([vault.askConsent(), vault.askConsent()])).toEqual([
      { kind: 'consented' },
      { kind: 'consented' },
    ]);
    expect(await vault.askConsent()).toEqual({ kind: 'consented' });
  });

  test('that cannot store the key reports it, and the session continues', async () => {
    const mine = computer({ weak: true });
    const vault = await started(mine);
    mine.answers.push(true);
    mine.cipher.mood.trouble = 'throws';
    await expect(vault.askConsent()).rejects.toMatchObject({ code: 'vault_unusable' });
    expect(vault.view()).toEqual({ kind: 'session', reason: 'weak' });
  });

  test('that becomes strong seals the same key again', async () => {
    const mine = computer({ weak: true });
    const first = await started(mine);
    mine.answers.push(true);
    await first.askConsent();
    mine.cipher.mood.weak = false;
    const second = await started(mine);
    expect(second.dataKey).toEqual(first.dataKey);
    expect(second.view()).toEqual({ kind: 'sealed' });
    expect(strengthIn(mine)).toBe('strong');
  });

  test('that becomes strong but cannot seal yet still opens the key', async () => {
    const mine = computer({ weak: true });
    const first = await started(mine);
    mine.answers.push(true);
    await first.askConsent();
    mine.cipher.mood.weak = false;
    mine.cipher.encrypt = () => Promise.reject(new Error('Read only'));
    const second = await started(mine);
    expect(second.dataKey).toEqual(first.dataKey);
    expect(second.view()).toEqual({ kind: 'consented' });
    expect(strengthIn(mine)).toBe('weak');
  });
});

describe('a missing vault', () => {
  test('means a key for this session without a question', async () => {
    const mine = computer({ available: false });
    const vault = await started(mine);
    expect(vault.view()).toEqual({ kind: 'session', reason: 'missing' });
    expect(await vault.askConsent()).toEqual({ kind: 'session', reason: 'missing' });
    expect(() => statSync(mine.file)).toThrow();
  });

  test.each([
    ['throws', 'refused'],
    ['hangs', 'silent'],
  ] as const)(
    'on a first start that %s is asked about before a key is kept for the session only',
    async (trouble, named) => {
      const mine = computer({ trouble });
      mine.answers.push('again', 'session');
      expect((await started(mine)).view()).toEqual({ kind: 'session', reason: 'unreadable' });
      expect(mine.troubles).toEqual([`${named}, nothing stored`, `${named}, nothing stored`]);
      mine.cipher.mood.trouble = 'none';
      expect((await started(mine)).view()).toEqual({ kind: 'sealed' });
    },
  );
});

test('is not reported if the disk cannot store the key', async () => {
  const mine = computer();
  mkdirSync(`${mine.file}.new`, { recursive: true });
  mine.answers.push('again', 'session');
  expect((await started(mine)).view()).toEqual({ kind: 'session', reason: 'unreadable' });
  expect(mine.troubles).toEqual(['unwritable, nothing stored', 'unwritable, nothing stored']);
});

describe('the system’s vault that reports itself unusable', () => {
  const refusing = (isAsked: boolean): Parameters<typeof systemVaultCipher>[0] => ({
    ...(isAsked ? { isAsyncEncryptionAvailable: async () => false } : {}),
    encryptStringAsync: () => Promise.reject(new Error('Not to be called')),
    decryptStringAsync: () => Promise.reject(new Error('Not to be called')),
    getSelectedStorageBackend: () => 'basic_text',
  });

  test.each(['darwin', 'win32'] as const)(
    'on %s asks the user, on a first and on a later start',
    async (platform) => {
      const mine = computer();
      const { dataKey } = await started(mine);
      const before = { ...mine.cipher };
      for (const isStored of [true, false]) {
        if (!isStored) rmSync(mine.file);
        Object.assign(mine.cipher, systemVaultCipher(refusing(true), platform));
        mine.answers.push('session');
        expect((await started(mine)).view()).toEqual({ kind: 'session', reason: 'unreadable' });
        Object.assign(mine.cipher, before);
        if (isStored) expect((await started(mine)).dataKey).toEqual(dataKey);
      }
      expect(mine.troubles).toEqual(['refused', 'refused, nothing stored']);
    },
  );

  test.each([
    ['linux', true],
    ['linux', false],
    ['darwin', false],
    ['win32', false],
  ] as const)('on %s counts as missing, if the runtime asks it: %s', async (platform, isAsked) => {
    const mine = computer();
    Object.assign(mine.cipher, systemVaultCipher(refusing(isAsked), platform));
    expect((await started(mine)).view()).toEqual({ kind: 'session', reason: 'missing' });
  });

  test.each(['darwin', 'win32'] as const)(
    'on %s keeps its key when all data is deleted',
    async (platform) => {
      const mine = computer();
      const vault = await started(mine);
      Object.assign(mine.cipher, systemVaultCipher(refusing(true), platform));
      expect(await vault.renew()).toBeNull();
      expect(readdirSync(mine.folder)).toEqual(['vault.key']);
    },
  );
});

describe('a key that cannot be opened', () => {
  const cases: { name: string; trouble: string; spoil: (mine: Computer) => void }[] = [
    {
      name: 'a locked keychain',
      trouble: 'refused',
      spoil: ({ cipher }) => (cipher.mood.trouble = 'throws'),
    },
    {
      name: 'a keychain that does not answer',
      trouble: 'silent',
      spoil: ({ cipher }) => (cipher.mood.trouble = 'hangs'),
    },
    { name: 'a keychain that was reset', trouble: 'refused', spoil: ({ cipher }) => (cipher.mood.byte = 3) },
    {
      name: 'a vault that is gone',
      trouble: 'refused',
      spoil: ({ cipher }) => (cipher.mood.available = false),
    },
    { name: 'a corrupt file', trouble: 'damaged', spoil: ({ file }) => writeFileSync(file, '{"version":1,') },
    { name: 'an empty file', trouble: 'damaged', spoil: ({ file }) => writeFileSync(file, '') },
    {
      name: 'a file of a newer version',
      trouble: 'damaged',
      spoil: ({ file }) => writeFileSync(file, '{"version":2,"wrapped":"aa","strength":"strong"}'),
    },
    {
      name: 'a file with other content',
      trouble: 'refused',
      spoil: ({ file, cipher }) => {
        const wrapped = Buffer.from([...Buffer.from('sealed:short')].map((byte) => byte ^ cipher.mood.byte));
        const text = { version: 1, wrapped: wrapped.toString('base64'), strength: 'strong' };
        writeFileSync(file, JSON.stringify(text));
      },
    },
  ];

  test.each(cases)('after $name is kept, and the user can continue for this session', async (row) => {
    const mine = computer();
    const { dataKey } = await started(mine);
    row.spoil(mine);
    const before = readFileSync(mine.file);
    mine.answers.push('session');
    const vault = await started(mine);
    expect(vault.view()).toEqual({ kind: 'session', reason: 'unreadable' });
    expect(vault.dataKey).not.toEqual(dataKey);
    expect(mine.troubles).toEqual([row.trouble]);
    expect(await vault.askConsent()).toEqual({ kind: 'session', reason: 'unreadable' });
    expect(readFileSync(mine.file)).toEqual(before);
  });

  test.each(cases)('after $name ends the program if the user quits', async (row) => {
    const mine = computer();
    await started(mine);
    row.spoil(mine);
    mine.answers.push('quit');
    expect(await mine.start()).toBeNull();
  });

  test('opens once the user unlocked the keychain and tries again', async () => {
    const mine = computer();
    const { dataKey } = await started(mine);
    mine.cipher.mood.byte = 3;
    const isAvailable = mine.cipher.isAvailable;
    let tries = 0;
    mine.cipher.isAvailable = () => {
      tries += 1;
      if (tries === 3) mine.cipher.mood.byte = 90;
      return isAvailable();
    };
    mine.answers.push('again', 'again');
    const vault = await started(mine);
    expect(vault.dataKey).toEqual(dataKey);
    expect(vault.view()).toEqual({ kind: 'sealed' });
    expect(mine.troubles).toEqual(['refused', 'refused']);
  });

  test('is available again after a session without it', async () => {
    const mine = computer();
    const { dataKey } = await started(mine);
    mine.cipher.mood.trouble = 'throws';
    mine.answers.push('session');
    await started(mine);
    mine.cipher.mood.trouble = 'none';
    expect((await started(mine)).dataKey).toEqual(dataKey);
  });
});

describe('a renewed key', () => {
  test('replaces the earlier key, sealed in its place', async () => {
    const mine = computer();
    const vault = await started(mine);
    const before = vault.dataKey;
    const renewed = await vault.renew();
    expect(renewed).toHaveLength(32);
    expect(renewed).not.toEqual(before);
    expect(vault.dataKey).toEqual(renewed);
    expect((await started(mine)).dataKey).toEqual(renewed);
    expect(readdirSync(mine.folder)).toEqual(['vault.key']);
  });

  test('is not stored once the consent to a weak vault was deleted', async () => {
    const mine = computer({ weak: true });
    const vault = await started(mine);
    mine.answers.push(true);
    await vault.askConsent();
    mine.settings.reset({});
    const renewed = await vault.renew();
    expect(vault.view()).toEqual({ kind: 'session', reason: 'weak' });
    expect(readdirSync(mine.folder)).toEqual([]);
    mine.answers.push(true);
    expect(await vault.askConsent()).toEqual({ kind: 'consented' });
    expect((await started(mine)).dataKey).toEqual(renewed);
  });

  test('is not used if the keychain refuses, and the next start opens the earlier key', async () => {
    const mine = computer();
    const vault = await started(mine);
    const before = vault.dataKey;
    mine.cipher.mood.trouble = 'throws';
    expect(await vault.renew()).toBeNull();
    expect(vault.dataKey).toEqual(before);
    mine.cipher.mood.trouble = 'none';
    expect((await started(mine)).dataKey).toEqual(before);
  });

  test('replaces a key that could not be opened', async () => {
    const mine = computer();
    await started(mine);
    writeFileSync(mine.file, 'damaged');
    mine.answers.push('session');
    const vault = await started(mine);
    const renewed = await vault.renew();
    expect(vault.view()).toEqual({ kind: 'sealed' });
    expect((await started(mine)).dataKey).toEqual(renewed);
  });
});

test('no key is ever written to the log', async () => {
  const mine = computer({ weak: true });
  const vault = await started(mine);
  mine.answers.push(true);
  await vault.askConsent();
  await started(mine);
  expect(mine.logged.join('\n')).not.toContain(vault.dataKey.toString('base64'));
  expect(mine.logged.length).toBeGreaterThan(2);
});

test.each([
  ['darwin', { kind: 'sealed' }],
  ['linux', { kind: 'session', reason: 'unreadable' }],
  ['win32', { kind: 'session', reason: 'unreadable' }],
] as const)('a user who types the keychain password for half a minute: %s', async (platform, view) => {
  vi.useFakeTimers();
  try {
    const mine = computer();
    const { encrypt } = mine.cipher;
    mine.cipher.encrypt = (text) =>
      new Promise((resolve) => {
        setTimeout(() => resolve(encrypt(text)), 30_000);
      });
    mine.answers.push('session');
    const starting = mine.start(vaultLimitMs(platform));
    await vi.advanceTimersByTimeAsync(31_000);
    expect((await starting)?.view()).toEqual(view);
  } finally {
    vi.useRealTimers();
  }
});
