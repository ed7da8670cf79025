import type { StoredProposal } from '#core/store/app/index.ts';
import type { CreativePicture } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { webHost } from '#shared/lib/web-address.ts';
import {
  knownChange,
  toolCallParts,
  isUploadOf,
  uploadPicture,
} from '../operations/tool-call/known-change.ts';
import { updateParts } from '../operations/update/stored-parts.ts';

const pictureFields = ['icon', 'image'] as const;

/** The pictures of a change of one campaign, before and after, or the uploaded one. Requests nothing. */
export function creativePicturesOf(
  proposal: StoredProposal,
  ownOrigins: readonly string[],
): CreativePicture[] {
  const uploaded = uploadIn(proposal, ownOrigins);
  if (uploaded !== null) return uploaded;
  const sides = sidesOf(proposal);
  return sides === null ? [] : picturesBetween(sides, ownOrigins);
}

export function picturesOfCampaign(campaign: JsonObject, ownOrigins: readonly string[]): CreativePicture[] {
  return picturesBetween({ before: campaign, after: campaign }, ownOrigins);
}

interface Sides {
  before: JsonObject;
  after: JsonObject;
}

function picturesBetween(sides: Sides, ownOrigins: readonly string[]): CreativePicture[] {
  return pictureFields.flatMap((field) => {
    const [before, after] = [urlIn(sides.before[field]), urlIn(sides.after[field])];
    const named = (side: CreativePicture['side'], url: string | null): CreativePicture[] =>
      pictureAt(url, { field, side, ownOrigins });
    return before === after ? named('same', after) : [...named('before', before), ...named('after', after)];
  });
}

function pictureAt(
  url: string | null,
  at: Pick<CreativePicture, 'field' | 'side'> & { ownOrigins: readonly string[] },
): CreativePicture[] {
  const { field, side, ownOrigins } = at;
  const host = url === null ? null : webHost(url);
  if (url === null || host === null) return [];
  const isOwn = ownOrigins.includes(URL.parse(url)?.origin ?? '');
  return [{ field, label: fieldLabel(field), side, url, host, isOwn }];
}

function uploadIn(
  { operation, prunedAtMs, payload, base }: StoredProposal,
  ownOrigins: readonly string[],
): CreativePicture[] | null {
  if (operation !== 'tool.call' || prunedAtMs !== null) return null;
  const parts = toolCallParts({ payload, base });
  const { upload, uploadFor } = parts;
  if (!isUploadOf(parts, upload)) return null;
  const now = pictureAt(urlIn(uploadFor?.picture), { field: upload.kind, side: 'now', ownOrigins });
  return [...now, uploadPicture(upload)];
}

function sidesOf(proposal: StoredProposal): Sides | null {
  if (proposal.prunedAtMs !== null) return null;
  if (proposal.operation === 'campaign.update') return updateParts(proposal);
  if (proposal.operation !== 'tool.call') return null;
  const parts = toolCallParts(proposal);
  const change = parts.subject.kind === 'update' ? knownChange(parts) : null;
  return change === null ? null : updateParts(change);
}

function urlIn(value: JsonValue | undefined): string | null {
  const url = isJsonObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : null;
}
