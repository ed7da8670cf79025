import { isStatusCode, type StatusCode, statusCodes, statusNames } from '#shared/contract/index.ts';
import { isJsonObject, type JsonObject, type JsonValue, own } from '#shared/lib/json/json-value.ts';

/** The only tool that writes a prepared change (contract §4.3, steps 3 to 5). */
export const commitTool = 'svc_commit';

export interface Call {
  name: string;
  args: JsonObject;
}

export function keyIn(args: JsonObject): string | null {
  const key = own(args, 'idempotencyKey');
  return typeof key === 'string' && key !== '' ? key : null;
}

const envelope: ReadonlySet<string> = new Set(['approvalId', 'fingerprint', 'idempotencyKey', 'confirmed']);
const idNames: readonly string[] = ['cid', 'campaignId', 'campaign_id'];
const listNames: readonly string[] = ['ids', 'cids', 'campaignIds', 'campaign_ids'];
const maxCids = 1_000;

/** True for the members that the contract defines for a commit, even if the tool's definition differs. */
export function isCommitMember(member: string): boolean {
  return envelope.has(member) || member === 'payload';
}

export interface StatusMove {
  cids: number[];
  status: StatusCode;
}

/**
 * The object that could be a complete campaign: the payload of a commit, or the arguments of any
 * other tool, or the only object inside either. Null if another argument could change the meaning.
 */
export function campaignIn(call: Call): JsonObject | null {
  const core = coreOf(call);
  return cidOf(own(core, 'cid')) === null ? null : core;
}

/** The change of status if the call contains only `{ids | cids | cid, status}`, otherwise null. */
export function statusMoveIn(call: Call): StatusMove | null {
  const { status, ...rest } = coreOf(call);
  const [only, ...more] = Object.entries(rest);
  const code = statusOf(status);
  if (only === undefined || more.length > 0 || code === null) return null;
  const [key, value] = only;
  const one = idNames.includes(key) ? cidOf(value) : null;
  if (one !== null) return { cids: [one], status: code };
  const cids = listNames.includes(key) ? cidsOf(value) : null;
  return cids === null || cids.length === 0 ? null : { cids, status: code };
}

/** True for a commit that, by the contract, writes exactly its payload: a campaign or `{ids, status}`, and no undocumented member. */
export function statesItsChange(call: Call): boolean {
  const { name, args } = call;
  const payload = own(args, 'payload');
  if (name !== commitTool || !isJsonObject(payload) || !Object.keys(args).every(isCommitMember)) return false;
  if (coreOf(call) !== payload) return false;
  return (
    cidOf(own(payload, 'cid')) !== null ||
    (isStatusCode(own(payload, 'status')) && Array.isArray(own(payload, 'ids')))
  );
}

function coreOf({ name, args }: Call): JsonObject {
  if (name === commitTool) {
    const payload = own(args, 'payload');
    return isJsonObject(payload) ? unwrapped(payload) : {};
  }
  const outer = Object.entries(args).filter(([key]) => !envelope.has(key));
  return unwrapped(unwrapped(Object.fromEntries(outer)));
}

/**
 * Returns the only object inside, if every id next to the object equals the object's own `cid`. A different id may change the
 * meaning, so the outer object is returned unchanged.
 */
function unwrapped(object: JsonObject): JsonObject {
  const isId = ([key, value]: [string, JsonValue]): boolean => idNames.includes(key) && cidOf(value) !== null;
  const entries = Object.entries(object);
  const [only, ...more] = entries.filter((entry) => !isId(entry));
  if (only === undefined || more.length > 0 || !isJsonObject(only[1])) return object;
  const inner = only[1];
  return entries.filter(isId).every(([, id]) => id === own(inner, 'cid')) ? inner : object;
}

function cidOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function cidsOf(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value) || value.length > maxCids) return null;
  const cids = value.flatMap((item) => cidOf(item) ?? []);
  return cids.length === value.length ? [...new Set(cids)] : null;
}

function statusOf(value: JsonValue | undefined): StatusCode | null {
  if (typeof value !== 'string') return isStatusCode(value) ? value : null;
  return statusCodes.find((code) => statusNames[code].toLowerCase() === value.toLowerCase()) ?? null;
}

/** Names without case and separators: `campaign_ids` and `Campaign-IDs` are equal. */
const names: ReadonlySet<string> = new Set([
  'cid',
  'cids',
  'ids',
  'campaign',
  'campaigns',
  'campaignid',
  'campaignids',
]);

const maxTargets = 1_000;

/** Every campaign id under an unambiguous name, at any depth: numbers, digits in texts, lists, and keys of an object. */
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

export function cidsIn(args: JsonObject): number[] {
  return [...namedCampaigns(args)].slice(0, maxTargets);
}

function idsIn(value: JsonValue): number[] {
  if (typeof value === 'number') return isId(value) ? [value] : [];
  if (typeof value === 'string') return idsInText(value);
  if (Array.isArray(value))
    return value.flatMap((item) => (isJsonObject(item) ? idsIn(item['id'] ?? null) : idsIn(item)));
  return isJsonObject(value) ? Object.keys(value).flatMap(idsInText) : [];
}

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
