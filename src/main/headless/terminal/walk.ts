import type { AppEvent, AppHandlers, ProposalView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { ConfirmationPort } from '#shared/host-api/index.ts';
import { campaignText } from './campaign-text.ts';
import { chooseChange } from './choose-change.ts';
import { decide } from './decide.ts';
import type { Dialogue } from './dialogue.ts';
import { ledgerText, reportText } from './ledger-text.ts';
import { outcomeText } from './outcome-text.ts';
import { printProgress } from './progress.ts';
import type { Style } from './style.ts';
import type { TerminalConfirmer } from './terminal-confirmer.ts';
import { everyRow } from '#shared/app-api/index.ts';

export interface WalkParts {
  core: {
    handlers: AppHandlers;
    subscribe(listener: (event: AppEvent) => void): () => void;
    confirmation: ConfirmationPort;
  };
  confirmer: TerminalConfirmer;
  dialogue: Dialogue;
  style: Style;
  nowMs(): number;
  out(line?: string): void;
}

/**
 * Walks one write: a campaign, a proposed bid, the confirmation, the write with its read-back, the ledger. Resolves to
 * the proposal at rest, or null when the person left without deciding. Fails with `ledger_broken`, or as the gate does.
 */
export async function walk(parts: WalkParts): Promise<ProposalView | null> {
  const { core, confirmer, style, out } = parts;
  const { handlers, confirmation, subscribe } = core;

  const chosen = await chooseChange(handlers);
  out('1. A campaign, as the service has it:');
  for (const line of campaignText(chosen, style)) out(line);

  out();
  out('2. A change is proposed, and this is what it would do:');
  const { id } = await handlers['campaigns.proposeUpdate']({
    cid: chosen.cid,
    changes: chosen.changes,
  });
  await handlers['proposals.review']({ id });
  const showing = confirmer.current();
  if (showing === null) throw new AppError('proposal_not_waiting');

  const stopProgress = printProgress({ subscribe, handlers, out });
  const rested = await decide(showing, { ...parts, confirmation }).finally(stopProgress);
  if (rested === null) {
    await withdraw(confirmer.current()?.proposal.id ?? id, handlers);
    out();
    out('Nothing was decided. Nothing was sent.');
    return null;
  }

  out();
  out('3. What came of it:');
  for (const line of outcomeText(rested, style)) out(line);

  out();
  out('4. What the ledger says:');
  await printLedger(rested.id, parts);
  return rested;
}

/** Takes back what still waits. What expired or was withdrawn before the person left needs nothing more. */
async function withdraw(id: string, handlers: Pick<AppHandlers, 'proposals.withdraw'>): Promise<void> {
  try {
    await handlers['proposals.withdraw']({ id });
  } catch (failure) {
    if (!(failure instanceof AppError) || failure.code !== 'proposal_not_waiting') throw failure;
  }
}

async function printLedger(proposalId: string, { core, style, out }: WalkParts): Promise<void> {
  const { items } = await core.handlers['ledger.list']({
    beforeSeq: null,
    limit: 50,
    filter: { ...everyRow, proposalId },
  });
  for (const line of ledgerText(items, style)) out(line);
  const report = await core.handlers['ledger.verify']({});
  out(reportText(report, style));
  if (report.state !== 'verified') throw new AppError('ledger_broken');
}
