import { expect, test } from 'vitest';
import type { Dialogue } from '#headless/terminal/dialogue.ts';
import { createStyle } from '#headless/terminal/style.ts';
import { createTerminalConfirmer } from '#headless/terminal/terminal-confirmer.ts';
import { walk } from '#headless/terminal/walk.ts';
import { composeCore } from '#core/compose.ts';
import { systemClock } from '#core/platform/clock.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { temporaryFolder } from '../folder.ts';

const hourMs = 60 * 60 * 1000;

test('whoever leaves after the proposal has expired has decided nothing, and nothing failed', async () => {
  let aheadMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  const confirmer = createTerminalConfirmer();
  const core = await composeCore({
    dataFolder: temporaryFolder(),
    version: '0.0.0',
    host: 'terminal',
    confirmer: confirmer.confirmer,
    dataKey: Buffer.alloc(32, 7),
    logger: silentLogger,
    clock,
    demoCampaigns: 60,
  });
  try {
    const { handlers } = core;
    const printed: string[] = [];
    const dialogue: Dialogue = {
      async ask() {
        aheadMs = hourMs;
        // Whoever asks for the proposal now finds that it has expired.
        await handlers['proposals.review']({ id: confirmer.current()?.proposal.id ?? '' }).catch(() => {});
        return { kind: 'stopped' };
      },
      dispose: () => {},
    };
    const style = createStyle(false);
    const out = (line = ''): void => void printed.push(line);
    const rested = await walk({ core, confirmer, dialogue, style, out, nowMs: () => clock.nowMs() });
    expect(rested).toBeNull();
    expect(printed.at(-1)).toBe('Nothing was decided. Nothing was sent.');
    const { items } = await handlers['proposals.list']({ which: 'past', before: null, limit: 5 });
    expect(items.map(({ state }) => state)).toEqual(['expired']);
  } finally {
    await core.dispose();
  }
});
