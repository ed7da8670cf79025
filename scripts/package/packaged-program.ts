// `npm run try-package` uses this module on computers without the project's packages, so it must import nothing else.
import { posix, win32 } from 'node:path';

const programs: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Countersign.app/Contents/MacOS/Countersign',
  win32: 'Countersign.exe',
};

/** The path of the program in an unpacked package. On macOS the path of the bundle itself is accepted too. */
export function packagedProgram(folder: string, platform: NodeJS.Platform = process.platform): string {
  const { join, dirname } = platform === 'win32' ? win32 : posix;
  const around = platform === 'darwin' && /\.app\/?$/.test(folder) ? dirname(folder) : folder;
  return join(around, programs[platform] ?? 'countersign');
}
