import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../lib/run-tool.ts';
import { packageVersion, type PackedApp } from './packed-app.ts';
import { componentId, desktopFile, installFolder, metainfoFile, packageName } from './metadata.ts';

const programs = new Set([packageName, 'chrome_crashpad_handler', 'chrome-sandbox']);

/**
 * Chromium's helper for systems that do not let programs create user namespaces (Debian before 11, Ubuntu since 23.10, hardened
 * kernels). Chromium uses it only there; without it the app would not start.
 */
const setuidHelper = 'chrome-sandbox';

export function layOutTree(root: string, app: PackedApp): void {
  const installed = join(root, installFolder);
  mkdirSync(dirname(installed), { recursive: true });
  chmodSync(root, 0o755);
  cpSync(app.folder, installed, { recursive: true, verbatimSymlinks: true });
  setModes(installed);
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync(`${installFolder}/${packageName}`, join(root, 'usr/bin', packageName));

  const date = new Date(app.epochSeconds * 1000).toISOString().slice(0, 10);
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content, { mode: 0o644 });
  };
  put(`usr/share/applications/${packageName}.desktop`, desktopFile());
  put(`usr/share/metainfo/${componentId}.metainfo.xml`, metainfoFile({ version: packageVersion(app), date }));
  put(`usr/share/doc/${packageName}/copyright`, copyright);
  put(`usr/share/doc/${packageName}/CHANGELOG.md`, readFileSync(join(projectRoot, 'CHANGELOG.md')));
  for (const [size, file] of Object.entries(icons)) {
    const icon = join(root, `usr/share/icons/hicolor/${size}/apps/${packageName}.${file.split('.').pop()}`);
    mkdirSync(dirname(icon), { recursive: true });
    copyFileSync(join(projectRoot, 'resources', file), icon);
  }
}

const icons = {
  '16x16': 'icon-16.png',
  '32x32': 'icon-32.png',
  '128x128': 'icon-128.png',
  '512x512': 'icon.png',
  scalable: 'icon.svg',
};

const copyright = `Copyright: the authors of Countersign. Countersign is proprietary software. All rights reserved.

The licences of everything that it contains are in ${installFolder}:
  THIRD-PARTY-NOTICES.txt  the packages in the app
  LICENSE.electron.txt     Electron
  LICENSES.chromium.html   Chromium
`;

/** Sets the mode of every file explicitly, so that neither this process's umask nor the modes of the runtime matter. */
function setModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    chmodSync(path, statSync(path).isDirectory() || programs.has(name) ? 0o755 : 0o644);
  }
  chmodSync(join(folder, setuidHelper), 0o4755);
}
