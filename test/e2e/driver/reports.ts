import type { Page } from 'playwright';
import { goToHash } from './app.ts';

const dayMs = 86_400_000;

/** Days between the demo's half-day outages. */
const outageEvery = 17;

/** Navigates to a report, or to another part of its page, by the parameters of its address. */
export function turnToReport(page: Page, parameters: string): Promise<void> {
  return goToHash(page, `#/reports?${parameters}`);
}

/** Waits until every row of the report is loaded and drawn. */
export async function untilReportSettles(page: Page): Promise<void> {
  await page.getByText(/^read /).waitFor();
  await page.locator('[aria-label="Report rows"][aria-busy="false"]:not(:has([aria-busy="true"]))').waitFor();
}

/** Returns noon of a day with an outage of the demo, in milliseconds. The day is yesterday for a clock one day later. */
export function noonOfOutage(): number {
  const day = Math.ceil(Date.parse('2026-11-01') / dayMs / outageEvery) * outageEvery;
  return day * dayMs + dayMs / 2;
}

/** Fills in the form of an alert on falling gross requests. The percentage stays empty, which is refused at its field. */
export async function addAlertWithoutPercentage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add alert' }).click();
  await page.getByRole('button', { name: /^Metric/ }).click();
  await page.getByRole('option', { name: 'Gross requests' }).click();
  await page.getByRole('button', { name: /^Condition/ }).click();
  await page.getByRole('option', { name: 'Falls by' }).click();
  await page.getByRole('button', { name: 'Add alert' }).click();
  await page.getByText('Enter digits and at most one point').waitFor();
}
