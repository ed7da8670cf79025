import type { Backend } from '#core/backend/index.ts';
import { silentLogger } from '#core/platform/logger.ts';
import { createRemoteClient } from '#core/service-client/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** A client of Demo with the app's own offline grant, without the gate. The service attributes its tasks to the app. */
export interface TaskClient {
  /** Makes a task that pauses the campaign every day at 09:00 in Berlin, and returns its id. */
  pauseEveryMorning(cid: number): Promise<string>;
  cancel(taskId: string): Promise<void>;
  /** Returns the states of its tasks, oldest first. */
  states(): Promise<JsonValue[]>;
  dispose(): Promise<void>;
}

export function createTaskClient(service: Backend, serviceUrl: string): TaskClient {
  const token = async (): Promise<string> => {
    const scopes = ['svc:read', 'svc:write', 'svc:upload', 'offline_access'] as const;
    return (await service.issueRemoteGrant({ account: 'buyer', scopes, isPersistent: true })).accessToken;
  };
  const remote = createRemoteClient({
    mcpUrl: new URL(serviceUrl).origin,
    access: { token, renew: token },
    timeoutMs: 60_000,
    logger: silentLogger,
  });

  async function call(name: string, args: JsonObject): Promise<JsonObject> {
    const { structuredContent } = await remote.callTool(name, args);
    const data = isJsonObject(structuredContent ?? null) ? (structuredContent as JsonObject)['data'] : null;
    if (data === null || data === undefined || !isJsonObject(data))
      throw new Error(JSON.stringify(structuredContent));
    return data;
  }

  async function commit(data: JsonObject): Promise<void> {
    const { approval, payload } = data as { approval: JsonObject; payload: JsonObject };
    const [approvalId, fingerprint] = [approval['id'] ?? null, approval['fingerprint'] ?? null];
    const idempotencyKey = `other-${String(approvalId)}`;
    await call('svc_commit', { approvalId, fingerprint, payload, idempotencyKey, confirmed: true });
  }

  return {
    async pauseEveryMorning(cid) {
      const prepared = await call('svc_prepare_task', {
        name: 'Quiet “mornings”',
        kind: 'campaign_status',
        schedule: { type: 'daily', time: '09:00', timezone: 'Europe/Berlin' },
        parameters: { cids: [cid], status: 'paused' },
      });
      await commit(prepared);
      return String((prepared['payload'] as JsonObject)['id']);
    },
    cancel: async (taskId) => commit(await call('svc_prepare_task_cancel', { taskId })),
    async states() {
      const { structuredContent } = await remote.callTool('svc_list_tasks', {});
      const { data } = structuredContent as { data: JsonObject[] };
      return data.map(({ state }) => state ?? null);
    },
    dispose: () => remote.dispose(),
  };
}
