import { commitTool } from '#core/proposals/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { own } from '#shared/lib/json/own.ts';
import type { Prepared } from './prepared.ts';

/** The form of an idempotency key that every service can take: 1 to 200 visible characters of ASCII. */
const keyForm = /^[\x21-\x7e]{1,200}$/;

/**
 * Refuses a call that no service could carry out, before a person is asked: a malformed idempotency key, and of a commit (contract
 * §4.3, steps 2 to 5) an empty payload, an approval that was never prepared for this agent, and a fingerprint that does not belong to
 * it. Fails with `arguments_invalid`, `approval_unseen` or `prepared_differs`.
 */
export function assertCommittable(
  { name }: { name: string },
  args: JsonObject,
  prepared: Prepared | null,
): void {
  const key = own(args, 'idempotencyKey');
  const isCommit = name === commitTool;
  if (isCommit ? !isKey(key) : typeof key === 'string' && !isKey(key)) {
    throw invalid('idempotencyKey', 'Give 1 to 200 visible characters of ASCII, without spaces.');
  }
  if (!isCommit) return;
  const payload = own(args, 'payload');
  if (payload === undefined || !isJsonObject(payload) || Object.keys(payload).length === 0) {
    throw invalid('payload', 'Give the object that was prepared: an empty one changes nothing.');
  }
  // Of whatever form: a service may read an approval out of a list or a number as well.
  if (Object.hasOwn(args, 'approvalId') && prepared === null) throw new AppError('approval_unseen');
  const fingerprint = prepared?.fingerprint ?? null;
  if (fingerprint !== null && own(args, 'fingerprint') !== fingerprint) {
    throw new AppError('prepared_differs', { message: 'The fingerprint is not the one of this approval.' });
  }
}

function isKey(key: unknown): boolean {
  return typeof key === 'string' && keyForm.test(key);
}

function invalid(field: string, message: string): AppError {
  return new AppError('arguments_invalid', {
    message: `Nobody was asked: “${field}” is not valid. ${message}`,
    fields: [{ field, code: 'invalid', message }],
  });
}
