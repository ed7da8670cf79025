import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pictureExtensions, pictureTypes } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { refuseOtherMethods } from '../http/create-app.ts';
import type { BackendService } from '../service.ts';

const namePattern = /^([0-9a-f]{64})\.([a-z]+)$/;

/** The path of a picture on the service: its content names it, so it never changes. */
export function pictureAddress({ sha256, contentType }: { sha256: string; contentType: string }): string {
  return `/uploads/${sha256}.${extensionOf(contentType)}`;
}

/** The hash and the content type that the last part of an address names; null when it names none. */
function readPictureName(name: string): { sha256: string; contentType: string } | null {
  const [, sha256, extension] = namePattern.exec(name) ?? [];
  const contentType = pictureTypes.find((type) => extensionOf(type) === extension);
  return sha256 === undefined || contentType === undefined ? null : { sha256, contentType };
}

/** Each type has one extension in addresses, so that each picture has one address. */
function extensionOf(contentType: string): string {
  const type = pictureTypes.find((known) => known === contentType);
  if (type === undefined) throw new Error(`No picture is of the type ${contentType}`);
  return pictureExtensions[type][0];
}

const path = '/uploads/:name';

/** The headers of every picture: a browser only shows it and never runs it, whatever it contains. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
};

/**
 * `/uploads/{sha256}.{extension}`: published icons and images, at an address that never changes. Anyone may look, as at
 * every picture of an advertisement; uncommitted pictures are not served.
 */
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
  if (knows(request.headers['if-none-match'], tag)) {
    void reply.code(304).send();
    return;
  }
  void reply.type(contentType).send(content);
}

/** RFC 9110 §13.1.2, by weak comparison. */
function knows(condition: string | undefined, tag: string): boolean {
  if (condition === undefined) return false;
  return condition.split(',').some((given) => ['*', tag, `W/${tag}`].includes(given.trim()));
}
