import { listLimits, sortColumns } from '#shared/contract/index.ts';
import { answer, refusals, enveloped, json, reference, type OpenApiPart } from './schema.ts';

const security = [{ memberToken: [] }];
const tags = ['Member campaigns'];
const { firstPage, minPerPage, maxPerPage, defaultPerPage } = listLimits;

const cid: OpenApiPart = {
  name: 'cid',
  in: 'path',
  required: true,
  schema: { type: 'integer', minimum: 1 },
};

const listParameters: OpenApiPart[] = [
  query('page', { type: 'integer', minimum: firstPage, default: firstPage }),
  query('perPage', { type: 'integer', minimum: minPerPage, maximum: maxPerPage, default: defaultPerPage }),
  query('sort', { enum: sortColumns, default: 'cid' }),
  query('order', { enum: ['asc', 'desc'], default: 'desc' }),
  query('query', { type: 'string', description: 'A part of the name in any case; digits are an exact cid.' }),
  query('status', { type: 'integer', minimum: 0, maximum: 4 }),
  { ...query('types', { type: 'array', items: { type: 'integer' } }), explode: true },
];

const refusedWrites = refusals(
  'bad_input',
  'operation_refused',
  'unauthenticated',
  'insufficient_balance',
  'forbidden',
  'campaign_not_found',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'not_ready',
);

export const memberPaths: OpenApiPart = {
  '/api/v1/login/campaigns/campaigns': {
    get: {
      tags,
      security,
      operationId: 'listCampaigns',
      summary: 'List the member’s campaigns',
      parameters: listParameters,
      responses: {
        '200': answer('One page.', json(enveloped(reference('CampaignList')))),
        ...refusals('unauthenticated', 'forbidden', 'validation_failed', 'rate_limited', 'not_ready'),
      },
    },
  },
  '/api/v1/login/campaigns/{cid}': {
    get: {
      tags,
      security,
      operationId: 'getCampaign',
      summary: 'Load the complete campaign with types and settings',
      parameters: [cid],
      responses: {
        '200': answer('The campaign.', json(enveloped(reference('CampaignEdit')))),
        ...refusals('unauthenticated', 'forbidden', 'campaign_not_found', 'not_ready'),
      },
    },
    put: {
      tags,
      security,
      operationId: 'updateCampaign',
      summary: 'Validate and store the complete campaign',
      parameters: [cid],
      requestBody: { required: true, content: json(reference('Campaign')) },
      responses: {
        '200': answer('Stored. There is no data.', json(reference('Envelope'))),
        ...refusedWrites,
      },
    },
  },
  '/api/v1/login/campaigns/update-status': {
    put: {
      tags,
      security,
      operationId: 'updateStatus',
      summary: 'Change the status of one or more campaigns: all of them or none',
      requestBody: { required: true, content: json(reference('UpdateStatus')) },
      responses: {
        '200': answer('Stored.', json(enveloped(reference('UpdatedStatus')))),
        ...refusedWrites,
      },
    },
  },
};

function query(name: string, schema: OpenApiPart): OpenApiPart {
  return { name, in: 'query', schema };
}
