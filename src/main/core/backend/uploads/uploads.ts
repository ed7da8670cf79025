import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkPictureFile } from '#core/platform/pictures/check-picture-file.ts';
import type { BackendStore, Picture } from '#core/store/backend/index.ts';
import { pictureKinds, pictureRules, pictureTypes } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { refuseOtherMethods } from '../http/create-app.ts';
import type { PreparedWrite, Verification, WriteKind, PrepareTool } from '../operations/write-kind.ts';
import { argumentsInvalid } from '#core/mcp-server/index.ts';
import type { BackendService } from '../service.ts';
import { pictureAddress, readPictureName } from './picture-address.ts';

const maxPictures = 500;
const maxBytes = 128 * 1024 * 1024;

const { icon, image } = pictureRules;

const kind = z.enum(pictureKinds);
const contentType = z.enum(pictureTypes);

const uploadInput = z.strictObject({
  kind: kind.describe('The square icon or the main image of a Push campaign.'),
  fileName: z.string().describe('The name of the file, with the extension of its type.'),
  contentType,
  data: z.string().describe('The bytes of the file in base64 (RFC 4648 §4).'),
});

const uploadPayload = z.strictObject({
  kind,
  fileName: z.string(),
  contentType,
  bytes: z.int(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
});

const uploadTool: PrepareTool = {
  name: 'svc_prepare_upload',
  title: 'Prepare an upload',
  description: [
    'Checks an icon or a main image for Push and keeps it aside for its approval; nothing is published before svc_commit.',
    `An icon is ${icon.words}; an image is ${image.words}. PNG, JPEG or WebP, not animated.`,
    'The commit answers with the image object that the campaign takes as its icon or image.',
  ].join(' '),
  input: uploadInput,
  payload: uploadPayload,
};

/** A prepare stores the bytes with the approval; the commit publishes them. */
export function uploadWrite({ store }: BackendService, { origin }: { origin: string }): WriteKind {
  return {
    name: 'upload',
    tool: uploadTool,
    scopes: ['svc:upload'],
    modules: ['uploads'],
    prepare: ({ member }, args) => prepare(store, member.uid, args),
    // The content hash is the revision, so no later state can change it.
    revision: (_principal, payload) => uploadPayload.parse(payload).sha256,
    apply: ({ member }, payload, staged) => publish(store, { uid: member.uid, payload, staged }),
    verify: ({ member }, payload) =>
      verify(store.pictures.find(member.uid, uploadPayload.parse(payload).sha256), origin),
  };
}

function prepare(store: BackendStore, uid: number, args: JsonObject): PreparedWrite {
  const { content, ...payload } = checkPictureFile(uploadInput.parse(args), argumentsInvalid);
  const { bytes, width, height, sha256 } = payload;
  const isAlreadyStored = store.pictures.find(uid, sha256) !== null;
  if (!isAlreadyStored) requireCapacity(store, uid, bytes);
  return {
    target: `upload:${sha256}`,
    payload,
    diff: [
      {
        field: payload.kind,
        from: null,
        to: { contentType: payload.contentType, bytes, width, height, sha256 },
      },
    ],
    warnings: [
      'Once committed, anyone who knows its address can see the picture, and it cannot be removed.',
      ...(isAlreadyStored
        ? ['The account has this picture already: the commit gives its address again.']
        : []),
    ],
    revision: sha256,
    staged: content,
  };
}

function publish(
  store: BackendStore,
  { uid, payload, staged }: { uid: number; payload: JsonObject; staged: Uint8Array | null },
): void {
  const { width, height, sha256, bytes, ...upload } = uploadPayload.parse(payload);
  const isIntact = staged !== null && createHash('sha256').update(staged).digest('hex') === sha256;
  if (!isIntact) throw new Error('The bytes of a prepared upload are not those that were prepared');
  if (store.pictures.find(uid, sha256) === null) requireCapacity(store, uid, bytes);
  store.pictures.add(uid, { sha256, contentType: upload.contentType, width, height, content: staged });
}

function verify(picture: Picture | null, origin: string): Verification {
  if (picture === null) return { stored: 'none', data: { image: null } };
  const { id, width, height, contentType: mime, bytes } = picture;
  const url = `${origin}${pictureAddress(picture)}`;
  return { stored: 'all', data: { image: { id, url, width, height, mime, bytes } } };
}

function requireCapacity(store: BackendStore, uid: number, bytes: number): void {
  const usage = store.pictures.usage(uid);
  if (usage.pictures >= maxPictures || usage.bytes + bytes > maxBytes) throw new AppError('uploads_full');
}

const path = '/uploads/:name';

/** Makes a browser display the file as a picture and never run it, whatever it contains. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
};

/** Serves committed pictures without authentication. Uncommitted pictures are not served. */
export function installUploadRoutes(app: FastifyInstance, { store }: BackendService): void {
  app.get(path, (request, reply) => {
    const { name } = request.params as { name: string };
    const wanted = readPictureName(name);
    const picture = wanted === null ? null : store.pictures.content(wanted.sha256);
    if (picture === null || picture.contentType !== wanted?.contentType) throw new AppError('not_found');
    sendPicture(request, reply, { ...picture, tag: `"${wanted.sha256}"` });
  });
  refuseOtherMethods(app, path, ['GET']);
}

function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, content, tag }: { contentType: string; content: Uint8Array; tag: string },
): void {
  void reply.headers({ ...headers, etag: tag });
  if (matchesEtag(request.headers['if-none-match'], tag)) {
    void reply.code(304).send();
    return;
  }
  void reply.type(contentType).send(content);
}

/** Weak comparison of `If-None-Match` (RFC 9110 §13.1.2). */
function matchesEtag(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(',').some((given) => ['*', tag, `W/${tag}`].includes(given.trim()));
}
