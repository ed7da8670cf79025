import type { ProposalView } from '#shared/app-api/index.ts';
import { lookAlikeScripts } from '#shared/campaign/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import type { Admission } from './admission.ts';

type Warning = ProposalView['warnings'][number];

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What a person should know before letting an agent in; dangers first. */
export function admissionWarnings(admission: Admission): Warning[] {
  return [...imitation(admission), ...lookAlikes(admission), ...elsewhere(admission)];
}

/** Anybody may register any name, this app's as well. */
function imitation({ name }: Admission): Warning[] {
  if (!bareLetters(name).includes('countersign')) return [];
  const text = 'It calls itself like this app. Countersign never asks to be let in.';
  return [{ code: 'agent_imitates', severity: 'danger', text }];
}

function lookAlikes({ name }: Admission): Warning[] {
  const scripts = lookAlikeScripts(name);
  if (scripts.length === 0) return [];
  const text = `Its name has ${scripts.join(' and ')} letters. They can look like others.`;
  return [{ code: 'look_alikes', severity: 'warning', text }];
}

function elsewhere({ redirectHost }: Admission): Warning[] {
  if (loopbackHosts.has(redirectHost)) return [];
  const host = inertText(redirectHost);
  const text = `Your answer goes to the website ${host}, not to a program on this computer. Let it in only if you know it.`;
  return [{ code: 'agent_elsewhere', severity: 'warning', text }];
}

/** Digits and signs that are read as letters. */
const readAs: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  l: 'i',
  '|': 'i',
  '3': 'e',
  '5': 's',
  $: 's',
};

/** Letters that are drawn like plain ones. */
const drawnAs: Readonly<Record<string, string>> = {
  с: 'c',
  ϲ: 'c',
  о: 'o',
  ο: 'o',
  υ: 'u',
  ս: 'u',
  п: 'n',
  ո: 'n',
  т: 't',
  τ: 't',
  е: 'e',
  ε: 'e',
  г: 'r',
  ѕ: 's',
  і: 'i',
  ι: 'i',
  ı: 'i',
};

/** A name as a hasty reader takes it: plain small letters, without marks, spaces and signs. */
function bareLetters(name: string): string {
  const letters = [...name.normalize('NFKD').toLowerCase()];
  return letters
    .map((letter) => readAs[letter] ?? drawnAs[letter] ?? letter)
    .join('')
    .replace(/[^a-z]/g, '');
}
