import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { UpdateSource } from '#electron/updates/update-source.ts';
import { publicKeyOf } from '#system/ed25519.ts';
import { type FeedContent, feedBytes, signatureText } from '../../scripts/lib/update-feed.ts';
import { startSecureService, type SecureService } from './company-network.ts';

const publisher = 'Countersign Tests';

/** A publisher with two keys, and a TLS server with its updates. It ends with the test. */
export interface UpdatePublisher {
  service: SecureService;
  source: UpdateSource;
  /** The current key and the next key. */
  keys: readonly [KeyObject, KeyObject];
  /** Publishes this feed, signed with the current key by default; null omits the signature. */
  publish(feed: Partial<FeedContent>, signedWith?: KeyObject | null): void;
  /** Serves other bytes under a name; null removes the file. */
  serve(name: string, bytes: Buffer | string | null): void;
  /** Does not answer requests for a name until the returned function is called. */
  hold(name: string): () => void;
  /** The number of requests whose client disconnected before the answer. */
  readonly abandoned: number;
}

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** A key that the app does not trust. */
export const foreignKey = newKey;

/** The package of version 1.1.0 for this computer, as a program that Linux can start. */
export const updateName = `Countersign-1.1.0-linux-${process.arch}.AppImage`;

const sha512Of = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('base64');

/** Starts a publisher with one package for this computer. */
export async function startPublisher(update: Buffer): Promise<UpdatePublisher> {
  const service = await startSecureService();
  const keys = [newKey(), newKey()] as const;
  const served = new Map<string, Buffer | string>([[updateName, update]]);
  const held = new Map<string, (() => void)[]>();
  let abandoned = 0;
  service.answerWith((request, response) => {
    response.once('close', () => (abandoned += response.writableFinished ? 0 : 1));
    const name = decodeURIComponent(request.url ?? '').replace('/updates/', '');
    const answer = (): void => {
      const found = served.get(name);
      if (found === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-length': Buffer.byteLength(found) }).end(found);
    };
    const waiting = held.get(name);
    if (waiting === undefined) answer();
    else waiting.push(answer);
  });
  const files = [
    {
      system: process.platform,
      arch: process.arch,
      name: updateName,
      bytes: update.length,
      sha512: sha512Of(update),
    },
  ];
  const usual: FeedContent = {
    version: '1.1.0',
    publisher,
    released: new Date(Date.now() - 60_000),
    validDays: 30,
    news: ['Reports load faster', 'The ledger can be searched'],
    files,
  };
  return {
    service,
    keys,
    source: {
      feed: `${service.localOrigin}/updates/`,
      keys: [publicKeyOf(keys[0]).text, publicKeyOf(keys[1]).text],
      publisher,
    },
    publish(feed, signedWith = keys[0]) {
      const bytes = feedBytes({ ...usual, ...feed });
      served.set('feed.json', bytes);
      served.delete('feed.json.sig');
      if (signedWith !== null) served.set('feed.json.sig', signatureText(bytes, signedWith));
    },
    serve(name, bytes) {
      served.delete(name);
      if (bytes !== null) served.set(name, bytes);
    },
    hold(name) {
      const waiting: (() => void)[] = [];
      held.set(name, waiting);
      return () => {
        held.delete(name);
        for (const answer of waiting) answer();
      };
    },
    get abandoned() {
      return abandoned;
    },
  };
}
