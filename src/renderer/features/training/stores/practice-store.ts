import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AppInput, AppRequest, PracticeView } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { readTypedAmount } from '#shared/drafts/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { beginAnew } from './training-store.ts';
import { type Acting, createAct, readInto, followEvent, readAgain } from '#renderer/stores/follow-core.ts';

export type PracticeRequest = Extract<AppRequest, `practice.${string}`>;

export interface PracticeState extends Acting<PracticeRequest> {
  view: PracticeView | null;
  failure: AppError | null;
  apply: <R extends PracticeRequest>(name: R, input: AppInput<R>) => Promise<boolean>;
  dismiss: () => void;
  start: () => () => void;
}

export function createPracticeStore(bridge: AppBridge, beginAnew: () => void): StoreApi<PracticeState> {
  return createStore<PracticeState>((set, get) => {
    const act = createAct<PracticeRequest>(get, set);
    const read = readAgain(() =>
      readInto(set, async () => ({ view: await bridge.call('practice.get', {}) })),
    );
    return {
      view: null,
      failure: null,
      doing: null,
      refusal: null,
      async apply(name, input) {
        const view = await act(name, () => bridge.call(name, input) as Promise<PracticeView>);
        if (view === null) return false;
        set({ view });
        if (name === 'practice.return' || name === 'practice.reset') beginAnew();
        return true;
      },
      dismiss: () => set({ refusal: null }),
      start: () => followEvent(bridge, ['training.changed', 'agents.changed', 'proposals.changed'], read),
    };
  });
}

const microsPerCent = 10_000;

/** Reads `1.50` or `$1,200.50` as micros. Null for text that is no amount in cents, and for ambiguous text such as `1,200`. */
export function readDollars(typed: string): number | null {
  const read = readTypedAmount(typed);
  if (read.kind !== 'operation' || read.operation.kind !== 'set') return null;
  const micros = Math.round(Number(read.operation.value) * 1_000_000);
  return Number.isSafeInteger(micros) && micros % microsPerCent === 0 ? micros : null;
}

export const practiceStore = createPracticeStore(appBridge, () => beginAnew('#/campaigns'));
