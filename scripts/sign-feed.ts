/**
 * Signs the list of updates for the packages of this version in a folder (docs/updates.md):
 * `node scripts/sign-feed.ts --folder dist --news "First line" --news "Second line"`. Writes `feed.json` and `feed.json.sig`
 * there, to be published beside the packages. The private key comes from COUNTERSIGN_UPDATE_PRIVATE_KEY (PEM) or
 * `--key-file`, the publisher and the public keys from the variables of the build. `--new-key <file>` makes a key pair instead,
 * in a file outside of the repository, and prints the public half.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { feedName, signatureName } from '../src/main/electron/updates/signed-feed.ts';
import { publicKeyOf } from '../src/main/system/ed25519.ts';
import { projectRoot } from './lib/run-tool.ts';
import { readSigningKey, signFeed, updateFiles } from './lib/update-feed.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: 'dist' },
    news: { type: 'string', multiple: true, default: [] },
    'valid-days': { type: 'string', default: '60' },
    'key-file': { type: 'string' },
    'new-key': { type: 'string' },
  },
});

function makeKey(file: string): void {
  const below = relative(projectRoot, resolve(file));
  if (!isAbsolute(below) && !below.startsWith('..'))
    throw new Error('A private key is never in the repository');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
  process.stdout.write(`${publicKeyOf(privateKey).text}\n`);
}

function sign(): void {
  const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const key = readSigningKey({
    pem: process.env['COUNTERSIGN_UPDATE_PRIVATE_KEY'],
    file: values['key-file'],
  });
  const keys = (process.env['COUNTERSIGN_UPDATE_KEYS'] ?? '').split(',').map((text) => text.trim());
  const { bytes, signature } = signFeed(
    {
      version,
      publisher: process.env['COUNTERSIGN_PUBLISHER'] ?? '',
      released: new Date(),
      validDays: Number(values['valid-days']),
      news: values.news,
      files: updateFiles(values.folder, version),
    },
    key,
    keys,
  );
  writeFileSync(join(values.folder, feedName), bytes);
  writeFileSync(join(values.folder, signatureName), signature);
  process.stdout.write(`Signed the list of updates for ${version} in ${values.folder}.\n`);
}

if (values['new-key'] === undefined) sign();
else makeKey(values['new-key']);
