import type { RouteHandlerMethod } from 'fastify';
import { normaliseCampaign } from '#shared/campaign/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { BackendReader } from '#core/store/backend/index.ts';
import { readJsonObject } from '../http/json-body.ts';
import { recordOf } from './campaign-record.ts';
import { rejectForbiddenStatus } from './checks/changed-status.ts';
import { rejectForeignOwner } from './checks/owner.ts';
import { rejectInvalidPayload } from './checks/valid-payload.ts';
import { success } from './member-service.ts';
import type { MemberService } from './member-service.ts';
import { loadOwned, readCid } from './owned-campaign.ts';

/** A full update on its way: what was sent and what it would replace. */
export interface CampaignUpdate {
  uid: number;
  read: BackendReader;
  payload: JsonObject;
  stored: JsonObject;
  context: CampaignContext;
}

/** What a full update must pass, in this order. */
const checks: readonly ((update: CampaignUpdate) => void)[] = [
  rejectForeignOwner,
  rejectInvalidPayload,
  rejectForbiddenStatus,
];

/** PUT /login/campaigns/{cid} (contract §4.1): the complete campaign, validated, normalised, stored at once. */
export function updateCampaign({ store, context }: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { uid } = request;
    const sent = readJsonObject(request.body);
    const cid = readCid(request.params);
    store.transaction(() => {
      const stored = loadOwned(store.read, uid, cid);
      const update = { uid, read: store.read, payload: withPathCid(sent, cid), stored, context };
      for (const check of checks) check(update);
      store.write.replaceCampaign(recordOf(normaliseCampaign(update.payload), context));
    });
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(success('The campaign was updated.'));
  };
}

/** The path cid is authoritative (contract §4.1, rule 2); a body without the key is still incomplete. */
function withPathCid(sent: JsonObject, cid: number): JsonObject {
  return Object.hasOwn(sent, 'cid') ? { ...sent, cid } : sent;
}
