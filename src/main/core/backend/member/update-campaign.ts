import type { RouteHandlerMethod } from 'fastify';
import { readJsonObject } from '../http/json-body.ts';
import { storeUpdate } from './campaign-update.ts';
import { success } from './member-service.ts';
import type { MemberService } from './member-service.ts';
import { readCid } from './owned-campaign.ts';

/** PUT /login/campaigns/{cid} (contract §4.1): the complete campaign, validated, normalised, stored at once. */
export function updateCampaign(service: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { uid } = request;
    const sent = readJsonObject(request.body);
    const cid = readCid(request.params);
    service.store.transaction(() => storeUpdate(service, { uid, cid, sent }));
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(success('The campaign was updated.'));
  };
}
