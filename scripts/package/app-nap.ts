import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Member of a bundle's Info.plist with which macOS never slows its processes while the app is hidden. */
export const appNapOff = 'NSAppSleepDisabled';

/**
 * Keeps App Nap from the helpers of an app for macOS, one of which runs the core: electron-builder writes `extendInfo` into the main
 * bundle alone. Call before the app is signed. Fails where no helper is found, or one has another kind of Info.plist.
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
