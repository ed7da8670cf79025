import { createStyle, type Style } from '../terminal/style.ts';

export interface Console {
  input: NodeJS.ReadStream;
  interactive: boolean;
  /** True if the output goes to a terminal, which interprets control characters. */
  toTerminal: boolean;
  style: Style;
  out(line?: string): void;
  print(text: string): void;
  err(line: string): void;
}

/** A reader that stops early (`head`, a closed terminal) does not end a command. The first other output failure is reported. */
export function processConsole(onBroken: (failure: unknown) => void): Console {
  const { stdin, stdout, stderr, env } = process;
  let isBroken = false;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (failure: NodeJS.ErrnoException) => {
      // The terminal was closed.
      const isGone = failure.code === 'EPIPE' || (failure.code === 'EIO' && stream.isTTY);
      if (isBroken || isGone) return;
      isBroken = true;
      onBroken(failure);
    });
  }
  const interactive = stdin.isTTY && stdout.isTTY;
  return {
    input: stdin,
    interactive,
    toTerminal: stdout.isTTY,
    style: createStyle(hasColour(stdout.isTTY, env)),
    out: (line = '') => void stdout.write(`${line}\n`),
    print: (text) => void stdout.write(text),
    err: (line) => void stderr.write(`${line}\n`),
  };
}

/** Colour on terminals, unless the environment decides: `FORCE_COLOR` (0 means none) before `NO_COLOR` (no-color.org). */
export function hasColour(toTerminal: boolean, env: Record<string, string | undefined>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return toTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** Characters that a terminal may interpret. Line ends are excluded: those are indentation, because JSON escapes all others. */
const unsafe = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu;

/** JSON of a value with untrusted text. Escapes every character that a terminal may interpret; the value stays equal. */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(unsafe, escaped);
}

function escaped(found: string): string {
  return [...Array(found.length).keys()]
    .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}
