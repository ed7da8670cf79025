import { realpathSync } from 'node:fs';
import { posix } from 'node:path';

/** System facts about the running program; a test brings doubles. */
export interface AppImageParts {
  env: Readonly<Record<string, string | undefined>>;
  execPath: string;
  /** The path behind links. Fails where nothing has the name. */
  realPath(path: string): string;
}

/**
 * Returns the path of the AppImage that this program runs from; undefined where it runs from none. An AppImage names itself in
 * `APPIMAGE` and its mounted content in `APPDIR`, which every program that is started from it inherits: they are this
 * program's own only if it is part of that content.
 */
export function runningAppImage({ env, execPath, realPath }: AppImageParts = system): string | undefined {
  const { APPIMAGE: image, APPDIR: content } = env;
  if (image === undefined || !posix.isAbsolute(image) || content === undefined) return undefined;
  try {
    return execPath.startsWith(`${realPath(content)}/`) ? image : undefined;
  } catch {
    return undefined;
  }
}

const system: AppImageParts = {
  env: process.env,
  execPath: process.execPath,
  realPath: (path) => realpathSync(path),
};
