import { z } from 'zod';
import { campaignTypesSchema, settingsSchema } from '#shared/contract/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { loadOwnedText } from '../../member/stored-campaign.ts';
import type { BackendService } from '../../service.ts';
import { defineTool } from '../define-tool.ts';
import type { RemoteTool } from '../tool.ts';
import { campaignPayloadSchema } from './campaign-payload.ts';

/** `svc_get_campaign` (contract §2.3): the same as GET one over REST; foreign and absent ones are the same 404. */
export function getCampaignTool({ store, context }: BackendService): RemoteTool {
  const types = JSON.stringify(context.types);
  const settings = JSON.stringify(context.settings);
  return defineTool({
    name: 'svc_get_campaign',
    title: 'Get a campaign',
    description:
      'Loads one complete campaign with the campaign types and settings that its values must keep to. Read it before every change.',
    kind: 'read',
    scopes: [],
    modules: ['campaigns'],
    input: z.strictObject({ cid: z.int().min(1).describe('The campaign id.') }),
    output: z.strictObject({
      campaign: campaignPayloadSchema,
      campaign_types: campaignTypesSchema,
      settings: settingsSchema,
    }),
    run({ member }, { cid }) {
      const campaign = loadOwnedText(store.read, member.uid, cid);
      const dataText = `{"campaign":${campaign},"campaign_types":${types},"settings":${settings}}`;
      return { data: JSON.parse(dataText) as JsonValue, dataText };
    },
  });
}
