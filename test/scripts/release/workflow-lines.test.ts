import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { publicKeyOf } from '#system/ed25519.ts';
import { projectRoot } from '../../../scripts/lib/run-tool.ts';
import { releaseElectron } from '../../../scripts/package/around-runtime.ts';
import { has } from '../../servers/abilities.ts';
import { tempFolder } from '../../servers/temp-folder.ts';
import { putRelease } from './small-release.ts';

const workflows = '.github/workflows';
const version = '1.2.3';

/** Lines of the workflows that are not run here, each with the reason. */
const elsewhere: Record<string, string> = {
  'npm ci --no-audit --no-fund':
    'loads packages from the registry; every run in a clean clone begins with it',
  'npm run ci -- check': 'takes minutes; it is npm run check',
  'npm run ci -- test': 'is npm test, which runs before this test does',
  'npm run test:installed': 'makes a Debian; it is the step npm run ci -- installed',
  'npm run ci -- rest': 'is the run that this test is a part of',
  'npm run ci -- portable': 'is a part of npm run ci -- test',
  'npm run try-package -- make':
    'packs the app; test/packaged/try-package.test.ts runs its steps on what was packed',
  'npm run try-package -- all': 'starts what was packed; test/packaged/try-package.test.ts runs its steps',
  'npm run try-package -- start second-start name reserved-port install-over --dist dist':
    'starts what was packed; test/packaged/try-package.test.ts runs these steps',
  'npm run try-package -- start second-start name reserved-port install-over signature --dist dist':
    'needs Windows or macOS; test/packaged/try-package.test.ts runs its other steps',
  'npm run package -- --dir --release-or-unsigned': 'loads Electron; test/package packs the same folder',
  'npm run package -- --release-or-unsigned':
    'loads Electron and tools of electron-builder; test/package and test/packaged pack the same folder from what is here',
  'gh release create "$GITHUB_REF_NAME" --draft --verify-tag --title "Countersign $GITHUB_REF_NAME" --notes-file dist/release-notes.md dist/release/*':
    'a release exists on GitHub alone',
};

/** Lines of the workflows that are run here, in this order, and after each of them these are asserted. */
const here: [line: string, holds: (project: Planted) => void][] = [
  [
    'npm run ci -- unchanged',
    ({ root, run }) => {
      writeFileSync(join(root, 'CHANGELOG.md'), `${changelog}\n`);
      expect(run('npm run ci -- unchanged').status).toBe(1);
      writeFileSync(join(root, 'CHANGELOG.md'), changelog);
    },
  ],
  [
    'npm run release -- check "$GITHUB_REF_NAME"',
    ({ text, run }) => {
      expect(text('dist/release-notes.md')).toContain('- Reports load faster');
      expect(run('npm run release -- check "$GITHUB_REF_NAME"', { GITHUB_REF_NAME: 'v1.2.4' }).status).toBe(
        1,
      );
    },
  ],
  [
    'npm run release -- sbom',
    ({ text }) =>
      expect(JSON.parse(text(`dist/countersign-${version}.cdx.json`))).toMatchObject({
        specVersion: '1.6',
        components: [{ name: 'zod' }],
      }),
  ],
  [
    'npm run release -- assemble dist/release',
    ({ root, text }) => {
      execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(root, 'dist/release') });
      expect(text('dist/release-notes.md')).toMatch(/Windows.* not signed/);
    },
  ],
  [
    'npm run release -- feed dist/release',
    ({ root, text, run }) => {
      expect(existsSync(join(root, 'dist/release/feed.json'))).toBe(false);
      expect(run('npm run release -- feed dist/release', feedEnvironment()).status).toBe(0);
      expect(JSON.parse(text('dist/release/feed.json'))).toMatchObject({
        version,
        news: ['Reports load faster'],
      });
      expect(text('dist/release/feed.json.sig')).toMatch(/^[\w-]{86}\n$/);
    },
  ],
];

const linesOfWorkflows = (): string[] => {
  const folder = join(projectRoot, workflows);
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const lines = texts.flatMap((text) =>
    [...text.matchAll(/^ *(?:- )?run: (.+)$/gm)].map(([, line = '']) => line),
  );
  return [...new Set(lines)].toSorted();
};

describe('every line that a workflow runs', () => {
  test('is run here, or says why it is not', () => {
    const known = [...Object.keys(elsewhere), ...here.map(([line]) => line)];
    expect(linesOfWorkflows()).toEqual(known.toSorted());
  });

  test.runIf(has.linux)('does its work for a release of a small project, one after the other', () => {
    const project = plantProject();
    putRelease(join(project.root, 'dist/release'), { version, electron: releaseElectron() });
    for (const [line, holds] of here) {
      const { status, said } = project.run(line);
      expect(status, `${line}\n${said}`).toBe(0);
      holds(project);
    }
  });
});

const changelog = `# Changelog\n\n## [${version}] - 2026-12-01\n\n### In short\n\n- Reports load faster\n`;

/** A small project with the scripts of this one, in a repository of its own. */
interface Planted {
  root: string;
  text(file: string): string;
  /** Runs a line as a workflow does. */
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
        // npm comes with another Node than the one that runs its scripts.
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

/** Where updates come from, and the key that signs their list. */
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
