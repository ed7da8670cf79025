import { nativeImage, type BrowserWindowConstructorOptions } from 'electron';
import { windowPicture } from './window-picture.ts';

/** The picture of every window where the program has none of its own. */
export function windowIcon(platform: NodeJS.Platform): Pick<BrowserWindowConstructorOptions, 'icon'> {
  if (platform !== 'linux') return {};
  return { icon: nativeImage.createFromBuffer(Buffer.from(windowPicture, 'base64')) };
}
