import type { AppEvent, AppHandlers, ProposalState } from '#shared/app-api/index.ts';
import { stateSentences } from './state-sentences.ts';

/** The states on the way that are worth a line; how it ended is told in full afterwards. */
const onTheWay: ReadonlySet<ProposalState> = new Set<ProposalState>(['approved', 'intent', 'sent']);

/** Prints each step of a write once, as the core tells of it. Returns the way to stop. */
export function printProgress(parts: {
  subscribe(listener: (event: AppEvent) => void): () => void;
  handlers: Pick<AppHandlers, 'proposals.get'>;
  out(line: string): void;
}): () => void {
  const { subscribe, handlers, out } = parts;
  const told = new Set<string>();
  return subscribe((event) => {
    if (event.kind !== 'proposals.changed') return;
    const tell = async (): Promise<void> => {
      const { id, state, operation, outcome } = await handlers['proposals.get']({ id: event.id });
      const step = `${id} ${state} ${outcome?.message ?? ''}`;
      // Letting an agent in asks no service.
      if (!onTheWay.has(state) || told.has(step) || operation === 'agent.admit') return;
      told.add(step);
      out(`  ${outcome?.message ?? stateSentences[state]}`);
    };
    // A step that cannot be told is no reason to disturb the write.
    tell().catch(() => {});
  });
}
