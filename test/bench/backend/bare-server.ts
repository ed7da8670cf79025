import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connectReadOnly } from '#core/store/sqlite/database.ts';

/**
 * A lower bound for the service: answers with bytes read from the service's database file, without guards, sign-in or any
 * parameter but the page.
 */
export async function openBareServer(file: string, uid: number): Promise<{ port: number; close(): void }> {
  const db = connectReadOnly(file);
  const page = db
    .prepare('SELECT row FROM campaign WHERE uid = ? ORDER BY cid DESC LIMIT ? OFFSET ?')
    .pluck();
  const total = Number(db.prepare('SELECT count(*) FROM campaign WHERE uid = ?').pluck().get(uid));
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://bare.example');
    const number = Number(searchParams.get('page'));
    const perPage = Number(searchParams.get('perPage'));
    const rows = page.all(uid, perPage, (number - 1) * perPage) as string[];
    const data = `{"data":[${rows.join(',')}],"total":${total},"currentPage":${number},"totalPages":${Math.ceil(total / perPage)}}`;
    const body = `{"status":"success","message":"Campaigns","data":${data}}`;
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
      db.close();
    },
  };
}
