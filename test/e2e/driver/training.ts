import { expect } from 'vitest';
import type { Locator, Page } from 'playwright';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { planMission } from '#shared/training/plan/index.ts';
import type { AppDriver } from './app.ts';

/** The training window as a person uses it. */
export interface TrainingDriver {
  page: Page;
  /** Enters the trainee's name on the first page. */
  train(name: string): Promise<void>;
  goTo(section: 'Missions' | 'Lessons' | 'Progress' | 'Check results'): Promise<void>;
  /** Locates the card of a mission. */
  mission(title: string): Locator;
  /** Starts a mission and waits for its briefing. */
  start(title: string): Promise<void>;
  /** Begins the mission whose briefing is shown. */
  begin(): Promise<void>;
  /** Decides `count` proposals in the order of their arrival. `answer` gets the agent's words, which identify the proposal. */
  decide(count: number, answer: (says: string | null) => 'approve' | 'deny'): Promise<void>;
  heading(name: string | RegExp): Locator;
}

export function trainingDriver(app: AppDriver): TrainingDriver {
  const { page } = app;
  const heading = (name: string | RegExp): Locator => page.getByRole('heading', { name, level: 1 });
  const card = (title: string): Locator =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

  /** Waits for an undecided proposal and returns the oldest. */
  async function oldest(): Promise<ProposalView> {
    const list = { which: 'waiting', before: null, limit: 100 };
    const waiting = async (): Promise<{ id: string }[]> =>
      ((await app.ask('proposals.list', list)) as { items: { id: string }[] }).items;
    await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
    const { id = '' } = (await waiting()).at(-1) ?? {};
    return (await app.ask('proposals.get', { id })) as ProposalView;
  }

  return {
    page,
    heading,
    mission: card,
    async train(name) {
      await heading('Who is training?').waitFor();
      await page.getByLabel('Your name').fill(name);
      await page.keyboard.press('Enter');
      await heading('Missions').waitFor();
    },
    async goTo(section) {
      const sections = page.getByRole('navigation', { name: 'Sections of training' });
      await sections.getByRole('link', { name: section }).click();
      await heading(section).waitFor();
    },
    async start(title) {
      await page.getByRole('button', { name: `Start ${title}`, exact: true }).click();
      const refusal = page.getByRole('alert');
      await heading(title).or(refusal).first().waitFor();
      await expect.poll(() => refusal.allInnerTexts()).toEqual([]);
      await page.getByRole('button', { name: 'Begin' }).waitFor();
    },
    async begin() {
      await page.getByRole('button', { name: 'Begin' }).click();
      await heading('Proposals').waitFor();
    },
    async decide(count, answer) {
      for (let left = count; left > 0; left -= 1) {
        const { id, quotation, typeToConfirm } = await oldest();
        const confirmation = await app.bringUp(id);
        await confirmation.says('nothing here is real');
        await confirmation.armed();
        if (answer(quotation) === 'deny') await confirmation.pressDeny('Too much.');
        else {
          if (typeToConfirm) await confirmation.page.getByLabel(/^Type /).fill(typeToConfirm.value);
          await confirmation.pressApprove();
        }
        // The core is not asked, because after the last decision the workspace has ended and would refuse the request.
        await confirmation.answered();
      }
    },
  };
}

/** Returns the plans with an agent that barely waits between its steps. */
export function hurried(plan: typeof planMission): typeof planMission {
  return (...of) => {
    const made = plan(...of);
    return { ...made, steps: made.steps.map((step) => ({ ...step, afterMs: 200 })) };
  };
}
