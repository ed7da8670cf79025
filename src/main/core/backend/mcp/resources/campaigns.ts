import type { BackendReader } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { jsonType } from './resource.ts';
import type { RemoteResource } from './resource.ts';

/** How many campaigns are listed, the newest first; the template reaches all of them. */
const mostListed = 20;

const address = /^svc:\/\/campaigns\/([1-9]\d{0,14})$/;

/** `svc://campaigns/{cid}`: one complete campaign as it is stored (contract §2.4). */
export function campaignResource(read: BackendReader): RemoteResource {
  return {
    scopes: [],
    modules: ['campaigns'],
    list: ({ member }) =>
      newestCampaigns(read, member.uid, mostListed).map(({ cid, name, status_name: status }) => ({
        uri: `svc://campaigns/${cid}`,
        name: `campaign-${cid}`,
        title: name,
        description: `Campaign ${cid}, ${status}.`,
        mimeType: jsonType,
      })),
    template: {
      uriTemplate: 'svc://campaigns/{cid}',
      name: 'campaign',
      title: 'Campaign',
      description: 'One complete campaign of this account.',
      mimeType: jsonType,
    },
    match: (uri) => address.exec(uri)?.[1] ?? null,
    read({ member }, { uri, id }) {
      const text = read.payload(member.uid, Number(id));
      if (text === null) throw new AppError('object_not_found');
      return { uri, mimeType: jsonType, text };
    },
  };
}

/** The newest rows of the member's list. */
export function newestCampaigns(
  read: BackendReader,
  uid: number,
  most: number,
): { cid: number; name: string; status_name: string }[] {
  const { rows } = read.list({
    uid,
    match: { kind: 'all' },
    status: null,
    types: [],
    sort: 'cid',
    order: 'desc',
    offset: 0,
    limit: most,
  });
  return rows.map((row) => JSON.parse(row) as { cid: number; name: string; status_name: string });
}
