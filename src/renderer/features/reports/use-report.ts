import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { serviceAheadMs, sessionStore } from '#renderer/stores/session-store.ts';
import { useNow } from '#renderer/ui/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import type { ReportsState } from './stores/reports-store.ts';
import { reportsStore } from './stores/stores.ts';

/**
 * Redraws a component only if one of the named fields changes. Otherwise each block of rows that arrives during
 * scrolling would redraw it.
 */
export function useReport<Field extends keyof ReportsState>(...fields: Field[]): Pick<ReportsState, Field> {
  return useStore(
    reportsStore,
    useShallow(
      (state) =>
        Object.fromEntries(fields.map((field) => [field, state[field]])) as Pick<ReportsState, Field>,
    ),
  );
}

const minuteMs = 60_000;

export function useServiceToday(): { zone: string; today: string } {
  const zone = useStore(sessionStore, ({ session }) => session?.profile.zone ?? 'UTC');
  const nowMs = useNow(minuteMs) + useStore(sessionStore, serviceAheadMs);
  return { zone, today: serviceDay(nowMs, zone).date };
}
