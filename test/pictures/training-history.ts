import { join } from 'node:path';
import type { AttemptView } from '#shared/app-api/index.ts';
import { faultKinds, type MissionId, missionIds, missionKinds } from '#shared/training/index.ts';
import { attemptOf, writeAttempts } from '#test/core/training/attempts.ts';
import { openTraining } from '#test/core/training/training-world.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';

const dayMs = 86_400_000;

/**
 * Returns weeks of attempts by one trainee. By now the trainee catches the first kinds of faults, and has never seen the last
 * kinds.
 */
export function historyOf(name: string, skill: number): AttemptView[] {
  const played = missionIds.slice(0, 9 + skill);
  return played.flatMap((mission, at) => [1, 0].map((ago) => attemptAt({ name, mission, at, ago, skill })));
}

interface Played {
  name: string;
  mission: MissionId;
  at: number;
  ago: number;
  skill: number;
}

function attemptAt({ name, mission, at, ago, skill }: Played): AttemptView {
  const isGood = at < skill + (ago === 0 ? 6 : 3);
  const [kind] = missionKinds[mission];
  const faults = [true, isGood, isGood || at % 2 === 0].map((isCaught) => ({ kind, isCaught }));
  const caught = faults.filter(({ isCaught }) => isCaught).length;
  const falseAlarms = at % 3;
  const good = 6;
  return attemptOf(name, `${name} ${mission} ${ago}`, {
    mission,
    endedAtMs: Date.now() - (20 - at) * dayMs - ago * 9 * dayMs,
    faults,
    score: {
      points: Math.round(100 * (caught / 3) * ((good - falseAlarms) / good)),
      caught,
      missed: faults.length - caught,
      falseAlarms,
      fine: good - falseAlarms,
      undecided: 0,
      medianMs: 6_000 + 1_300 * at,
    },
  });
}

/** Makes the data folder of an app in whose training this person has played for weeks. */
export async function folderWithHistory(name: string): Promise<string> {
  const dataFolder = tempFolder();
  await writeAttempts(join(dataFolder, 'training'), historyOf(name, faultKinds.length / 4));
  return dataFolder;
}

/** Makes the result file of a trainee, saved on another computer. */
export async function resultFileOf(name: string, skill: number): Promise<string> {
  const folder = tempFolder();
  await writeAttempts(folder, historyOf(name, skill));
  const { core } = await openTraining({ folder });
  return (await core.handlers['training.resultFile']({})).text;
}
