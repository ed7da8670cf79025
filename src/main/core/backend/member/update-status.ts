import type { RouteHandlerMethod } from 'fastify';
import { readJsonObject } from '../http/json-body.ts';
import { success } from './member-service.ts';
import type { MemberService } from './member-service.ts';
import { readStatusBody } from './status-body.ts';
import { storeStatus } from './status-update.ts';

/** PUT /login/campaigns/update-status (contract §4.1, §3): all of the campaigns or none. */
export function updateStatus({ store }: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { uid } = request;
    const { ids, status } = readStatusBody(readJsonObject(request.body));
    store.transaction(() => storeStatus(store, { uid, ids, status }));
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(success('The status was updated.', { updated: ids, status }));
  };
}
