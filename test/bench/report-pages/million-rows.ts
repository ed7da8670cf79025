import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// A publisher service in a process of its own, with a Search report of a million rows over the 31 days of January. It
// sends its port, and then the time of the last byte of each answer. In the feed `differentFeed` each row has a sub-ID
// of its own.
const month = '2026-01-';
const feeds = 8;
const geos = 40;
const subids = 101;
const differentFeed = 7;

const pad = (count: number, length: number): string => String(count).padStart(length, '0');

interface Asked {
  /** First day of the month, counted from 1. */
  from: number;
  to: number;
  isDifferent: boolean;
}

async function send(response: ServerResponse, { from, to, isDifferent }: Asked): Promise<void> {
  let row = 0;
  const write = async (text: string): Promise<void> => {
    if (!response.write(text)) await new Promise((resolve) => response.once('drain', resolve));
  };
  await write('{"status":"success","message":"Search report","data":[');
  for (let day = from; day <= to; day += 1) {
    for (let feed = 0; feed < feeds; feed += 1) {
      for (let geo = 0; geo < geos; geo += 1) {
        const rows = Array.from({ length: subids }, (_, subid) => {
          const total = 100 + ((day * 31 + feed * 17 + geo * 13 + subid * 7) % 900);
          const revenue = `${total % 97}.${pad((total * 7919) % 1_000_000, 6)}`;
          row += 1;
          const id = isDifferent ? pad((row * 7919) % 10_000_019, 8) : pad(subid, 3);
          return (
            `{"date":"${month}${pad(day, 2)}","feed":${400 + feed},"geo":"G${pad(geo, 2)}","subid":"sub-${id}",` +
            `"total":"${total}","monetized":"${total >> 1}","clicks":"${total >> 4}","revenue":"${revenue}","epc":"0.100000","rpm":"1.000000"}`
          );
        });
        const isFirst = day === from && feed === 0 && geo === 0;
        await write(`${isFirst ? '' : ','}${rows.join(',')}`);
      }
    }
  }
  response.end(']}', () => process.send?.(performance.timeOrigin + performance.now()));
}

const server = createServer((request, response) => {
  request.resume();
  // The app tries a pasted key with a report of one day.
  const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  const isDifferent = searchParams.get('sid') === String(differentFeed);
  const [from, to] = ['date_from', 'date_to'].map((name) => searchParams.get(name) ?? '');
  if (from?.startsWith(month) && to?.startsWith(month)) {
    void send(response, { from: Number(from.slice(-2)), to: Number(to.slice(-2)), isDifferent });
  } else response.end('{"status":"success","message":"","data":[]}');
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
