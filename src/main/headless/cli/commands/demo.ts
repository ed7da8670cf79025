import { randomBytes } from 'node:crypto';
import { composeCore, whileOpen, type Logger, makeTemporary, removeTemporary } from '#core/public.ts';
import {
  type ProposalState,
  type AppEvent,
  type AppHandlers,
  everyRow,
  type ProposalView,
  type SampleAgentView,
} from '#shared/app-api/index.ts';
import { createDialogue, type Dialogue } from '../../terminal/decide.ts';
import { createTerminalConfirmer, decide, type TerminalConfirmer } from '../../terminal/decide.ts';
import type { Console } from '../console.ts';
import { exitCodes, listenForStop, signalExitCodes, type Stop, LoggedBug } from '../failures.ts';
import type { Installation } from '../installation.ts';
import { withLog } from '../log.ts';
import { AppError, type ErrorCode, storageCodes } from '#shared/errors/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { isInDelivery, isUndecided } from '#shared/proposals/states.ts';
import { stateWords } from '#shared/wording/index.ts';
import { ledgerText, reportText, outcomeText } from '../../terminal/proposal-text.ts';
import type { Style } from '../../terminal/style.ts';

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
  return whileOpen(async (stack) => {
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
  });
}

const badEnds: ReadonlySet<ProposalState> = new Set<ProposalState>(['differs', 'refused', 'unknown']);

function exitCodeOfEnd({ agent, decided }: DemoEnd): number {
  const asDecided = agent !== 'failed' && !decided.some(({ state }) => badEnds.has(state));
  return asDecided ? exitCodes.ok : exitCodes.failed;
}

export interface AgentDemoParts {
  core: {
    handlers: AppHandlers;
    subscribe(listener: (event: AppEvent) => void): () => void;
    confirmation: ConfirmationPort;
  };
  confirmer: TerminalConfirmer;
  dialogue: Dialogue;
  style: Style;
  stopped: Promise<unknown>;
  nowMs(): number;
  out(line?: string): void;
}

export interface DemoEnd {
  agent: SampleAgentView['state'];
  decided: ProposalView[];
}

async function agentDemo(parts: AgentDemoParts): Promise<DemoEnd> {
  const { core, out } = parts;
  const { handlers, subscribe } = core;
  const fromMs = parts.nowMs();
  out('An agent connects. It reads without asking; each change that it proposes waits for your decision.');
  await handlers['agents.openEndpoint']({ onAnotherPort: false });
  await handlers['sampleAgent.start']({});
  const steps = createStepPrinter(parts);
  const stopProgress = printProgress({ subscribe, handlers, out });
  const decided: ProposalView[] = [];
  try {
    for (;;) {
      const next = await nextQuestion({ handlers, subscribe, stopped: parts.stopped });
      steps.printNew(await handlers['sampleAgent.get']({}));
      if (next.kind === 'agent-ended') break;
      const settled = next.kind === 'stopped' ? 'left' : await ask(next.id, parts);
      if (settled === 'left') return await leave(decided, parts);
      if (settled !== null) decided.push(settled);
    }
  } finally {
    stopProgress();
  }
  const { state: agent } = await handlers['sampleAgent.get']({});
  out();
  out('The ledger:');
  await printLedger(fromMs, parts);
  return { agent, decided };
}

/** A failed disk ends the demo, because nothing after it could be stored. */
const ofStorage: ReadonlySet<ErrorCode> = new Set(storageCodes);

async function ask(id: string, parts: AgentDemoParts): Promise<ProposalView | 'left' | null> {
  const { core, confirmer, style, out } = parts;
  try {
    await core.handlers['proposals.review']({ id });
    const display = confirmer.current();
    if (display === null) return null;
    const { over } = confirmer;
    const settled = await decide(display, { ...parts, over, confirmation: core.confirmation });
    if (settled === null) return 'left';
    if (settled === 'over') {
      for (const line of outcomeText(await core.handlers['proposals.get']({ id }), style)) out(line);
      return null;
    }
    out();
    for (const line of outcomeText(settled, style)) out(line);
    return settled;
  } catch (failure) {
    // The proposal expired, was withdrawn, or is outdated. The next question shows the new state.
    if (!(failure instanceof AppError) || ofStorage.has(failure.code)) throw failure;
    out(inertText(`${failure.message} ${failure.next}`));
    return null;
  }
}

async function leave(decided: ProposalView[], { core, out }: AgentDemoParts): Promise<DemoEnd> {
  await core.handlers['sampleAgent.stop']({});
  await waitForAgentEnd(core);
  out();
  out('You stopped. The agent is ended, and its waiting changes are withdrawn.');
  if (decided.length === 0) out('Nothing was decided. Nothing was sent.');
  return { agent: 'ended', decided };
}

async function printLedger(fromMs: number, { core, style, out }: AgentDemoParts): Promise<void> {
  const filter = { ...everyRow, fromMs };
  const { items } = await core.handlers['ledger.list']({ beforeSeq: null, limit: 100, filter });
  for (const line of ledgerText(items, style)) out(line);
  const report = await core.handlers['ledger.verify']({});
  out(reportText(report, style));
  if (report.state !== 'verified') throw new AppError('ledger_broken');
}

export interface QuestionParts {
  handlers: Pick<AppHandlers, 'proposals.list' | 'sampleAgent.get'>;
  subscribe(listener: (event: AppEvent) => void): () => void;
  stopped: Promise<unknown>;
}

export type NextQuestion = { kind: 'asked'; id: string } | { kind: 'agent-ended' } | { kind: 'stopped' };

function nextQuestion({ handlers, subscribe, stopped }: QuestionParts): Promise<NextQuestion> {
  const stop = stopped.then((): NextQuestion => ({ kind: 'stopped' }));
  return lookUntil(subscribe, stop, async () => {
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 200 });
    const oldest = items.findLast(({ state }) => isUndecided(state));
    const { state } = await handlers['sampleAgent.get']({});
    // Asks only after the agent has printed its own step, so that the steps are printed in order.
    if (oldest?.operation === 'agent.admit' && state === 'connecting') return null;
    if (oldest !== undefined) return { kind: 'asked', id: oldest.id };
    return (await hasEnded(handlers)) ? { kind: 'agent-ended' } : null;
  });
}

async function waitForAgentEnd({ handlers, subscribe }: Omit<QuestionParts, 'stopped'>): Promise<void> {
  await lookUntil(subscribe, new Promise<true>(() => {}), async () => (await hasEnded(handlers)) || null);
}

async function lookUntil<T>(
  subscribe: QuestionParts['subscribe'],
  otherwise: Promise<T>,
  look: () => Promise<T | null>,
): Promise<T> {
  for (;;) {
    const news = Promise.withResolvers<null>();
    // Subscribes before looking, so that no event in between is missed.
    const stopListening = subscribe(() => news.resolve(null));
    try {
      const found = (await look()) ?? (await Promise.race([otherwise, news.promise]));
      if (found !== null) return found;
    } finally {
      stopListening();
    }
  }
}

async function hasEnded(handlers: Pick<AppHandlers, 'sampleAgent.get'>): Promise<boolean> {
  const { state } = await handlers['sampleAgent.get']({});
  return state === 'ended' || state === 'failed' || state === 'off';
}

function printProgress(parts: {
  subscribe(listener: (event: AppEvent) => void): () => void;
  handlers: Pick<AppHandlers, 'proposals.get'>;
  out(line: string): void;
}): () => void {
  const { subscribe, handlers, out } = parts;
  const printed = new Set<string>();
  return subscribe((event) => {
    if (event.kind !== 'proposals.changed') return;
    const print = async (): Promise<void> => {
      const { id, state, operation, outcome } = await handlers['proposals.get']({ id: event.id });
      const step = `${id} ${state} ${outcome?.message ?? ''}`;
      if (!isInDelivery(state) || printed.has(step) || operation === 'agent.admit') return;
      printed.add(step);
      out(`  ${inertText(outcome?.message ?? stateWords[state].sentence)}`);
    };
    // A step that cannot be printed must not disturb the write.
    print().catch(() => {});
  });
}

export interface StepPrinter {
  printNew(view: SampleAgentView): void;
}

function createStepPrinter({ out, style }: { out(line?: string): void; style: Style }): StepPrinter {
  let printed = 0;
  return {
    printNew({ steps }) {
      for (const { text, isGood } of steps.slice(printed)) {
        const sign = isGood === null ? '·' : isGood ? '✓' : '✗';
        out(style.quiet(`  agent ${sign} ${inertText(text)}`));
      }
      printed = steps.length;
    },
  };
}
