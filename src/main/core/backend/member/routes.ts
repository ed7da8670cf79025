import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { requireJsonType } from '#core/platform/loopback/index.ts';
import type { CampaignContext } from '#shared/contract/index.ts';
import type { BackendStore } from '#core/store/backend/index.ts';
import { refuseOtherMethods, readJsonObject } from '../http/create-app.ts';
import type { RawQuery } from '../http/query-reader.ts';
import { readListParameters, readStatusBody } from './parameters.ts';
import { loadOwnedText, readCid } from './stored-campaign.ts';
import { storeUpdate } from './campaign-update.ts';
import { storeStatus } from './status-rules.ts';

/** The path under which the member endpoints stand (contract §9). */
export const memberBasePath = '/api/v1';

const campaigns = `${memberBasePath}/login/campaigns`;

/** A campaign with ten thousand filter entries fits. */
const campaignBodyBytes = 4 * 1024 * 1024;

/** The four member endpoints (contract §4.1). Who asks and what type the body has is settled before the body is read. */
export function installMemberRoutes(app: FastifyInstance, service: MemberService): void {
  app.decorateRequest('uid', 0);
  void app.register(async (routes) => {
    routes.addHook('onRequest', (request, _reply, done) => {
      request.uid = service.authenticate(request);
      if (request.method === 'PUT') requireJsonType(request.raw);
      done();
    });
    routes.get(`${campaigns}/campaigns`, listCampaigns(service));
    routes.get(`${campaigns}/:cid`, getCampaign(service));
    routes.put(`${campaigns}/update-status`, updateStatus(service));
    routes.put(`${campaigns}/:cid`, { bodyLimit: campaignBodyBytes }, updateCampaign(service));
  });
  refuseOtherMethods(app, `${campaigns}/campaigns`, ['GET']);
  refuseOtherMethods(app, `${campaigns}/update-status`, ['PUT']);
  refuseOtherMethods(app, `${campaigns}/:cid`, ['GET', 'PUT']);
}

/** The parts that the member endpoints work with. */
interface MemberService {
  store: BackendStore;
  /** The tenant's types and settings; they do not change while it runs. */
  context: CampaignContext;
  /** The uid that the request's token names. */
  authenticate(request: FastifyRequest): number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The member who asks, set before the body is read; 0 without a sign-in. */
    uid: number;
  }
}

/** The body of every success (contract §2.1); the update answer has no data. */
function success(message: string, data?: object): string {
  return JSON.stringify({ status: 'success', message, ...(data === undefined ? {} : { data }) });
}

/** GET /login/campaigns/campaigns (contract §4.1, §2.2). Beyond the last page: no rows, right totals. */
function listCampaigns({ store }: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { query, page } = readListParameters(request.uid, request.query as RawQuery);
    const { rows, total } = store.read.list(query);
    // Rows are stored as the JSON that is sent.
    const data = `{"data":[${rows.join(',')}],"total":${total},"currentPage":${page},"totalPages":${Math.ceil(total / query.limit)}}`;
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(`{"status":"success","message":"Campaigns","data":${data}}`);
  };
}

/** GET /login/campaigns/{cid} (contract §4.1, §2.3): the complete campaign, the tenant's types and settings. */
function getCampaign({ store, context }: MemberService): RouteHandlerMethod {
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

/** PUT /login/campaigns/{cid} (contract §4.1): the complete campaign, validated, normalised, stored at once. */
function updateCampaign(service: MemberService): RouteHandlerMethod {
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

/** PUT /login/campaigns/update-status (contract §4.1, §3): all of the campaigns or none. */
function updateStatus({ store }: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { uid } = request;
    const { ids, status } = readStatusBody(readJsonObject(request.body));
    store.transaction(() => storeStatus(store, { uid, ids, status }));
    void reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(success('The status was updated.', { updated: ids, status }));
  };
}
