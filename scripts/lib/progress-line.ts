const lineEveryMs = 5_000;

export interface ProgressLine {
  update(bytes: number): void;
  end(): void;
}

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
