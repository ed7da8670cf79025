import { describe, expect, test } from 'vitest';
import { composeCore } from '#core/compose/compose.ts';
import { systemClock, type Clock } from '#core/platform/clock.ts';
import { agentDemo, type DemoEnd } from '#headless/terminal/agent-demo.ts';
import type { Dialogue, Reply } from '#headless/terminal/dialogue.ts';
import { createStyle } from '#headless/terminal/style.ts';
import { createTerminalConfirmer } from '#headless/terminal/decide.ts';
import { temporaryFolder } from '../folder.ts';

/** Waits are shorter here than they say. */
const hurriedClock: Clock = {
  ...systemClock,
  monotonicMs: () => systemClock.monotonicMs() * 10,
  after: (delayMs, call) => systemClock.after(delayMs / 10, call),
};

/** Runs the demo with a person who says these lines, one to each question, and then leaves. */
async function play(lines: string[]): Promise<{ end: DemoEnd; printed: string[]; states: string[] }> {
  const confirmer = createTerminalConfirmer();
  const core = await composeCore({
    dataFolder: temporaryFolder(),
    version: '0.0.0',
    host: 'terminal',
    confirmer: confirmer.confirmer,
    dataKey: Buffer.alloc(32, 7),
    clock: hurriedClock,
    demoCampaigns: 60,
  });
  const printed: string[] = [];
  const dialogue: Dialogue = {
    async ask(question, settleMs): Promise<Reply> {
      await new Promise<void>((resolve) => void hurriedClock.after(settleMs * 1.2, resolve));
      printed.push(question);
      const text = lines.shift();
      return text === undefined ? { kind: 'stopped' } : { kind: 'line', text };
    },
    dispose() {},
  };
  try {
    const end = await agentDemo({
      core,
      confirmer,
      dialogue,
      style: createStyle(false),
      stopped: new Promise(() => {}),
      nowMs: Date.now,
      out: (line = '') => void printed.push(line),
    });
    const past = await core.handlers['proposals.list']({ which: 'past', before: null, limit: 10 });
    return { end, printed, states: past.items.map(({ state }) => state).toReversed() };
  } finally {
    await core.dispose();
  }
}

describe('the demo on a terminal', () => {
  test('asks about the agent, then about each change, and ends with the ledger', async () => {
    const { end, printed } = await play(['approve', 'deny', 'too much', 'deny', '', 'deny', '']);
    expect(end.agent).toBe('ended');
    expect(end.decided.map(({ operation, state, reason }) => [operation, state, reason])).toEqual([
      ['agent.admit', 'verified', null],
      ['tool.call', 'denied', 'too much'],
      ['tool.call', 'denied', null],
      ['tool.call', 'denied', null],
    ]);
    const text = printed.join('\n');
    expect(text).toContain('Let “Sample agent” propose changes to Northwind Media (Demo)');
    expect(text).toMatch(/payload: \d+ values; their changes are listed above/);
    expect(text).toContain('agent ✗ You denied:');
    expect(text).toMatch(/Finished: asked for 3 changes, you approved 0 and denied 3\./);
    expect(printed.at(-1)).toMatch(/^Ledger verified: \d+ rows/);
    expect(text).not.toContain('Reading the campaign once more');
    // What the agent says of its request stands before the question, and its outcome after it.
    const at = (part: string): number => printed.findIndex((line) => line.includes(part));
    expect(at('Requests access')).toBeGreaterThanOrEqual(0);
    expect(at('Requests access')).toBeLessThan(at('Type approve or deny'));
    expect(at('Type approve or deny')).toBeLessThan(at('Admitted.'));
    expect(text).toContain('Admitted: Let “Sample agent” propose changes');
    expect(text).not.toMatch(/About to send: Let/);
  });

  test('leaving in the middle withdraws waiting proposals', async () => {
    const { end, printed, states } = await play(['approve']);
    expect(end.decided).toHaveLength(1);
    expect(states[0]).toBe('verified');
    expect(new Set(states.slice(1))).toEqual(new Set(['withdrawn']));
    expect(printed.at(-1)).toBe('You stopped. The agent is ended, and its waiting changes are withdrawn.');
  });
});
