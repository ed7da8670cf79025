/** Runs one call of a part, or refuses it. */
export type Guard = <R>(call: () => R) => R;

/** The same parts, every function of theirs behind the guard; nested parts included. */
export function guardParts<T extends object>(parts: T, guard: Guard): T {
  const guarded = Object.entries(parts).map(([name, member]: [string, unknown]) => {
    if (typeof member === 'function') {
      return [name, (...args: unknown[]) => guard(() => Reflect.apply(member, parts, args) as unknown)];
    }
    return [name, isPart(member) ? guardParts(member, guard) : member];
  });
  return Object.fromEntries(guarded) as T;
}

const isPart = (member: unknown): member is object => typeof member === 'object' && member !== null;
