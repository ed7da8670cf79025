/** A stream of numbers determined by a seed: equal seeds make equal data. Not for secrets. */
export interface Random {
  /** At least 0 and less than 1. */
  fraction(): number;
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks `count` different members and keeps their order. */
  some<T>(list: readonly T[], count: number): T[];
  shuffled<T>(list: readonly T[]): T[];
  weighted<T>(list: readonly T[], weightOf: (member: T) => number): T;
}

/** The mulberry32 generator: small, fast, and good enough for demo data. */
export function createRandom(seed: string): Random {
  let state = seedNumber(seed);
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => memberAt(list, integer(0, list.length - 1));
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick,
    some(list, count) {
      let wanted = Math.min(count, list.length);
      return list.filter((_member, at) => {
        const isTaken = fraction() < wanted / (list.length - at);
        if (isTaken) wanted -= 1;
        return isTaken;
      });
    },
    shuffled: (list) =>
      list
        .map((member) => ({ member, place: fraction() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ member }) => member),
    weighted(list, weightOf) {
      let left = fraction() * list.reduce((sum, member) => sum + weightOf(member), 0);
      const found = list.find((member) => (left -= weightOf(member)) < 0);
      return found ?? pick(list);
    },
  };
}

function memberAt<T>(list: readonly T[], at: number): T {
  if (at >= list.length) throw new Error('Nothing to pick from');
  return list[at] as T;
}

function seedNumber(seed: string): number {
  let hash = 0x811c9dc5;
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}
