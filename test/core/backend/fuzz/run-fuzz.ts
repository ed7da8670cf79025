import { createRandom } from '#shared/lib/random.ts';
import { complaintsAbout, statusIn } from './judge.ts';
import { mutateRequest } from './mutate-request.ts';
import { openPlaces } from './places.ts';
import type { FuzzCredentials } from './places.ts';
import { sendRaw } from './send.ts';
import { validRequest } from './valid-requests.ts';

/** How many connections are open at once. */
const connections = 64;

/** Some of the mutated requests. Seed and number decide each one, so that it can be sent again alone. */
export interface FuzzPart {
  credentials: FuzzCredentials;
  seed: string;
  from: number;
  count: number;
}

/** Result of a part; plain data. */
export interface FuzzResult {
  /** How often each status was answered. */
  statuses: Record<string, number>;
  /** `#1204 POST /token: status 500`: the number of the request, and what is wrong. */
  complaints: string[];
}

/** Sends the part, 64 at once, and judges every answer. */
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
