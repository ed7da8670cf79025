import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { composeCore, type Core } from '#core/compose/compose.ts';
import type { ComposeOptions } from '#core/compose/options.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import { copyOfTemplate } from './template-folder.ts';

/** A person's decision about a proposal: approve, deny with an optional reason, or leave it undecided. */
export type Word = 'approve' | { deny: string | null } | 'leave';

/** A core on the Demo service with an open gateway, and a person who decides every proposal. */
export interface CoreWithPerson {
  core: Core;
  /** The address for agents. */
  url: string;
  /** Every proposal that the person was shown, in order. */
  asked: ProposalView[];
  /** The proposals after the person's decisions, in order. */
  decided: ProposalView[];
}

export interface PersonOptions extends Partial<
  Pick<ComposeOptions, 'host' | 'clock' | 'demoCampaigns' | 'timeouts'>
> {
  /** Decides a proposal. By default every proposal is approved. */
  answer?: (proposal: ProposalView) => Word;
}

/** Opens the core. Everything ends with the test. */
export async function openCoreWithPerson(options: PersonOptions = {}): Promise<CoreWithPerson> {
  const { answer = () => 'approve', host = 'terminal', clock = systemClock, demoCampaigns = 20 } = options;
  let shown: Display | null = null;
  const core = await composeCore({
    dataFolder: await copyOfTemplate({ campaigns: demoCampaigns, days: 1, nowMs: clock.nowMs() }),
    host,
    version: '0.0.0',
    dataKey: randomBytes(32),
    demoCampaigns,
    clock,
    ...(options.timeouts !== undefined && { timeouts: options.timeouts }),
    confirmer: {
      via: 'terminal',
      async show(display) {
        shown = display;
        return { address: null };
      },
      hide() {},
    },
  });
  onTestFinished(() => core.dispose());
  const { handlers, confirmation } = core;
  await handlers['agents.openEndpoint']({ onAnotherPort: false });
  const known = new Set<string>();
  const asked: ProposalView[] = [];
  const decided: ProposalView[] = [];

  async function decide(id: string): Promise<void> {
    const word = answer(await handlers['proposals.get']({ id }));
    await handlers['proposals.review']({ id });
    if (shown === null) throw new Error('Nothing was shown');
    const { displayId, nonce, fingerprint, proposal } = shown;
    asked.push(proposal);
    if (word === 'leave') return;
    confirmation.seen({ displayId, nonce });
    await new Promise<void>((resolve) => void clock.after(armingDelayMs * 1.2, resolve));
    const [decision, reason] =
      word === 'approve' ? (['approve', null] as const) : (['deny', word.deny] as const);
    const typed = proposal.typeToConfirm?.value ?? null;
    const result = await confirmation.decide({ displayId, nonce, fingerprint, decision, reason, typed });
    decided.push(result.proposal);
  }

  const stop = core.subscribe((event) => {
    if (event.kind !== 'proposals.changed' || known.has(event.id)) return;
    known.add(event.id);
    void decide(event.id);
  });
  onTestFinished(stop);
  const { endpoint } = await handlers['agents.get']({});
  if (endpoint.problem !== null) throw new Error(endpoint.problem.message);
  return { core, url: endpoint.url, asked, decided };
}
