import type { FastifyInstance } from 'fastify';
import { requireJsonType } from '#core/platform/loopback/index.ts';
import { refuseOtherMethods } from '../http/other-methods.ts';
import { getCampaign } from './get-campaign.ts';
import { listCampaigns } from './list-campaigns.ts';
import type { MemberService } from './member-service.ts';
import { updateCampaign } from './update-campaign.ts';
import { updateStatus } from './update-status.ts';

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
