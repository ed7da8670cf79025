import { appBridge } from '#renderer/api/app-bridge.ts';
import { copyText } from '#renderer/api/host-services.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppOutput, ProposalSummary } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { isUndecided } from '#shared/proposals/states.ts';
import {
  type Acting,
  asFailure,
  createAct,
  followEvent,
  readAgain,
  readInto,
  readOrKeep,
} from '../follow-core.ts';

export type AgentsDoing =
  { kind: 'freeze' | 'thaw' | 'open' | 'open-elsewhere' } | { kind: 'revoke'; id: string };

export interface AgentsState extends Acting<AgentsDoing> {
  view: AppOutput<'agents.get'> | null;
  failure: AppError | null;
  asking: { kind: 'thaw' } | { kind: 'revoke'; id: string } | null;
  copied: string | null;
  reload: () => void;
  freeze: () => Promise<void>;
  ask: (asking: AgentsState['asking']) => void;
  goOn: () => Promise<void>;
  openEndpoint: (onAnotherPort: boolean) => Promise<void>;
  copy: (text: string) => Promise<void>;
  dismiss: () => void;
  start: () => () => void;
}

export interface AgentsStoreParts {
  bridge: AppBridge;
  copyText(text: string): Promise<void>;
}

export function createAgentsStore({ bridge, copyText }: AgentsStoreParts): StoreApi<AgentsState> {
  return createStore<AgentsState>((set, get) => {
    const act = createAct<AgentsDoing>(get, set);
    const reload = readAgain(() =>
      readInto(set, async () => ({ view: await bridge.call('agents.get', {}) })),
    );

    return {
      view: null,
      failure: null,
      doing: null,
      refusal: null,
      asking: null,
      copied: null,
      reload,
      async freeze() {
        set({ refusal: null });
        try {
          await bridge.call('agents.freeze', {});
        } catch (error) {
          set({ refusal: { of: { kind: 'freeze' }, failure: asFailure(error) } });
        }
        reload();
      },
      ask: (asking) => set({ asking, refusal: null }),
      async goOn() {
        const { asking } = get();
        set({ asking: null });
        if (asking === null) return;
        await act(asking, () =>
          asking.kind === 'thaw'
            ? bridge.call('agents.thaw', {})
            : bridge.call('agents.revoke', { id: asking.id }),
        );
        reload();
      },
      async openEndpoint(onAnotherPort) {
        await act({ kind: onAnotherPort ? 'open-elsewhere' : 'open' }, () =>
          bridge.call('agents.openEndpoint', { onAnotherPort }),
        );
        reload();
      },
      async copy(text) {
        await readInto(set, async () => {
          await copyText(text);
          return { copied: text };
        });
      },
      dismiss: () => set({ refusal: null }),
      // An agent's counts come from its proposals.
      start: () => followEvent(bridge, ['agents.changed', 'proposals.changed'], reload),
    };
  });
}

export interface AdmissionsState {
  waiting: ProposalSummary[];
  start: () => () => void;
}

/** More than the maximum number of undecided requests, so one page contains all of them. */
const pageSize = 200;

export function createAdmissionsStore(bridge: AppBridge): StoreApi<AdmissionsState> {
  return createStore<AdmissionsState>((set) => {
    const read = readAgain(() =>
      readOrKeep(set, async () => {
        const page = await bridge.call('proposals.list', { which: 'waiting', before: null, limit: pageSize });
        return { waiting: page.items.filter(isWaitingAdmission) };
      }),
    );
    return { waiting: [], start: () => followEvent(bridge, 'proposals.changed', read) };
  });
}

function isWaitingAdmission({ operation, state }: ProposalSummary): boolean {
  return operation === 'agent.admit' && isUndecided(state);
}

export const agentsStore = createAgentsStore({ bridge: appBridge, copyText });

export const admissionsStore = createAdmissionsStore(appBridge);
