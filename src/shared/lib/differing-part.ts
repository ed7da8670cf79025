export interface DifferingPart {
  head: string;
  part: string;
  tail: string;
}

/** Returns the words in which a text differs from another: for `https://a.example/x` and `https://b.example/x` it is `a`. */
export function differingPart(text: string, other: string): DifferingPart {
  const [mine, theirs] = [[...text], [...other]];
  const most = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < most && mine[start] === theirs[start]) start += 1;
  let end = 0;
  while (end < most - start && mine.at(-1 - end) === theirs.at(-1 - end)) end += 1;
  while (start > 0 && isInWord(mine[start - 1]) && (isInWord(mine[start]) || isInWord(theirs[start])))
    start -= 1;
  while (end > 0 && isInWord(mine.at(-end)) && (isInWord(mine.at(-1 - end)) || isInWord(theirs.at(-1 - end))))
    end -= 1;
  const cut = mine.length - end;
  return {
    head: mine.slice(0, start).join(''),
    part: mine.slice(start, cut).join(''),
    tail: mine.slice(cut).join(''),
  };
}

function isInWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{M}\p{N}]/u.test(character);
}
