import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

export type Reply = { kind: 'line'; text: string } | { kind: 'ended' } | { kind: 'stopped' };

export interface Dialogue {
  /** Discards input that was typed before the question appeared, then asks. */
  ask(question: string, settleMs: number): Promise<Reply>;
  dispose(): void;
}

export interface DialogueOptions {
  input: NodeJS.ReadStream;
  print(text: string): void;
  stopped: Promise<unknown>;
}

export function createDialogue({ input, print, stopped }: DialogueOptions): Dialogue {
  // Does not use a line editor, so that the terminal's own editing works and Ctrl-C stays a signal.
  const lines = createInterface({ input, terminal: false });
  let answer: (reply: Reply) => void = () => {};
  let ended = false;
  lines.on('line', (text) => answer({ kind: 'line', text: text.trim() }));
  lines.on('close', () => {
    ended = true;
    answer({ kind: 'ended' });
  });
  return {
    async ask(question, settleMs) {
      answer = () => {};
      await Promise.race([wait(settleMs), stopped]);
      const reply = new Promise<Reply>((resolve) => {
        answer = resolve;
      });
      print(question);
      if (ended) return { kind: 'ended' };
      return Promise.race([reply, stopped.then((): Reply => ({ kind: 'stopped' }))]);
    },
    dispose() {
      lines.close();
      input.pause();
    },
  };
}
