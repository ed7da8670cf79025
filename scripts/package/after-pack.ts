import { join } from 'node:path';
import { Arch, type AfterPackContext } from 'electron-builder';
import { electronVersionOf, systemOf, writeBuildRecord } from './build-record.ts';
import { testMarkOf } from './test-mark.ts';
import { setFuses } from './fuses.ts';
import { needsAdHocSignature, signatureOf } from './signing.ts';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

function pathsOf({ packager, electronPlatformName }: AfterPackContext): {
  program: string;
  electron: string;
} {
  const name = packager.appInfo.productFilename;
  if (electronPlatformName === 'darwin') {
    const framework = 'Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework';
    return { program: `${name}.app`, electron: `${name}.app/${framework}` };
  }
  const program =
    electronPlatformName === 'win32' ? `${name}.exe` : (packager.config.linux?.executableName ?? name);
  return { program, electron: program };
}

/**
 * Sets the fuses before anything is signed, and records the build. Does not use electron-builder's `electronFuses`, which does
 * not know the newest fuse and does not fail if a fuse is missing.
 */
export async function afterPack(context: AfterPackContext): Promise<void> {
  const { program, electron } = pathsOf(context);
  if (context.electronPlatformName === 'darwin') keepHelpersAwake(join(context.appOutDir, program));
  await setFuses(join(context.appOutDir, program), { resetAdHocSignature: needsAdHocSignature(context) });
  const { packager, arch } = context;
  const resources = packager.getResourcesDir(context.appOutDir);
  writeBuildRecord(context.outDir, {
    version: packager.appInfo.version,
    platform: systemOf(context.electronPlatformName),
    arch: arch === Arch.arm64 ? 'arm64' : 'x64',
    electron: electronVersionOf(join(context.appOutDir, electron)),
    signature: signatureOf(context),
    test: testMarkOf(join(resources, 'app.asar')),
  });
}

/** Key in a bundle's Info.plist with which macOS does not slow down its processes while the app is hidden. */
export const appNapOff = 'NSAppSleepDisabled';

/**
 * Disables App Nap for the helpers of an app for macOS, one of which runs the core: electron-builder writes `extendInfo` only
 * into the main bundle. Call it before signing. Fails if no helper is found, or if a helper has another kind of Info.plist.
 */
export function keepHelpersAwake(app: string): void {
  const frameworks = join(app, 'Contents', 'Frameworks');
  const helpers = readdirSync(frameworks).filter((name) => / Helper.*\.app$/.test(name));
  if (helpers.length === 0) throw new Error(`No helper in ${frameworks}`);
  for (const helper of helpers) {
    const file = join(frameworks, helper, 'Contents', 'Info.plist');
    const text = readFileSync(file, 'utf8');
    if (text.includes(`<key>${appNapOff}</key>`)) continue;
    const end = text.lastIndexOf('</dict>');
    if (!text.startsWith('<?xml') || end === -1) throw new Error(`${file} is no property list in XML`);
    writeFileSync(file, `${text.slice(0, end)}  <key>${appNapOff}</key>\n    <true/>\n  ${text.slice(end)}`);
  }
}
