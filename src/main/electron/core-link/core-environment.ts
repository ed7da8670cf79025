/** What a process needs of its surroundings: home and temporary folders, language, time zone, the system's own places. */
const kept = new Set([
  'HOME',
  'LANG',
  'LANGUAGE',
  'LOGNAME',
  'PATH',
  'TEMP',
  'TMP',
  'TMPDIR',
  'TZ',
  'USER',
  // Windows
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
  // macOS
  '__CF_USER_TEXT_ENCODING',
]);

/**
 * The environment of a core, chosen by name: nothing that steers Node or Electron, and none of the credentials that a shell
 * may carry, gets through. Names count in any case, as Windows has it.
 */
export function coreEnvironment(ours: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    if (value !== undefined && isKept(name.toUpperCase())) chosen[name] = value;
  }
  return chosen;
}

function isKept(name: string): boolean {
  return kept.has(name) || name.startsWith('LC_') || name.startsWith('XDG_');
}
