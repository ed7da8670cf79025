import { expect } from 'vitest';
import type { Backend } from '#core/backend/index.ts';
import { isJsonObject, type JsonObject } from '#shared/lib/json/json-value.ts';

/** A second user of the account, who uses the contract over HTTP without the app. */
export interface SecondClient {
  /** Returns `data.campaign` of a GET of one campaign. */
  read(cid: number): Promise<JsonObject>;
  /** Changes fields of a campaign as any client does: GET, edit, PUT. */
  change(cid: number, fields: JsonObject): Promise<void>;
  /** Returns the ids of the newest campaigns, optionally with a status. */
  cids(query: { status?: number; page?: number; perPage: number }): Promise<number[]>;
  /** Returns the rows of a publisher report, read with Demo's publisher key. */
  report(path: '/xml/stats' | '/publisher/search-report', parameters: object): Promise<JsonObject[]>;
  /** Counts the requests that the service has received, by method and part of the path. */
  count(method: string, pathPart: string): number;
  /** Waits until the service has received such a request. */
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
