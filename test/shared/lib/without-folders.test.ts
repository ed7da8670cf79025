import { describe, expect, test } from 'vitest';
import { withoutFolders } from '#shared/lib/without-folders.ts';

/** Home folders of people whose names leave different traces in texts. */
const homes = [
  ['C:', 'Users', 'Jürgen Ö'].join('\\'),
  String.raw`D:\people\mira`,
  ['', 'Users', 'José Núñez'].join('/'),
  '/people/mira',
  '/people/a+b (c)',
  String.raw`\\server\homes$\张伟`,
];

/** Spellings of a folder by other programs, systems and formats. */
const spellings: Readonly<Record<string, (folder: string) => string>> = {
  'as it is': (folder) => folder,
  'in JSON': (folder) => JSON.stringify(folder).slice(1, -1),
  'in JSON within JSON': (folder) => JSON.stringify(JSON.stringify(folder)).slice(3, -3),
  'with slashes': (folder) => folder.replaceAll('\\', '/'),
  'as a file address': (folder) => encodeURI(folder.replaceAll('\\', '/')),
  'as a file address with small digits': (folder) =>
    encodeURI(folder.replaceAll('\\', '/')).replace(/%[0-9A-F]{2}/gu, (code) => code.toLowerCase()),
  'encoded as a part of an address': (folder) => encodeURIComponent(folder),
  decomposed: (folder) => folder.normalize('NFD'),
  'decomposed in a file address': (folder) => encodeURI(folder.normalize('NFD').replaceAll('\\', '/')),
  'in ASCII JSON': (folder) =>
    JSON.stringify(folder)
      .slice(1, -1)
      .replace(/\P{ASCII}/gu, (letter) =>
        letter
          .split('')
          .map((unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'))
          .join(''),
      ),
};

describe.each(homes)('the folder %s', (home) => {
  test.each(Object.entries(spellings))('is hidden %s', (_name, spell) => {
    const text = `at ${spell(home)}/app/main.js:1:2 and ${spell(home)}`;
    expect(withoutFolders(text, [[home, '~']], { ignoreCase: false })).toBe('at ~/app/main.js:1:2 and ~');
  });

  test('is hidden in any case only on systems that ignore case', () => {
    const text = `at ${home.toUpperCase()}/app`;
    expect(withoutFolders(text, [[home, '~']], { ignoreCase: true })).toBe('at ~/app');
    expect(withoutFolders(text, [[home, '~']], { ignoreCase: false })).toBe(text);
  });

  test('does not hide another folder whose name begins the same', () => {
    const text = `${home}2/app and ${home}x`;
    expect(withoutFolders(text, [[home, '~']], { ignoreCase: true })).toBe(text);
  });
});

test('the longest folder is hidden first, and an empty folder name hides nothing', () => {
  const text = '/people/mira/.config/app/data/x /people/mira/y';
  const folders = [
    ['/people/mira', '~'],
    ['/people/mira/.config/app/data', '<data folder>'],
    ['', '?'],
  ] as const;
  expect(withoutFolders(text, folders, { ignoreCase: false })).toBe('<data folder>/x ~/y');
});

test('a short Windows name is hidden together with the temporary folder that uses it', () => {
  const folders = [
    ['C:\\Profiles\\Jürgen Ö', '~'],
    ['C:\\Profiles\\JRGEN~1\\AppData\\Local\\Temp', '<temporary folder>'],
  ] as const;
  const text = String.raw`"file":"c:\\profiles\\jrgen~1\\AppData\\Local\\Temp\\countersign-x\\a" C:\Profiles\Jürgen Ö\b`;
  expect(withoutFolders(text, folders, { ignoreCase: true })).toBe(
    String.raw`"file":"<temporary folder>\\countersign-x\\a" ~\b`,
  );
});
