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
    name: 'installed, in the terminal of another AppImage',
    env: (mounted) => ({ APPIMAGE: other, APPDIR: mounted }),
    program: '/opt/Countersign/countersign',
    is: false,
  },
  {
    name: 'next to the content of another AppImage with a similar name',
    env: (mounted) => ({ APPIMAGE: other, APPDIR: mounted.slice(0, -1) }),
    is: false,
  },
  {
    name: 'in a terminal of an AppImage that has ended',
    env: (mounted) => ({ APPIMAGE: other, APPDIR: `${mounted}-gone` }),
    is: false,
  },
  { name: 'with only the image named', env: () => ({ APPIMAGE: other }), is: false },
  { name: 'with only the content named', env: (mounted) => ({ APPDIR: mounted }), is: false },
  { name: 'with empty content', env: () => ({ APPIMAGE: other, APPDIR: '' }), is: false },
  {
    name: 'with an incomplete image path',
    env: (mounted) => ({ APPIMAGE: 'x', APPDIR: mounted }),
    is: false,
  },
])('the AppImage of a program is recognised when started $name', ({ env, program, is }) => {
  const mounted = newFolder();
  const parts = {
    env: env(mounted),
    execPath: program ?? join(mounted, 'countersign'),
    realPath: realpathSync,
  };
  expect(runningAppImage(parts)).toBe(is ? image : undefined);
});

test.runIf(has.links)('a program below a linked temporary folder is recognised', () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  const env = { APPIMAGE: image, APPDIR: join(folder, 'link') };
  const execPath = join(folder, 'real/countersign');
  expect(runningAppImage({ env, execPath, realPath: realpathSync })).toBe(image);
});
