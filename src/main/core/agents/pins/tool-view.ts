import type { ToolPin } from '#core/store/app/index.ts';
import type { ToolView } from '#shared/app-api/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { partsOf, titleOf } from './definition.ts';
import { mayPass } from './tool-policy.ts';

/** A tool as the Agents page shows it. Every text is the service's own. */
export function toolView(pin: ToolPin): ToolView {
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
