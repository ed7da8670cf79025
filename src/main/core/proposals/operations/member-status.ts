import { runs } from '#shared/campaign/index.ts';
import type { FieldError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

const field = 'status';
const pending = 0;

/**
 * The moves of a status that no member may make, known before asking anyone (contract §3): nobody sets Pending, and
 * pending campaigns are approved by the service alone. Null when the member may try.
 */
export function memberStatusError(from: JsonValue | undefined, to: JsonValue | undefined): FieldError | null {
  if (from === to) return null;
  if (to === pending) {
    return { field, code: 'not_allowed', message: 'Members cannot set a campaign to Pending.' };
  }
  if (from === pending && runs(to)) {
    return {
      field,
      code: 'not_allowed',
      message: 'A pending campaign is approved by the service, not by its owner.',
    };
  }
  return null;
}
