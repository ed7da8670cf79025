import type { Random } from '#shared/lib/random.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { oddJson, oddTexts, oddValue } from './odd-values.ts';

/** A placeholder for a mutation that only the JSON text can express. */
const place = '@@fuzz@@';

/**
 * Returns the JSON text with one place changed: replaced, removed, duplicated, wrapped, or set to text that JSON does not
 * allow.
 */
export function mutateJson(text: string, random: Random): string {
  const root = { root: JSON.parse(text) as JsonValue };
  const spots = spotsOf(root, 'root', []);
  // The envelope is always the same, so deeper places are chosen more often.
  const spot = random.weighted(spots, ({ depth }) => 1 + depth ** 2);
  const written = (): string => JSON.stringify(root.root) ?? '';
  switch (random.integer(0, 8)) {
    case 0:
    case 7:
    case 8:
      spot.set(oddValue(random));
      return written();
    case 1:
      spot.remove();
      return written();
    case 2:
      spot.set([spot.value, spot.value]);
      return written();
    case 3:
      spot.set({ [random.pick(['id', 'data', '__proto__x', ''])]: spot.value });
      return written();
    case 4:
      spot.set(place);
      return written().replace(`"${place}"`, () => random.pick(oddJson));
    case 5:
      spot.set(structuredClone(random.pick(spots).value));
      return written();
    default:
      spot.add(random.pick(oddTexts), oddValue(random));
      return written();
  }
}

/** A value with the functions that change it in place. */
interface Spot {
  value: JsonValue;
  depth: number;
  set(value: JsonValue): void;
  remove(): void;
  /** Adds a key or an item, if the value is an object or a list. */
  add(key: string, value: JsonValue): void;
}

type Holder = Record<string | number, JsonValue>;

function spotsOf(holder: object, key: string | number, found: Spot[], depth = 0): Spot[] {
  const inside = holder as Holder;
  const value = inside[key] as JsonValue;
  found.push({
    value,
    depth,
    set: (next) => void (inside[key] = next),
    remove: () => void (Array.isArray(inside) ? inside.splice(Number(key), 1) : delete inside[key]),
    add(name, more) {
      if (Array.isArray(value)) value.push(more);
      else if (isJsonObject(value)) value[name] = more;
      else inside[key] = more;
    },
  });
  if (Array.isArray(value)) value.forEach((_item, at) => spotsOf(value, at, found, depth + 1));
  else if (value !== null && typeof value === 'object') {
    for (const name of Object.keys(value)) spotsOf(value, name, found, depth + 1);
  }
  return found;
}
