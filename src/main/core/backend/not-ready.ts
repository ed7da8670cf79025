import { AppError, storageCodes } from '#shared/errors/index.ts';
import type { ErrorCode } from '#shared/errors/index.ts';

/** A failure of the disk is a dependency that is not available (contract §7.3, 503). */
const ofStorage: ReadonlySet<ErrorCode> = new Set(storageCodes);

/** Returns a failure as a client of the service sees it: broken storage is `not_ready`, any other failure is unchanged. */
export function asNotReady(failure: unknown): unknown {
  const isOfStorage = failure instanceof AppError && ofStorage.has(failure.code);
  return isOfStorage ? new AppError('not_ready', { cause: failure }) : failure;
}

/** The same parts, whose functions fail with `not_ready` where the storage does, at once or later. */
export function notReadyWhereStorageFails<T extends object>(parts: T): T {
  const refuse = (failure: unknown): never => {
    throw asNotReady(failure);
  };
  const wrap =
    (member: (...args: unknown[]) => unknown) =>
    (...args: unknown[]): unknown => {
      try {
        const result: unknown = Reflect.apply(member, parts, args);
        return result instanceof Promise ? result.catch(refuse) : result;
      } catch (failure) {
        return refuse(failure);
      }
    };
  const members = Object.entries(parts).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'function' ? wrap(member as (...args: unknown[]) => unknown) : member,
  ]);
  return Object.fromEntries(members) as T;
}
