import type { StatusCode } from '#shared/contract/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { Random } from './random.ts';

const dayMs = 86_400_000;

/** The start/end window around today: past for what ran, ahead for what is scheduled. */
export function flight(random: Random, status: StatusCode, nowMs: number): JsonObject {
  const isScheduled = status === 4;
  const isOn = isScheduled || random.chance(0.45);
  if (!isOn) return { enable_time: 0, create: '', create_time: '', expire: '', expire_time: '' };
  const startsIn = isScheduled ? random.integer(1, 30) : -random.integer(2, 120);
  const lasts = random.integer(14, 60);
  const isOver = status === 2 && startsIn + lasts < 0;
  const endsIn = isScheduled || isOver ? startsIn + lasts : random.integer(5, 75);
  const hasEnd = random.chance(0.8);
  return {
    enable_time: 1,
    create: dateIn(nowMs, startsIn),
    create_time: random.pick(['00:00', '00:00', '06:00', '09:00']),
    expire: hasEnd ? dateIn(nowMs, endsIn) : '',
    expire_time: hasEnd ? random.pick(['23:59', '23:59', '18:00']) : '',
  };
}

function dateIn(nowMs: number, days: number): string {
  return new Date(nowMs + days * dayMs).toISOString().slice(0, 10);
}
