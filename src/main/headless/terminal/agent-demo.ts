import type { AppEvent, AppHandlers, ProposalView, SampleAgentView } from '#shared/app-api/index.ts';
import { everyRow } from '#shared/app-api/index.ts';
import { AppError, storageCodes } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';
import { decide } from './decide.ts';
import type { Dialogue } from './dialogue.ts';
import { ledgerText, reportText } from './ledger-text.ts';
import { agentEnd, nextQuestion } from './next-question.ts';
import { outcomeText } from './outcome-text.ts';
import { printProgress } from './progress.ts';
import { createStoryTeller } from './story-text.ts';
import type { Style } from './style.ts';
import type { TerminalConfirmer } from './terminal-confirmer.ts';

export interface AgentDemoParts {
  core: {
    handlers: AppHandlers;
    subscribe(listener: (event: AppEvent) => void): () => void;
    confirmation: ConfirmationPort;
  };
  confirmer: TerminalConfirmer;
  dialogue: Dialogue;
  style: Style;
  /** Resolves when the person wants to leave. */
  stopped: Promise<unknown>;
  nowMs(): number;
  out(line?: string): void;
}

/** How the demo ended. */
export interface DemoEnd {
  agent: SampleAgentView['state'];
  /** What the person decided, each at rest. */
  decided: ProposalView[];
}

/**
 * Starts the sample agent and asks the person about everything that it wants: first whether it may come in, then each
 * change; then prints what the ledger says. Fails with `ledger_broken`, `demo_only` or `gateway_closed`.
 */
export async function agentDemo(parts: AgentDemoParts): Promise<DemoEnd> {
  const { core, out } = parts;
  const { handlers, subscribe } = core;
  const fromMs = parts.nowMs();
  out('An agent connects. It reads by itself; whatever it wants to change waits here for your word.');
  await handlers['agents.openEndpoint']({ onAnotherPort: false });
  await handlers['sampleAgent.start']({});
  const story = createStoryTeller(parts);
  const stopProgress = printProgress({ subscribe, handlers, out });
  const decided: ProposalView[] = [];
  try {
    for (;;) {
      const next = await nextQuestion({ handlers, subscribe, stopped: parts.stopped });
      story.tellOn(await handlers['sampleAgent.get']({}));
      if (next.kind === 'agent-ended') break;
      const rested = next.kind === 'stopped' ? 'left' : await ask(next.id, parts);
      if (rested === 'left') return await leave(decided, parts);
      if (rested !== null) decided.push(rested);
    }
  } finally {
    stopProgress();
  }
  const { state: agent } = await handlers['sampleAgent.get']({});
  out();
  out('What the ledger says:');
  await printLedger(fromMs, parts);
  return { agent, decided };
}

/** A disk that failed ends the demo: nothing that follows could be kept. */
const ofStorage: ReadonlySet<ErrorCode> = new Set(storageCodes);

/** Shows one proposal and takes the person's word. Null where it ended before there was one. */
async function ask(id: string, parts: AgentDemoParts): Promise<ProposalView | 'left' | null> {
  const { core, confirmer, style, out } = parts;
  try {
    await core.handlers['proposals.review']({ id });
    const showing = confirmer.current();
    if (showing === null) return null;
    const { over } = confirmer;
    const rested = await decide(showing, { ...parts, over, confirmation: core.confirmation });
    if (rested === null) return 'left';
    if (rested === 'over') {
      for (const line of outcomeText(await core.handlers['proposals.get']({ id }), style)) out(line);
      return null;
    }
    out();
    for (const line of outcomeText(rested, style)) out(line);
    return rested;
  } catch (failure) {
    // It expired, was withdrawn, or moved while the person thought: the next question tells how it goes on.
    if (!(failure instanceof AppError) || ofStorage.has(failure.code)) throw failure;
    out(`${failure.message} ${failure.next}`);
    return null;
  }
}

async function leave(decided: ProposalView[], { core, out }: AgentDemoParts): Promise<DemoEnd> {
  await core.handlers['sampleAgent.stop']({});
  await agentEnd(core);
  out();
  out('You left. The agent is stopped, and what still waited is withdrawn.');
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
