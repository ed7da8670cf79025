import { describe, expect, test } from 'vitest';
import { parsePolicy } from '#system/policy/policy.ts';
import { AppError } from '#shared/errors/index.ts';

function failureOf(text: string): AppError {
  try {
    parsePolicy(text);
  } catch (failure) {
    if (failure instanceof AppError) return failure;
    throw failure;
  }
  throw new Error('The text was accepted');
}

describe('the text of an administrator’s policy', () => {
  test('without members sets no limit', () => {
    expect(parsePolicy('{}')).toEqual({ guardrails: null, liveServices: null, updatesOff: false });
  });

  test('sets guardrails, live services and updates', () => {
    const text = JSON.stringify({
      guardrails: {
        maxBidFactor: 1.5,
        maxRaisePerDay: 250.1,
        maxRaiseUntilEnd: 10000,
        maxCampaigns: 20,
        pace: { changes: 30, minutes: 60 },
        spendPace: { amount: 1000, hours: 24 },
        quietHours: { fromHour: 22, untilHour: 7 },
        untouchable: [1042],
      },
      liveServices: ['https://api.example.com', 'http://127.0.0.1:4100'],
      updates: 'off',
    });
    expect(parsePolicy(text)).toEqual({
      guardrails: {
        maxBidFactor: 1.5,
        maxRaisePerDayMicros: '250100000',
        maxRaiseUntilEndMicros: '10000000000',
        maxCampaigns: 20,
        pace: { changes: 30, minutes: 60 },
        spendPace: { micros: '1000000000', hours: 24 },
        quietHours: { fromHour: 22, untilHour: 7 },
        untouchable: [1042],
      },
      liveServices: ['https://api.example.com', 'http://127.0.0.1:4100'],
      updatesOff: true,
    });
  });

  test('leaves every limit that it does not name unset', () => {
    expect(parsePolicy('{"guardrails":{"maxCampaigns":5}}').guardrails).toEqual({
      maxBidFactor: null,
      maxRaisePerDayMicros: null,
      maxRaiseUntilEndMicros: null,
      maxCampaigns: 5,
      pace: null,
      spendPace: null,
      quietHours: null,
      untouchable: [],
    });
  });

  const wrong: [text: string, field: string][] = [
    ['{"guardrails":{"maxBidFactor":0.5}}', 'guardrails.maxBidFactor'],
    ['{"guardrails":{"maxBidFactor":null}}', 'guardrails.maxBidFactor'],
    ['{"guardrails":{"maxBidFactor":"2"}}', 'guardrails.maxBidFactor'],
    ['{"guardrails":{"maxRaisePerDay":-1}}', 'guardrails.maxRaisePerDay'],
    ['{"guardrails":{"maxRaiseUntilEnd":0.0000001}}', 'guardrails.maxRaiseUntilEnd'],
    ['{"guardrails":{"maxCampaigns":1.5}}', 'guardrails.maxCampaigns'],
    ['{"guardrails":{"pace":{"changes":3}}}', 'guardrails.pace.minutes'],
    ['{"guardrails":{"pace":{"changes":3,"minutes":9,"seconds":1}}}', 'guardrails.pace'],
    ['{"guardrails":{"spendPace":{"micros":"1","hours":1}}}', 'guardrails.spendPace.amount'],
    ['{"guardrails":{"quietHours":{"fromHour":24,"untilHour":7}}}', 'guardrails.quietHours.fromHour'],
    ['{"guardrails":{"untouchable":[1042,0]}}', 'guardrails.untouchable[1]'],
    ['{"guardrails":{"maxBids":2}}', 'guardrails'],
    ['{"liveServices":"https://api.example.com"}', 'liveServices'],
    ['{"liveServices":["https://api.example.com/"]}', 'liveServices[0]'],
    ['{"liveServices":["https://API.example.com"]}', 'liveServices[0]'],
    ['{"liveServices":["https://api.example.com/api/v1"]}', 'liveServices[0]'],
    ['{"liveServices":["api.example.com"]}', 'liveServices[0]'],
    ['{"liveServices":["ftp://api.example.com"]}', 'liveServices[0]'],
    ['{"updates":"on"}', 'updates'],
    ['{"updates":false}', 'updates'],
    ['{"update":"off"}', ''],
    ['[]', ''],
    ['null', ''],
  ];
  test.each(wrong)('%s is refused, naming the faulty member', (text, field) => {
    const { code, fields } = failureOf(text);
    expect(code).toBe('policy_unusable');
    expect(fields.map((one) => one.field)).toContain(field);
  });

  test('is refused with every fault in one message', () => {
    expect(failureOf('{"guardrails":{"maxBidFactor":0},"updates":1}').message).toMatch(
      /“guardrails\.maxBidFactor”: .+; “updates”: .+/u,
    );
  });

  test.each(['', '{', '{"updates":"off","updates":"off"}', '{"__proto__":{}}', '{} {}', '﻿{}'])(
    'is refused unless it is exactly one strict JSON object: %j',
    (text) => {
      expect(failureOf(text).code).toBe('policy_unusable');
    },
  );
});
