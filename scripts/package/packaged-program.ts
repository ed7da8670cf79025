import { posix, win32 } from 'node:path';

const programs: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Countersign.app/Contents/MacOS/Countersign',
  win32: 'Countersign.exe',
};

export function packagedProgram(folder: string, platform: NodeJS.Platform = process.platform): string {
  const { join, dirname } = platform === 'win32' ? win32 : posix;
  const around = platform === 'darwin' && /\.app\/?$/.test(folder) ? dirname(folder) : folder;
  return join(around, programs[platform] ?? 'countersign');
}
