import type { AppEvent, AppHandlers, ProposalSummary } from '#shared/app-api/index.ts';

export interface QuestionParts {
  handlers: Pick<AppHandlers, 'proposals.list' | 'sampleAgent.get'>;
  subscribe(listener: (event: AppEvent) => void): () => void;
  /** Resolves when the person wants to leave. */
  stopped: Promise<unknown>;
}

/** What happens next: the oldest proposal that waits for a decision, the end of the agent, or the person leaves. */
export type NextQuestion = { kind: 'asked'; id: string } | { kind: 'agent-ended' } | { kind: 'stopped' };

/** Waits for the next question that the person has to answer. */
export function nextQuestion({ handlers, subscribe, stopped }: QuestionParts): Promise<NextQuestion> {
  const leaving = stopped.then((): NextQuestion => ({ kind: 'stopped' }));
  return lookUntil(subscribe, leaving, async () => {
    const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 200 });
    const oldest = items.findLast(isUndecided);
    const { state } = await handlers['sampleAgent.get']({});
    // It is asked about once it has said so itself, so that its story is told in order.
    if (oldest?.operation === 'agent.admit' && state === 'connecting') return null;
    if (oldest !== undefined) return { kind: 'asked', id: oldest.id };
    return (await hasEnded(handlers)) ? { kind: 'agent-ended' } : null;
  });
}

/** Waits until the sample agent has left: then nothing of it waits any more. */
export async function agentEnd({ handlers, subscribe }: Omit<QuestionParts, 'stopped'>): Promise<void> {
  await lookUntil(subscribe, new Promise<true>(() => {}), async () => (await hasEnded(handlers)) || null);
}

/** Looks with every news of the core, until there is something to see, or until `otherwise`. */
async function lookUntil<T>(
  subscribe: QuestionParts['subscribe'],
  otherwise: Promise<T>,
  look: () => Promise<T | null>,
): Promise<T> {
  for (;;) {
    const news = Promise.withResolvers<null>();
    // Listens before it looks, so that nothing falls between.
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

function isUndecided({ state }: ProposalSummary): boolean {
  return state === 'proposed' || state === 'shown';
}
