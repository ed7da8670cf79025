import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { composeCore, type Core } from '#core/compose.ts';
import type { ProposalView } from '#shared/app-api/index.ts';
import { armingDelayMs, type Showing } from '#shared/host-api/index.ts';
import { openAndWait } from '#test/servers/agent/waiting-browser.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { prepareDesk, type BrowserDesk } from './browser-desk.ts';

/** A core with its gateway open, and a person who answers everything that agents ask for. */
export interface OpenGateway {
  core: Core;
  /** Where agents connect. */
  url: string;
  /** What the person decided, in order. */
  decided: ProposalView[];
  /** A browser whose pages wait, as those of the gateway do. */
  desk: BrowserDesk;
}

export interface GatewayPerson {
  /** By default everything is approved. */
  decide?(proposal: ProposalView): 'approve' | 'deny';
}

/** Opens it; everything ends with the test. */
export async function openGateway({ decide = () => 'approve' }: GatewayPerson = {}): Promise<OpenGateway> {
  let shown: Showing | null = null;
  const core = await composeCore({
    dataFolder: tempFolder(),
    host: 'terminal',
    version: '0.0.0',
    dataKey: randomBytes(32),
    demoCampaigns: 20,
    confirmer: {
      via: 'terminal',
      async show(showing) {
        shown = showing;
        return { address: null };
      },
      hide() {},
    },
  });
  onTestFinished(() => core.dispose());
  const { handlers, confirmation } = core;
  await handlers['agents.openEndpoint']({ onAnotherPort: false });
  const decided: ProposalView[] = [];
  const asked = new Set<string>();

  async function answer(id: string): Promise<void> {
    await handlers['proposals.review']({ id });
    if (shown === null) throw new Error('Nothing was shown');
    const { showingId, nonce, fingerprint, proposal } = shown;
    confirmation.seen({ showingId, nonce });
    await new Promise((resolve) => setTimeout(resolve, armingDelayMs + 20));
    const decision = decide(proposal);
    const typed = proposal.typeToConfirm?.value ?? null;
    const result = await confirmation.decide({
      showingId,
      nonce,
      fingerprint,
      decision,
      reason: null,
      typed,
    });
    decided.push(result.proposal);
  }

  onTestFinished(
    core.subscribe((event) => {
      if (event.kind !== 'proposals.changed' || asked.has(event.id)) return;
      asked.add(event.id);
      void answer(event.id);
    }),
  );
  const { endpoint } = await handlers['agents.get']({});
  if (endpoint.problem !== null) throw new Error(endpoint.problem.message);
  return { core, url: endpoint.url, decided, desk: await prepareDesk(waitToBeLetIn) };
}

/** A person at the page that only waits. */
async function waitToBeLetIn(url: string): Promise<string> {
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const address = new URL(url);
  const destination = address.searchParams.get('redirect_uri') ?? '';
  return (await openAndWait(address, destination, gone.signal).end).href;
}
