/**
 * `npm run release -- <step>`: the steps of a release, as .github/workflows/release.yml runs them.
 *
 *     check <tag>        fails unless the tag is that of this version, and the changelog has a section for the version with the
 *                        news of its update; writes the release notes
 *     sbom               writes the bill of materials of the build in `out`
 *     assemble <folder>  fails unless the folder contains exactly the packages of a release; writes their checksums, and adds
 *                        unsigned packages to the notes
 *     feed <folder>      writes the signed list of updates next to the packages (docs/updates.md) if the build has a feed
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectRoot } from './lib/run-tool.ts';
import { readSigningKey, writeFeed } from './lib/update-feed.ts';
import { releaseElectron } from './package/build-packages.ts';
import { assembleRelease } from './release/assemble.ts';
import { billOfMaterials } from './release/bill-of-materials.ts';
import { releaseNews, releaseNotes, signatureNotes } from './release/notes.ts';

const text = (file: string): string => readFileSync(join(projectRoot, file), 'utf8');
const { version } = JSON.parse(text('package.json')) as { version: string };
const dist = join(projectRoot, 'dist');

const steps: Record<string, (argument: string) => string> = {
  check(tag) {
    if (tag !== `v${version}`)
      throw new Error(`The tag ${tag} is not v${version}, the version in package.json`);
    releaseNews(text('CHANGELOG.md'), version);
    return write('release-notes.md', releaseNotes(text('CHANGELOG.md'), version));
  },
  sbom: () => {
    const bill = billOfMaterials({
      version,
      notices: text('out/notices/packages.json'),
      lockfile: text('package-lock.json'),
      electronChecksums: text('node_modules/electron/checksums.json'),
    });
    return write(`countersign-${version}.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`);
  },
  assemble(folder) {
    const assembled = assembleRelease(resolve(folder), { version, electron: releaseElectron() });
    const lines = signatureNotes(assembled);
    if (lines.length > 0) appendFileSync(join(dist, 'release-notes.md'), `\n${lines.join('\n')}\n`);
    return [`${assembled.packages} files of ${version}`, ...lines].join('\n');
  },
  feed(folder) {
    const { COUNTERSIGN_UPDATE_FEED: feed = '', COUNTERSIGN_UPDATE_PRIVATE_KEY: pem } = process.env;
    if (feed === '') return 'No list of updates: these packages were built without a feed';
    const news = releaseNews(text('CHANGELOG.md'), version);
    const key = readSigningKey({ pem, file: undefined });
    writeFeed({ folder: resolve(folder), version, news, key, environment: process.env });
    return `Signed the list of updates for ${version}`;
  },
};

const [name = '', argument = ''] = process.argv.slice(2);
const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
try {
  if (step === undefined) throw new Error(`A step is one of: ${Object.keys(steps).join(', ')}`);
  process.stdout.write(`${step(argument)}\n`);
} catch (failure) {
  process.stderr.write(`${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
}

function write(file: string, content: string): string {
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, file), content);
  return `Wrote dist/${file}`;
}
