import type { CoreMessage, DecisionResult, Display, Surface } from '#shared/host-api/index.ts';

/** A core with which a test communicates as its host. */
export interface Asking {
  /** All messages of the core, in order. */
  said: CoreMessage[];
  /** Sends a request and returns its output; fails if the request is refused. */
  output<T>(surface: Surface, name: string, input: unknown): Promise<T>;
}

/**
 * Proposes a slightly higher bid as a page does, and returns the confirmation that the host was asked to show. The host has
 * not reported it as seen.
 */
export async function showBid(core: Asking): Promise<Display> {
  const { rows } = await core.output<{ rows: { cid: number; status: number; payout: number }[] }>(
    'app',
    'campaigns.page',
    {
      filter: { query: '', status: 1, types: [], sort: 'cid', order: 'asc' },
      page: 1,
      perPage: 100,
    },
  );
  const row = rows.find(({ payout }) => payout < 0.9);
  if (row === undefined) throw new Error('The demo account has no such campaign');
  const set = { kind: 'set', value: Number((row.payout * 1.1).toFixed(4)) };
  const changes = [{ cid: row.cid, field: 'payout', draft: { from: row.payout, operations: [set] } }];
  await core.output('app', 'drafts.change', { title: 'A change', changes });
  const { proposed } = await core.output<{ proposed: { proposalId: string }[] }>('app', 'drafts.propose', {
    cids: [row.cid],
  });
  const id = proposed[0]?.proposalId;
  await core.output('app', 'proposals.review', { id });
  const shown = core.said.flatMap((message) => (message.kind === 'show' ? [message.display] : []));
  const display = shown.find(({ proposal }) => proposal.id === id);
  if (display === undefined) throw new Error('Nothing was shown');
  return display;
}

/** Returns the decision that the window sends when the person approves. */
export function approval({ displayId, nonce, fingerprint, proposal }: Display): Record<string, unknown> {
  const typed = proposal.typeToConfirm?.value ?? null;
  return { displayId, nonce, fingerprint, decision: 'approve', reason: null, typed };
}

export async function approve(core: Asking, display: Display): Promise<DecisionResult> {
  return core.output<DecisionResult>('confirmation', 'decide', approval(display));
}

/** Reads the state of a proposal as a page does. */
export async function stateOf(core: Asking, id: string): Promise<string> {
  return (await core.output<{ state: string }>('app', 'proposals.get', { id })).state;
}

/** Reports that the window shows the confirmation. */
export function see(core: Asking, { displayId, nonce }: Display): Promise<null> {
  return core.output<null>('confirmation', 'seen', { displayId, nonce });
}
