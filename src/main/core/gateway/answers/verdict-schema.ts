import { isJsonObject, type JsonObject, type JsonValue, objectAt, own } from '#shared/lib/json/json-value.ts';

/** The member of a structured answer that contains Countersign's verdict on a change (docs/decisions/0030). */
export const verdictMember = 'countersign';

const verdictNames = [
  'verified',
  'differs',
  'done',
  'refused',
  'unknown',
  'waiting',
  'approved',
  'denied',
  'expired',
  'withdrawn',
  'stale',
] as const;

export type VerdictName = (typeof verdictNames)[number];

const text = { type: 'string' };

export const memberSchema: JsonObject = {
  type: 'object',
  description:
    'Added by Countersign, the proxy between you and the service: what a person decided, and what reading the change back found. Trust it over the rest of the answer.',
  properties: {
    verdict: { enum: [...verdictNames] },
    proposalId: text,
    expiresAt: { type: ['string', 'null'], description: 'Until when a person may decide, UTC.' },
    ledgerRow: { type: ['integer', 'null'], description: 'Its newest row in the ledger of Countersign.' },
    reason: { type: ['string', 'null'], description: 'Why a person denied it.' },
    message: text,
    next: { type: 'string', description: 'What to do now.' },
    nextCall: {
      type: ['object', 'null'],
      description: 'The call that does it.',
      properties: { name: text, arguments: { type: 'object' } },
    },
    differences: {
      type: 'array',
      description: 'Each field that is not stored as it was sent.',
      items: { type: 'object', properties: { field: text, verdict: text, sent: text, found: text } },
    },
  },
  required: ['verdict', 'proposalId', 'message', 'next', 'differences'],
};

const annotations = [
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'examples',
];
const plain = new Set([...annotations, 'type', 'properties', 'required']);
const closing = ['additionalProperties', 'unevaluatedProperties'];
const combining = ['allOf', 'anyOf', 'oneOf'];

const maxDepth = 8;

/**
 * Adds the optional member of Countersign to an output schema. Null if the member could break the schema, or if that is
 * undecidable: references at the top, patterns over names, conditions. The service's part stays as strict as before.
 */
export function withVerdictMember(schema: JsonObject): JsonObject | null {
  const { [verdictMember]: _theirs, ...others } = objectAt(schema, 'properties');
  const required = own(schema, 'required');
  const ours = {
    ...schema,
    properties: others,
    ...(Array.isArray(required) ? { required: required.filter((name) => name !== verdictMember) } : {}),
  };
  const opened = open(ours, 0);
  if (opened === null) return null;
  return { ...opened, properties: { ...others, [verdictMember]: memberSchema } };
}

/** The schema, changed so that the member is always allowed. Null if that cannot be decided. */
function open(schema: JsonValue, depth: number): JsonObject | null {
  if (!isJsonObject(schema) || depth > maxDepth || isNamed(schema)) return null;
  const opened: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (combining.includes(key)) {
      const parts = Array.isArray(value) ? value.map((part) => open(part, depth + 1)) : [null];
      if (!parts.every((part) => part !== null)) return null;
      opened[key] = parts;
    } else if (plain.has(key) || closing.includes(key) || (key === 'not' && isIndifferent(value))) {
      opened[key] = value;
    } else return null;
  }
  const isClosed = closing.some((key) => Object.hasOwn(schema, key) && schema[key] !== true);
  if (!isClosed || depth === 0) return opened;
  return { ...opened, properties: { ...objectAt(schema, 'properties'), [verdictMember]: true } };
}

/**
 * True if the added member cannot change the result of this `not` schema, because the schema neither names nor counts members.
 */
function isIndifferent(schema: JsonValue): boolean {
  if (!isJsonObject(schema) || isNamed(schema)) return false;
  return Object.keys(schema).every((key) => ['type', 'properties', 'required'].includes(key));
}

function isNamed(schema: JsonObject): boolean {
  const required = own(schema, 'required');
  return (
    Object.hasOwn(objectAt(schema, 'properties'), verdictMember) ||
    (Array.isArray(required) && required.includes(verdictMember))
  );
}

/** True if an answer under this output schema may have the member, or if there is no schema. */
export function takesVerdict(schema: JsonValue | undefined): boolean {
  return schema === undefined || (isJsonObject(schema) && withVerdictMember(schema) !== null);
}

/**
 * The members that replace a lost answer of the service, besides the verdict: `status: 'success'` (contract §7.3), and required
 * members with neutral values such as null. Null if the schema requires a value that only the service has.
 */
export function membersOfLostAnswer(schema: JsonValue | undefined): JsonObject | null {
  if (schema === undefined) return {};
  if (!isJsonObject(schema) || !takesVerdict(schema)) return null;
  const status = objectAt(objectAt(schema, 'properties'), 'status');
  if (!wordsOf(status).includes('success')) return null;
  const others = lostObject(schema, { but: 'status', depth: 0 });
  return others === null ? null : { status: 'success', ...others };
}

const understood = new Set([...plain, ...closing, 'enum']);

/** A neutral value, or `completed`, because the read-back confirmed that. Undefined if the schema allows neither. */
function lostValue(schema: JsonValue | undefined, depth: number): JsonValue | undefined {
  if (schema === undefined || schema === true) return null;
  if (!isJsonObject(schema) || depth > maxDepth) return undefined;
  if (!Object.keys(schema).every((key) => understood.has(key))) return undefined;
  if (Object.hasOwn(schema, 'enum')) return wordsOf(schema).includes('completed') ? 'completed' : undefined;
  const type = own(schema, 'type');
  const types = Array.isArray(type) ? type : [type ?? 'null'];
  if (types.includes('null')) return null;
  return types.includes('object') ? (lostObject(schema, { but: null, depth }) ?? undefined) : undefined;
}

function lostObject(
  schema: JsonObject,
  { but, depth }: { but: string | null; depth: number },
): JsonObject | null {
  if (!Object.keys(schema).every((key) => understood.has(key))) return null;
  const required = own(schema, 'required') ?? [];
  if (!Array.isArray(required)) return null;
  const members: JsonObject = {};
  for (const name of required) {
    if (typeof name !== 'string') return null;
    if (name === but) continue;
    const value = lostValue(own(objectAt(schema, 'properties'), name), depth + 1);
    if (value === undefined) return null;
    members[name] = value;
  }
  return members;
}

function wordsOf(schema: JsonObject): JsonValue[] {
  const words = own(schema, 'enum');
  return Array.isArray(words) ? words : [];
}

/** Removes members that only Countersign may set from a service's answer. */
export function withoutVerdict(answer: JsonObject): JsonObject {
  const content = own(answer, 'structuredContent');
  const meta = own(answer, '_meta');
  return {
    ...answer,
    ...(isSpoken(content, verdictMember) ? { structuredContent: without(content, verdictMember) } : {}),
    ...(isSpoken(meta, verdictKey) ? { _meta: without(meta, verdictKey) } : {}),
  };
}

/** The member of `_meta` with Countersign's verdict on every field, for programs. */
export const verdictKey = 'countersign/verdict';

function isSpoken(value: JsonValue | undefined, name: string): value is JsonObject {
  return isJsonObject(value) && Object.hasOwn(value, name);
}

function without(value: JsonObject, name: string): JsonObject {
  const { [name]: _said, ...rest } = value;
  return rest;
}
