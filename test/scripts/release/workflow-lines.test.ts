import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { publicKeyOf } from '#system/ed25519.ts';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { releaseElectron } from '../../../scripts/package/build-packages.ts';
import { has } from '../../servers/abilities.ts';
import { tempFolder } from '../../servers/temp-folder.ts';
import { putRelease } from './small-release.ts';

const version = '1.2.3';

/** The steps of `npm run release` in the release workflow, in its order. */
const steps = [
  ...readFileSync(join(projectRoot, '.github/workflows/release.yml'), 'utf8').matchAll(
    /- run: (npm run release -- .+)$/gm,
  ),
].map(([, line = '']) => line);

test.runIf(has.linux)(
  'the workflow creates the notes, the bill of materials, the checksums and the signed feed of a release',
  () => {
    const { root, text, run } = plantProject();
    putRelease(join(root, 'dist/release'), { version, electron: releaseElectron() });
    for (const line of steps) {
      const { status, said } = run(line);
      expect(status, `${line}\n${said}`).toBe(0);
    }
    expect(text('dist/release-notes.md')).toContain('- Reports load faster');
    expect(text('dist/release-notes.md')).toMatch(/Windows.* not signed/);
    expect(JSON.parse(text(`dist/countersign-${version}.cdx.json`))).toMatchObject({
      specVersion: '1.6',
      components: [{ name: 'zod' }],
    });
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(root, 'dist/release') });

    // Without the key no feed is written.
    expect(existsSync(join(root, 'dist/release/feed.json'))).toBe(false);
    expect(run('npm run release -- feed dist/release', feedEnvironment()).status).toBe(0);
    expect(JSON.parse(text('dist/release/feed.json'))).toMatchObject({
      version,
      news: ['Reports load faster'],
    });
    expect(text('dist/release/feed.json.sig')).toMatch(/^[\w-]{86}\n$/);
  },
);

test.runIf(has.linux)('a tag for another version and a changed file are refused', () => {
  const { root, run } = plantProject();
  const check = 'npm run release -- check "$GITHUB_REF_NAME"';
  expect(run(check).status).toBe(0);
  expect(run(check, { GITHUB_REF_NAME: 'v1.2.4' }).status).toBe(1);
  expect(run('npm run ci -- unchanged').status).toBe(0);
  writeFileSync(join(root, 'CHANGELOG.md'), `${changelog}\n`);
  expect(run('npm run ci -- unchanged').status).toBe(1);
});

const changelog = `# Changelog\n\n## [${version}] - 2026-12-01\n\n### In short\n\n- Reports load faster\n`;

/** A small project with the real scripts, in a repository of its own. */
interface Planted {
  root: string;
  text(file: string): string;
  run(line: string, env?: Record<string, string>): { status: number | null; said: string };
}

function plantProject(): Planted {
  const root = tempFolder();
  cpSync(join(projectRoot, 'scripts'), join(root, 'scripts'), { recursive: true });
  for (const name of ['src', 'node_modules']) symlinkSync(join(projectRoot, name), join(root, name));
  cpSync(join(projectRoot, 'package-lock.json'), join(root, 'package-lock.json'));
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as object;
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...manifest, version }));
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  mkdirSync(join(root, 'out/notices'), { recursive: true });
  const notices = [{ name: 'zod', version: '4.6.7', identifier: 'MIT', text: 'Text' }];
  writeFileSync(join(root, 'out/notices/packages.json'), JSON.stringify(notices));
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.invalid', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  git('init');
  git('add', 'CHANGELOG.md', 'package.json');
  git('commit', '--no-verify', '--message', 'Release');
  return {
    root,
    text: (file) => readFileSync(join(root, file), 'utf8'),
    run(line, env = {}) {
      const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', line], {
        cwd: root,
        encoding: 'utf8',
        // npm belongs to another Node than the Node that runs its scripts.
        env: {
          PATH: `${process.env['PATH']}${delimiter}${dirname(process.execPath)}`,
          HOME: root,
          GITHUB_REF_NAME: `v${version}`,
          ...env,
        },
      });
      return { status, said: stdout + stderr };
    },
  };
}

function feedEnvironment(): Record<string, string> {
  const [current, next] = [1, 2].map(() => generateKeyPairSync('ed25519').privateKey);
  if (current === undefined || next === undefined) throw new Error('No keys');
  return {
    COUNTERSIGN_UPDATE_FEED: 'https://updates.example.invalid/countersign/',
    COUNTERSIGN_UPDATE_KEYS: [current, next].map((key) => publicKeyOf(key).text).join(),
    COUNTERSIGN_PUBLISHER: 'Countersign Tests',
    COUNTERSIGN_UPDATE_PRIVATE_KEY: current.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
