import { z } from 'zod';
import type { CreativePicture } from '#shared/app-api/index.ts';
import { fieldLabel, moneyText, pictureKinds, pictureTypes } from '#shared/campaign/index.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { isJsonObject } from '#shared/lib/json/json-value.ts';
import { countText } from '#shared/lib/number-text.ts';
import { noFieldChanges, type ProposalWords } from '../operation.ts';
import { commitTool, isCommitMember, type Call } from './call-arguments.ts';

/** The picture that an upload of the app's own publishes, by its own bytes. */
export const uploadOfCallSchema = z.object({
  kind: z.enum(pictureKinds),
  fileName: z.string(),
  contentType: z.enum(pictureTypes),
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
});

export type UploadOfCall = z.infer<typeof uploadOfCallSchema>;

/** The campaign for which a picture is uploaded, and the address of the one that it has, by its latest read. */
export const uploadForSchema = z.object({ cid: z.int(), name: z.string(), url: z.string().nullable() });

export type UploadFor = z.infer<typeof uploadForSchema>;

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

/** Maximum length of a file's name in a title, in code points. */
const maxName = 80;

const formats = { 'image/png': 'PNG', 'image/jpeg': 'JPEG', 'image/webp': 'WebP' } as const;

/** Words for the picture that will be published. An upload changes no campaign and spends nothing. */
export function uploadWords(
  upload: UploadOfCall,
  uploadFor: UploadFor | undefined,
): Omit<ProposalWords, 'detail'> {
  const { kind, fileName, contentType, width, height, bytes } = upload;
  return {
    title: `Upload the ${fieldLabel(kind).toLowerCase()} ${quotedStart(fileName, maxName)}`,
    changes: [
      line('fileName', 'File', fileName),
      line('kind', 'Use', `${fieldLabel(kind)} of a Push campaign`),
      line(
        'size',
        'Size',
        `${countText(width)} × ${countText(height)} pixels, ${formats[contentType]}, ${countText(bytes)} bytes`,
      ),
      ...(uploadFor === undefined ? [] : [line('for', 'For', campaignWords(uploadFor))]),
      line(
        'effect',
        'Result',
        'The service publishes it: anyone who knows its address can see it. No campaign changes, and nothing is spent.',
      ),
    ],
    targets: [],
    risk: { perDay: none, untilEnd: none, bidFactor: null, notes: [] },
    warnings: [],
    typeToConfirm: null,
    unchanged: [],
    effects: noFieldChanges,
    facts: [],
    comparable: null,
  };
}

/** The campaign keeps its picture until a change of its own is approved. */
function campaignWords({ cid, name }: UploadFor): string {
  return `${quotedStart(name, maxName)} (${cid}). It gets the picture by a second approval.`;
}

const noMoney = moneyText({ kind: 'amount', micros: 0n });
const none = { before: noMoney, after: noMoney };

function line(field: string, label: string, after: string): ProposalWords['changes'][number] {
  const empty = { delta: null, factor: null, added: [], removed: [], schedule: null };
  return { field, label, before: '', after, ...empty };
}
