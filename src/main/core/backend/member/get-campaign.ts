import type { RouteHandlerMethod } from 'fastify';
import type { MemberService } from './member-service.ts';
import { loadOwnedText, readCid } from './owned-campaign.ts';

/** GET /login/campaigns/{cid} (contract §4.1, §2.3): the complete campaign, the tenant's types and settings. */
export function getCampaign({ store, context }: MemberService): RouteHandlerMethod {
  const types = JSON.stringify(context.types);
  const settings = JSON.stringify(context.settings);
  return (request, reply) => {
    const campaign = loadOwnedText(store.read, request.uid, readCid(request.params));
    const data = `{"campaign":${campaign},"campaign_types":${types},"settings":${settings}}`;
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(`{"status":"success","message":"Campaign","data":${data}}`);
  };
}
