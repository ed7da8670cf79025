/** How often progress is reported where lines cannot be written over, in milliseconds. */
const lineEveryMs = 5_000;

/** Reports how much of something has arrived: in one line that changes on a terminal, in a line now and then elsewhere. */
export interface ProgressLine {
  update(bytes: number): void;
  end(): void;
}

/** A progress line that begins with `what`, for example `Downloading Electron`. */
export function progressLine(
  what: string,
  out: { isTTY?: boolean; write(text: string): unknown } = process.stdout,
): ProgressLine {
  let toldAtMs = -Infinity;
  let isOpen = false;
  return {
    update(bytes) {
      const nowMs = performance.now();
      if (nowMs - toldAtMs < (out.isTTY ? 0 : lineEveryMs)) return;
      toldAtMs = nowMs;
      isOpen = out.isTTY === true;
      const text = `${what}: ${(bytes / 1_000_000).toFixed(1)} MB have arrived`;
      out.write(isOpen ? `\r${text}` : `${text}\n`);
    },
    end() {
      if (isOpen) out.write('\n');
      isOpen = false;
    },
  };
}
