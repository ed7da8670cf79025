import type { PinnedDefinition, ToolPin, ToolPinRows } from '#core/store/app/index.ts';
import type { ToolView } from '#shared/app-api/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, jsonOrNull, objectAt } from '#shared/lib/json/json-value.ts';
import { hashedDefinition, changedParts, titleOf } from './definitions.ts';

/** `read` is sent, `prepare` is sent and stored, `write` waits for approval. */
export type ToolTreatment = 'read' | 'prepare' | 'write';

export interface TreatedPin extends ToolPin {
  treatAs: ToolTreatment;
}

/** From contract §4.3, or docs/service-choices.md if the contract is silent. */
const readTools: ReadonlySet<string> = new Set([
  'svc_whoami',
  'svc_list_campaigns',
  'svc_get_campaign',
  'svc_xml_stats',
  'svc_search_report',
  'svc_list_tasks',
  'svc_get_operation',
]);

const prepareTools: ReadonlySet<string> = new Set([
  'svc_prepare_campaign_update',
  'svc_prepare_campaign_status',
  'svc_prepare_upload',
  'svc_prepare_task',
  'svc_prepare_task_cancel',
]);

/** Never reads, whatever their annotations claim. */
const writeTools: ReadonlySet<string> = new Set(['svc_commit']);

/** Treats every tool as a write, except tools known by their exact names. Annotations can only turn a known tool into a write. */
export function treatmentOf(name: string, definition: JsonObject): ToolTreatment {
  const { readOnlyHint, destructiveHint } = hintsOf(definition);
  if (destructiveHint === true) return 'write';
  if (readTools.has(name)) return readOnlyHint === false ? 'write' : 'read';
  return prepareTools.has(name) ? 'prepare' : 'write';
}

/** True for known reads and prepares, and for claimed reads. */
export function mayBeRead(name: string, definition: JsonObject): boolean {
  if (treatmentOf(name, definition) !== 'write') return true;
  const { readOnlyHint, destructiveHint } = hintsOf(definition);
  return (
    !writeTools.has(name) && !prepareTools.has(name) && readOnlyHint === true && destructiveHint !== true
  );
}

export function loosestTreatment(name: string, definition: JsonObject): ToolTreatment {
  const usual = treatmentOf(name, definition);
  return usual === 'write' && mayBeRead(name, definition) ? 'read' : usual;
}

function hintsOf({ annotations }: JsonObject): JsonObject {
  return annotations !== undefined && isJsonObject(annotations) ? annotations : {};
}

export function toolView(pin: TreatedPin): ToolView {
  const { name, treatAs, pinned, offered, changes } = pin;
  const before = pinned === null ? null : parsed(pinned);
  const after = offered === null ? null : parsed(offered);
  const shown = before ?? after ?? {};
  const amendment = pinned === null || before === null ? null : amended(pinned.hash, before);
  const { description } = shown;
  return {
    name,
    title: titleOf(shown),
    description: typeof description === 'string' ? description : '',
    treatAs,
    mayRead: before !== null && mayBeRead(name, before),
    state: pinned === null ? 'new' : offered === null ? 'pinned' : 'changed',
    hash: pinned?.hash ?? null,
    pinnedAtMs: pinned?.atMs ?? null,
    changes,
    amendment: amendment === null ? null : changedParts(before, amendment),
    offered:
      offered === null || after === null
        ? null
        : { hash: offered.hash, atMs: offered.atMs, parts: changedParts(before, after) },
  };
}

/** Values that only this app can write. `read` fails with `secret_unreadable`. */
export interface SealedValues {
  read(place: { profile: string; name: string }): Buffer | null;
  write(place: { profile: string; name: string }, plain: Buffer): void;
  remove(place: { profile: string; name: string }): void;
}

export type AcceptedPins = ReturnType<typeof createAcceptedPins>;

/**
 * Reads the pins from the database. Uses a stored definition only if it matches its hash and its tool's name. A stored row can
 * make calls wait; only a choice that was sealed with the data key can let calls pass.
 */
export function createAcceptedPins(rows: ToolPinRows, sealed: SealedValues) {
  function isAllowed(pin: ToolPin): boolean {
    try {
      return sealed.read(placeOf(pin))?.toString() === pin.pinned?.hash;
    } catch (failure) {
      if (failure instanceof AppError) return false;
      throw failure;
    }
  }

  function treatmentNow(pin: ToolPin): ToolTreatment {
    if (pin.pinned === null || pin.isTightened) return 'write';
    const definition = parsed(pin.pinned);
    const usual = treatmentOf(pin.name, definition);
    return usual === 'write' && isAllowed(pin) ? loosestTreatment(pin.name, definition) : usual;
  }

  const treated = (pin: ToolPin): TreatedPin => ({ ...pin, treatAs: treatmentNow(pin) });

  function accepted(row: ToolPin): TreatedPin {
    const pinned = fits(row.name, row.pinned) ? row.pinned : null;
    const offered = fits(row.name, row.offered) ? row.offered : null;
    return treated({ ...row, pinned, offered });
  }

  return {
    of: (profileId: string): TreatedPin[] => rows.of(profileId).map(accepted),
    find(profileId: string, name: string): TreatedPin | null {
      const row = rows.find(profileId, name);
      return row === null ? null : accepted(row);
    },
    /** Adds the treatment to a pin, as `find` does for a stored pin. */
    treated,
    allow: (pin: ToolPin): void => sealed.write(placeOf(pin), Buffer.from(pin.pinned?.hash ?? '')),
    disallow: (pin: Pick<ToolPin, 'profileId' | 'name'>): void => sealed.remove(placeOf(pin)),
  };
}

function placeOf({ profileId, name }: Pick<ToolPin, 'profileId' | 'name'>): {
  profile: string;
  name: string;
} {
  return { profile: profileId, name: `tool-that-passes ${name}` };
}

function fits(name: string, stored: PinnedDefinition | null): boolean {
  if (stored === null) return false;
  const definition = jsonOrNull(stored.definition);
  if (!isJsonObject(definition) || definition['name'] !== name) return false;
  try {
    const { hash, text } = hashedDefinition(definition);
    return hash === stored.hash && text === stored.definition;
  } catch {
    // The text has no canonical form, so this app never stored it.
    return false;
  }
}

export function parsed({ definition }: { definition: string }): JsonObject {
  return JSON.parse(definition) as JsonObject;
}

type Amendment = (definition: JsonObject) => JsonObject;

const serviceInstruction =
  'Show diff and warnings to a person; only if that person agrees, call svc_commit with approval and payload unchanged.';
const countersignInstruction =
  'Then call svc_commit with its approval; Countersign asks the person, and shows what changes.';

const ofPrepare: Amendment = (definition) => {
  const { description } = definition;
  if (typeof description !== 'string') return definition;
  return { ...definition, description: description.replace(serviceInstruction, countersignInstruction) };
};

const ofCommit: Amendment = (definition) => {
  const inputSchema = objectAt(definition, 'inputSchema');
  const { confirmed: _byThePerson, payload: _payload, ...properties } = objectAt(inputSchema, 'properties');
  return {
    ...definition,
    description:
      'Asks a person to approve what an svc_prepare_… tool has prepared, writes exactly that, once, and reads it back. The call waits for the person. A batch is all or nothing. Needs svc:write.',
    inputSchema: {
      ...inputSchema,
      properties: {
        ...properties,
        payload: {
          type: 'object',
          description:
            'Leave it out: what was prepared under this approval is committed. Given, it has to be equal.',
        },
      },
      required: ['approvalId', 'fingerprint', 'idempotencyKey'],
    },
  };
};

/**
 * New wording for definitions of the embedded service that tell the agent to ask a person, by definition hash:
 * Countersign itself asks the person (docs/decisions/0064). Definitions with other hashes are listed unchanged.
 */
const amendments: ReadonlyMap<string, Amendment> = new Map([
  // svc_prepare_campaign_update, svc_prepare_campaign_status,
  // svc_prepare_upload, svc_prepare_task, svc_prepare_task_cancel
  ['0ee14fd3dc89affcfc17d868416f2887257180d7b3d0543672980bf33d9622cf', ofPrepare],
  ['a5ec300e24379099dd7fbe2da3c4e31c80144371909caf752d3944cbd27c27a3', ofPrepare],
  ['228b246c5de002e1a0373897b0a7611b0cb5e73031a51e3f0c009ae78e349772', ofPrepare],
  ['248510bdfa8aba0cd66b21460a782c9dc1e884b53f261cf39906e9ff0c7e281f', ofPrepare],
  ['77c1b05f24cee4fb852092512f850711329cdea6dea186b006dc4241dd8b118a', ofPrepare],
  // svc_commit
  ['1127405961eaf12368bb61f816f0fc9bb363c817058ea6362c92ade24cb20bfe', ofCommit],
]);

/** The definition to show to agents; null if it is shown unchanged. */
export function amended(hash: string, definition: JsonObject): JsonObject | null {
  return amendments.get(hash)?.(definition) ?? null;
}
