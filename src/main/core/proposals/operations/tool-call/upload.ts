import type { StoredProposal } from '#core/store/app/index.ts';
import type { CreativePicture } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { commitTool, isCommitMember, type Call } from './call-arguments.ts';
import { readStoredCall, type UploadFor, uploadOfCallSchema, type UploadOfCall } from './stored-call.ts';

const members = Object.keys(uploadOfCallSchema.shape) as (keyof UploadOfCall)[];

/** True if the exact arguments publish this picture and do nothing else. */
export function isUploadOf(
  { name, args }: Call,
  upload: UploadOfCall | null | undefined,
): upload is UploadOfCall {
  const { payload } = args;
  if (upload == null || name !== commitTool || !Object.keys(args).every(isCommitMember)) return false;
  return (
    isJsonObject(payload) &&
    Object.keys(payload).length === members.length &&
    members.every((member) => payload[member] === upload[member])
  );
}

/** The campaign for which this proposal uploads a picture; null where it is for none, or where its texts are not kept any more. */
export function uploadForIn({ prunedAtMs, payload, base }: StoredProposal): UploadFor | null {
  return prunedAtMs === null ? (readStoredCall({ payload, base }).stored.uploadFor ?? null) : null;
}

/** Address of a picture that is only on this computer yet: the core answers it from its own store, by the hash. */
export function uploadAddress(sha256: string): string {
  return `upload:${sha256}`;
}

/** The picture of an upload, for the one who decides. */
export function uploadPicture({ kind, fileName, sha256 }: UploadOfCall): CreativePicture {
  return {
    field: kind,
    label: fieldLabel(kind),
    side: 'new',
    url: uploadAddress(sha256),
    host: fileName,
    isOwn: true,
  };
}
