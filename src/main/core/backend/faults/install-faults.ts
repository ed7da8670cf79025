import { STATUS_CODES } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { catalogue, refusalCodes } from '#shared/errors/index.ts';
import { pathOf } from '../http/request-log.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { Faults } from './faults.ts';

/** Lets armed faults happen: before the handler, or between its answer and the wire. */
export function installFaults(app: FastifyInstance, faults: Faults, log: RequestLog): void {
  // Nearly always nothing is armed: then no promise is made.
  app.addHook('onRequest', (request, reply, done) => {
    if (faults.armed === 0) done();
    else void failBefore(request, reply, { faults, done });
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (faults.armed === 0) done(null, payload);
    else
      void failAfter(request, reply, {
        faults,
        log,
        done: (failure) => (failure === null ? done(null, payload) : done(failure)),
      });
  });
}

async function failBefore(
  request: FastifyRequest,
  reply: FastifyReply,
  { faults, done }: { faults: Faults; done: () => void },
): Promise<void> {
  const asked = { method: request.method, path: pathOf(request.url) };
  const slow = faults.take('slow', asked);
  if (slow !== undefined) await setTimeout(slow.ms);
  const answer = faults.take('answer', asked);
  if (answer === undefined) done();
  else answerWith(reply, answer.status);
}

async function failAfter(
  request: FastifyRequest,
  reply: FastifyReply,
  { faults, log, done }: { faults: Faults; log: RequestLog; done: (failure: Error | null) => void },
): Promise<void> {
  const asked = { method: request.method, path: pathOf(request.url) };
  try {
    await faults.take('meanwhile', asked)?.run();
  } catch (failure) {
    done(failure as Error);
    return;
  }
  if (faults.take('cut-after-write', asked) !== undefined) {
    log.cut(request);
    reply.raw.destroy();
  }
  done(null);
}

function answerWith(reply: FastifyReply, status: number): void {
  const code = refusalCodes[status];
  const message = code === undefined ? (STATUS_CODES[status] ?? 'Error') : catalogue[code].text;
  if (status === 429) reply.header('retry-after', '1');
  void reply.code(status).send({ status: 'error', message, code: code ?? 'fault' });
}
