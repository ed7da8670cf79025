import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { runningAppImage } from '#electron/platform/app-image.ts';
import { has } from '#test/servers/abilities.ts';

const folders: string[] = [];

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'app-image-')));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const image = '/people/ana/Countersign.AppImage';
const other = '/people/ana/Terminal.AppImage';

test.each<{ name: string; env: (mounted: string) => Record<string, string>; program?: string; is: boolean }>([
  { name: 'from an AppImage', env: (mounted) => ({ APPIMAGE: image, APPDIR: mounted }), is: true },
  { name: 'from no AppImage', env: () => ({}), is: false },
  {
    name: 'installed, in a terminal of another AppImage',
    env: (mounted) => ({ APPIMAGE: other, APPDIR: mounted }),
    program: '/opt/Countersign/countersign',
    is: false,
  },
  {
    name: 'beside the content of another AppImage, with a name that begins alike',
    env: (mounted) => ({ APPIMAGE: other, APPDIR: mounted.slice(0, -1) }),
    is: false,
  },
  {
    name: 'in a terminal of an AppImage that has ended',
    env: (mounted) => ({ APPIMAGE: other, APPDIR: `${mounted}-gone` }),
    is: false,
  },
  { name: 'where only the image is named', env: () => ({ APPIMAGE: other }), is: false },
  { name: 'where only the content is named', env: (mounted) => ({ APPDIR: mounted }), is: false },
  { name: 'where the content is empty', env: () => ({ APPIMAGE: other, APPDIR: '' }), is: false },
  {
    name: 'where the image has no whole path',
    env: (mounted) => ({ APPIMAGE: 'x', APPDIR: mounted }),
    is: false,
  },
])('a program started $name', ({ env, program, is }) => {
  const mounted = newFolder();
  const parts = {
    env: env(mounted),
    execPath: program ?? join(mounted, 'countersign'),
    realPath: realpathSync,
  };
  expect(runningAppImage(parts)).toBe(is ? image : undefined);
});

test.runIf(has.links)('a program below a folder for temporary files that is a link', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const env = { APPIMAGE: image, APPDIR: join(folder, 'link') };
  const execPath = join(folder, 'real/countersign');
  expect(runningAppImage({ env, execPath, realPath: realpathSync })).toBe(image);
});
