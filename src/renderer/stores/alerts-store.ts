import { appBridge } from '#renderer/api/app-bridge.ts';
import type { AppBridge } from '#renderer/api/bridge.ts';
import type { AlertEvent, AlertRule, AppOutput } from '#shared/app-api/index.ts';
import type { AppError } from '#shared/errors/index.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type Acting, asFailure, createAct, followEvent, readAgain, readInto } from './follow-core.ts';

interface AlertsAction {
  kind: 'save' | 'switch' | 'remove' | 'check';
  id: string | null;
}

export interface AlertsState extends Acting<AlertsAction> {
  view: AppOutput<'reports.alerts.list'> | null;
  failure: AppError | null;
  news: AlertEvent | null;
  save: (id: string | null, rule: AlertRule) => Promise<boolean>;
  switchOn: (id: string, on: boolean) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
  check: () => Promise<boolean>;
  see: () => Promise<void>;
  dismissNews: () => void;
  dismiss: () => void;
  start: () => () => void;
}

function createAlertsStore(bridge: AppBridge): StoreApi<AlertsState> {
  return createStore<AlertsState>((set, get) => {
    const act = createAct(get, set);
    let dismissedId = 0;

    const read = (): Promise<boolean> =>
      readInto(set, async () => {
        const view = await bridge.call('reports.alerts.list', {});
        return { view, news: newsOf(view.events) };
      });

    function newsOf(events: readonly AlertEvent[]): AlertEvent | null {
      return events.find(({ id, kind, seen }) => kind === 'crossed' && !seen && id > dismissedId) ?? null;
    }

    async function attempt(action: AlertsAction, ask: () => Promise<unknown>): Promise<boolean> {
      const done = await act(action, async () => ({ answer: await ask() }));
      if (done !== null) await read();
      return done !== null;
    }

    return {
      view: null,
      failure: null,
      news: null,
      doing: null,
      refusal: null,
      save: (id, rule) =>
        attempt({ kind: 'save', id }, () => bridge.call('reports.alerts.save', { id, rule })),
      switchOn: (id, on) =>
        attempt({ kind: 'switch', id }, () => bridge.call('reports.alerts.switch', { id, on })),
      remove: (id) => attempt({ kind: 'remove', id }, () => bridge.call('reports.alerts.remove', { id })),
      check: () => attempt({ kind: 'check', id: null }, () => bridge.call('reports.alerts.check', {})),
      async see() {
        if (unseenAlertEvents(get().view?.events) === 0) return;
        try {
          await bridge.call('reports.alerts.seen', {});
        } catch (error) {
          set({ failure: asFailure(error) });
        }
      },
      dismissNews() {
        dismissedId = get().view?.events[0]?.id ?? dismissedId;
        set({ news: null });
      },
      dismiss: () => set({ refusal: null }),
      start: () => followEvent(bridge, ['reports.changed', 'profiles.changed'], readAgain(read)),
    };
  });
}

export function unseenAlertEvents(events: readonly AlertEvent[] | undefined): number {
  return (events ?? []).filter(({ kind, seen }) => kind === 'crossed' && !seen).length;
}

export const alertsStore = createAlertsStore(appBridge);
