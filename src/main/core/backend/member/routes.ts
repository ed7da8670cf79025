import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { requireJsonType } from '#core/platform/loopback/requests.ts';
import {
  type CampaignContext,
  isStatusCode,
  listLimits,
  sortColumns,
  type StatusCode,
} from '#shared/contract/index.ts';
import type { BackendStore, CampaignListQuery } from '#core/store/backend/index.ts';
import { refuseOtherMethods, readJsonObject } from '../http/create-app.ts';
import { type RawQuery, QueryReader } from '../http/query-reader.ts';
import { loadOwnedText, readCid, storeUpdate, storeStatus } from './campaign-rules.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import type { JsonObject, JsonValue } from '#shared/lib/json/json-value.ts';
import { defaultFormats } from '#shared/lib/formats.ts';
import { ownWords, type Sentence, sentence } from '#shared/lib/sentence.ts';

export const memberBasePath = '/api/v1';

const campaignsPath = `${memberBasePath}/login/campaigns`;

/** Large, because a campaign may have 10,000 filter entries. */
const campaignBodyBytes = 4 * 1024 * 1024;

/** Contract §4.1. The token and the content type are checked before the body is read. */
export function installMemberRoutes(app: FastifyInstance, service: MemberService): void {
  app.decorateRequest('uid', 0);
  void app.register(async (routes) => {
    routes.addHook('onRequest', (request, _reply, done) => {
      request.uid = service.authenticate(request);
      if (request.method === 'PUT') requireJsonType(request.raw);
      done();
    });
    routes.get(`${campaignsPath}/campaigns`, listCampaigns(service));
    routes.get(`${campaignsPath}/:cid`, getCampaign(service));
    routes.put(`${campaignsPath}/update-status`, updateStatus(service));
    routes.put(`${campaignsPath}/:cid`, { bodyLimit: campaignBodyBytes }, updateCampaign(service));
  });
  refuseOtherMethods(app, `${campaignsPath}/campaigns`, ['GET']);
  refuseOtherMethods(app, `${campaignsPath}/update-status`, ['PUT']);
  refuseOtherMethods(app, `${campaignsPath}/:cid`, ['GET', 'PUT']);
}

interface MemberService {
  store: BackendStore;
  context: CampaignContext;
  authenticate(request: FastifyRequest): number;
}

declare module 'fastify' {
  interface FastifyRequest {
    uid: number;
  }
}

/** `data` is inserted without escaping, so it must be valid JSON text. */
function sendSuccess(reply: FastifyReply, message: string, data?: string): void {
  const rest = data === undefined ? '' : `,"data":${data}`;
  void reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"status":"success","message":"${message}"${rest}}`);
}

function listCampaigns({ store }: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { query, page } = readListParameters(request.uid, request.query as RawQuery);
    const { rows, total } = store.read.list(query);
    const totalPages = Math.ceil(total / query.limit);
    const totals = `"total":${total},"currentPage":${page},"totalPages":${totalPages}`;
    sendSuccess(reply, 'Campaigns', `{"data":[${rows.join(',')}],${totals}}`);
  };
}

function getCampaign({ store, context }: MemberService): RouteHandlerMethod {
  const types = JSON.stringify(context.types);
  const settings = JSON.stringify(context.settings);
  return (request, reply) => {
    const campaign = loadOwnedText(store.read, request.uid, readCid(request.params));
    sendSuccess(
      reply,
      'Campaign',
      `{"campaign":${campaign},"campaign_types":${types},"settings":${settings}}`,
    );
  };
}

function updateCampaign(service: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { uid } = request;
    const sent = readJsonObject(request.body);
    const cid = readCid(request.params);
    service.store.transaction(() => storeUpdate(service, { uid, cid, sent }));
    sendSuccess(reply, 'The campaign was updated.');
  };
}

/** Changes all campaigns or none (contract §4.1, §3). */
function updateStatus({ store }: MemberService): RouteHandlerMethod {
  return (request, reply) => {
    const { uid } = request;
    const { ids, status } = readStatusBody(readJsonObject(request.body));
    store.transaction(() => storeStatus(store, { uid, ids, status }));
    sendSuccess(reply, 'The status was updated.', JSON.stringify({ updated: ids, status }));
  };
}

const maxTypes = 100;

interface ListParameters {
  query: CampaignListQuery;
  page: number;
}

/** Contract §4.1, §8. Ignores unknown parameters; a type that is not enabled matches no campaign. Fails with `validation_failed`. */
function readListParameters(uid: number, raw: RawQuery): ListParameters {
  const reader = new QueryReader(raw);
  const { firstPage, minPerPage, maxPerPage, defaultPerPage } = listLimits;
  const page = reader.integer('page', {
    min: firstPage,
    max: Number.MAX_SAFE_INTEGER,
    otherwise: firstPage,
  });
  const limit = reader.integer('perPage', { min: minPerPage, max: maxPerPage, otherwise: defaultPerPage });
  const sort = reader.oneOf('sort', { words: sortColumns, otherwise: 'cid' });
  const order = reader.oneOf('order', { words: ['asc', 'desc'] as const, otherwise: 'desc' });
  const status = reader.integer('status', { min: 0, max: 4, otherwise: null });
  const types = reader.integers('types', maxTypes);
  const match = matchOf(reader.text('query') ?? '');
  reader.finish();
  const offset = (page - firstPage) * limit;
  return {
    page,
    query: { uid, match, status: isStatusCode(status) ? status : null, types, sort, order, offset, limit },
  };
}

function matchOf(text: string): CampaignListQuery['match'] {
  const wanted = text.trim();
  if (wanted === '') return { kind: 'all' };
  return /^\d+$/.test(wanted) ? { kind: 'cid', cid: Number(wanted) } : { kind: 'text', text: wanted };
}

const maxIds = 1_000;

const maxNamedFields = 100;

/** Contract §4.1. Fails with `validation_failed`. */
function readStatusBody(body: JsonObject): { ids: number[]; status: StatusCode } {
  const { ids, status, ...others } = body;
  const fields = [
    ...failuresOfIds(ids),
    ...failuresOfStatus(status),
    ...failuresOfUnknownFields(Object.keys(others)),
  ];
  if (fields.length > 0 || !Array.isArray(ids) || !isStatusCode(status)) {
    throw new AppError('validation_failed', { fields });
  }
  return { ids: [...new Set(ids as number[])], status };
}

function failuresOfIds(ids: JsonValue | undefined): FieldError[] {
  if (ids === undefined) return [failure('ids', 'required', sentence`Name the campaigns.`)];
  if (!Array.isArray(ids))
    return [failure('ids', 'wrong_type', sentence`ids must be a list of campaign ids.`)];
  if (ids.length === 0) return [failure('ids', 'needs_value', sentence`Name at least one campaign.`)];
  if (ids.length > maxIds)
    return [failure('ids', 'out_of_range', sentence`Name at most ${maxIds} campaigns.`)];
  return ids.flatMap((id, at) =>
    Number.isSafeInteger(id)
      ? []
      : [failure(`ids[${at}]`, 'wrong_type', sentence`A campaign id is a whole number.`)],
  );
}

function failuresOfStatus(status: JsonValue | undefined): FieldError[] {
  if (status === undefined) return [failure('status', 'required', sentence`Name the status.`)];
  if (isStatusCode(status)) return [];
  const code = Number.isInteger(status) ? 'out_of_range' : 'wrong_type';
  return [failure('status', code, sentence`Status must be a whole number from 0 to 4.`)];
}

function failuresOfUnknownFields(fields: readonly string[]): FieldError[] {
  const text = sentence`Only ids and status are taken.`;
  const named = fields.slice(0, maxNamedFields).map((field) => failure(field, 'unknown_field', text));
  const [next] = fields.slice(maxNamedFields);
  if (next === undefined) return named;
  const more = defaultFormats.count(fields.length - maxNamedFields);
  return [
    ...named,
    failure(next, 'unknown_field', sentence`${ownWords(text)} There are ${ownWords(more)} more fields.`),
  ];
}

function failure(field: string, code: string, message: Sentence): FieldError {
  return { field, code, message };
}
