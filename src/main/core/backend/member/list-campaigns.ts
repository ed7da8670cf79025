import type { RouteHandlerMethod } from 'fastify';
import type { RawQuery } from '../http/query-reader.ts';
import { readListParameters } from './list-parameters.ts';
import type { MemberService } from './member-service.ts';

/** GET /login/campaigns/campaigns (contract §4.1, §2.2). Beyond the last page: no rows, right totals. */
export function listCampaigns({ store }: MemberService): RouteHandlerMethod {
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
