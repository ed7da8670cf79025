import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../scripts/lib/run-tool.ts';
import { sourcesBelow } from '../../scripts/lib/source-files.ts';
import { abilitiesOf, exitCodeAfter } from '../servers/abilities.ts';

test.each([
  ['linux', ['linux', 'signals', 'modes', 'links', 'shell', 'anyFileName'], 143],
  ['darwin', ['signals', 'modes', 'links', 'shell', 'anyFileName'], 143],
  ['win32', [], null],
] as const)(
  '%s has exactly the listed abilities, and tests that need others are skipped',
  (platform, expected, exitCode) => {
    const abilities = abilitiesOf(platform);
    const present = Object.entries(abilities).flatMap(([name, isThere]) => (isThere ? [name] : []));
    expect(present.toSorted()).toEqual(expected.toSorted());
    expect(exitCodeAfter('SIGTERM', abilities)).toBe(exitCode);
  },
);

/** Patterns of code that some system cannot run: tools and helpers of one system, signal handlers, file modes, links. */
const needsAbility = [
  /\b(?:requireTool|countersignOnTerminal|programOnTerminal|openGateway|prepare(?:Browser)?Desk|openPolicyPlace)\(/,
  /\.kill\('SIG(?:INT|TERM|HUP)'\)/,
  /'(?:mkfifo|sh|dpkg-deb|\/dev\/(?:full|zero))'/,
  /\bchmodSync\(|\.mode & /,
  // Every user of Windows may make a junction.
  /\bsymlink(?:Sync)?\((?!.*'junction'\))/,
  /process\.platform ===/,
];

/** The folders of the projects that run on every system. */
const everywhere = [
  'shared',
  'system',
  'core',
  'electron',
  'renderer',
  'scripts',
  'headless',
  'clients',
  'conformance',
];

test('a test that runs on every system names the ability that it needs', () => {
  const files = everywhere.flatMap((folder) => sourcesBelow(projectRoot, `test/${folder}`));
  const unguarded = files.filter((file) => {
    if (!/\.test\.tsx?$/.test(file) || file.endsWith('/abilities.test.ts')) return false;
    const text = readFileSync(join(projectRoot, file), 'utf8');
    return !/\bhas\.\w/.test(text) && needsAbility.some((sign) => sign.test(text));
  });
  expect(unguarded).toEqual([]);
});
