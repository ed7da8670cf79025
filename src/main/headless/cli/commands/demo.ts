import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeCore } from '#core/compose.ts';
import { DisposableStack } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { createDialogue } from '../../terminal/dialogue.ts';
import { createTerminalConfirmer } from '../../terminal/terminal-confirmer.ts';
import { walk } from '../../terminal/walk.ts';
import type { Console } from '../console.ts';
import { exitCodes, signalExitCodes } from '../exit-codes.ts';
import type { Installation } from '../installation.ts';
import { withLog } from '../log.ts';
import { LoggedBug } from '../logged-bug.ts';
import { listenForStop, type Stop } from '../stop.ts';

export interface DemoOptions {
  dataFolder?: string;
}

/** `countersign demo`: one write, from the campaign to the ledger, confirmed at the prompt of a terminal. */
export async function demo(
  options: DemoOptions,
  installation: Installation,
  console: Console,
): Promise<number> {
  if (!console.interactive) {
    console.err('countersign: demo asks a person, so it needs a terminal at both ends.');
    return exitCodes.usage;
  }
  const stop = listenForStop();
  try {
    return await withDataFolder(options.dataFolder, (dataFolder) =>
      withLog(dataFolder, console, (logger) =>
        walkOnce({ dataFolder, logger, stop, console, version: installation.version }),
      ),
    );
  } finally {
    stop.dispose();
  }
}

/** The given folder, or one that lasts as long as the work; it stays when its log is needed. */
async function withDataFolder<T>(
  given: string | undefined,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (given !== undefined) return work(given);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  let isNeeded = false;
  try {
    return await work(folder);
  } catch (failure) {
    isNeeded = failure instanceof LoggedBug;
    throw failure;
  } finally {
    if (!isNeeded) await rm(folder, { recursive: true, force: true });
  }
}

async function walkOnce(parts: {
  dataFolder: string;
  logger: Logger;
  stop: Stop;
  console: Console;
  version: string;
}): Promise<number> {
  const { dataFolder, logger, stop, console, version } = parts;
  const { style, input, out } = console;
  const stack = new DisposableStack();
  try {
    const confirmer = createTerminalConfirmer();
    const core = stack.use(
      await composeCore({
        dataFolder,
        version,
        logger,
        host: 'terminal',
        confirmer: confirmer.confirmer,
        dataKey: randomBytes(32),
      }),
    );
    const dialogue = createDialogue({ input, stopped: stop.requested, print: console.print });
    stack.defer(() => dialogue.dispose());
    const rested = await walk({ core, confirmer, dialogue, style, out, nowMs: Date.now });
    const signal = stop.signal();
    return signal === null ? exitCodeOfEnd(rested) : signalExitCodes[signal];
  } finally {
    await stack.dispose();
  }
}

function exitCodeOfEnd(rested: ProposalView | null): number {
  const asDecided = rested === null || rested.state === 'verified' || rested.state === 'denied';
  return asDecided ? exitCodes.ok : exitCodes.failed;
}
