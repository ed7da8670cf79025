import type { MemberClient } from '#core/service-client/index.ts';
import type { ServiceMoment } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Draft } from '../operation.ts';
import { prepareStatus, type StatusRequest } from '../status-change/prepare.ts';
import { prepareUpdate, type UpdateRequest } from '../update/prepare.ts';
import type { BatchPayload } from './payload.ts';

/** Writes that belong together: the resume after an emergency stop, a reversal. */
export interface SeveralWrites {
  /** The common change, in words. */
  equally: string;
  updates: readonly UpdateRequest[];
  statuses: readonly StatusRequest[];
  /** Campaigns that were left out on purpose, listed in the proposal. */
  skipped: BatchPayload['skipped'];
  /** The proposal whose effect they take back. */
  undoes?: Draft['undoes'];
  /** It is never refused because too much waits. */
  isUrgent?: boolean;
}

/** A draft of each write, changes of status first. Fails as each of them would, and with `nothing_to_change` for none. */
export async function prepareSeveral(
  service: { client: MemberClient; today: ServiceMoment },
  { updates, statuses }: SeveralWrites,
): Promise<Draft[]> {
  const drafts: Draft[] = [];
  for (const status of statuses) drafts.push(await prepareStatus(service, status));
  for (const update of updates) drafts.push(await prepareUpdate(service.client, update));
  if (drafts.length === 0) throw new AppError('nothing_to_change');
  return drafts;
}
