import type { Clock } from '#core/platform/clock.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import {
  commitWrite,
  connect,
  createLogin,
  fetchWithOneRefresh,
  pause,
  type PreparedWrite,
  type ToolAnswer,
  waitForRedirect,
  wordsOn,
} from '#core/sample-agent/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { armingDelayMs, type Display } from '#shared/host-api/index.ts';
import type { DisplayRelay } from '#core/platform/display-relay.ts';
import { gatewayOf, type WorkspaceCore } from '../workspace-core.ts';

const missionAgentName = 'Media assistant';

/** A real client of the workspace's gateway. `dispose` ends its session and revokes its grant. */
export interface MissionAgent extends AsyncDisposable {
  id: string;
  /** Resolves when the change has settled or was refused. Fails as the connection does. */
  commit(write: PreparedWrite): Promise<ToolAnswer>;
}

export interface MissionAgentOptions {
  core: WorkspaceCore;
  relay: Pick<DisplayRelay, 'intercept'>;
  version: string;
  clock: Clock;
}

/**
 * Connects the agent and admits it like a person: after the arming delay, with a review that is not shown by the host. Fails as
 * the connection does.
 */
export async function connectMissionAgent(options: MissionAgentOptions): Promise<MissionAgent> {
  const { core, relay, version, clock } = options;
  const stop = new AbortController();
  const { signal } = stop;
  let isEnded = false;
  const before = new Set((await livingAgents(core)).map(({ id }) => id));
  let shown: Display | null = null;
  const stopIntercepting = relay.intercept((display) => {
    if (display.proposal.operation !== 'agent.admit') return false;
    shown = display;
    return true;
  });

  async function admit(words: string | null): Promise<void> {
    const id = await admissionWith(core, words);
    await core.handlers['proposals.review']({ id });
    if (shown === null || shown.proposal.id !== id) throw new AppError('display_unknown');
    const { displayId, nonce, fingerprint } = shown;
    core.confirmation.seen({ displayId, nonce });
    await pause(armingDelayMs, { clock, signal });
    const answer = { decision: 'approve', reason: null, typed: null } as const;
    await core.confirmation.decide({ displayId, nonce, fingerprint, ...answer });
  }

  const login = createLogin({
    name: missionAgentName,
    openBrowser: (address, destination) =>
      waitForRedirect({
        address,
        destination,
        clock,
        signal,
        onWaiting: (page) => admit(wordsOn(page)),
      }),
    onGrantLost: () => stop.abort(new AppError('token_invalid')),
  });
  const url = await gatewayOf(core);
  const fetchOnce = fetchWithOneRefresh(fetch);
  try {
    const connection = await connect({
      url,
      name: missionAgentName,
      login,
      fetch: fetchOnce,
      version,
      signal,
    });
    const admitted = (await livingAgents(core)).find(({ id }) => !before.has(id));
    if (admitted === undefined) throw new AppError('agent_unknown');
    return {
      id: admitted.id,
      async commit(write) {
        try {
          return await commitWrite(write, connection);
        } catch (failure) {
          const isLiving = (await livingAgents(core)).some(({ id }) => id === admitted.id);
          if (isLiving || isEnded) throw failure;
          return { kind: 'refused', code: 'agent_ended', message: '' };
        }
      },
      async dispose() {
        isEnded = true;
        stop.abort();
        await connection.close();
        await login.signOut();
      },
    };
  } finally {
    stopIntercepting();
  }
}

export async function endEarlierAgents(core: WorkspaceCore): Promise<void> {
  for (const { id, name } of await livingAgents(core)) {
    if (name === missionAgentName) await core.handlers['agents.revoke']({ id });
  }
}

async function livingAgents({ handlers }: WorkspaceCore) {
  const { agents } = await handlers['agents.get']({});
  return agents.filter(({ ended }) => ended === null);
}

async function admissionWith({ handlers }: WorkspaceCore, words: string | null): Promise<string> {
  const { items } = await handlers['proposals.list']({ which: 'waiting', before: null, limit: 100 });
  for (const { id, operation } of items) {
    if (operation !== 'agent.admit') continue;
    const { detail } = await handlers['proposals.get']({ id });
    if (detail.kind === 'admission' && detail.words === words) return id;
  }
  throw new AppError('proposal_not_found');
}
