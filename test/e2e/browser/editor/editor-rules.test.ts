import { expect, test } from 'vitest';
import type { AppDriver } from '../../driver/app.ts';
import { axeFaults } from '../../driver/axe.ts';
import { prepareBrowserSessions } from '../../driver/browser/sessions.ts';
import { firstWith, openSection } from '../../driver/editor.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

const { startSession } = prepareBrowserSessions();

async function chooseType({ page }: AppDriver, label: string): Promise<void> {
  await page.getByRole('button', { name: /^Type: / }).click();
  await page.getByRole('option', { name: label, exact: true }).click();
}

const controlsOf = ({ bidControl }: JsonObject) => bidControl as JsonObject[];

test('a refusal by the service stays at its field until the field changes', async () => {
  const { app, second, faults } = await startSession();
  await app.until('first row');
  const [cid = 0] = await second.cids({ status: 1, perPage: 1 });
  const { payout } = await second.read(cid);
  const panel = await app.open(cid);
  await app.edit(cid, 'Bid', '+10%');
  await app.edit(cid, 'Name', 'My name');
  await panel.getByText('2 changes', { exact: true }).last().waitFor();
  const confirmation = await app.review(cid);
  const errors = [{ field: 'payout', code: 'out_of_range', message: 'Bids end in 5 today.' }];
  faults.arm({ kind: 'answer', status: 422, method: 'PUT', errors });
  await confirmation.pressApprove();
  const refused = panel.getByText('“Bids end in 5 today.”', { exact: true });
  await refused.waitFor();
  await expect.poll(() => panel.getByLabel('Bid', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  await panel.getByText('1 field needs attention').waitFor();
  expect(await axeFaults(app.page)).toEqual([]);
  await confirmation.ends('Not stored');
  await confirmation.close();

  await app.edit(cid, 'Name', 'Another name');
  await panel.getByText('1 field needs attention').waitFor();
  await refused.waitFor();
  await app.edit(cid, 'Bid', '+12%');
  await refused.waitFor({ state: 'detached' });
  await panel.getByText('2 changes', { exact: true }).last().waitFor();
  const again = await app.review(cid);
  await again.pressApprove();
  await again.ends('Verified');
  const after = await second.read(cid);
  expect(after['name']).toBe('Another name');
  expect(after['payout']).toBeCloseTo(Number(payout) * 1.12, 6);
});

test('removing bid controls allows a type without them, and removing what Popunder cannot limit allows a Popunder type', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  const cid = await firstWith(second, (campaign) => controlsOf(campaign).length > 0, {});
  const before = await second.read(cid);
  const region = await openSection(app, cid, 'identity');
  await chooseType(app, 'Display · CPM');
  await region.getByText('Cannot stay with this type: Bid controls.').waitFor();
  await region.getByRole('button', { name: 'Remove bid controls' }).click();
  await region.getByText(/Cannot stay/).waitFor({ state: 'detached' });
  expect(await axeFaults(app.page)).toEqual([]);
  const bids = await openSection(app, cid, 'bids');
  await bids.getByText(/will be removed\./).waitFor();
  await bids.getByRole('button', { name: 'Undo the change of Bid controls' }).click();
  await bids.getByRole('button', { name: 'Remove bid controls' }).waitFor();
  expect(controlsOf(await second.read(cid))).toEqual(controlsOf(before));

  const limited = await firstWith(
    second,
    ({ connection_enabled, traffic_type_enabled }) => connection_enabled === 0 && traffic_type_enabled === 0,
    {},
  );
  const popunder = await openSection(app, limited, 'identity');
  await chooseType(app, 'Popunder Premium · CPM');
  await popunder.getByRole('button', { name: 'Target all connection types' }).click();
  const targeting = await openSection(app, limited, 'targeting');
  await targeting.getByText('Traffic types cannot be targeted by Popunder campaigns.').waitFor();
  await targeting.getByText('Connection types', { exact: false }).first().waitFor();
  await targeting.getByRole('button', { name: 'Target all traffic types' }).click();
  await targeting
    .getByText('Traffic types cannot be targeted by Popunder campaigns.')
    .waitFor({ state: 'detached' });
  expect(await axeFaults(app.page)).toEqual([]);
});

test('the user edits the bid of a source within the limits of the type, and other controls are read-only', async () => {
  const { app, second } = await startSession();
  await app.until('first row');
  const cid = await firstWith(second, (campaign) => controlsOf(campaign).length > 1, {});
  const [known = {}, other = {}, ...more] = controlsOf(await second.read(cid));
  const region = await openSection(app, cid, 'bids');
  const first = region.getByRole('listitem', { name: 'Bid control 1', exact: true });
  await first.getByText(String(known['source'])).waitFor();
  const bid = first.getByRole('textbox');
  await expect.poll(() => bid.inputValue()).toBe(String(known['bid']));
  const unknown = region.getByRole('listitem', { name: 'Bid control 2', exact: true });
  await unknown.getByText('Read-only').waitFor();
  expect(await unknown.getByRole('textbox').count()).toBe(0);

  await bid.fill('900');
  await first.getByText('Outside the limits.').waitFor();
  await region.getByText(/^Bid controls must be between/).waitFor();
  await expect.poll(() => region.getByRole('button', { name: /^Review change/ }).isDisabled()).toBe(true);
  await bid.fill('0.07');
  await first.getByText('Outside the limits.').waitFor({ state: 'detached' });
  expect(await axeFaults(app.page)).toEqual([]);
  const confirmation = await app.review(cid);
  await confirmation.pressApprove();
  await confirmation.ends('Verified');
  expect(controlsOf(await second.read(cid))).toEqual([{ ...known, bid: 0.07 }, other, ...more]);
});
