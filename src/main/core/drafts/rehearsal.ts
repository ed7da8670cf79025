import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { CheckedCampaign } from '#shared/app-api/index.ts';
import { type Clocks, kindOf, runningWeek, runs, statusAlone, typeOf } from '#shared/campaign/index.ts';
import type { CampaignEdit, StatusCode } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The service in memory. Whoever opens it disposes it. */
export interface ServiceCopy extends AsyncDisposable {
  /** False where the account of the profile may have less than the copy gives it. */
  isBalanceKnown: boolean;
  /**
   * Copies the campaign as it was read, writes to it, and returns it as it is stored then; null for one that cannot be copied. Fails as
   * a service refuses the write.
   */
  write(
    read: CampaignEdit,
    write: { kind: 'update'; payload: JsonObject } | { kind: 'status'; status: StatusCode },
  ): JsonObject | null;
}

export type Rehearsal = NonNullable<CheckedCampaign['rehearsal']>;

/**
 * Sends the exact payload to a copy of the service, made of the same read, types and settings. Says what the copy says and never more:
 * no warning of the change becomes lighter by it.
 */
export function rehearse(
  copy: ServiceCopy,
  { edit, payload, clocks }: { edit: CampaignEdit; payload: JsonObject; clocks: Clocks },
): Rehearsal {
  const type = typeOf(payload, { types: edit.campaign_types });
  if (type === undefined || !kindOf(type).recognised)
    return notRehearsed('Its type is not known to the copy.');
  const status = statusAlone(edit.campaign, payload);
  try {
    const write =
      status === null ? ({ kind: 'update', payload } as const) : ({ kind: 'status', status } as const);
    const stored = copy.write(edit, write);
    return stored === null
      ? notRehearsed('The campaign has a form that the copy does not know.')
      : accepted(stored, clocks, copy);
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    const fields = failure.fields.map(({ field, message }) => ({ field: inertText(field), message }));
    return { kind: 'refused', message: failure.message, fields };
  }
}

function notRehearsed(reason: string): Rehearsal {
  return { kind: 'not_rehearsed', reason };
}

function accepted(stored: JsonObject, clocks: Clocks, { isBalanceKnown }: ServiceCopy): Rehearsal {
  const status = Number(stored['status']);
  const hoursNextWeek = runs(status) ? runningWeek(stored, clocks).hours : 0;
  return { kind: 'accepted', status, hoursNextWeek, isBalanceKnown };
}
