import { hashedDefinition } from '#core/agents/tool-pins/definitions.ts';
import { defaultCampaigns } from '#core/backend/demo-data/make-demo-data.ts';
import { defaultDays } from '#core/backend/demo-data/statistics.ts';
import { systemClock } from '#core/platform/clock.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { withStore } from '#test/servers/stores.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import { copyOfTemplate } from '#test/servers/template-folder.ts';
import type { SessionOptions } from './session.ts';

/**
 * Returns the data folder of a new session: a copy of a folder that this worker made before, or an empty folder if the first
 * start is tested.
 */
export async function sessionFolder({
  clock = systemClock,
  demoCampaigns = defaultCampaigns,
  offersFirstStart = false,
}: SessionOptions): Promise<string> {
  if (offersFirstStart) return tempFolder();
  return copyOfTemplate({ campaigns: demoCampaigns, days: defaultDays, nowMs: clock.nowMs() });
}

/** Pins another definition of a tool than the service offers, as if the service had changed it since. */
export function changePinnedTool(dataFolder: string, name: string): void {
  pin(dataFolder, name, (definition) => ({ ...definition, description: 'As it was' }));
}

/**
 * Pins a tool with another title and description. If the service answers, it offers its own definition and the tool is held.
 */
export function giveToolWords(
  dataFolder: string,
  name: string,
  words: { title: string; description: string },
): void {
  pin(dataFolder, name, ({ annotations, ...definition }) => {
    const { title: _title, ...others } = annotations as JsonObject;
    return { ...definition, ...words, annotations: others };
  });
}

/** Pins a tool so that it accepts arguments that its definition does not name; see {@link giveToolWords}. */
export function openToolArguments(dataFolder: string, name: string): void {
  pin(dataFolder, name, ({ inputSchema, ...definition }) => {
    const { additionalProperties: _none, ...open } = inputSchema as JsonObject;
    return { ...definition, inputSchema: open };
  });
}

/** Changes the pinned definition of one of Demo's tools, and its hash accordingly. */
function pin(dataFolder: string, name: string, change: (definition: JsonObject) => JsonObject): void {
  withStore(dataFolder, ({ toolPins }) => {
    const found = toolPins.find('demo', name);
    if (found?.pinned == null) throw new Error(`${name} is not pinned`);
    const { hash, text } = hashedDefinition(change(JSON.parse(found.pinned.definition) as JsonObject));
    toolPins.put({ ...found, pinned: { ...found.pinned, definition: text, hash } });
  });
}

/** Stores an approval as prepared for every agent, with an empty body, as after an answer that Countersign could not read. */
export function rememberApproval(dataFolder: string, approvalId: string): void {
  const nowMs = systemClock.nowMs();
  const prepared = { approvalId, tool: 'svc_prepare_task', body: '{}', expiresAtMs: nowMs + 3_600_000 };
  withStore(dataFolder, ({ agents, agentCalls }) => {
    for (const { id } of agents.all()) agentCalls.savePrepared({ ...prepared, agentId: id }, nowMs);
  });
}
