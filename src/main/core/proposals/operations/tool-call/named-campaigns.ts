import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** Names that mean campaigns, without case and separators: `campaign_ids` and `Campaign-IDs` are one. */
const names: ReadonlySet<string> = new Set([
  'cid',
  'cids',
  'ids',
  'campaign',
  'campaigns',
  'campaignid',
  'campaignids',
]);

/** So many of them are locked and compared; counted are all of them. */
const mostTargets = 1_000;

/**
 * Every campaign that the arguments name, at any depth. Only names that mean nothing else count, and below them whatever a tool may read as
 * an id: numbers, digits in a text, lists of them and of objects, and the keys of an object that is told by ids.
 */
export function namedCampaigns(args: JsonObject): ReadonlySet<number> {
  const found = new Set<number>();
  const look = (value: JsonValue): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (names.has(plainName(name))) for (const cid of idsIn(member)) found.add(cid);
        look(member);
      }
    }
  };
  look(args);
  return found;
}

/** The same as far as a call locks them. */
export function cidsIn(args: JsonObject): number[] {
  return [...namedCampaigns(args)].slice(0, mostTargets);
}

function idsIn(value: JsonValue): number[] {
  if (typeof value === 'number') return isId(value) ? [value] : [];
  if (typeof value === 'string') return idsInText(value);
  if (Array.isArray(value))
    return value.flatMap((item) => (isJsonObject(item) ? idsIn(item['id'] ?? null) : idsIn(item)));
  return isJsonObject(value) ? Object.keys(value).flatMap(idsInText) : [];
}

/** Digits alone, or several with separators between them. */
function idsInText(text: string): number[] {
  if (/[^\d\s,;|[\]]/.test(text)) return [];
  return (text.match(/\d+/g) ?? []).map(Number).filter(isId);
}

function isId(number: number): boolean {
  return Number.isSafeInteger(number) && number > 0;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
