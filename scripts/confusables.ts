/**
 * Writes src/main/core/platform/names/confusables.ts from confusables.txt of the Unicode Security Mechanisms: `node
 * scripts/confusables.ts <path of confusables.txt>`. The file is at
 * https://www.unicode.org/Public/<version>/security/confusables.txt, and in ICU's sources in source/data/unidata. Use the version
 * with which Node normalizes (`process.versions.unicode`).
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './lib/run-tool.ts';

const [path] = process.argv.slice(2);
if (path === undefined)
  throw new Error('Name the file: node scripts/confusables.ts <path of confusables.txt>');

const text = readFileSync(path, 'utf8');
const version = /^# Version: (\d+\.\d+)/m.exec(text)?.[1];
const date = /^# Date: (\S+),/m.exec(text)?.[1];
const year = date?.slice(0, 4);
const total = Number(/^# total: (\d+)/m.exec(text)?.[1]);
const hash = createHash('sha256').update(readFileSync(path)).digest('hex');

const sources = new Map<string, string[]>();
let read = 0;
for (const [, source, target] of text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA/gm)) {
  const name = (target ?? '').trim().split(' ').map(short).join('+');
  sources.set(name, [...(sources.get(name) ?? []), short(source ?? '')]);
  read += 1;
}
if (version === undefined || read === 0 || read !== total) {
  throw new Error(`${read} of ${total} rows of ${path} were understood`);
}

const words = [...sources].map(([target, letters]) => `${target}:${letters.join(',')}`);
writeFileSync(
  join(projectRoot, 'src/main/core/platform/names/confusables.ts'),
  `/*
 * Letters that look like others: confusables.txt of the Unicode Security Mechanisms (UTS #39), version ${version}, of ${date}.
 * Written by scripts/confusables.ts; SHA-256 of the source ${hash}.
 *
${notice(year ?? '')}
 */

/** The version of Unicode that the table is of. */
export const confusablesVersion = '${version}';

/** One word for each prototype: its code points, a colon, and the letters that look like it, all hexadecimal. */
export const confusables = \`
${filled(words).join('\n')}
\`;
`,
);
process.stdout.write(`${read} letters, ${sources.size} prototypes, Unicode ${version}\n`);

function short(codePoint: string): string {
  return Number.parseInt(codePoint, 16).toString(16);
}

function filled(all: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of all) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 140) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Unicode License V3, which must accompany every copy of the data. */
function notice(lastYear: string): string {
  return ` * UNICODE LICENSE V3. Copyright © 1991-${lastYear} Unicode, Inc.
 *
 * NOTICE TO USER: Carefully read the following legal agreement. BY DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING
 * DATA FILES, AND/OR SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE TERMS AND CONDITIONS OF
 * THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated
 * documentation (the "Data Files") or software and any associated documentation (the "Software") to deal in the Data
 * Files or Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
 * distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the Data Files or
 * Software are furnished to do so, provided that either (a) this copyright and permission notice appear with all copies
 * of the Data Files or Software, or (b) this copyright and permission notice appear in associated Documentation.
 *
 * THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT
 * LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY
 * RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY
 * SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
 * WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
 * PERFORMANCE OF THE DATA FILES OR SOFTWARE.
 *
 * Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to
 * promote the sale, use or other dealings in these Data Files or Software without prior written authorization of the
 * copyright holder.`;
}
