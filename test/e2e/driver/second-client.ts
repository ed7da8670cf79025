import { expect } from 'vitest';
import type { Backend } from '#core/backend/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';

/** A second user of the same account: speaks the contract over HTTP, beside the app. */
export interface SecondClient {
  /** `data.campaign` of GET one. */
  read(cid: number): Promise<JsonObject>;
  /** Changes some fields of a campaign the way any client does: GET, edit, PUT. */
  change(cid: number, fields: JsonObject): Promise<void>;
  /** Ids of the newest campaigns, or of those in a status. */
  cids(query: { status?: number; page?: number; perPage: number }): Promise<number[]>;
  /** Rows of a publisher report, read with the publisher key of the Demo. */
  report(path: '/xml/stats' | '/publisher/search-report', parameters: object): Promise<JsonObject[]>;
  /** How many requests of a kind the service has seen. */
  count(method: string, pathPart: string): number;
  /** Waits until it has seen one. */
  sees(method: string, pathPart: string): Promise<void>;
}

export function createSecondClient(service: Backend, baseUrl: string): SecondClient {
  const headers = {
    authorization: `Bearer ${service.issueDemoCredentials().memberToken}`,
    'content-type': 'application/json',
  };
  const base = `${baseUrl}/login/campaigns`;

  async function ask(path: string, body?: JsonObject): Promise<JsonObject> {
    const answer = await fetch(`${base}${path}`, {
      headers,
      ...(body && { method: 'PUT', body: JSON.stringify(body) }),
    });
    const read: unknown = await answer.json();
    if (!answer.ok || !isJsonObject(read))
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(read)}`);
    return isJsonObject(read['data']) ? read['data'] : {};
  }

  async function read(cid: number): Promise<JsonObject> {
    const { campaign } = await ask(`/${cid}`);
    if (!isJsonObject(campaign)) throw new Error(`No campaign ${cid}`);
    return campaign;
  }

  function count(method: string, pathPart: string): number {
    return service.requestLog().filter((seen) => seen.method === method && seen.path.includes(pathPart))
      .length;
  }

  return {
    read,
    async change(cid, fields) {
      await ask(`/${cid}`, { ...(await read(cid)), ...fields });
    },
    async cids({ status, page = 1, perPage }) {
      const chosen = status === undefined ? '' : `&status=${status}`;
      const { data } = await ask(`/campaigns?page=${page}&perPage=${perPage}${chosen}`);
      return Array.isArray(data) ? data.map((row) => (isJsonObject(row) ? Number(row['cid']) : 0)) : [];
    },
    async report(path, parameters) {
      const [key] = service.issueDemoCredentials().accounts.publisher.publisherKeys;
      const address = new URL(path, baseUrl);
      address.search = String(new URLSearchParams({ token: key?.key ?? '', ...parameters }));
      const answer: unknown = await (await fetch(address)).json();
      const data = isJsonObject(answer) ? answer['data'] : null;
      if (!Array.isArray(data)) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return data.filter(isJsonObject);
    },
    count,
    async sees(method, pathPart) {
      const message = `The service never saw ${method} ${pathPart}`;
      await expect.poll(() => count(method, pathPart), { message }).toBeGreaterThan(0);
    },
  };
}
