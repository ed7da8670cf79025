import type { BackendService } from '../service.ts';
import type { PublisherReports } from './reports.ts';

/** Reads the statistics of one tenant's publishers. */
export function createReports(service: BackendService): PublisherReports {
  void service;
  return {
    xml: async () => [],
    search: async () => ({ rows: [], total: 0 }),
    sources: () => ({ tids: [], feeds: [] }),
  };
}
