import { createRandom } from '#shared/lib/random.ts';
import { complaintsAbout, statusIn } from './judge.ts';
import { mutateRequest } from './mutate-request.ts';
import { openPlaces } from './places.ts';
import type { FuzzCredentials } from './places.ts';
import { sendRaw } from './send.ts';
import { validRequest } from './valid-requests.ts';

const connections = 64;

/** A range of the mutated requests. Seed and number determine each request, so that it can be repeated alone. */
export interface FuzzPart {
  credentials: FuzzCredentials;
  seed: string;
  from: number;
  count: number;
}

/** The result of a range. Plain data, so that a worker can send it. */
export interface FuzzResult {
  /** How often each status was answered. */
  statuses: Record<string, number>;
  /** Example: `#1204 POST /token: status 500` has the number of the request and the problem. */
  complaints: string[];
}

/** Sends the requests of the range over 64 connections and judges every answer. */
export async function runFuzz({ credentials, seed, from, count }: FuzzPart): Promise<FuzzResult> {
  const places = await openPlaces(credentials);
  const statuses: Record<string, number> = {};
  const complaints: string[] = [];
  let next = from;
  const work = async (): Promise<void> => {
    while (next < from + count) {
      const number = next;
      next += 1;
      const random = createRandom(`${seed} ${number}`);
      const request = mutateRequest(validRequest(places, random), random);
      const answer = await sendRaw(credentials.port, request);
      const status = statusIn(answer);
      statuses[status] = (statuses[status] ?? 0) + 1;
      for (const complaint of complaintsAbout(answer)) {
        complaints.push(`#${number} ${request.method} ${request.target.split('?', 1).join()}: ${complaint}`);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { statuses, complaints };
}
