/** Abilities of a system that some tests need. Each name appears as the reason if a test is skipped. */
interface Abilities {
  /** strace, private mounts, `/dev/full`, `/proc`, `script`, `xdg-open`, and Debian's tools. */
  linux: boolean;
  /** Signal handlers. Windows ends a process at once, whatever the signal. */
  signals: boolean;
  /** File modes. Windows uses lists of accounts instead, which Node does not show. */
  modes: boolean;
  /** Symbolic links for every user. On Windows few users may create them. */
  links: boolean;
  /** `sh`, and programs that are text files. */
  shell: boolean;
  /** Files with any name. Windows refuses `aux.md` and `a:b`. */
  anyFileName: boolean;
}

/** Returns the abilities of a system. */
export function abilitiesOf(platform: NodeJS.Platform): Abilities {
  const isPosix = platform !== 'win32';
  return {
    linux: platform === 'linux',
    signals: isPosix,
    modes: isPosix,
    links: isPosix,
    shell: isPosix,
    anyFileName: isPosix,
  };
}

/** Abilities of this system, for example for `test.runIf(has.signals)`, which makes the runner count skipped tests. */
export const has: Readonly<Abilities> = abilitiesOf(process.platform);

/** Returns the exit code of a command that handles this signal; null on systems that end the command at once. */
export function exitCodeAfter(signal: 'SIGINT' | 'SIGTERM', { signals } = has): number | null {
  return signals ? { SIGINT: 130, SIGTERM: 143 }[signal] : null;
}
