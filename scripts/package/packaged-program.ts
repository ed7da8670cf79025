// `npm run try-package` reads this module on computers without the project's packages: it imports nothing else.
import { posix, win32 } from 'node:path';

const programs: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Countersign.app/Contents/MacOS/Countersign',
  win32: 'Countersign.exe',
};

/** The path of the program in an unpacked folder of a package. On macOS the bundle itself may be given as well. */
export function packagedProgram(folder: string, platform: NodeJS.Platform = process.platform): string {
  const { join, dirname } = platform === 'win32' ? win32 : posix;
  const around = platform === 'darwin' && /\.app\/?$/.test(folder) ? dirname(folder) : folder;
  return join(around, programs[platform] ?? 'countersign');
}
