import { setImmediate } from 'node:timers/promises';
import { dayNumber } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendService } from '../service.ts';
import { demoAccounts } from './credentials.ts';
import { demoSources, searchDay, xmlDay } from './statistics-day.ts';
import { createRandom } from '#shared/lib/random.ts';

export const defaultDays = 400;

const startDelayMs = 15_000;

const sliceMs = 8;

const msPerDay = 86_400_000;

/** Uses fixed seeds, so that every installation has the same data. */
export function createDemoStatistics(service: BackendService, { days }: { days: number }) {
  const { store, clock, logger } = service;
  addSources(service);
  const sources = demoSources(service.tenant.id);
  const today = () => Math.floor(clock.nowMs() / msPerDay);
  let cancelStart = (): void => {};
  let made = numberOf(store.statistics.read.latestDay());
  let work: Promise<void> | null = null;
  let isEnded = false;

  const addDay = (day: number): void => {
    const date = dateOf(day);
    const { write } = store.statistics;
    const randomOf = (kind: string, id: number) => createRandom(`${service.tenant.id} ${kind} ${id} ${date}`);
    for (const { tids, feeds } of sources) {
      for (const tid of tids) write.addXmlDay(tid.id, date, xmlDay(randomOf('xml', tid.id), tid, day));
      for (const feed of feeds) {
        write.addSearchDay(feed.id, date, searchDay(randomOf('search', feed.id), feed, day));
      }
    }
    write.setDayMade(date);
  };
  const addSlice = (): number => {
    // Uses real time, because other work waits in real time even if `clock` is stopped.
    const endsAtMs = performance.now() + sliceMs;
    let day = Math.max(made ?? 0, today() - days);
    do addDay((day += 1));
    while (day < today() && performance.now() < endsAtMs);
    return day;
  };
  const isComplete = () => days === 0 || (made !== null && made >= today());
  const fill = async (): Promise<void> => {
    while (!isComplete()) {
      await setImmediate();
      if (isEnded) throw new AppError('shutting_down');
      made = store.transaction(addSlice);
    }
    logger.info({ until: dateOf(today()) }, 'The statistics are complete');
  };
  const ready = async (): Promise<void> => {
    if (isEnded) throw new AppError('shutting_down');
    if (!isComplete()) await (work ??= fill().finally(() => (work = null)));
  };
  return {
    /** Fails with `storage_failed`, or `shutting_down` after `dispose`. */
    ready,
    start(): void {
      cancelStart = clock.after(startDelayMs, () => {
        ready().catch((failure: unknown) => {
          if (!isEnded) logger.warn({ failure }, 'The statistics could not be made');
        });
      });
    },
    async dispose(): Promise<void> {
      isEnded = true;
      cancelStart();
      await work?.catch(() => {});
    },
  };
}

function addSources({ store, tenant }: BackendService): void {
  const { read, write } = store.statistics;
  const accounts = demoAccounts(tenant.id);
  if (read.sources(accounts.publisher.uid).tids.length > 0) return;
  store.transaction(() => {
    for (const { account, tids, feeds } of demoSources(tenant.id)) {
      write.addSources(accounts[account].uid, {
        tids: tids.map(({ id }) => id),
        feeds: feeds.map(({ id }) => id),
      });
    }
  });
}

function dateOf(day: number): string {
  return new Date(day * msPerDay).toISOString().slice(0, 10);
}

function numberOf(date: string | null): number | null {
  return date === null ? null : dayNumber(date);
}
