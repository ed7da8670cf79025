const maxNearest = 3;

/** A longer name is no misspelling of a field, and comparing it would be slow. */
const maxLength = 60;

const maxDistance = 0.45;

/** Distance of two names of which one contains the other, such as `max_bid` and `bid`; the distance of equal names is 0. */
const containedDistance = 0.3;

/**
 * The known names nearest to a name, nearest first. Empty if all are too different. A name's display label, if it has
 * one, is compared too. Case, spaces and marks do not matter.
 */
export function nearestNames(
  name: string,
  known: readonly string[],
  labelOf: (name: string) => string = (one) => one,
): string[] {
  const asked = lettersOf(name.slice(0, maxLength));
  return known
    .map((one) => ({ one, far: Math.min(...[one, labelOf(one)].map((text) => distance(asked, text))) }))
    .filter(({ far }) => far <= maxDistance)
    .toSorted((left, right) => left.far - right.far)
    .slice(0, maxNearest)
    .map(({ one }) => one);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

function distance(asked: string, text: string): number {
  const letters = lettersOf(text);
  if (asked === letters) return 0;
  const [shorter, longer] = asked.length < letters.length ? [asked, letters] : [letters, asked];
  const isContained = shorter.length >= 3 && longer.includes(shorter);
  return Math.min(isContained ? containedDistance : 1, editsBetween(shorter, longer) / longer.length);
}

function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
