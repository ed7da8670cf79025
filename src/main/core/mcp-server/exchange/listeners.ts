import type { ServerResponse } from 'node:http';
import { metaKeys } from '#core/platform/mcp-envelope.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';
import { invalidParams, type RequestId } from '../rpc-error.ts';
import { openEventStream } from '../session/event-stream.ts';
import {
  changedLists,
  createKnownLists,
  type KnownLists,
  listKinds,
  type ListKind,
} from '../session/methods.ts';
import type { McpLimits, McpServerOptions, Principal, StatelessClient } from '../surface.ts';
import { declaresTasks } from './envelope.ts';

interface Listener<P extends Principal> {
  principal: P;
  lists: readonly ListKind[];
  known: KnownLists<P>;
  notify(method: string, params?: JsonObject): void;
  end(): void;
}

/** The streams of `subscriptions/listen` (MCP 2026-07-28, Subscriptions). */
export interface Listeners<P extends Principal> {
  /** Opens a stream and acknowledges the lists and tasks that it will report. Fails with an `RpcError`. */
  open(
    asked: { principal: P; id: RequestId; params: JsonObject },
    client: StatelessClient,
    response: ServerResponse,
  ): void;
  listsChanged(isConcerned: (key: string) => boolean): void;
  end(isConcerned: (principal: P) => boolean): void;
  keys(): string[];
}

export function createListeners<P extends Principal>(
  { surface, info, logger, onSessions }: McpServerOptions<P>,
  limits: McpLimits,
): Listeners<P> {
  const listeners = new Set<Listener<P>>();

  function makeRoom(key: string): void {
    const own = [...listeners].filter(({ principal }) => principal.key === key);
    if (own.length >= limits.maxSessionsPerPrincipal) own[0]?.end();
    const [oldest] = listeners;
    if (listeners.size >= limits.maxSessions) oldest?.end();
  }

  function tasksOf(principal: P, client: StatelessClient, ids: unknown): string[] {
    const { tasks } = surface;
    if (tasks === undefined || !Array.isArray(ids) || !declaresTasks(client.capabilities)) return [];
    const asked = [...new Set(ids)].filter((id): id is string => typeof id === 'string');
    return asked.slice(0, limits.maxSubscriptionsPerSession).filter((id) => {
      try {
        tasks.find(principal, id);
        return true;
      } catch {
        return false;
      }
    });
  }

  function report(principal: P, taskId: string, signal: AbortSignal, notify: Listener<P>['notify']): void {
    const { tasks } = surface;
    if (tasks === undefined) return;
    tasks
      .ended(principal, taskId, signal)
      .then((task) => {
        if (!signal.aborted) notify('notifications/tasks', task);
      })
      .catch((err: unknown) => {
        if (!signal.aborted) logger.error({ err }, 'The end of a task could not be reported');
      });
  }

  return {
    open({ principal, id, params }, client, response) {
      const { notifications } = params;
      if (!isJsonObject(notifications)) throw invalidParams('`notifications` must be an object.');
      const lists = listKinds.filter((kind) => notifications[`${kind}ListChanged`] === true);
      const taskIds = tasksOf(principal, client, notifications['taskIds']);
      makeRoom(principal.key);
      const known = createKnownLists(surface, principal);
      const left = new AbortController();
      const subscription = { [metaKeys.subscription]: id };
      const stream = openEventStream(response, {
        sessionId: null,
        keepAliveMs: limits.keepAliveMs,
        heldMs: 0,
        onEnd() {
          left.abort();
          if (listeners.delete(listener)) onSessions?.();
        },
      });
      const send = (message: JsonObject): void =>
        stream.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
      const listener: Listener<P> = {
        principal,
        lists,
        known,
        notify: (method, more = {}) => send({ method, params: { ...more, _meta: subscription } }),
        end() {
          const _meta = { ...subscription, [metaKeys.serverInfo]: info };
          send({ id, result: { resultType: 'complete', _meta } });
          stream.end();
        },
      };
      const honored = {
        ...Object.fromEntries(lists.map((kind) => [`${kind}ListChanged`, true])),
        ...(taskIds.length === 0 ? {} : { taskIds }),
      };
      listener.notify('notifications/subscriptions/acknowledged', { notifications: honored });
      if (Object.keys(honored).length === 0 || response.destroyed) {
        listener.end();
        return;
      }
      listeners.add(listener);
      for (const taskId of taskIds) report(principal, taskId, left.signal, listener.notify);
    },
    listsChanged(isConcerned) {
      for (const listener of listeners) {
        if (!isConcerned(listener.principal.key)) continue;
        const now = surface.current === undefined ? listener.principal : surface.current(listener.principal);
        if (now === null) {
          listener.end();
          continue;
        }
        listener.principal = now;
        for (const kind of changedLists(listener.known, now, logger)) {
          if (listener.lists.includes(kind)) listener.notify(`notifications/${kind}/list_changed`);
        }
      }
    },
    end(isConcerned) {
      for (const listener of listeners) if (isConcerned(listener.principal)) listener.end();
    },
    keys: () => [...listeners].map(({ principal }) => principal.key),
  };
}
