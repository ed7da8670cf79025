import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the package list that vite writes next to each part of the build: `build.license`. */
export const licenceList = 'licences.json';

export interface Notice {
  name: string;
  version: string;
  identifier: string;
  text: string;
}

const lists = [
  `out/main/${licenceList}`,
  `out/main/index-${licenceList}`,
  `out/preload/${licenceList}`,
  `out/renderer/${licenceList}`,
];

/** Packages that are shipped without being imported by code: next to the bundle, and by style sheets. */
const besideCode = [
  'electron',
  'better-sqlite3',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
];

/** Owners of MIT-licensed packages, from their package.json, because the packages contain no licence text. */
const mitOwners: Readonly<Record<string, string>> = {
  'abstract-logging': 'James Sumners',
  'koa-compose': 'Koa contributors',
  'lazy-val': 'Vladimir Krivosheev',
};

const mitText = (owner: string): string => `The MIT License (MIT)

Copyright (c) ${owner}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/**
 * Combines the lists of a build into the licence notices of all bundled packages: `out/notices/packages.json` for the bill of
 * materials, `THIRD-PARTY-NOTICES.txt` for packages, and `out/renderer/notices.js`, which the app's About loads. Removes the
 * lists. Fails if a package names no licence or contains no licence text.
 */
export function writeNotices(root: string): void {
  const notices = readNotices(root);
  const folder = join(root, 'out/notices');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'packages.json'), `${JSON.stringify(notices, null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-NOTICES.txt'), noticesText(notices));
  writeFileSync(
    join(root, 'out/renderer/notices.js'),
    `export const notices = ${JSON.stringify(notices)};\n`,
  );
  for (const list of lists) rmSync(join(root, list));
}

function readNotices(root: string): Notice[] {
  const bundled = lists.flatMap(
    (list) => JSON.parse(readFileSync(join(root, list), 'utf8')) as Partial<Notice>[],
  );
  const all = [...bundled, ...besideCode.map((name) => installedNotice(root, name))];
  const byName = new Map(all.map((notice) => [`${notice.name}@${notice.version}`, complete(notice)]));
  return [...byName.values()].toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
}

function installedNotice(root: string, name: string): Partial<Notice> {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
  };
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return {
    name,
    version,
    identifier: license,
    ...(file !== undefined && { text: readFileSync(join(folder, file), 'utf8') }),
  };
}

function complete({ name = '', version = '', identifier, text: brought }: Partial<Notice>): Notice {
  const owner = identifier === 'MIT' ? mitOwners[name] : undefined;
  const text = brought ?? (owner === undefined ? undefined : mitText(owner));
  if (identifier === undefined || text === undefined)
    throw new Error(
      `${name} ${version} is bundled, but its licence is not known: see scripts/lib/notices.ts`,
    );
  return { name, version, identifier, text: text.trim() };
}

function noticesText(notices: readonly Notice[]): string {
  const byText = Map.groupBy(notices, ({ text }) => text);
  const parts = [...byText].map(
    ([text, shared]) =>
      `${shared.map(({ name, version, identifier }) => `${name} ${version} (${identifier})`).join('\n')}\n\n${text}\n`,
  );
  const intro =
    'Countersign contains the packages below, each under its own licence. Chromium and what it contains are in\nLICENSES.chromium.html beside this file.\n';
  return [intro, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}
