import type { ToolPin } from '#core/store/app/index.ts';
import type { ToolView } from '#shared/app-api/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { partsOf, titleOf } from './definition.ts';

/** `read` passes, `prepare` passes and is remembered, `write` waits for a person. */
export type ToolTreatment = 'read' | 'prepare' | 'write';

/** A pin with the treatment that policy gives it now. */
export interface TreatedPin extends ToolPin {
  treatAs: ToolTreatment;
}

/** Tools of the contract that read (contract §4.3, and docs/service-choices.md if it is silent). */
const reads: ReadonlySet<string> = new Set([
  'svc_whoami',
  'svc_list_campaigns',
  'svc_get_campaign',
  'svc_xml_stats',
  'svc_search_report',
  'svc_list_tasks',
  'svc_get_operation',
]);

/** Tools that keep an approval for a later commit, and change nothing else. */
const prepares: ReadonlySet<string> = new Set([
  'svc_prepare_campaign_update',
  'svc_prepare_campaign_status',
  'svc_prepare_upload',
  'svc_prepare_task',
  'svc_prepare_task_cancel',
]);

/** Tools that are never a read, whatever their annotations say. */
const writes: ReadonlySet<string> = new Set(['svc_commit']);

/**
 * Returns the local policy for calls of a tool. Every tool is a write but those known by their exact names;
 * annotations can only make a known one a write.
 */
export function treatmentOf(name: string, definition: JsonObject): ToolTreatment {
  const { readOnlyHint, destructiveHint } = hintsOf(definition);
  if (destructiveHint === true) return 'write';
  if (reads.has(name)) return readOnlyHint === false ? 'write' : 'read';
  return prepares.has(name) ? 'prepare' : 'write';
}

/** True if the user may let its calls pass: the tool claims to only read, and is not known as a write. */
export function mayPass(name: string, definition: JsonObject): boolean {
  if (treatmentOf(name, definition) !== 'write') return true;
  const { readOnlyHint, destructiveHint } = hintsOf(definition);
  return !writes.has(name) && !prepares.has(name) && readOnlyHint === true && destructiveHint !== true;
}

/** Treatment of a tool that the user lets pass. */
export function loosest(name: string, definition: JsonObject): ToolTreatment {
  const usual = treatmentOf(name, definition);
  return usual === 'write' && mayPass(name, definition) ? 'read' : usual;
}

function hintsOf({ annotations }: JsonObject): JsonObject {
  return annotations !== undefined && isJsonObject(annotations) ? annotations : {};
}

/** A tool as the Agents page shows it. Every text is the service's own. */
export function toolView(pin: TreatedPin): ToolView {
  const { name, treatAs, pinned, offered, changes } = pin;
  const before = pinned === null ? null : (JSON.parse(pinned.definition) as JsonObject);
  const after = offered === null ? null : (JSON.parse(offered.definition) as JsonObject);
  const shown = before ?? after ?? {};
  const { description } = shown;
  return {
    name,
    title: titleOf(shown),
    description: typeof description === 'string' ? description : '',
    treatAs,
    mayRead: before !== null && mayPass(name, before),
    state: pinned === null ? 'new' : offered === null ? 'pinned' : 'changed',
    hash: pinned?.hash ?? null,
    pinnedAtMs: pinned?.atMs ?? null,
    changes,
    offered:
      offered === null || after === null
        ? null
        : { hash: offered.hash, atMs: offered.atMs, parts: partsOf(before, after) },
  };
}
