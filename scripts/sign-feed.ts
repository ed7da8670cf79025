/**
 * Signs the list of updates for the packages of this version in a folder (docs/updates.md): `node scripts/sign-feed.ts --folder
 * dist --news "First line" --news "Second line"`. Writes `feed.json` and `feed.json.sig` there, to be published with the
 * packages. Without `--news`, uses the lines of the changelog. Reads the private key from COUNTERSIGN_UPDATE_PRIVATE_KEY (PEM) or
 * `--key-file`, and publisher and public keys from the variables of the build. `--new-key <file>` instead creates a key pair in a
 * file outside the repository and prints the public key.
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publicKeyOf } from '../src/main/system/ed25519.ts';
import { projectRoot } from './lib/run-tool.ts';
import { readSigningKey, writeFeed } from './lib/update-feed.ts';
import { releaseNews } from './release/notes.ts';

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
  const text = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
  const { version } = JSON.parse(text('package.json')) as { version: string };
  writeFeed({
    folder: values.folder,
    version,
    news: values.news.length > 0 ? values.news : releaseNews(text('CHANGELOG.md'), version),
    validDays: Number(values['valid-days']),
    key: readSigningKey({
      pem: process.env['COUNTERSIGN_UPDATE_PRIVATE_KEY'],
      file: values['key-file'],
    }),
    environment: process.env,
  });
  process.stdout.write(`Signed the list of updates for ${version} in ${values.folder}.\n`);
}

if (values['new-key'] === undefined) sign();
else makeKey(values['new-key']);
