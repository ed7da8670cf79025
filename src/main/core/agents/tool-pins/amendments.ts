import { type JsonObject, objectAt } from '#shared/lib/json/json-value.ts';

type Amendment = (definition: JsonObject) => JsonObject;

const asksItself =
  'Show diff and warnings to a person; only if that person agrees, call svc_commit with approval and payload unchanged.';
const countersignAsks =
  'Then call svc_commit with its approval; Countersign asks the person, and shows what changes.';

const ofPrepare: Amendment = (definition) => {
  const { description } = definition;
  if (typeof description !== 'string') return definition;
  return { ...definition, description: description.replace(asksItself, countersignAsks) };
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
