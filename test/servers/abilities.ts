/** Abilities of a system that some tests need. Each name is the reason for which a test is skipped elsewhere. */
interface Abilities {
  /** strace, disks of a process’s own, `/dev/full`, `/proc`, `script`, `xdg-open`, and Debian’s tools. */
  linux: boolean;
  /** Handlers of signals. Windows ends a process at once, whatever the signal is called. */
  signals: boolean;
  /** Modes that say who may use a file. Windows has a list of accounts there, which Node does not show. */
  modes: boolean;
  /** Symbolic links for everybody. On Windows making one is a right that few users have. */
  links: boolean;
  /** `sh`, and programs that are a text. */
  shell: boolean;
  /** Files of every name. Windows refuses `aux.md` and `a:b`. */
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

/** Abilities of this system, for `test.runIf(has.signals)`: the runner counts what is skipped. */
export const has: Readonly<Abilities> = abilitiesOf(process.platform);

/** The exit code of a command that was ended by a signal and handles it; null on systems that end it at once. */
export function exitCodeAfter(signal: 'SIGINT' | 'SIGTERM', { signals } = has): number | null {
  return signals ? { SIGINT: 130, SIGTERM: 143 }[signal] : null;
}
