import { randomBytes } from 'node:crypto';
import { composeCore, DisposableStack, type Logger, makeTemporary, removeTemporary } from '#core/public.ts';
import type { ProposalState } from '#shared/app-api/index.ts';
import { agentDemo, type DemoEnd } from '../../terminal/agent-demo.ts';
import { createDialogue } from '../../terminal/dialogue.ts';
import { createTerminalConfirmer } from '../../terminal/decide.ts';
import type { Console } from '../console.ts';
import { exitCodes, listenForStop, signalExitCodes, type Stop, LoggedBug } from '../failures.ts';
import type { Installation } from '../installation.ts';
import { withLog } from '../log.ts';

export interface DemoOptions {
  dataFolder?: string;
}

export async function demo(
  options: DemoOptions,
  installation: Installation,
  console: Console,
): Promise<number> {
  if (!console.interactive) {
    console.err('countersign: demo asks for your decisions, so it needs a terminal at both ends.');
    return exitCodes.usage;
  }
  const stop = listenForStop();
  try {
    return await withDataFolder(options.dataFolder, (dataFolder) =>
      withLog(dataFolder, console, (logger) =>
        runDemo({ dataFolder, logger, stop, console, version: installation.version }),
      ),
    );
  } finally {
    stop.dispose();
  }
}

async function withDataFolder<T>(
  given: string | undefined,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if (given !== undefined) return work(given);
  const folder = makeTemporary('countersign-demo-');
  let isNeeded = false;
  try {
    return await work(folder);
  } catch (failure) {
    isNeeded = failure instanceof LoggedBug;
    throw failure;
  } finally {
    if (!isNeeded) removeTemporary(folder);
  }
}

async function runDemo(parts: {
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
    const end = await agentDemo({
      core,
      confirmer,
      dialogue,
      style,
      out,
      stopped: stop.requested,
      nowMs: Date.now,
    });
    const signal = stop.signal();
    return signal === null ? exitCodeOfEnd(end) : signalExitCodes[signal];
  } finally {
    await stack.dispose();
  }
}

const badEnds: ReadonlySet<ProposalState> = new Set<ProposalState>(['differs', 'refused', 'unknown']);

function exitCodeOfEnd({ agent, decided }: DemoEnd): number {
  const asDecided = agent !== 'failed' && !decided.some(({ state }) => badEnds.has(state));
  return asDecided ? exitCodes.ok : exitCodes.failed;
}
