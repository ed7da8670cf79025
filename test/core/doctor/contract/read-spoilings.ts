import {
  items,
  list,
  isList,
  isOne,
  at,
  asking,
  posting,
  edit,
  say,
  turn,
  ignore,
  insteadOf,
  rowsOf,
  campaignOf,
  set,
  pagination,
  campaigns,
  html,
  resource,
  server,
  search,
  xml,
  walk,
} from './spoil.ts';
import type { Spoiling } from './spoiling-proxy.ts';

/** Spoilings, each with its name and the checks that must find it. No other check of the area may find it. */
export const readSpoilings: readonly [what: string, spoiling: Spoiling, found: readonly string[]][] = [
  ['the process is dead', say(at('/health'), { status: 500 }), ['health.alive']],
  [
    'a byte order mark before JSON',
    {
      answer(answer, { path }) {
        if (path === '/health') answer.body = `\uFEFF${answer.body}`;
      },
    },
    ['json.byte-order-mark'],
  ],
  ['readiness is 404', say(at('/ready'), { status: 404 }), ['health.ready']],
  [
    'another resource',
    edit(resource, (body) => set(body, 'resource', 'https://evil.example/mcp')),
    ['discovery.resource'],
  ],
  [
    'a slash behind the resource',
    edit(resource, (body) => set(body, 'resource', `${String(body['resource'])}/`)),
    ['discovery.resource'],
  ],
  [
    'no authorization server',
    edit(resource, (body) => set(body, 'authorization_servers', [])),
    ['discovery.resource'],
  ],
  ['no token endpoint', edit(server, (body) => delete body['token_endpoint']), ['discovery.server']],
  [
    'no S256',
    edit(server, (body) => set(body, 'code_challenge_methods_supported', ['plain'])),
    ['discovery.pkce'],
  ],
  [
    'plain besides S256',
    edit(server, (body) => set(body, 'code_challenge_methods_supported', ['S256', 'plain'])),
    ['discovery.pkce'],
  ],
  [
    'secret clients only',
    edit(server, (body) => set(body, 'token_endpoint_auth_methods_supported', ['client_secret_basic'])),
    ['discovery.public-clients'],
  ],
  [
    'no refresh tokens',
    edit(server, (body) => set(body, 'grant_types_supported', ['authorization_code'])),
    ['discovery.grants'],
  ],
  [
    'a number for the registration',
    edit(server, (body) => set(body, 'registration_endpoint', 7)),
    ['discovery.server', 'discovery.registration'],
  ],
  ['no token is 403', turn(isList, 401, 403), ['member-access.none', 'member-access.nonsense']],
  [
    'anybody reads the list',
    say(({ path, headers }) => path === list && !('authorization' in headers), { status: 200, body: '{}' }),
    ['member-access.none'],
  ],
  [
    'a publisher key reads the list',
    say(({ headers }) => headers['authorization']?.includes('pk_') === true, { status: 200, body: '{}' }),
    ['member-access.publisher-key'],
  ],
  [
    'a page of HTML',
    say(isList, html),
    [
      'campaign-list.shape',
      'campaign-list.defaults',
      'campaign-list.query-absent',
      'campaign-list.largest-page',
      'campaign-list.smallest-page',
      'campaign-list.first-page',
      'campaign-list.status-limits',
      'campaign-list.odd-sort',
    ],
  ],
  [
    'a field twice',
    {
      answer: (answer, request) =>
        void (
          asking(isList, { sort: 'cid', page: '1', perPage: '200' })(request) &&
          (answer.body = answer.body.replace('{', '{"status":"success",'))
        ),
    },
    ['campaign-list.shape'],
  ],
  [
    'a row without geo',
    edit(asking(isList, { perPage: '200' }), (body) => delete rowsOf(body)[3]!['geo']),
    ['campaign-list.shape'],
  ],
  [
    'a bid as a text',
    edit(asking(isList, { perPage: '200' }), (body) => set(rowsOf(body)[0], 'payout', '0.5')),
    ['campaign-list.shape'],
  ],
  [
    'a total of one more',
    edit(
      isList,
      (body, { query }) =>
        query.get('perPage') === '200' && set(body['data'], 'total', Number(body['data']!['total']) + 1),
    ),
    ['campaign-list.pages', 'campaign-list.types'],
  ],
  [
    'totalPages of one more',
    edit(asking(isList, { perPage: '200', sort: 'cid' }), (body) => set(body['data'], 'totalPages', 3)),
    ['campaign-list.pages'],
  ],
  [
    'currentPage from 0',
    edit(asking(isList, { page: '2' }), (body) => set(body['data'], 'currentPage', 1)),
    ['campaign-list.pages'],
  ],
  [
    'every page is the first',
    ignore(asking(isList, { sort: 'cid', order: 'asc' }), 'page'),
    ['campaign-list.pages', 'campaign-list.sort-cid', 'campaign-list.status', 'campaign-list.query-name'],
  ],
  [
    '25 rows by default',
    {
      request: (request) =>
        void (isList(request) && request.query.size === 0 && request.query.set('perPage', '25')),
    },
    ['campaign-list.defaults'],
  ],
  [
    'a row of another user',
    edit(asking(isList, { page: '2', perPage: '200' }), (body) => set(rowsOf(body)[0], 'uid', 1)),
    ['campaign-list.owner'],
  ],
  [
    'another name for a status',
    edit(isList, (body) => rowsOf(body).forEach((row) => set(row, 'status_name', 'Running'))),
    ['campaign-list.status-names'],
  ],
  [
    'ascending by default',
    {
      request: (request) =>
        void (isList(request) && !request.query.has('order') && request.query.set('order', 'asc')),
    },
    ['campaign-list.sort-cid'],
  ],
  ['a sort that is ignored', ignore(isList, 'sort'), ['campaign-list.sort-name']],
  [
    'an order that is ignored',
    ignore(asking(isList, { sort: 'name' }), 'order'),
    ['campaign-list.sort-name'],
  ],
  [
    'a status that is ignored',
    ignore(isList, 'status'),
    ['campaign-list.status', 'campaign-list.status-limits'],
  ],
  ['types that are ignored', ignore(isList, 'types'), ['campaign-list.types']],
  [
    'a query that is ignored',
    ignore(isList, 'query'),
    ['campaign-list.query-cid', 'campaign-list.query-absent', 'campaign-list.query-name'],
  ],
  [
    'a page beyond 200 rows',
    {
      ...insteadOf({ perPage: '201' }, { perPage: '200', odd: '1' }),
      ...edit(asking(isList, { odd: '1' }), (body) => rowsOf(body).push(rowsOf(body)[0]!)),
    },
    ['campaign-list.largest-page'],
  ],
  [
    'a page of no rows',
    {
      ...insteadOf({ perPage: '0' }, { odd: '1' }),
      ...edit(asking(isList, { odd: '1' }), (body) => set(body['data'], 'data', [])),
    },
    ['campaign-list.smallest-page'],
  ],
  [
    'a page 0',
    {
      ...insteadOf({ page: '0' }, { odd: '1' }),
      ...edit(asking(isList, { odd: '1' }), (body) => set(body['data'], 'currentPage', 0)),
    },
    ['campaign-list.first-page'],
  ],
  [
    'a wrong column breaks it',
    turn(asking(isList, { sort: 'no_such_column' }), 422, 500),
    ['campaign-list.odd-sort'],
  ],
  ['no settings', edit(isOne, (body) => delete body['data']!['settings']), ['campaign.shape']],
  [
    'a switch as a number',
    edit(isOne, (body) => set(body['data']!['settings'], 'edit_clickurl', 1)),
    ['campaign.shape'],
  ],
  ['an update’s envelope', edit(isOne, (body) => delete body['message']), ['campaign.shape']],
  [
    'bounds the wrong way',
    edit(isOne, (body) =>
      Object.values(body['data']?.['campaign_types'] ?? {}).forEach((type) => set(type, 'minBid', 99)),
    ),
    ['campaign.types'],
  ],
  [
    'a type by name',
    edit(isOne, (body) =>
      set(body['data']!['campaign_types'], 'push', { name: 'P', pricing: 'CPC', minBid: 0, maxBid: 1 }),
    ),
    ['campaign.types'],
  ],
  [
    'a type that is none of the types',
    edit(isOne, (body) => {
      const { campaign_types: types } = body['data'] as { campaign_types: Record<string, unknown> };
      delete types[String(campaignOf(body)['type'])];
    }),
    ['campaign.type'],
  ],
  ['no bid controls', edit(isOne, (body) => delete campaignOf(body)['bidControl']), ['campaign.fields']],
  [
    'a payout as a text',
    edit(isOne, (body) => set(campaignOf(body), 'payout', '0.5')),
    ['campaign.fields', 'campaign.row'],
  ],
  ['an own campaign is forbidden', turn(isOne, 200, 403), ['campaign.shape']],
  [
    'a flag as a text',
    edit(isOne, (body) => set(campaignOf(body), 'os_enabled', '1')),
    ['campaign.selectors'],
  ],
  [
    'all countries, and a list',
    edit(isOne, (body) => {
      set(campaignOf(body), 'geo_enabled', 1);
      set(campaignOf(body), 'geo', ['DE']);
    }),
    ['campaign.selectors'],
  ],
  [
    'a custom selector of nothing',
    edit(isOne, (body) => {
      set(campaignOf(body), 'os_enabled', 0);
      set(campaignOf(body), 'os', []);
    }),
    ['campaign.selectors'],
  ],
  [
    'a week of 167 hours',
    edit(isOne, (body) => void items(campaignOf(body)['shedule']).pop()),
    ['campaign.schedule'],
  ],
  [
    'another name in the list',
    edit(asking(isList, {}), (body) => rowsOf(body).forEach((row) => set(row, 'name', 'Other'))),
    ['campaign.row'],
  ],
  [
    '200 for what is not there',
    say(at('/api/v1/login/campaigns/2147483647'), { status: 200 }),
    ['campaign.absent', 'campaign.foreign'],
  ],
  [
    '403 for another user’s',
    {
      answer: (answer, { path }) =>
        void (answer.status === 404 && !path.endsWith('/2147483647') && (answer.status = 403)),
    },
    ['campaign.foreign'],
  ],
  [
    'a number as a number',
    edit(search, (body) => set(items(body['data'])[0], 'clicks', 7)),
    ['search-report.shape'],
  ],
  [
    'a day before the range',
    edit(search, (body) => set(items(body['data'])[0], 'date', '2020-01-01')),
    ['search-report.range'],
  ],
  [
    'a row of another feed',
    edit(
      ({ path, query }) => path === '/publisher/search-report' && query.has('sid'),
      (body) => set(items(body['data'])[1], 'feed', 7),
    ),
    ['search-report.feed'],
  ],
  ['a page for a file', say(asking(search, { export: 'csv' }), html), ['search-report.csv']],
  [
    'a file that is cut',
    {
      answer: (answer, request) =>
        void (asking(search, { export: 'csv' })(request) && (answer.body = answer.body.slice(0, 200))),
    },
    ['search-report.csv'],
  ],
  ['CSV for JSON', say(asking(search, { export: 'json' }), { body: 'date,feed\n' }), ['search-report.json']],
  [
    'anybody reads the report',
    say(({ path, query }) => path === '/publisher/search-report' && !query.has('token'), {
      status: 200,
      body: '{}',
    }),
    ['search-report.no-key', 'search-report.member-token'],
  ],
  [
    'clicks as a text',
    edit(xml, (body) => items(body['data']).forEach((row) => set(row, 'net_clicks', '7'))),
    ['xml-stats.shape'],
  ],
  ['a day twice', edit(xml, (body) => items(body['data']).push(items(body['data'])[0]!)), ['xml-stats.days']],
  [
    'another grouping by itself',
    {
      request: (request) =>
        void (xml(request) && !request.query.has('groupBy') && request.query.set('groupBy', 'geo')),
    },
    ['xml-stats.grouping'],
  ],
  [
    'JSON for a file',
    ignore(asking(xml, { date_from: recently() }), 'export'),
    ['xml-stats.csv', 'xml-stats.odd-export'],
  ],
  [
    'CSV for JSON statistics',
    say(asking(xml, { export: 'json' }), { body: 'date,clicks\n' }),
    ['xml-stats.json'],
  ],
  [
    'anybody reads the statistics',
    say(({ path, query }) => path === '/xml/stats' && !query.has('token'), { status: 200, body: '{}' }),
    ['xml-stats.no-key'],
  ],
  ['an empty file', turn(asking(xml, { date_from: '2001-01-01' }), 404, 200), ['xml-stats.empty-export']],
  [
    'dates are refused with 400',
    turn(xml, 422, 400),
    [
      'xml-stats.no-day',
      'xml-stats.odd-day',
      'xml-stats.odd-group',
      'xml-stats.odd-export',
      'xml-stats.odd-tid',
    ],
  ],
  ['a foreign tid is 404', turn(xml, 403, 404), ['xml-stats.foreign']],
  [
    'a grouping that is ignored',
    ignore(asking(xml, { groupBy: 'hour' }), 'groupBy'),
    ['xml-stats.odd-group'],
  ],
  [
    'no token is 403 at the tools',
    turn(at('/mcp'), 401, 403),
    ['remote-access.none', 'remote-access.nonsense'],
  ],
  [
    'no challenge',
    { answer: (answer) => void delete answer.headers['www-authenticate'] },
    ['remote-access.challenge'],
  ],
  [
    'a challenge that leads nowhere',
    {
      answer(answer) {
        if (answer.status === 401) answer.headers['www-authenticate'] = 'Bearer realm="x"';
      },
    },
    ['remote-access.challenge'],
  ],
  ['half a message is 200', turn(at('/mcp'), 400, 200), ['remote-access.protocol']],
  [
    'no version',
    edit(posting('"initialize"'), (body) => delete body['result']!['protocolVersion']),
    ['remote.initialize'],
  ],
  ['JSON-RPC 1', edit(posting('"tools/list"'), (body) => set(body, 'jsonrpc', '1.0')), ['remote.tools']],
  [
    'no whoami',
    edit(posting('"tools/list"'), (body) =>
      set(
        body['result'],
        'tools',
        items(body['result']?.['tools']).filter((tool) => !String(tool['name']).endsWith('whoami')),
      ),
    ),
    ['remote.tools'],
  ],
  [
    'a tool without a schema',
    edit(posting('"tools/list"'), (body) => delete items(body['result']?.['tools'])[0]!['inputSchema']),
    ['remote.tools'],
  ],
  [
    'no resources',
    say(posting('"resources/list"'), {
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"No"}}',
    }),
    ['remote.resources'],
  ],
  [
    'prompts in an object',
    edit(posting('"prompts/list"'), (body) => set(body['result'], 'prompts', {})),
    ['remote.prompts'],
  ],
  [
    'no structured content',
    edit(posting('"svc_whoami"'), (body) => delete body['result']!['structuredContent']),
    ['remote.whoami'],
  ],
  [
    'no text content',
    edit(posting('"svc_whoami"'), (body) => set(body['result'], 'content', [])),
    ['remote.whoami'],
  ],
  [
    'no complete',
    edit(walk, (body) => delete pagination(body)['complete']),
    ['remote.list-shape', 'remote.list-pages'],
  ],
  [
    'a nextOffset that stands still',
    edit(walk, (body) => set(pagination(body), 'nextOffset', 0)),
    ['remote.list-pages'],
  ],
  [
    'a list that ends too soon',
    edit(walk, (body) => set(pagination(body), 'complete', true)),
    ['remote.list-agrees'],
  ],
  [
    'a campaign more',
    edit(walk, (body) => void (campaigns(body).length > 100 && campaigns(body).push({ cid: 7 } as never))),
    ['remote.list-agrees'],
  ],
  [
    'wrong arguments are taken',
    {
      request: (request) =>
        void (
          walk(request) &&
          (request.body = request.body.replace('"offset":"here","limit":"there"', '"offset":0,"limit":1'))
        ),
    },
    ['remote.arguments'],
  ],
];

function recently(): string {
  return new Date(Date.now() - 8 * 86_400_000).toISOString().slice(0, 10);
}
