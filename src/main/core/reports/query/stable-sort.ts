/** Sorts numbers by their keys and keeps the order of equal ones; NaN last. A merge sort of its own: quicker than a comparing function. */
export function stableByKey(
  groups: Uint32Array,
  keys: Float64Array,
  { descending }: { descending: boolean } = { descending: false },
): Uint32Array {
  const sign = descending ? -1 : 1;
  const of = Float64Array.from(groups, (group) => {
    const key = keys[group] as number;
    return Number.isNaN(key) ? Infinity : sign * key;
  });
  let from = Uint32Array.from(groups, (_, at) => at);
  let to = new Uint32Array(groups.length);
  for (let width = 1; width < groups.length; width *= 2) {
    for (let low = 0; low < groups.length; low += 2 * width) merge(from, to, { of, low, width });
    [from, to] = [to, from];
  }
  return from.map((at) => groups[at] as number);
}

function merge(
  from: Uint32Array,
  to: Uint32Array,
  { of, low, width }: { of: Float64Array; low: number; width: number },
): void {
  const middle = Math.min(low + width, from.length);
  const high = Math.min(low + 2 * width, from.length);
  let left = low;
  let right = middle;
  for (let at = low; at < high; at += 1) {
    const takesLeft =
      left < middle &&
      (right >= high || (of[from[left] as number] as number) <= (of[from[right] as number] as number));
    to[at] = (takesLeft ? from[left] : from[right]) as number;
    if (takesLeft) left += 1;
    else right += 1;
  }
}
