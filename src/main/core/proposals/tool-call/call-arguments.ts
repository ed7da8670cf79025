import { isStatusCode, statusCodes, statusNames, type StatusCode } from '#shared/contract/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** The one tool that writes what was prepared (contract §4.3, steps 3 to 5). */
export const commitTool = 'svc_commit';

/** The agent's own key, as it goes up; null where there is none. */
export function keyIn(args: JsonObject): string | null {
  const key = args['idempotencyKey'];
  return typeof key === 'string' && key !== '' ? key : null;
}

/** What a call carries besides the change itself. */
const envelope: ReadonlySet<string> = new Set(['approvalId', 'fingerprint', 'idempotencyKey', 'confirmed']);
const idNames: readonly string[] = ['cid', 'campaignId', 'campaign_id'];
const listNames: readonly string[] = ['cids', 'campaignIds', 'campaign_ids'];

/** More campaigns than this are no list that anybody looks at. */
const mostCids = 1_000;

/** A change of status that the arguments spell out and nothing else beside it. */
export interface StatusMove {
  cids: number[];
  status: StatusCode;
}

/**
 * What could be a complete campaign: the arguments themselves, or the only object in them (`payload`, `payload.campaign`).
 * Null where there is none, or where something stands beside it that could mean more.
 */
export function campaignIn(args: JsonObject): JsonObject | null {
  const core = coreOf(args);
  return cidOf(core['cid']) === null ? null : core;
}

/** `{ids | cids | cid, status}`, alone; null for anything else. */
export function statusMoveIn(args: JsonObject): StatusMove | null {
  const { status, ...rest } = coreOf(args);
  const [only, ...more] = Object.entries(rest);
  const code = statusOf(status);
  if (only === undefined || more.length > 0 || code === null) return null;
  const [key, value] = only;
  const one = idNames.includes(key) ? cidOf(value) : null;
  if (one !== null) return { cids: [one], status: code };
  const cids = key === 'ids' || listNames.includes(key) ? cidsOf(value) : null;
  return cids === null || cids.length === 0 ? null : { cids, status: code };
}

/**
 * Every campaign that the arguments name, in lists of objects too, at most two levels down; only names that mean nothing else
 * count. What a tool may read as an id counts as one: digits in a text, and each id of a list that holds other things besides.
 */
export function cidsIn(args: JsonObject): number[] {
  const found = new Set<number>();
  const add = (cid: number | null): void => {
    if (cid !== null) found.add(cid);
  };
  const look = (object: JsonObject, levels: number): void => {
    for (const [key, value] of Object.entries(object)) {
      if (idNames.includes(key)) add(readableCid(value));
      if (listNames.includes(key) && Array.isArray(value)) for (const item of value) add(readableCid(item));
      if (levels > 0) for (const inner of objectsIn(value)) look(inner, levels - 1);
    }
  };
  look(args, 2);
  return [...found].slice(0, mostCids);
}

/** The change without its envelope, out of at most two objects that hold nothing else. */
function coreOf(args: JsonObject): JsonObject {
  const outer = Object.entries(args).filter(([key]) => !envelope.has(key));
  return unwrapped(unwrapped(Object.fromEntries(outer)));
}

/** An id beside the object names its campaign; one that is not plainly an id may mean more, and stays. */
function unwrapped(object: JsonObject): JsonObject {
  const isId = ([key, value]: [string, JsonValue]): boolean => idNames.includes(key) && cidOf(value) !== null;
  const [only, ...more] = Object.entries(object).filter((entry) => !isId(entry));
  return only !== undefined && more.length === 0 && isJsonObject(only[1]) ? only[1] : object;
}

function objectsIn(value: JsonValue): JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject);
}

function readableCid(value: JsonValue | undefined): number | null {
  return cidOf(typeof value === 'string' && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : value);
}

function cidOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function cidsOf(value: JsonValue | undefined): number[] | null {
  if (!Array.isArray(value) || value.length > mostCids) return null;
  const cids = value.flatMap((item) => cidOf(item) ?? []);
  return cids.length === value.length ? [...new Set(cids)] : null;
}

function statusOf(value: JsonValue | undefined): StatusCode | null {
  if (typeof value !== 'string') return isStatusCode(value) ? value : null;
  return statusCodes.find((code) => statusNames[code].toLowerCase() === value.toLowerCase()) ?? null;
}
