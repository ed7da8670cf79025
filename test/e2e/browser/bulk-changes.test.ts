import { expect, test } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { faultsOf } from '../driver/axe.ts';
import type { AppDriver } from '../driver/app.ts';
import { prepareBrowserSessions } from '../driver/browser/sessions.ts';
