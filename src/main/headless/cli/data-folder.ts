import { isAbsolute, join } from 'node:path';

/** What the default depends on. */
export interface Surroundings {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  home: string;
}

/**
 * Where Countersign keeps its data when nobody says otherwise: `$XDG_DATA_HOME/countersign` or
 * `~/.local/share/countersign`, on macOS and Windows the usual place of applications.
 */
export function defaultDataFolder({ platform, env, home }: Surroundings): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Countersign');
  if (platform === 'win32') return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Countersign');
  const dataHome = env['XDG_DATA_HOME'] ?? '';
  // The XDG specification: a relative path is to be ignored.
  return join(isAbsolute(dataHome) ? dataHome : join(home, '.local', 'share'), 'countersign');
}
