import { AppError } from '#shared/errors/index.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import type { Attempt } from './attempt.ts';

/** Fingerprint and payload are those that were prepared; key order means nothing, every value does. Fails with `approval_mismatch`. */
export function rejectChanged({ approval, request }: Attempt): void {
  const isSame =
    request.fingerprint === approval.fingerprint && canonicalJson(request.payload) === approval.payload;
  if (!isSame) throw new AppError('approval_mismatch');
}
