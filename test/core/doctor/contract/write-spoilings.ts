import { randomUUID } from 'node:crypto';
import {
  items,
  isUpdate,
  isRenaming,
  isStatus,
  posting,
  edit,
  say,
  turn,
  smuggle,
  set,
  structured,
  commit,
} from './spoil.ts';
import type { Loose } from './spoil.ts';
import type { Spoiling } from './spoiling-proxy.ts';

/** The same for the checks that write. */
export const writeSpoilings: readonly [what: string, spoiling: Spoiling, found: readonly string[]][] = [
  ['data in the answer', edit(isUpdate, (body) => set(body, 'data', {})), ['update.round-trip']],
  [
    'another field changes too',
    smuggle(isRenaming, (body) => set(body, 'keywords_blocklist', 'more')),
    ['update.round-trip', 'update.path-cid'],
  ],
  [
    'an update that is not stored',
    smuggle(isRenaming, (body) => set(body, 'name', 'Something else')),
    ['update.round-trip', 'update.path-cid'],
  ],
  [
    'the cid of the body counts',
    {
      request: (request) =>
        void (
          isUpdate(request) &&
          (request.path = request.path.replace(/\d+$/, String((JSON.parse(request.body) as Loose)['cid'])))
        ),
    },
    ['update.path-cid', 'update.absent'],
  ],
  ['incomplete updates are 400', turn(isUpdate, 422, 400), ['update.incomplete']],
  [
    'details without names',
    say((request) => isUpdate(request) && !request.body.includes('payout'), {
      body: '{"status":"error","message":"No"}',
    }),
    ['update.incomplete'],
  ],
  ['another owner breaks it', turn(isUpdate, 403, 500), ['update.owner']],
  ['an absent campaign is 403', turn(isUpdate, 404, 403), ['update.absent']],
  [
    'a foreign campaign has another answer',
    {
      answer: (answer, request) =>
        void (
          isUpdate(request) &&
          answer.status === 404 &&
          !request.path.endsWith('/2147483647') &&
          (answer.body += ' ')
        ),
    },
    ['update.foreign'],
  ],
  [
    'a refusal without a message',
    {
      answer: (answer, request) => void (isUpdate(request) && answer.status === 400 && (answer.body = '{}')),
    },
    ['update.message'],
  ],
  [
    'a flag of 1 keeps its list',
    smuggle(isUpdate, (body) => items(body['geo']).length === 2 && set(body, 'geo_enabled', 0)),
    ['update.all-values'],
  ],
  [
    'long names are cut',
    smuggle(isUpdate, (body) => set(body, 'name', String(body['name']).slice(0, 255))),
    ['limits.name'],
  ],
  [
    'names have 254 characters',
    turn(
      (request) => isUpdate(request) && /n{255}"/.test(request.body) && !/n{256}/.test(request.body),
      200,
      422,
    ),
    ['limits.name'],
  ],
  [
    'long titles are cut',
    smuggle(
      isUpdate,
      (body) => typeof body['title'] === 'string' && set(body, 'title', String(body['title']).slice(0, 25)),
    ),
    ['limits.title'],
  ],
  [
    'long descriptions are cut',
    smuggle(
      isUpdate,
      (body) =>
        typeof body['description'] === 'string' &&
        set(body, 'description', String(body['description']).slice(0, 75)),
    ),
    ['limits.description'],
  ],
  [
    'a bid as a text is taken',
    smuggle(isUpdate, (body) => set(body, 'payout', Number(body['payout']))),
    ['limits.payout'],
  ],
  [
    'a small daily budget is raised',
    smuggle(isUpdate, (body) => set(body, 'd_revenue', Math.max(10, Number(body['d_revenue'])))),
    ['limits.daily-budget'],
  ],
  [
    'a small total budget is raised',
    smuggle(
      isUpdate,
      (body) =>
        Number(body['t_revenue']) > 0 && set(body, 't_revenue', Math.max(10, Number(body['t_revenue']))),
    ),
    ['limits.total-budget'],
  ],
  [
    'a small pacing counter is raised',
    smuggle(
      isUpdate,
      (body) =>
        Number(body['traffic_speed']) > 0 &&
        set(body, 'traffic_speed_counter', Math.max(1000, Math.round(Number(body['traffic_speed_counter'])))),
    ),
    ['limits.pacing'],
  ],
  [
    'a cap of 0 is raised',
    smuggle(
      isUpdate,
      (body) =>
        Number(body['freq_cap']) > 0 && set(body, 'freq_counter', Math.max(1, Number(body['freq_counter']))),
    ),
    ['limits.frequency-cap'],
  ],
  [
    'a short week is filled up',
    smuggle(
      isUpdate,
      (body) => items(body['shedule']).length === 167 && items(body['shedule']).push(1 as never),
    ),
    ['limits.schedule'],
  ],
  [
    'an hour of the week is lost',
    smuggle(isUpdate, (body) => set(body['shedule'], '167', 0)),
    ['limits.schedule'],
  ],
  [
    'an end before the start is moved',
    smuggle(isUpdate, (body) => set(body, 'expire_time', '23:59')),
    ['limits.window'],
  ],
  [
    'nothing custom means all',
    smuggle(isUpdate, (body) => items(body['geo']).length === 0 && set(body, 'geo_enabled', 1)),
    ['limits.selectors'],
  ],
  [
    'any number is a status',
    smuggle(isUpdate, (body) => Number(body['status']) > 4 && set(body, 'status', 3)),
    ['limits.status'],
  ],
  [
    'macros are escaped',
    smuggle(isUpdate, (body) =>
      set(body, 'clickurl', String(body['clickurl']).replace('{click_id}', '%7Bclick_id%7D')),
    ),
    ['limits.clickurl'],
  ],
  [
    'a bare domain is taken',
    smuggle(
      isUpdate,
      (body) =>
        body['website'] === ('www.brand.example' as never) &&
        set(body, 'website', 'https://www.brand.example'),
    ),
    ['limits.website'],
  ],
  [
    'an unknown type is 400',
    turn(isUpdate, 422, 400),
    [
      'limits.name',
      'limits.title',
      'limits.description',
      'limits.payout',
      'limits.daily-budget',
      'limits.total-budget',
      'limits.pacing',
      'limits.frequency-cap',
      'limits.schedule',
      'limits.window',
      'limits.selectors',
      'limits.type',
      'limits.status',
      'limits.clickurl',
      'limits.website',
    ],
  ],
  [
    'a scheduled campaign is suspended',
    smuggle(isStatus, (body) => Number(body['status']) === 4 && set(body, 'status', 2)),
    ['update-status.moves'],
  ],
  [
    'an activation says 402',
    turn((request) => isStatus(request) && request.body.includes('"status":1'), 200, 402),
    ['update-status.activate'],
  ],
  [
    'only the first changes',
    smuggle(
      isStatus,
      (body) =>
        Array.isArray(body['ids']) && set(body, 'ids', (body['ids'] as unknown as unknown[]).slice(0, 1)),
    ),
    ['update-status.several'],
  ],
  ['Pending is taken', turn(isStatus, 400, 200), ['update-status.pending']],
  [
    'every body is taken',
    turn(isStatus, 422, 200),
    ['update-status.beyond', 'update-status.nobody', 'update-status.missing', 'update-status.words'],
  ],
  ['an absent campaign is no failure', turn(isStatus, 404, 200), ['update-status.absent']],
  [
    'a foreign status has another answer',
    {
      answer: (answer, request) =>
        void (
          isStatus(request) &&
          answer.status === 404 &&
          !request.body.includes('2147483647') &&
          (answer.status = 403)
        ),
    },
    ['update-status.foreign'],
  ],
  [
    'no confirmation is needed',
    {
      request: (request) =>
        void (
          commit(request) && (request.body = request.body.replace('"confirmed":false', '"confirmed":true'))
        ),
    },
    ['commit.unconfirmed'],
  ],
  [
    'a prepare without an approval',
    edit(posting('"svc_prepare_campaign_update"'), (body) => delete structured(body)['data']!['approval']),
    [
      'commit.prepare',
      'commit.once',
      'commit.key-conflict',
      'commit.changed-payload',
      'commit.unconfirmed',
      'commit.moved',
    ],
  ],
  [
    'another answer to the same key',
    edit(commit, (body) => structured(body)['data'] && set(structured(body)['data'], 'at', randomUUID())),
    ['commit.once'],
  ],
  [
    'conflicts are 400',
    edit(commit, (body) => structured(body)['error'] && set(structured(body)['error'], 'statusCode', 400)),
    ['commit.key-conflict', 'commit.changed-payload', 'commit.unconfirmed', 'commit.moved'],
  ],
];
