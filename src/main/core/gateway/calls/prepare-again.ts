import type { ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import { assertAccepted, isCommitMember, type PrepareAtService } from '#core/proposals/index.ts';
import { callRepeatable } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { assertFits, undeclaredIn } from './assert-fits.ts';
import { readPrepared } from './prepared.ts';

export interface PrepareAgainOptions {
  connections: Pick<Connections, 'of'>;
  pins: Pick<ToolPins, 'find'>;
  /** Reads the service's tools now. Fails as the read does. */
  isOfferedAsPinned(profileId: string, tool: { name: string; definitionHash: string }): Promise<boolean>;
}

/**
 * Prepares a change again for a person, with a tool that is a prepare by local policy and is still offered as pinned. The commit
 * keeps everything but approval, fingerprint and payload. It keeps the idempotency key too, because nothing was sent with it.
 */
export function createPrepareAgain(options: PrepareAgainOptions): PrepareAtService {
  const { connections, pins, isOfferedAsPinned } = options;

  /** Fails with `tool_held`, or with `prepare_again_impossible` if the tool is gone or now counts as a write. */
  async function assertPrepares(profileId: string, name: string): Promise<void> {
    const tool = pins.find(profileId, name);
    if (tool === null) throw new AppError('prepare_again_impossible', { message: toolGone });
    if (tool.isHeld || !(await isOfferedAsPinned(profileId, { name, definitionHash: tool.hash }))) {
      throw new AppError('tool_held');
    }
    if (tool.treatAs !== 'prepare') throw new AppError('prepare_again_impossible', { message: toolWrites });
  }

  return async (profileId, { commit, preparation }) => {
    await assertPrepares(profileId, preparation.tool);
    const tool = pins.find(profileId, commit.name);
    if (tool === null || tool.isHeld) throw new AppError('tool_held');
    const { remote } = connections.of(profileId);
    const answer = await callRepeatable(remote, preparation.tool, preparation.args);
    assertAccepted(answer);
    const prepared = readPrepared(answer);
    if (prepared === null) throw new AppError('service_answer_unreadable');
    const { approvalId, fingerprint, payload, changes, endsAtMs } = prepared;
    const args: JsonObject = {
      ...commit.args,
      approvalId,
      ...(fingerprint === null ? {} : { fingerprint }),
      payload,
    };
    const { inputSchema } = tool.definition;
    const undeclared = undeclaredIn(args, inputSchema, isCommitMember);
    assertFits(args, inputSchema, undeclared);
    return {
      tool: { name: tool.name, title: tool.title, definitionHash: tool.hash },
      args,
      undeclared: undeclared.map(({ path }) => path),
      prepared: { payload, changes, endsAtMs, call: preparation },
    };
  };
}

const toolGone = 'The service no longer offers the tool by which this was prepared. Nothing was sent.';
const toolWrites =
  'The tool by which this was prepared counts as a write now, so Countersign does not call it by itself. Nothing was sent.';
