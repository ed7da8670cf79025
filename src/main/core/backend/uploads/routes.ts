import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#shared/errors/index.ts';
import { refuseOtherMethods } from '../http/other-methods.ts';
import type { BackendService } from '../service.ts';
import { readPictureName } from './picture-address.ts';

const path = '/uploads/:name';

/** What goes with every picture: it is only ever looked at, and never runs, whatever it holds. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
};

/**
 * `/uploads/{sha256}.{extension}`: published icons and images, at an address that never changes. Anyone may look, as at
 * every picture of an advertisement; what only waits for its commit is not there.
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
