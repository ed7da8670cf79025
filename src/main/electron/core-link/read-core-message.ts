import { coreMessageSchema, type CoreMessage } from '#shared/host-api/index.ts';
import type { DesktopLog } from '../log.ts';

/** A message of the core; null, with a warning that quotes nothing of it, where it is none. */
export function readCoreMessage(message: unknown, log: DesktopLog): CoreMessage | null {
  const parsed = coreMessageSchema.safeParse(message);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  log.warn({ code: issue?.code, path: issue?.path.join('.') }, 'The core said something unknown: dropped');
  return null;
}
